// The fields that a tile's cities, roads and rivers leave, for tiles that somebody
// draws. Pure.
#pragma once

#include <vector>

#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

// Replaces the fields by what everything else parts the tile's border into, with
// the cities that they border, behind all other segments. What parts them:
// everything that meets the border twice, roads that meet in a village, in bushes,
// at a monastery or a temple, and a road with the city where it ends. What lies on a field (sheep,
// a figure's place, ...) stays with the field of the same half-edges. A tile that no field reaches
// the border of has none.
void DrawFields(TileType* type);
// Whether its fields are just those, in whatever order.
bool HasPlainFields(const TileType& type);

}  // namespace tilewarden::engine
