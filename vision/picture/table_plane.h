// The plane that the tiles lie on, as one picture shows it.
//
// Lattice frame: x right, y down in the board's top view, unit one tile pitch;
// cell (x, y) covers [x, x + 1] x [y, y + 1]. Vision-internal (cv:: types).
#pragma once

#include "opencv2/core.hpp"

namespace tilewarden::vision {

struct TablePlane {
  // Homography: pixel ~ px_from_lattice * (x, y, 1), pixel centres at integers.
  cv::Matx33d px_from_lattice = cv::Matx33d::eye();
  // Side of a tile in the picture, the median over the tiles found.
  double tile_px = 0;
};

}  // namespace tilewarden::vision
