// The virtual table's camera.
//
// World: right-handed, millimetres, z up, z = 0 is the table; x to the right
// and y away from a person at the south side. Pixels: x right, y down, the
// centre of the first pixel is (0, 0). As in OpenCV x_cam = r * x_world + t,
// then radial distortion k1, k2. A value.
#pragma once

#include "opencv2/core.hpp"

namespace tilewarden::virtual_table {

struct CameraPose {
  cv::Point2d target_mm;     // where on the table the middle of the picture lies
  double distance_mm = 800;  // from there
  double tilt_deg = 15;      // 0: straight above
  double azimuth_deg = -90;  // where the camera stands, counter-clockwise from x
  double roll_deg = 0;
};

// What somebody does to a camera in passing: the table seems to be shifted and
// turned by this much around the world's origin, and zoomed.
struct Nudge {
  cv::Point2d shift_mm;
  double turn_deg = 0, zoom = 1;
};

struct TableCamera {
  cv::Size size_px{1920, 1080};
  double f_px = 1500, cx = 959.5, cy = 539.5, k1 = 0, k2 = 0;
  cv::Matx33d r = cv::Matx33d::eye();
  cv::Vec3d t{0, 0, 0};

  static TableCamera Make(cv::Size size_px, double hfov_deg, const CameraPose& pose, double k1,
                          double k2);

  TableCamera Moved(const Nudge& nudge) const;

  cv::Vec3d Centre() const { return -(r.t() * t); }
  // x, y in pixels and the depth along the view axis in mm.
  cv::Vec3d Project(const cv::Vec3d& x_in_world) const;
  cv::Point2d ProjectPoint(const cv::Vec3d& x_in_world) const {
    const cv::Vec3d p = Project(x_in_world);
    return {p[0], p[1]};
  }
  // Where the ray of a pixel meets the plane at this height.
  cv::Point2d OnPlane(cv::Point2d px, double z_mm) const;
};

}  // namespace tilewarden::virtual_table
