// How the light over a table changed between two pictures of it. Vision-internal (cv:: types).
#pragma once

#include <array>

#include "opencv2/core.hpp"

namespace tilewarden::vision {

// Slow change of the light between two pictures, per channel: the logarithm of
// their ratio as a quadratic over the picture, robust against what differs.
struct LightChange {
  std::array<std::array<double, 6>, 3> terms{};

  static std::array<double, 6> Basis(double u, double v) { return {1, u, v, u * u, u * v, v * v}; }

  // Over the picture and its channels.
  double Mean() const {
    double sum = 0;
    for (const auto& t : terms) sum += std::abs(t[0] + (t[3] + t[5]) / 3);
    return sum / static_cast<double>(terms.size());
  }
};

// Mean() beyond this is a lamp that was switched: those had 0.13 to 0.17, other looks up to 0.05.
inline constexpr double kSwitchedLamp = 0.1;

// Both CV_32FC3 of one size, levels of 0 to 255. Robust against what differs on a part of them.
LightChange FitLightChange(const cv::Mat& from, const cv::Mat& to);

// The picture as the other light would show it.
cv::Mat InOtherLight(const cv::Mat& picture, const LightChange& change);

}  // namespace tilewarden::vision
