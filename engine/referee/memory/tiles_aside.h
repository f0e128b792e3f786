// Tiles beside the board: those that lay there before play began, and those put there since.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "engine/tiles/grid.h"

namespace tilewarden::engine {

// A value; not thread safe.
class TilesAside {
 public:
  // A tile lies there in this look, after so many turns. How many had been played when it came;
  // nothing where nobody can tell that a turn brought it: it lay there from the beginning, or came
  // in a look that several turns went before. A tile whose cell is free now is taken for a new one
  // that touches that cell: far from the board the lattice tells cells roughly, and better as it
  // grows.
  std::optional<std::size_t> CameAfter(Cell cell, std::size_t turns, bool several_turns,
                                       const std::function<bool(Cell)>& free);
  // Ends a look: forgets the cells that are free now, and those that the board has reached.
  // What comes after the first look came while people played.
  void EndLook(const std::function<bool(Cell)>& free, const std::function<bool(Cell)>& on_board);

 private:
  bool first_look_ = true;
  std::set<Cell> furniture_;  // no part of the game, as far as anybody can tell
  std::map<Cell, std::size_t> came_after_;
};

}  // namespace tilewarden::engine
