// A tile that was found, refined and named: what the stages after naming work
// on. Vision-internal (cv:: types).
#pragma once

#include <array>
#include <string>

#include "opencv2/core.hpp"
#include "vision/sighting.h"

namespace tilewarden::vision {

struct NamedTile {
  LatticeCell cell;
  // Corners of the top face in the picture, pixel centres at integers,
  // clockwise from the corner that is north-west in the lattice.
  std::array<cv::Point2f, 4> corners_px;
  // Code in the pack; empty: a tile lies here that was refused.
  std::string tile;
  // Quarter turns clockwise of canonical, in the lattice.
  int rotation = 0;
  double probability = 0;
  // The reference picture of that type and copy, turned as the tile lies:
  // 8-bit BGR, kSide_px square (see ReferencePack), its corners in the order of
  // corners_px. Empty if refused. Shares its pixels; do not write to them.
  cv::Mat expected;
  // CV_8U of any size, not 0 where that picture holds; empty: all over the tile.
  cv::Mat held;
};

}  // namespace tilewarden::vision
