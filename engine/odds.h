// Which of the tiles left fit somewhere, and the chance to draw one in time.
// Pure functions.
#pragma once

#include <vector>

#include "engine/game.h"

namespace tilewarden::engine {

struct FittingTile {
  int tile = 0;
  int left = 0;                // copies not laid yet, at least 1
  std::vector<int> rotations;  // that fit, sorted
};

// The tile types left that may be laid on this cell: for a hole, or for the
// open end of a feature. Empty: none does.
std::vector<FittingTile> TilesThatFit(const Game& game, Cell cell);

// Empty cells on which a tile would go on with this feature, or stand beside
// this monastery or garden; sorted.
std::vector<Cell> OpenCellsOf(const Game& game, Cell cell, int segment);

// The chance that at least one of the `wanted` tiles is among the next `draws`
// of a shuffled stack of `left`: hypergeometric, without replacement,
// 1 - C(left - wanted, draws) / C(left, draws). Draws beyond the stack are its end.
double ChanceToDraw(int wanted, int left, int draws);

// The same for a cell: any tile that fits there, from what is left in the box.
// Exact where every tile left is equally likely (no piles of a river ahead).
double ChanceToFill(const Game& game, Cell cell, int draws);

}  // namespace tilewarden::engine
