// Plays games for the virtual table: players who like points, do not waste
// figures, and keep the board compact. By the engine's rules, from a seed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/game.h"

namespace tilewarden::virtual_table {

struct GamePlan {
  std::vector<std::string> colours = {"red", "blue"};
  int turns = 30;
  std::uint64_t seed = 1;
  // The board keeps within this many cells (soft).
  int max_columns = 9, max_rows = 6;
};

// Turns by players in order until the plan's count or the stack's end.
engine::Game PlayGame(std::shared_ptr<const engine::TileSet> tiles, const GamePlan& plan);

}  // namespace tilewarden::virtual_table
