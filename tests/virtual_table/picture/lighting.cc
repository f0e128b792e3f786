#include "tests/virtual_table/picture/lighting.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "opencv2/core/utility.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::virtual_table {
namespace {

constexpr double kMapScale = 1.25;  // pixels per mm
constexpr int kSamples = 14;        // points on a light

float Bilinear(const cv::Mat& m, float x, float y) {
  x = std::clamp(x, 0.0F, static_cast<float>(m.cols) - 1.01F);
  y = std::clamp(y, 0.0F, static_cast<float>(m.rows) - 1.01F);
  const int x0 = static_cast<int>(x), y0 = static_cast<int>(y);
  const float fx = x - static_cast<float>(x0), fy = y - static_cast<float>(y0);
  const uchar* a = m.ptr<uchar>(y0) + x0;
  const uchar* b = m.ptr<uchar>(y0 + 1) + x0;
  const float top = static_cast<float>(a[0]) + fx * static_cast<float>(a[1] - a[0]);
  const float low = static_cast<float>(b[0]) + fx * static_cast<float>(b[1] - b[0]);
  return (top + fy * (low - top)) * (1 / 255.0F);
}

void FillHull(const std::vector<cv::Point2f>& points, cv::Mat* picture) {
  std::vector<cv::Point2f> hull;
  cv::convexHull(points, hull);
  constexpr int kShift = 4;
  std::vector<cv::Point> fixed;
  fixed.reserve(hull.size());
  for (const auto& p : hull) fixed.emplace_back(cvRound(p.x * 16), cvRound(p.y * 16));
  if (fixed.size() >= 3) cv::fillConvexPoly(*picture, fixed, 0, cv::LINE_8, kShift);
}

// Points spread evenly over a disc, facing the middle of the table.
std::vector<cv::Vec3f> Spread(const Light& light) {
  std::vector<cv::Vec3f> points;
  cv::Vec3f axis = light.at * (1 / static_cast<float>(cv::norm(light.at)));
  cv::Vec3f u = axis.cross(cv::Vec3f{0, 1, 0.01F});
  u *= 1 / static_cast<float>(cv::norm(u));
  const cv::Vec3f v = axis.cross(u);
  for (int i = 0; i < kSamples; ++i) {
    const double r = light.radius * std::sqrt((i + 0.5) / kSamples), a = i * 2.39996;
    points.push_back(light.at + u * static_cast<float>(r * std::cos(a)) +
                     v * static_cast<float>(r * std::sin(a)));
  }
  return points;
}

}  // namespace

ShadowMap::ShadowMap(cv::Rect2d area_mm, double px_per_mm, double z_mm, const Light& light,
                     const std::vector<Caster>& casters, bool lying_cards)
    : area_(area_mm),
      px_per_mm_(static_cast<float>(px_per_mm)),
      z_(static_cast<float>(z_mm)),
      light_(light.at) {
  const cv::Size size(cvCeil(area_mm.width * px_per_mm), cvCeil(area_mm.height * px_per_mm));
  cv::Mat sum = cv::Mat::zeros(size, CV_16U);
  cv::Mat one(size, CV_8U);
  std::vector<cv::Point2f> points;
  for (const cv::Vec3f& from : Spread(light)) {
    one.setTo(1);
    for (const Caster& caster : casters) {
      if (caster.lying_card && !lying_cards) continue;
      points.clear();
      bool above = false;
      for (const cv::Vec3f& p : caster.points) {
        above |= p[2] > z_ + 0.05F;
        const float s = (p[2] - z_) / std::max(1.0F, from[2] - p[2]);
        const cv::Vec3f q = p + (p - from) * std::max(0.0F, s);
        points.emplace_back((q[0] - static_cast<float>(area_.x)) * px_per_mm_,
                            (q[1] - static_cast<float>(area_.y)) * px_per_mm_);
      }
      if (above) FillHull(points, &one);
    }
    cv::add(sum, one, sum, cv::noArray(), CV_16U);
  }
  sum.convertTo(picture_, CV_8U, 255.0 / kSamples);
  cv::GaussianBlur(picture_, picture_, {}, 0.9);
}

float ShadowMap::Lit(const cv::Vec3f& p) const {
  const float s = (p[2] - z_) / std::max(1.0F, light_[2] - p[2]);
  const cv::Vec3f q = p + (p - light_) * s;
  return Bilinear(picture_, (q[0] - static_cast<float>(area_.x)) * px_per_mm_,
                  (q[1] - static_cast<float>(area_.y)) * px_per_mm_);
}

ContactMap::ContactMap(cv::Rect2d area_mm, double px_per_mm, const std::vector<Caster>& casters,
                       bool lying_cards)
    : area_(area_mm), px_per_mm_(static_cast<float>(px_per_mm)) {
  const cv::Size size(cvCeil(area_mm.width * px_per_mm), cvCeil(area_mm.height * px_per_mm));
  cv::Mat cards(size, CV_8U, cv::Scalar(255)), tall(size, CV_8U, cv::Scalar(255));
  std::vector<cv::Point2f> points;
  for (const Caster& caster : casters) {
    if (caster.lying_card && !lying_cards) continue;
    points.clear();
    for (const cv::Vec3f& p : caster.points) {
      points.emplace_back((p[0] - static_cast<float>(area_.x)) * px_per_mm_,
                          (p[1] - static_cast<float>(area_.y)) * px_per_mm_);
    }
    FillHull(points, caster.lying_card ? &cards : &tall);
  }
  cv::Mat wide;
  cv::GaussianBlur(tall, wide, {}, 9 * px_per_mm);
  cv::GaussianBlur(tall, tall, {}, 2.5 * px_per_mm);
  cv::GaussianBlur(cards, cards, {}, 1.2 * px_per_mm);
  // Near = dark: half of the light at the foot of things, less at cards.
  cv::Mat near = 0.45 * tall + 0.55 * wide;
  cards.convertTo(cards, CV_8U, 0.6, 0.4 * 255);
  cv::multiply(near, cards, picture_, 1 / 255.0);
}

float ContactMap::Open(const cv::Vec3f& p) const {
  return Bilinear(picture_, (p[0] - static_cast<float>(area_.x)) * px_per_mm_,
                  (p[1] - static_cast<float>(area_.y)) * px_per_mm_);
}

Lighting::Lighting(const Lights& lights, cv::Rect2d area_mm, const std::vector<Caster>& casters)
    : lights_(lights) {
  cv::parallel_for_(cv::Range(0, 6), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) {
      const auto plane = static_cast<std::size_t>(i / 3);
      const bool table = plane == 0;
      const double z = table ? 0 : kCardThickness_mm;
      if (i % 3 == 0) {
        lamp_[plane] = ShadowMap(area_mm, kMapScale, z, lights.lamp, casters, table);
      } else if (i % 3 == 1) {
        window_[plane] = ShadowMap(area_mm, kMapScale, z, lights.window, casters, table);
      } else {
        contact_[plane] = ContactMap(area_mm, kMapScale, casters, table);
      }
    }
  });
}

Lit Lighting::Shade(const cv::Vec3f& p, const cv::Vec3f& normal, const cv::Vec3f& colour,
                    float gloss, const cv::Vec3f& eye, Receiver receiver) const {
  const bool mapped = receiver != Receiver::kNone;
  const std::size_t plane = receiver == Receiver::kCardTop ? 1 : 0;
  const float up = 0.5F + 0.5F * normal[2];
  const float open = mapped ? contact_[plane].Open(p) : 1.0F;
  const cv::Vec3f room = (lights_.ground + (lights_.sky - lights_.ground) * up) * open;
  Lit lit;
  lit.all = colour.mul(room);
  cv::Vec3f view = eye - p;
  view *= 1 / std::sqrt(view.dot(view));
  for (int i = 0; i < 2; ++i) {
    const Light& light = i == 0 ? lights_.lamp : lights_.window;
    cv::Vec3f to = light.at - p;
    const float d2 = to.dot(to);
    to *= 1 / std::sqrt(d2);
    const float facing = normal.dot(to);
    if (facing <= 0) continue;
    const float seen = mapped ? (i == 0 ? lamp_ : window_)[plane].Lit(p) : 1.0F;
    const float strength = seen * light.reach * light.reach / d2;
    cv::Vec3f part = colour.mul(light.colour) * (facing * strength);
    if (gloss > 0) {
      cv::Vec3f half = to + view;
      float s = normal.dot(half) / std::sqrt(half.dot(half));
      s *= s, s *= s, s *= s, s *= s, s *= s, s *= s;  // to the 64th
      part += light.colour * (gloss * s * strength);
    }
    lit.all += part;
    if (i == 0) lit.lamp = part;
  }
  return lit;
}

}  // namespace tilewarden::virtual_table
