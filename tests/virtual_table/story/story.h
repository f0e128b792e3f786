// A whole game as it goes at a table, mistakes and all: what lies there at each look that a
// camera has. People play it by the engine's rules; their mistakes are those of the referee's
// simulation (tests/engine/referee/evening.h). Deterministic by seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/game/game.h"
#include "tests/engine/referee/simulated_table.h"

namespace tilewarden::virtual_table {

struct StoryPlan {
  std::string set = "base.c1";
  std::string preset;
  std::vector<std::pair<std::string, std::string>> rules;  // options beside the preset's
  int players = 2;                                         // 2 to 6
  std::uint64_t seed = 1;
  int turns = 200;        // at most
  double mistakes = 0.1;  // share of turns that have one
  std::string kind;       // of the mistakes; empty: all
  // The board keeps within this many cells (soft).
  int max_columns = 11, max_rows = 8;
};

// What lies on the table at one look.
struct Moment {
  std::vector<engine::SimulatedTable::Tile> tiles;
  std::vector<engine::SimulatedTable::Figure> figures;
  std::optional<engine::Cell> hand;  // over this cell; none: nobody is near
  int player = 0;                    // whose turn it is
  int turns = 0;                     // that have been begun
};

// A mistake, by numbers of moments.
struct StoryMistake {
  std::string kind;
  std::set<std::string> codes;  // any of these tells it
  std::size_t made = 0;         // the first moment that may show it
  std::size_t plain = 0;        // from this one on it can be known
  std::size_t over = 0;         // by this one it has been put right, and looked at twice
};

struct Story {
  std::vector<Moment> moments;
  std::vector<StoryMistake> mistakes;
  std::vector<engine::Game> game;  // one: as it is at the end
};

// Throws std::runtime_error where there is no such set or preset.
Story TellStory(const StoryPlan& plan);

}  // namespace tilewarden::virtual_table
