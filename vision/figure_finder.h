// Finds the figures on the board and beside it. Where a named tile's picture is
// known, what differs is a figure, a hand, glare or a shadow, and these are told
// apart by size, shape and paint. Where it is not, the figure network says where
// figures are.
//
//   tiles laid flat -> light fitted -> difference or network -> pieces
//     -> outline fitted (standing or lying, turn, foot) -> paint
//
// A figure is an object on the whole board: it leans over its neighbours' tiles.
// The foot is where it touches the table.
#pragma once

#include <vector>

#include "opencv2/core.hpp"
#include "vision/figure_network.h"
#include "vision/named_tile.h"
#include "vision/options.h"
#include "vision/sighting.h"
#include "vision/table_plane.h"

namespace tilewarden::vision {

// Pure. frame: 8-bit BGR. tiles: named tiles, and refused ones (expected empty).
// hand_mask: empty, or CV_8U of the frame's shape at any size, not 0 where a
// hand is; what it hides is not reported. Board figures first, then those beside
// the board (cell absent); most probable first within each.
std::vector<SightedFigure> FindFigures(const cv::Mat& frame, const std::vector<NamedTile>& tiles,
                                       const TablePlane& plane, const cv::Mat& hand_mask,
                                       const Options& options);

// The same for tiles without pictures: `expected` of each tile is empty.
std::vector<SightedFigure> FindFiguresByLook(const cv::Mat& frame,
                                             const std::vector<NamedTile>& tiles,
                                             const TablePlane& plane, const cv::Mat& hand_mask,
                                             const Options& options, FigureNetwork& network);

}  // namespace tilewarden::vision
