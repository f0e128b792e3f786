// Finds the board in a picture from nothing: squares by their outlines, those
// that look like a tile of the pack, and from the best of them outward over the
// lattice. Vision-internal (cv:: types).
#pragma once

#include "opencv2/core.hpp"
#include "vision/board/board.h"
#include "vision/picture/tile_patch.h"
#include "vision/tiles/tile_matcher.h"

namespace tilewarden::vision {

// The best board in the picture; without tiles where there is none.
Board FindBoard(const cv::Mat& picture, const PicturePyramid& pyramid, const TileMatcher& matcher);

// The board that one tile belongs to, which is known to lie about here; without tiles where the
// pack has none that is alike.
Board FindBoardAround(const PicturePyramid& picture, const TileMatcher& matcher,
                      const cv::Matx33f& px_from_tile);

}  // namespace tilewarden::vision
