// What one look at a board says when its figures are weighed together, as the tiles are by
// engine/referee/board_reading.h. A box has figures of few colours, and each player sets several;
// followers go home from what is complete; nobody sets a figure where one stands already. What was
// clearly seen otherwise stays what it is. For single pictures: over a game the referee does this
// with all that it knows. A pure function.
#pragma once

#include <string>
#include <vector>

#include "engine/tiles/tile_set.h"
#include "services/photo/reading.h"
#include "vision/sighting.h"

namespace tilewarden::services {

struct FigureClaim {
  std::string colour;  // empty: the camera named none
  int segment = -1;    // on the tile's type; -1: beside the board or on a refused tile
};

// One for each figure of the sighting, in order. `tiles`: its tiles, as they were named.
std::vector<FigureClaim> WeighFiguresTogether(const vision::Sighting& sighting,
                                              const std::vector<ReadTile>& tiles,
                                              const engine::TileSet& set);

}  // namespace tilewarden::services
