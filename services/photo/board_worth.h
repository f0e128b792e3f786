// What a board in a picture is worth as it lies: each feature goes to whoever holds it,
// as if the game ended now. What was scored before and is on the score track is not
// in it. A pure function.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/game/rules.h"
#include "engine/game/turn.h"
#include "engine/tiles/tile_set.h"
#include "services/photo/reading.h"

namespace tilewarden::services {

struct ColourWorth {
  std::string colour;
  int points = 0;
  std::vector<engine::ScoreItem> items;  // most points first
};

// Of every colour with a figure on a feature that was read, most points first.
// Refused tiles and figures on them count for nothing; of more colours than can
// play those with fewest figures are left out.
std::vector<ColourWorth> WorthNow(const Reading& reading,
                                  const std::shared_ptr<const engine::TileSet>& tiles,
                                  const engine::Rules& rules);

}  // namespace tilewarden::services
