// Where the camera stands above the table, from the table plane's homography
// alone, without calibration. The principal point is taken at the picture's centre
// and pixels as square; the focal length comes from the homography where the
// view is tilted enough to tell it, and else from what cameras usually have.
//
// Lattice frame (see table_plane.h), unit one tile; heights are above the
// table. Pure functions, values.
#pragma once

#include "opencv2/core.hpp"

namespace tilewarden::vision {

struct CameraPose {
  cv::Point2d centre;   // the point of the table straight below the camera
  double height = 1e6;  // of the camera above the table
  double focal_px = 0;

  // Where the sight line through a point at a height above the table meets the
  // table: what stands leans away from the camera by this much.
  cv::Point2d OnTable(cv::Point2d point, double point_height) const {
    return point + (point - centre) * (point_height / (height - point_height));
  }
};

// picture_size: of the picture that the homography maps to.
CameraPose EstimateCameraPose(const cv::Matx33d& px_from_lattice, cv::Size picture_size);

}  // namespace tilewarden::vision
