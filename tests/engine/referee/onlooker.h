// Who looks on while people play at a simulated table, beside its camera, and sees all
// that lies there: the virtual table draws it for a real camera.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "engine/game/game.h"
#include "tests/engine/referee/simulated_table.h"

namespace tilewarden::engine {

class Onlooker {
 public:
  virtual ~Onlooker() = default;
  // The table as it lies while it is looked at, with a hand over a cell or none, and the
  // game as it is by the rules.
  virtual void Look(const SimulatedTable& table, const Game& truth, std::optional<Cell> hand) = 0;
  // From the next look on there is a mistake of this kind; one of these codes tells it.
  virtual void MistakeMade(const std::string& kind, const std::set<std::string>& codes) = 0;
  // Only from the next look on can it be known; not called where it can be at once.
  virtual void MistakePlain() = 0;
  // It has been put right, and there were looks enough to know it.
  virtual void MistakeOver() = 0;
};

}  // namespace tilewarden::engine
