// Whole games on the simulated table, followed by the referee.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/engine/game/random_game.h"
#include "tests/engine/referee/onlooker.h"
#include "tests/engine/referee/simulated_table.h"

namespace tilewarden::engine {

struct SimulatedGame {
  GameConfig config{"first edition", "base.c1", "c1", {}};
  unsigned seed = 1;
  int players = 3;
  CameraErrors errors;
  // Share of turns with a mistake at the table; each is put right soon.
  double mistakes = 0;
  // Only mistakes of this kind; empty: of every kind.
  std::string kind;
  // The players' figures that are not on the board lie beside it in view.
  bool supplies = false;
  // The game is set up without the special figures that people may be asked about, and the camera
  // expects none; people play with them, and say so some turns after they are asked.
  bool unexpected = false;
  // Restart the referee from its log now and then.
  bool restarts = false;
  // Nobody looks on for so many turns; then the game is joined as it lies.
  int join_after = 0;
  // Every sighting is delivered twice.
  bool twice = false;
  // All sightings are judged once more by another referee, which must come to
  // the same; without restarts.
  bool replay = false;
  // How people play, if not by chance: the next turn of this game, or that it ends.
  std::function<std::optional<Turn>(const Game&)> people;
  Onlooker* onlooker = nullptr;  // not owned
};

struct SimulationReport {
  int games = 0;
  int exact = 0;            // every turn with its player, deployment and score right at the end
  int exact_unasked = 0;    // and nothing was asked
  int exact_one_asked = 0;  // and at most one thing was asked
  int exact_or_asked = 0;   // or every turn that is wrong was asked about
  int scores_right = 0;
  int wrong_unasked = 0;  // games with a wrong score, and a wrong turn that nobody asked about
  // The same of the totals, with final scoring.
  int totals_right = 0;
  int totals_wrong_unasked = 0;
  int questions = 0;
  int placements = 0;  // turns compared
  int wrong_placements = 0;
  int false_accusations = 0;
  int repeat_faults = 0;  // sightings delivered twice or replayed told something else
  int not_cleared = 0;    // findings that stayed though the table was put right
  std::map<std::string, int> planted, missed;  // by kind of mistake
  std::map<std::string, int> false_by_code;
  std::vector<std::string> notes;  // what was wrong, for people
  double slowest_ms = 0;           // slowest sighting
  std::size_t slow = 0;            // sightings that took more than 10 ms
  double total_ms = 0;
  std::size_t sightings = 0, events = 0;

  void Add(const SimulationReport& other);
  std::string ToString() const;
  std::string Notes() const;
};

SimulationReport PlayGame(const SimulatedGame& game);

// AllConfigs, but that no tiles are sold: what players pay each other no camera
// sees. And a game with a square table.
const std::vector<GameConfig>& SimulatedConfigs();

// Those that can be joined in the middle.
std::vector<GameConfig> JoinableConfigs();

// Every kind of mistake that can be planted.
const std::vector<std::string>& MistakeKinds();

}  // namespace tilewarden::engine
