// A random game, played legally with a seed: what conformance tests and the
// benchmark run.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/game/game.h"
#include "engine/game/stack.h"

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

// Adds what the rules ask of a turn besides, and now and then what they allow: where the
// Gingerbread Man and the Ark go. `pick` gives a number below its argument, by chance.
void MoveNeutralFigures(const Game& game, const std::function<std::size_t(std::size_t)>& pick,
                        Turn* turn);

class RandomPlayer {
 public:
  RandomPlayer(const Game& game, std::uint64_t seed);

  // A random legal turn with the next tile that fits; none: no tile is left.
  // Tiles that fit nowhere are skipped and told to `unplaceable`.
  std::optional<Turn> NextTurn(const Game& game, std::vector<int>* unplaceable = nullptr);
  // Where the tile of the last turn that was asked for could be laid; valid until
  // that turn is applied.
  const PlacementList& placements() const { return placements_; }
  // Who takes the next turn, where it is not the one after the last.
  void SetNextPlayer(int player) { player_ = player; }
  // The same, but a tile that fits nowhere is a turn of its own, which sets it
  // aside; the player then draws again.
  std::optional<Turn> NextTurnOrSetAside(const Game& game);

 private:
  std::deque<int> Shuffled(const Game& game);
  void AgreeOnHouseRules(const Game& game, Turn* turn);
  // Below `count`, which is small: by the upper half, as the lower bits of such
  // numbers repeat soon.
  std::size_t Pick(std::size_t count) { return (random_() >> 32) * count >> 32; }

  // Knuth's for MMIX: a larger state takes longer to set up than a game to play.
  std::linear_congruential_engine<std::uint64_t, 6364136223846793005U, 1442695040888963407U, 0>
      random_;
  Stack stack_;
  int player_ = 0;
  PlacementList placements_;
  std::vector<Deployment> deployments_;
};

}  // namespace tilewarden::engine
