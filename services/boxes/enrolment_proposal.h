// Which tile is which, where a box lies face up in any order: what the network
// makes of each and how many copies the box has, taken together. Pure functions;
// results are values.
#pragma once

#include <string>
#include <vector>

#include "engine/tiles/tile_set.h"
#include "vision/tiles/loose_tiles.h"

namespace tilewarden::services {

// From this probability on a proposal needs no person.
inline constexpr double kSureProposal = 0.95;

struct TileProposal {
  int type = -1;  // index in the set's types
  // Quarter turns clockwise from canonical to the way it lies in the picture.
  int turns = 0;
  // That type and turn are right.
  double probability = 0;
  // The box has fewer copies: the same tile in two pictures, or a wrong name.
  bool too_many = false;
  // Other types that it may be, most likely first, with their probabilities alone.
  struct Other {
    int type = -1;
    double probability = 0;
  };
  std::vector<Other> others;

  bool sure() const { return probability >= kSureProposal; }
};

// By look, as found: one proposal for each tile. More copies of a type than the
// box has are proposed only where the tiles leave no other choice, or where several
// looks may show the same tile.
std::vector<std::vector<TileProposal>> ProposeTypes(
    const std::vector<std::vector<vision::LooseTile>>& looks, const engine::TileSet& tiles);

// The turn of a tile whose type a person has told.
int LikeliestTurn(const vision::TileScores& scores, int type, const engine::TileSet& tiles);

// Share of what the network sees that is of types of this set, 0 to 1; 1 where it
// sees nothing that it knows. `known`: codes that the network knows.
double ShareOfSet(const std::vector<std::vector<vision::LooseTile>>& looks,
                  const engine::TileSet& tiles, const std::vector<std::string>& known);

}  // namespace tilewarden::services
