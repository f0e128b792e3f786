#include "calibration/camera/lens.h"

#include <algorithm>
#include <cmath>

#include "opencv2/calib3d.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

// Places by which two lenses are compared, over the whole picture.
constexpr int kGridColumns = 24, kGridRows = 14;

std::vector<cv::Vec3d> Rays(const std::vector<cv::Point2f>& points_px, const Lens& lens) {
  std::vector<cv::Point2f> at;
  cv::undistortPoints(points_px, at, lens.CameraMatrix(), lens.Distortion(), cv::noArray(),
                      cv::noArray(),
                      {cv::TermCriteria::MAX_ITER + cv::TermCriteria::EPS, 40, 1e-9});
  std::vector<cv::Vec3d> rays;
  for (const cv::Point2f& p : at) rays.push_back(cv::normalize(cv::Vec3d(p.x, p.y, 1)));
  return rays;
}

std::vector<cv::Point2f> Projected(const std::vector<cv::Vec3d>& rays, const cv::Vec3d& turn,
                                   const Lens& lens) {
  std::vector<cv::Point3f> points;
  for (const cv::Vec3d& ray : rays) points.emplace_back(cv::Point3d(ray[0], ray[1], ray[2]));
  std::vector<cv::Point2f> projected;
  cv::projectPoints(points, turn, cv::Vec3d(0, 0, 0), lens.CameraMatrix(), lens.Distortion(),
                    projected);
  return projected;
}

}  // namespace

std::vector<cv::Point2f> Moved(const std::vector<cv::Point2f>& points_px, const Lens& from,
                               const Lens& to) {
  if (points_px.empty()) return {};
  return Projected(Rays(points_px, from), {0, 0, 0}, to);
}

LensDifference Difference(const Lens& a, const Lens& b) {
  std::vector<cv::Point2f> grid;
  for (int y = 0; y < kGridRows; ++y) {
    for (int x = 0; x < kGridColumns; ++x) {
      grid.emplace_back(static_cast<float>((a.size_px.width - 1) * x / (kGridColumns - 1.0)),
                        static_cast<float>((a.size_px.height - 1) * y / (kGridRows - 1.0)));
    }
  }
  // The turn that brings the rays together best: by the singular vectors of
  // their products.
  const auto rays_a = Rays(grid, a), rays_b = Rays(grid, b);
  cv::Matx33d products = cv::Matx33d::zeros();
  for (std::size_t i = 0; i < grid.size(); ++i) products += rays_b[i] * rays_a[i].t();
  cv::Matx33d u, vt;
  cv::Matx31d w;
  cv::SVD::compute(products, w, u, vt);
  cv::Vec3d turn;
  cv::Rodrigues(u * vt, turn);
  const auto seen = Projected(rays_a, turn, b);
  LensDifference difference;
  double sum = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const double apart = cv::norm(seen[i] - grid[i]);
    sum += apart * apart;
    difference.worst_px = std::max(difference.worst_px, apart);
  }
  difference.rms_px = std::sqrt(sum / static_cast<double>(grid.size()));
  return difference;
}

Straightener::Straightener(const Lens& lens) {
  cv::initUndistortRectifyMap(lens.CameraMatrix(), lens.Distortion(), cv::noArray(),
                              lens.CameraMatrix(), lens.size_px, CV_16SC2, map_, weights_);
}

cv::Mat Straightener::Straight(const cv::Mat& picture) const {
  cv::Mat straight;
  cv::remap(picture, straight, map_, weights_, cv::INTER_LINEAR);
  return straight;
}

}  // namespace tilewarden::calibration
