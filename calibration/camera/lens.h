// A camera's lens: how rays of sight become pixels.
//
// Camera frame: x right, y down, z forward. Pixels: x right, y down, centre of
// the first pixel (0, 0). Values; pure functions.
#pragma once

#include <array>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::calibration {

struct Lens {
  cv::Size size_px;
  // Pixels are square.
  double focal_px = 0, cx = 0, cy = 0;
  // k1, k2, p1, p2, k3, as OpenCV counts them.
  std::array<double, 5> distortion{};

  cv::Matx33d CameraMatrix() const { return {focal_px, 0, cx, 0, focal_px, cy, 0, 0, 1}; }
  std::vector<double> Distortion() const { return {distortion.begin(), distortion.end()}; }
  // The same camera with a lens that does not bend anything.
  Lens Straight() const { return {size_px, focal_px, cx, cy, {}}; }
};

// Points of a picture by `from` as `to`, the same camera, would show them.
std::vector<cv::Point2f> Moved(const std::vector<cv::Point2f>& points_px, const Lens& from,
                               const Lens& to);

// How far apart two lenses put the same rays, over the whole picture, pixels: up
// to the turn of the camera that pictures cannot tell from a moved centre.
struct LensDifference {
  double rms_px = 0, worst_px = 0;
};
LensDifference Difference(const Lens& a, const Lens& b);

// Takes the bend of a lens out of whole pictures.
class Straightener {
 public:
  explicit Straightener(const Lens& lens);
  // `picture` has the lens' size.
  cv::Mat Straight(const cv::Mat& picture) const;

 private:
  cv::Mat map_, weights_;
};

}  // namespace tilewarden::calibration
