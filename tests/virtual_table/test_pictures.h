// What the tests of pictures share: cutting a tile out of a picture, and how
// alike two pictures are.
#pragma once

#include <array>
#include <vector>

#include "nlohmann/json.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::virtual_table {

inline constexpr int kCutOutSide_px = 48;

// The face between four corners (north-west first, clockwise), upright.
inline cv::Mat CutOut(const cv::Mat& picture, const nlohmann::json& corners_px) {
  std::array<cv::Point2f, 4> from, to;
  constexpr float n = kCutOutSide_px - 0.5F;
  const std::array<cv::Point2f, 4> square = {
      cv::Point2f{-0.5F, -0.5F}, {n, -0.5F}, {n, n}, {-0.5F, n}};
  for (std::size_t i = 0; i < 4; ++i) {
    from[i] = {corners_px[i][0].get<float>(), corners_px[i][1].get<float>()};
    to[i] = square[i];
  }
  cv::Mat soft, out;
  cv::GaussianBlur(picture, soft, {}, 0.6);
  cv::warpPerspective(soft, out, cv::getPerspectiveTransform(from, to),
                      {kCutOutSide_px, kCutOutSide_px}, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  return out;
}

// Normalised correlation over the colours, -1 to 1; light and cast cancel.
inline double Likeness(const cv::Mat& a, const cv::Mat& b) {
  std::vector<cv::Mat> pa, pb;
  cv::split(a, pa);
  cv::split(b, pb);
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    cv::Mat fa, fb;
    pa[c].convertTo(fa, CV_32F);
    pb[c].convertTo(fb, CV_32F);
    cv::GaussianBlur(fa, fa, {}, 0.8);
    cv::GaussianBlur(fb, fb, {}, 0.8);
    fa -= cv::mean(fa)[0];
    fb -= cv::mean(fb)[0];
    sum += fa.dot(fb) / std::max(1e-9, cv::norm(fa) * cv::norm(fb));
  }
  return sum / 3;
}

}  // namespace tilewarden::virtual_table
