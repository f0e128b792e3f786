#include "vision/picture/tile_patch.h"

#include <algorithm>
#include <cmath>

#include "opencv2/core/hal/intrin.hpp"
#include "opencv2/imgproc.hpp"
#include "vision/picture/geometry.h"

namespace tilewarden::vision {

PicturePyramid::PicturePyramid(const cv::Mat& picture) {
  levels_.push_back({picture, 1});
  // A tile of 1024 pixels is still sampled with steps below two.
  while (levels_.size() < 5 &&
         std::min(levels_.back().pixels.cols, levels_.back().pixels.rows) >= 64) {
    cv::Mat half;
    cv::resize(levels_.back().pixels, half, {}, 0.5, 0.5, cv::INTER_AREA);
    levels_.push_back({half, levels_.back().scale * 0.5F});
  }
}

const PicturePyramid::Level& PicturePyramid::ForStep(float step_px) const {
  std::size_t level = 0;
  while (level + 1 < levels_.size() && step_px * levels_[level].scale >= 2) ++level;
  return levels_[level];
}

Light Light::Veiled(float share) const {
  Light light = *this;
  light.exposure = exposure / (1 - share);
  light.veil = veil - exposure * share / (1 - share);
  return light;
}

cv::Matx33f PxFromTile(const std::array<cv::Point2f, 4>& c) {
  // The closed form for the unit square.
  const cv::Point2f d1 = c[1] - c[2], d2 = c[3] - c[2], s = c[0] - c[1] + c[2] - c[3];
  const float det = d1.x * d2.y - d2.x * d1.y;
  const float g = (s.x * d2.y - d2.x * s.y) / det;
  const float h = (d1.x * s.y - s.x * d1.y) / det;
  return {c[1].x - c[0].x + g * c[1].x,
          c[3].x - c[0].x + h * c[3].x,
          c[0].x,
          c[1].y - c[0].y + g * c[1].y,
          c[3].y - c[0].y + h * c[3].y,
          c[0].y,
          g,
          h,
          1};
}

std::array<cv::Point2f, 4> CornersOf(const cv::Matx33f& px_from_tile) {
  std::array<cv::Point2f, 4> corners;
  const std::array<cv::Point2f, 4> kSquare = {cv::Point2f{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (std::size_t i = 0; i < 4; ++i) {
    corners[i] = Through(px_from_tile, kSquare[i]);
  }
  return corners;
}

bool SpanAnArea(const std::array<cv::Point2f, 4>& corners_px) {
  constexpr float kFarthest_px = 1e5F;  // beyond it lies the horizon
  constexpr double kLeast_px = 4;       // area
  for (const cv::Point2f& p : corners_px) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return false;
    if (std::abs(p.x) > kFarthest_px || std::abs(p.y) > kFarthest_px) return false;
  }
  return cv::contourArea(corners_px) >= kLeast_px && cv::isContourConvex(corners_px);
}

bool InPicture(const cv::Matx33f& px_from_tile, cv::Size size, float slack) {
  const std::array<cv::Point2f, 4> corners = CornersOf(px_from_tile);
  const float beyond = slack * static_cast<float>(cv::norm(corners[0] - corners[1]));
  return std::all_of(corners.begin(), corners.end(), [&](const cv::Point2f& c) {
    return c.x >= -0.5F - beyond && c.y >= -0.5F - beyond &&
           c.x <= static_cast<float>(size.width) + beyond &&
           c.y <= static_cast<float>(size.height) + beyond;
  });
}

void Sample(const PicturePyramid& picture, const cv::Matx33f& px_from_tile, float first, float step,
            float grain, int count, cv::Vec3f* out) {
  const cv::Vec3f middle = px_from_tile * cv::Vec3f(0.5F, 0.5F, 1);
  const cv::Vec3f right = px_from_tile * cv::Vec3f(0.5F + grain, 0.5F, 1);
  const cv::Vec3f down = px_from_tile * cv::Vec3f(0.5F, 0.5F + grain, 1);
  const auto apart = [&](const cv::Vec3f& p) {
    return std::hypot(p[0] / p[2] - middle[0] / middle[2], p[1] / p[2] - middle[1] / middle[2]);
  };
  const PicturePyramid::Level& level = picture.ForStep(std::sqrt(apart(right) * apart(down)));
  const cv::Mat& pixels = level.pixels;
  // Pixel centres at integers: (x + 1/2) * scale - 1/2 on a smaller level.
  const float shift = 0.5F * level.scale - 0.5F;
  const cv::Matx33f& m = px_from_tile;
  const float last_x = static_cast<float>(pixels.cols) - 1.001F;
  const float last_y = static_cast<float>(pixels.rows) - 1.001F;
  for (int j = 0; j < count; ++j) {
    const float ty = first + step * static_cast<float>(j);
    for (int i = 0; i < count; ++i, ++out) {
      const float tx = first + step * static_cast<float>(i);
      const float w = 1.F / (m(2, 0) * tx + m(2, 1) * ty + m(2, 2));
      float x = (m(0, 0) * tx + m(0, 1) * ty + m(0, 2)) * w * level.scale + shift;
      float y = (m(1, 0) * tx + m(1, 1) * ty + m(1, 2)) * w * level.scale + shift;
      x = x > 0 ? std::min(x, last_x) : 0;  // also where not a number
      y = y > 0 ? std::min(y, last_y) : 0;
      const int ix = static_cast<int>(x), iy = static_cast<int>(y);
      const float fx = x - static_cast<float>(ix), fy = y - static_cast<float>(iy);
      const uchar* a = pixels.ptr<uchar>(iy) + 3 * ix;
      const uchar* b = a + pixels.step;
      // Three channels at once; of the pixel to the right what begins one byte before it, so that
      // nothing is read past the picture.
      const auto here = [](const uchar* at) {
        return cv::v_cvt_f32(cv::v_reinterpret_as_s32(cv::v_load_expand_q(at)));
      };
      const auto right_of = [&](const uchar* at) { return cv::v_rotate_right<1>(here(at + 2)); };
      const cv::v_float32x4 colour = cv::v_setall_f32((1 - fx) * (1 - fy)) * here(a) +
                                     cv::v_setall_f32(fx * (1 - fy)) * right_of(a) +
                                     cv::v_setall_f32((1 - fx) * fy) * here(b) +
                                     cv::v_setall_f32(fx * fy) * right_of(b);
      cv::v_store_low(out->val, colour);
      out->val[2] = cv::v_extract_n<2>(colour);
    }
  }
}

}  // namespace tilewarden::vision
