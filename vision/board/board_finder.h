// Finds the board in a picture from nothing: what the finder joined to one board, each tile
// compared with the pictures of a pack where it lies, and from there outward over the lattice.
// Where that brings few tiles, squares that look like a tile of the pack as well: its art may be
// like none that the finder was made on. Vision-internal (cv:: types).
#pragma once

#include <map>

#include "opencv2/core.hpp"
#include "vision/board/board.h"
#include "vision/board/table_views.h"
#include "vision/picture/tile_patch.h"
#include "vision/tiles/tile_matcher.h"

namespace tilewarden::vision {

// The best board in the picture as the finder sees it; without tiles where there is none.
Board FindBoard(const cv::Mat& picture, const PicturePyramid& pyramid, const TileMatcher& matcher,
                const TableView& view);

// The board whose tiles are known to lie about here, px_from_tile by cell, and what belongs to
// them; without tiles where the pack has none that is alike.
Board FindBoardAround(const PicturePyramid& picture, const TileMatcher& matcher,
                      const std::map<LatticeCell, cv::Matx33f>& outlines);

}  // namespace tilewarden::vision
