// The tiles to draw, in piles: one pile after the other, each shuffled.
#pragma once

#include <vector>

#include "engine/rules.h"
#include "engine/tile_set.h"

namespace tilewarden::engine {

// Every tile of the box but those that lie at the start, one entry a copy:
// the fork, the river, its lakes, and then the land, where there is a river.
std::vector<std::vector<int>> DrawPiles(const TileSet& tiles, const Rules& rules);

}  // namespace tilewarden::engine
