#include "vision/picture/camera_pose.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewarden::vision {
namespace {

// Phones, webcams and cameras lie between 60 and 80 degrees across the long
// side; the spread is that of the logarithm.
constexpr double kUsualFocal = 0.76;
constexpr double kUsualFocalSpread = 0.15;
// How far the axes of a fitted homography are from square, measured on boards
// of 10 to 40 tiles through lenses that bend lines a little.
constexpr double kAxesError = 0.03;

cv::Matx33d WithoutCamera(const cv::Matx33d& px_from_lattice, cv::Size size, double focal_px) {
  const cv::Matx33d ray_from_px(1 / focal_px, 0, -(size.width - 1) / 2.0 / focal_px, 0,
                                1 / focal_px, -(size.height - 1) / 2.0 / focal_px, 0, 0, 1);
  return ray_from_px * px_from_lattice;
}

cv::Vec3d Column(const cv::Matx33d& m, int i) { return {m(0, i), m(1, i), m(2, i)}; }

// The two axes of the lattice are at right angles and of one length for the
// true focal length.
double Misfit(const cv::Matx33d& px_from_lattice, cv::Size size, double focal_px) {
  const cv::Matx33d m = WithoutCamera(px_from_lattice, size, focal_px);
  const cv::Vec3d x = Column(m, 0), y = Column(m, 1);
  const double nx = cv::norm(x), ny = cv::norm(y);
  if (nx <= 0 || ny <= 0) return std::numeric_limits<double>::max();
  const double skew = x.dot(y) / (nx * ny), stretch = std::log(nx / ny);
  const double unusual =
      std::log(focal_px / (kUsualFocal * std::max(size.width, size.height))) / kUsualFocalSpread;
  return (skew * skew + stretch * stretch) / (kAxesError * kAxesError) + unusual * unusual;
}

}  // namespace

CameraPose EstimateCameraPose(const cv::Matx33d& px_from_lattice, cv::Size picture_size) {
  const double longest = std::max(picture_size.width, picture_size.height);
  double best_focal = kUsualFocal * longest;
  double best = std::numeric_limits<double>::max();
  for (double focal = 0.4 * longest; focal < 3.0 * longest; focal *= 1.01) {
    const double misfit = Misfit(px_from_lattice, picture_size, focal);
    if (misfit < best) {
      best = misfit;
      best_focal = focal;
    }
  }
  CameraPose pose;
  pose.focal_px = best_focal;
  const cv::Matx33d m = WithoutCamera(px_from_lattice, picture_size, best_focal);
  cv::Vec3d x = Column(m, 0), y = Column(m, 1), t = Column(m, 2);
  const double scale = 2 / (cv::norm(x) + cv::norm(y));
  if (!std::isfinite(scale)) return pose;
  x *= scale, y *= scale, t *= scale;
  const cv::Vec3d down = x.cross(y);
  pose.centre = {-x.dot(t), -y.dot(t)};
  pose.height = std::max(1.0, std::abs(down.dot(t)));
  return pose;
}

}  // namespace tilewarden::vision
