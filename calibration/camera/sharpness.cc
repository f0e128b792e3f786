#include "calibration/camera/sharpness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

// Edges are looked at in windows of this reach; wider ones read as about half of it.
constexpr int kReach_px = 8;
// An edge is clear where it is this high, of 255: far above noise.
constexpr float kClear = 50;
constexpr std::size_t kEnough = 60;
constexpr int kDirections = 4;

}  // namespace

std::optional<double> EdgeSpread_px(const cv::Mat& picture) {
  cv::Mat grey, dx, dy;
  if (picture.channels() == 3) {
    cv::cvtColor(picture, grey, cv::COLOR_BGR2GRAY);
  } else {
    grey = picture;
  }
  cv::Mat low, high;
  // Single noisy pixels would count as contrast.
  cv::Mat calm;
  cv::blur(grey, calm, {3, 3});
  const cv::Mat window = cv::Mat::ones(2 * kReach_px + 1, 2 * kReach_px + 1, CV_8U);
  cv::erode(calm, low, window);
  cv::dilate(calm, high, window);
  cv::Sobel(grey, dx, CV_32F, 1, 0, 3, 1.0 / 8);
  cv::Sobel(grey, dy, CV_32F, 0, 1, 3, 1.0 / 8);
  std::array<std::vector<float>, kDirections> spreads;
  for (int y = 1; y < grey.rows - 1; ++y) {
    for (int x = 1; x < grey.cols - 1; ++x) {
      const float contrast =
          static_cast<float>(high.at<uchar>(y, x)) - static_cast<float>(low.at<uchar>(y, x));
      if (contrast < kClear) continue;
      const float gx = dx.at<float>(y, x), gy = dy.at<float>(y, x);
      const float slope = std::hypot(gx, gy);
      if (slope < contrast / (3 * kReach_px)) continue;
      // Only where the slope is steepest across the edge.
      const int sx = std::abs(gx) > 0.4F * std::abs(gy) ? (gx > 0 ? 1 : -1) : 0;
      const int sy = std::abs(gy) > 0.4F * std::abs(gx) ? (gy > 0 ? 1 : -1) : 0;
      const auto slope_at = [&](int u, int v) {
        return std::hypot(dx.at<float>(v, u), dy.at<float>(v, u));
      };
      if (slope_at(x + sx, y + sy) > slope || slope_at(x - sx, y - sy) >= slope) continue;
      const double angle = std::atan2(gy, gx) / std::numbers::pi * kDirections;
      const int direction = (cvRound(angle) + kDirections) % kDirections;
      spreads[static_cast<std::size_t>(direction)].push_back(
          contrast / (slope * static_cast<float>(std::sqrt(2 * std::numbers::pi))));
    }
  }
  std::optional<double> widest;
  for (auto& values : spreads) {
    if (values.size() < kEnough) continue;
    // Soft shadows are edges too: the sharpest ones show the lens.
    const auto quarter = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
    std::nth_element(values.begin(), quarter, values.end());
    // The slope is measured over three pixels, which widens it.
    const double spread = std::sqrt(std::max(0.04, static_cast<double>(*quarter * *quarter) - 0.5));
    widest = std::max(widest.value_or(0), spread);
  }
  return widest;
}

}  // namespace tilewarden::calibration
