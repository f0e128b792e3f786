// What one look at a board says when its tiles are weighed together: neighbours
// mostly fit and a box holds only so many copies, so that of two readings that
// look alike the one that can lie there is likelier. An illegal placement that
// was clearly seen stays what it is. For single pictures; over a game the
// referee does this with all that it knows.
#pragma once

#include <vector>

#include "engine/referee/sighting.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

// The same tiles with the probabilities of their candidates given all others,
// most likely first. Their sum stays what it was: what is left to 1 is for a
// tile that is not of the set, or none. Candidates that are not of the set keep
// their probability. Pure function.
std::vector<SightedTile> WeighTogether(std::vector<SightedTile> tiles, const TileSet& set);

}  // namespace tilewarden::engine
