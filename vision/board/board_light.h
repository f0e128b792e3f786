// The light of a board: one for all of its tiles, and how it changes from one to the next.
// Vision-internal (cv:: types).
#pragma once

#include "vision/board/board.h"
#include "vision/picture/tile_patch.h"
#include "vision/sighting.h"
#include "vision/tiles/tile_matcher.h"

namespace tilewarden::vision {

// Fits the board's light to all colours seen on its clear tiles, each channel for itself, held to
// what it was. Too few of them leave it as it is.
void FitLight(const PicturePyramid& picture, const TileMatcher& matcher, Board& board);

// The light in which a tile in this cell would be seen: it changes little from a tile to the next,
// and goes on as it changes there.
Light LightAt(const Board& board, LatticeCell cell);

}  // namespace tilewarden::vision
