// Finds what may be a square lying on a table, by its outline alone: straight
// edges that meet in corners, at least three corners and two closing edges (of open ends
// less). It knows no pictures, so most of what it returns in a cluttered picture are
// squares of cloth, paper and phones; naming decides what they are.
//
// Boards are found by the network of vision/tiles/tile_finder.h. This is for what that cannot do:
// art which it was never trained on (enrolment, loose tiles, a pack's box that it does not see),
// and a small changed part of a picture, in a twentieth of the time (tiles set aside). All of
// them share this one search.
//
// Pure function of the picture; pixel centres at integers.
#pragma once

#include <array>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::calibration {

struct Quad {
  // Clockwise in the picture; the first is the one nearest to the top left.
  std::array<cv::Point2f, 4> corners_px;
  // Share of the outline along which the picture has an edge, 0 to 1.
  double support = 0;
};

struct QuadOptions {
  // The longer side of the picture that edges are looked for in, pixels;
  // larger pictures are scaled down. Time grows with its square.
  int work_side_px = 1280;
  // Sides of a square, in pixels of that scaled picture.
  double min_side_px = 24;
  double max_side_px = 220;
  // At most this many are returned, best supported first.
  int limit = 1500;
  // Squares, too, of which one side is seen with both its corners and where the next sides leave
  // there: a tile at the end of a row, whose seam to the next one shows no edge.
  bool open_ends = false;
};

// `picture`: 8-bit, one or three channels, not empty.
std::vector<Quad> FindQuads(const cv::Mat& picture, const QuadOptions& options = {});

// Mean of the four sides.
double SideOf(const std::array<cv::Point2f, 4>& corners);
cv::Point2f CentreOf(const std::array<cv::Point2f, 4>& corners);

}  // namespace tilewarden::calibration
