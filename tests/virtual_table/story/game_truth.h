// What happened in a game, as truth files tell it (format in README.md beside this file).
#pragma once

#include <vector>

#include "engine/game/game.h"
#include "nlohmann/json.hpp"

namespace tilewarden::virtual_table {

nlohmann::json CellsOf(const std::vector<engine::Cell>& cells);
// A turn with this number (from 1) and what it led to; `game` as it is after it.
nlohmann::json TurnTruth(const engine::Game& game, const engine::Turn& turn, int number,
                         const engine::Outcome& outcome);
// Items and scores if the game ended now.
nlohmann::json FinalTruth(const engine::Game& game);

}  // namespace tilewarden::virtual_table
