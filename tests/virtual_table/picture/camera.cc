#include "tests/virtual_table/picture/camera.h"

#include <cmath>
#include <numbers>

namespace tilewarden::virtual_table {

TableCamera TableCamera::Make(cv::Size size_px, double hfov_deg, const CameraPose& pose, double k1,
                              double k2) {
  constexpr double kRad = std::numbers::pi / 180;
  TableCamera camera;
  camera.size_px = size_px;
  camera.cx = (size_px.width - 1) / 2.0;
  camera.cy = (size_px.height - 1) / 2.0;
  camera.f_px = size_px.width / 2.0 / std::tan(hfov_deg * kRad / 2);
  camera.k1 = k1;
  camera.k2 = k2;
  const double tilt = pose.tilt_deg * kRad, azimuth = pose.azimuth_deg * kRad;
  const cv::Vec3d side = {std::cos(azimuth), std::sin(azimuth), 0};
  const cv::Vec3d up = {0, 0, 1};
  const cv::Vec3d offset = side * std::sin(tilt) + up * std::cos(tilt);
  const cv::Vec3d at = cv::Vec3d{pose.target_mm.x, pose.target_mm.y, 0} + offset * pose.distance_mm;
  const cv::Vec3d forward = -offset;
  const cv::Vec3d away = -side * std::cos(tilt) + up * std::sin(tilt);
  const cv::Vec3d right = forward.cross(away), down = -away;
  const double c = std::cos(pose.roll_deg * kRad), s = std::sin(pose.roll_deg * kRad);
  const cv::Vec3d x = right * c + down * s, y = down * c - right * s;
  for (int i = 0; i < 3; ++i) {
    camera.r(0, i) = x[i];
    camera.r(1, i) = y[i];
    camera.r(2, i) = forward[i];
  }
  camera.t = -(camera.r * at);
  return camera;
}

TableCamera TableCamera::Moved(const Nudge& nudge) const {
  TableCamera moved = *this;
  const double turn = nudge.turn_deg * std::numbers::pi / 180;
  const double c = std::cos(turn), s = std::sin(turn);
  moved.r = r * cv::Matx33d(c, -s, 0, s, c, 0, 0, 0, 1);
  moved.t = t + r * cv::Vec3d(nudge.shift_mm.x, nudge.shift_mm.y, 0);
  moved.f_px *= nudge.zoom;
  return moved;
}

cv::Vec3d TableCamera::Project(const cv::Vec3d& x_in_world) const {
  const cv::Vec3d p = r * x_in_world + t;
  const double x = p[0] / p[2], y = p[1] / p[2], r2 = x * x + y * y;
  const double d = 1 + r2 * (k1 + r2 * k2);
  return {f_px * x * d + cx, f_px * y * d + cy, p[2]};
}

cv::Point2d TableCamera::OnPlane(cv::Point2d px, double z_mm) const {
  const double xd = (px.x - cx) / f_px, yd = (px.y - cy) / f_px;
  double x = xd, y = yd;
  for (int i = 0; i < 10; ++i) {
    const double r2 = x * x + y * y, d = 1 + r2 * (k1 + r2 * k2);
    x = xd / d;
    y = yd / d;
  }
  const cv::Vec3d ray = r.t() * cv::Vec3d{x, y, 1}, from = Centre();
  const double s = (z_mm - from[2]) / ray[2];
  return {from[0] + s * ray[0], from[1] + s * ray[1]};
}

}  // namespace tilewarden::virtual_table
