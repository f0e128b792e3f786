// A game by its turns, in words: what `tilewarden rules replay` and `rules show`
// print. Text only, without colours. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "engine/game/game.h"
#include "engine/notation/notation.h"

namespace tilewarden::services {

// "3 red lays B.W at (1, 0), turned r2, follower on the road (segment 2)", and
// a line for each score and each figure that goes home.
std::vector<std::string> DescribeTurn(const engine::Game& after, const engine::Turn& turn,
                                      const engine::Outcome& outcome);

// What is odd about turns that the rules allow, a line for each: out of turn, after the end,
// and what the engine remarks (engine/game/remarks.h).
class TurnWatch {
 public:
  // The turn just played. `was_over`: the game had ended before it.
  std::vector<std::string> Next(const engine::Game& after, bool was_over, bool extra_turn);

 private:
  static int NextAfter(const engine::Game& game, int player);

  int due_ = -1;              // the player; -1: anybody
  bool may_pass_on_ = false;  // or the one after: a turn more need not be taken
};

// Every tile seven letters wide and three high, columns and rows named by their
// cells, followed by what the letters mean. A standing figure is its player's
// letter in upper case, a lying one in lower case.
std::vector<std::string> DrawBoard(const engine::Game& game);

// Each player's points, now and if the game ended here, itemised by feature
// with its reason; and the supply.
std::vector<std::string> ScoreSheet(const engine::Game& game);

// Every open feature and every farm with a figure: what it is worth, whose it
// is, which tiles would go on with it and the chance to draw one in time:
// hypergeometric, in the next draw and before each player has drawn once.
std::vector<std::string> DescribeFeatures(const engine::Game& game);

// Tiles left by type, and which of them fit nowhere.
std::vector<std::string> DescribeTilesLeft(const engine::Game& game);

// Where a tile may be laid; or the proof that it fits nowhere.
std::vector<std::string> DescribeFit(const engine::Game& game, int tile);

// A refusal with its code, its rule, its cells and its segments.
std::string DescribeRefusal(const engine::Refusal& refusal);

// Every option of the rules with its value, what it takes and what it decides;
// those that differ from the defaults are marked.
std::vector<std::string> DescribeRules(const engine::Rules& rules);

}  // namespace tilewarden::services
