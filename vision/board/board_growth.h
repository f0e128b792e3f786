// Grows a board over its lattice, cell by cell: each is looked at where its neighbours say that it
// lies, in the light that they are seen in. Vision-internal (cv:: types).
#pragma once

#include <set>
#include <string>

#include "opencv2/core.hpp"
#include "vision/board/board.h"
#include "vision/picture/tile_patch.h"
#include "vision/sighting.h"
#include "vision/tiles/tile_matcher.h"

namespace tilewarden::vision {

// The outline by which a tile's place is known; null where the lattice tells better.
const cv::Matx33f* OutlineOf(const Board& board, LatticeCell cell);
// Where a tile in this cell lies or would lie, by that or by the lattice.
cv::Matx33f PlaceOf(const Board& board, LatticeCell cell);

// Looks at one cell of a board whose lattice and light are known.
ReadCell ReadOneCell(const PicturePyramid& picture, const TileMatcher& matcher, const Board& board,
                     LatticeCell cell, TileMatcher::Tries tries = TileMatcher::Tries::kAll);

// Looks at the cells beside the board's tiles, and on from those that hold one,
// until none is added. What is among `others` is known, and looked at again only
// when more tiles lie around it.
void GrowBoard(const PicturePyramid& picture, const TileMatcher& matcher, Board& board,
               TileMatcher::Tries tries = TileMatcher::Tries::kAll);

// The cells that touch the board's tiles at a corner alone, where the rules let nothing lie.
std::set<LatticeCell> CornersOfBoard(const Board& board);

// Takes a tile that clearly lies on one of those, where it is among what changed: a whole
// board is grown by its sides, because corners lead astray where light and lattice are not
// known yet.
void AddAtCorners(const PicturePyramid& picture, const TileMatcher& matcher, Board& board,
                  const std::set<LatticeCell>& changed);

// Looks once more at the tiles that were read with doubt, now that lattice and
// light are known from all of them. `cells`: only in these.
void SettleBoard(const PicturePyramid& picture, const TileMatcher& matcher, Board& board,
                 const std::set<LatticeCell>* cells = nullptr);

// Tries one more name for a cell, where its candidates have no such name, near this place.
// `rotation`: any that is the same turn of that type.
void AddCandidate(const PicturePyramid& picture, const TileMatcher& matcher, const Board& board,
                  LatticeCell cell, const cv::Matx33f& px_from_tile, const std::string& tile,
                  int rotation, ReadCell& read);

// Takes those of `others` as tiles that are likely ones, with the lattice. False
// where there is none.
bool AddLikelyTiles(Board& board);

}  // namespace tilewarden::vision
