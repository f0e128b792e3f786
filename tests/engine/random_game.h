// A random game, played legally with a seed: what conformance tests and the
// benchmark run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/game.h"

namespace tilewarden::engine {

// A box and its rules, by name: "base.c1 with c1".
struct GameConfig {
  std::string name;
  std::string set;
  std::string preset;
  std::vector<std::pair<std::string, std::string>> options;
};

// Every set with the options that go with it.
const std::vector<GameConfig>& AllConfigs();

Game NewGame(const GameConfig& config, int players);

class RandomPlayer {
 public:
  RandomPlayer(const Game& game, std::uint64_t seed);

  // A random legal turn with the next tile that fits; none: no tile is left.
  // Tiles that fit nowhere are set aside and told to `unplaceable`.
  std::optional<Turn> NextTurn(const Game& game, std::vector<int>* unplaceable = nullptr);

 private:
  void MoveNeutralFigures(const Game& game, Turn* turn);
  std::size_t Pick(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

  std::mt19937_64 random_;
  std::vector<int> stack_;  // next tile last
  int player_ = 0;
  std::vector<Placement> placements_;
  std::vector<Deployment> deployments_;
};

}  // namespace tilewarden::engine
