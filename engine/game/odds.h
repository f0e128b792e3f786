// Which of the tiles left fit somewhere, and the chance to draw one in time.
// Pure functions.
#pragma once

#include <vector>

#include "engine/game/game.h"

namespace tilewarden::engine {

struct FittingTile {
  int tile = 0;
  int left = 0;                // copies not laid yet, at least 1
  std::vector<int> rotations;  // that fit, sorted
};

// The tile types left that may be laid on this cell: for a hole, or for the
// open end of a feature. Empty: no tile does.
std::vector<FittingTile> TilesThatFit(const Game& game, Cell cell);

// Empty cells on which a tile would continue this feature, or lie beside
// this monastery or garden; sorted.
std::vector<Cell> OpenCellsOf(const Game& game, Cell cell, int segment);

// The chance that at least one of the `wanted` tiles is among the next `draws`
// of a shuffled stack of `left`: hypergeometric, without replacement,
// 1 - C(left - wanted, draws) / C(left, draws). Draws beyond the stack are its end.
double ChanceToDraw(int wanted, int left, int draws);

// The tiles not laid yet in the piles that they are drawn from, the next pile
// first; within a pile all are equally likely, whoever holds them in a hand.
std::vector<std::vector<int>> PilesLeft(const Game& game);

// The same for a cell: any tile that fits there. Exact: pile by pile, so that a
// river's tiles come before the land.
double ChanceToFill(const Game& game, Cell cell, int draws);

// Why a tile cannot be laid in one way.
struct Misfit {
  Placement at;
  Refusal why;
};

// The proof that a tile fits nowhere: every empty cell beside a tile and every
// turn of it, each with what is in the way. Empty: it can be laid.
std::vector<Misfit> ProofThatNothingFits(const Game& game, int tile);

}  // namespace tilewarden::engine
