// Whole games on the simulated table, followed by the referee.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/tile_set.h"
#include "referee_simulated_table.h"

namespace tilewarden::engine {

struct SimulatedGame {
  unsigned seed = 1;
  int players = 3;
  int turns = 71;
  CameraErrors errors;
  // Share of turns with a mistake at the table; each is put right soon.
  double mistakes = 0;
  // Restart the referee from its log now and then.
  bool restarts = false;
};

struct SimulationReport {
  int games = 0;
  int exact = 0;  // every turn with its player, deployment and score right at the end
  int scores_right = 0;
  int placements = 0;  // turns compared
  int wrong_placements = 0;
  int false_accusations = 0;
  int not_cleared = 0;  // findings that stayed though the table was put right
  std::map<std::string, int> planted, missed;  // by kind of mistake
  std::map<std::string, int> false_by_code;
  std::vector<std::string> notes;  // what was wrong, for people
  double slowest_ms = 0;           // slowest sighting
  std::size_t sightings = 0, events = 0;

  void Add(const SimulationReport& other);
  std::string ToString() const;
};

SimulationReport PlayGame(std::shared_ptr<const TileSet> tiles, const SimulatedGame& game);

}  // namespace tilewarden::engine
