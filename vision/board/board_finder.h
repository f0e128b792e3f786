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

// How much of the picture a board explains, in square pixels: tiles by their size, and by how alike
// each is to the pack's.
double Explained(const Board& board);

// Of two boards in different places the one with more tiles; of single tiles the one nearest to the
// picture's middle. Of two that read the same tiles the one that explains more of them: cut askew,
// a row of three has passed for four.
bool IsBetter(const Board& board, const Board& than, cv::Size picture);

// The best board in the picture as the finder sees it; without tiles where there is none.
Board FindBoard(const cv::Mat& picture, const PicturePyramid& pyramid, const TileMatcher& matcher,
                const TableView& view);

// The board whose tiles are known to lie about here, px_from_tile by cell, and what belongs to
// them; without tiles where the pack has none that is alike.
Board FindBoardAround(const PicturePyramid& picture, const TileMatcher& matcher,
                      const std::map<LatticeCell, cv::Matx33f>& outlines);

}  // namespace tilewarden::vision
