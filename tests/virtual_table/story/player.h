// Plays games for the virtual table: players who like points, do not waste
// figures, and keep the board compact. By the engine's rules, from a seed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/game/game.h"

namespace tilewarden::virtual_table {

struct GamePlan {
  std::vector<std::string> colours = {"red", "blue"};
  int turns = 30;
  std::uint64_t seed = 1;
  // The board keeps within this many cells (soft).
  int max_columns = 9, max_rows = 6;
};

// All the players of a game, and the stack they draw from.
class People {
 public:
  // `plan.colours` are those of the game, which has just begun.
  People(const engine::Game& game, const GamePlan& plan);
  // The next turn, by players in order; none: no tile is left. A tile that fits nowhere
  // is put aside.
  std::optional<engine::Turn> NextTurn(const engine::Game& game);

 private:
  struct Extent {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    void Grow(engine::Cell c);
  };
  std::optional<engine::Turn> Best(engine::Game game, int player, int tile);

  GamePlan plan_;
  std::mt19937_64 chance_;
  std::vector<int> stack_;  // the next one first
  std::size_t drawn_ = 0;
  Extent extent_;
};

// Whose turn it is: the next player's, or once more the last one's (the builder's second turn).
int NextPlayer(const engine::Game& game);

// Turns by players in order until the plan's count or the stack's end.
engine::Game PlayGame(std::shared_ptr<const engine::TileSet> tiles, const GamePlan& plan);

}  // namespace tilewarden::virtual_table
