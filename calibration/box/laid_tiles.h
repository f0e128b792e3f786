// Tiles that lie face up beside each other on a table, found by their outlines:
// what enrolment starts from. Pure functions; results are values. Pixel centres at
// integers, corners clockwise in the picture from the one nearest to its top left.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "calibration/common/quad_finder.h"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {

struct LaidTile {
  std::array<cv::Point2f, 4> corners_px;
  cv::Point2f centre_px;
  double support = 0;  // as in Quad
};

// Squares of the side that `side_px` expects at a place, within a share of it, none
// over another, in the largest group in which each lies within `reach` sides of the
// next, from middle to middle. `quads`: from FindQuads, best first.
std::vector<LaidTile> LaidOut(const std::vector<Quad>& quads,
                              const std::function<double(cv::Point2f)>& side_px, double within,
                              double reach);

// Row by row from the top of the picture, each row from the left.
std::vector<LaidTile> InReadingOrder(const std::vector<LaidTile>& tiles);
// The same; empty where they do not lie in rows: then one of them is not a tile, but
// a part of one that reaches out of the picture, or of two.
std::vector<LaidTile> InRows(const std::vector<LaidTile>& tiles);

// The tile between these corners, as a ReferencePicture shows it.
cv::Mat CutOut(const cv::Mat& picture, const std::array<cv::Point2f, 4>& corners_px);

}  // namespace tilewarden::calibration
