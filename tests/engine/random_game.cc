#include "tests/engine/random_game.h"

#include <algorithm>
#include <stdexcept>

#include "engine/stack.h"

namespace tilewarden::engine {

const std::vector<GameConfig>& AllConfigs() {
  static const auto* const kConfigs = new std::vector<GameConfig>{
      {"first edition", "base.c1", "c1", {}},
      {"second edition farms", "base.c1", "c1", {{"farm_scoring", "second"}}},
      {"first edition farms", "base.c1", "c1", {{"farm_scoring", "first"}}},
      {"without farmers", "base.c1", "c1", {{"farmers", "false"}, {"two_tile_city_points", "2"}}},
      {"abbot", "base.c2", "c2", {{"abbot", "true"}}},
      {"abbot of the older wording",
       "base.c2",
       "c3",
       {{"abbot", "true"}, {"recall_needs_meeple", "true"}}},
      {"filled cities", "base.c1", "c2", {{"cities_must_be_filled", "true"}}},
      {"house rules",
       "base.c1",
       "c2",
       {{"final_incomplete", "false"}, {"hole_extra_turn", "true"}, {"followers", "4"}}},
      {"river I first edition", "base.c1+river1.c1", "c1", {}},
      {"river I", "base.c2+river1.c2", "c2", {{"abbot", "true"}}},
      {"river I of C3", "base.c2+river1.c3", "c3", {}},
      {"river II first edition",
       "base.c1+river2.c1",
       "c1",
       {{"inns", "true"}, {"pig_herd", "true"}}},
      {"river II", "base.c2+river2.c2", "c2", {{"pig_herd", "true"}, {"farm_scoring", "second"}}},
      {"river I and II",
       "base.c2+river1.c2+river2.c2",
       "c2",
       {{"abbot", "true"}, {"river_meeples", "false"}}},
      {"river of the 20th anniversary", "base.c2+river.20ae", "c3", {{"abbot", "true"}}},
      {"river with CutCassonne", "base.c2+river1.c2+cutcassonne", "c2", {}},
      {"winter", "winter", "winter", {}},
      {"gingerbread man", "winter+gingerbread", "winter", {{"gingerbread", "true"}}},
      {"gingerbread man twice",
       "winter+gingerbread",
       "winter",
       {{"gingerbread", "true"}, {"gingerbread_moves_twice", "true"}}},
      {"ark first edition", "ark", "ark-1", {}},
      {"ark second edition", "ark", "ark-2", {}},
      {"ark German edition", "ark", "ark-de", {{"ark_temple_each_time", "false"}}},
  };
  return *kConfigs;
}

Game NewGame(const GameConfig& config, int players) {
  auto tiles = TileSet::Load(config.set);
  if (!tiles.ok()) throw std::runtime_error(std::string(tiles.status().message()));
  auto rules = Rules::Preset(config.preset);
  if (!rules.ok()) throw std::runtime_error(std::string(rules.status().message()));
  for (const auto& [name, value] : config.options) {
    if (absl::Status status = rules->Set(name, value); !status.ok()) {
      throw std::runtime_error(std::string(status.message()));
    }
  }
  static const std::vector<std::string> kColours = {"red",    "blue",  "green",
                                                    "yellow", "black", "pink"};
  return Game(*tiles, *rules, {kColours.begin(), kColours.begin() + players});
}

RandomPlayer::RandomPlayer(const Game& game, std::uint64_t seed) : random_(seed) {
  const std::vector<std::vector<int>> piles = DrawPiles(game.tile_set(), game.rules());
  // Drawn from the back: the piles in turn, each shuffled.
  for (auto pile = piles.rbegin(); pile != piles.rend(); ++pile) {
    std::vector<int> shuffled = *pile;
    for (std::size_t i = shuffled.size(); i > 1; --i) {
      std::swap(shuffled[i - 1], shuffled[Pick(i)]);
    }
    stack_.insert(stack_.end(), shuffled.begin(), shuffled.end());
  }
}

std::optional<Turn> RandomPlayer::NextTurn(const Game& game, std::vector<int>* unplaceable) {
  while (!stack_.empty()) {
    Turn turn;
    turn.tile = stack_.back();
    stack_.pop_back();
    game.LegalPlacements(turn.tile, &placements_);
    if (placements_.empty()) {
      if (unplaceable != nullptr) unplaceable->push_back(turn.tile);
      continue;
    }
    const Placement at = placements_[Pick(placements_.size())];
    turn.cell = at.cell;
    turn.rotation = at.rotation;
    turn.player = player_;
    player_ = (player_ + 1) % static_cast<int>(game.players().size());
    game.LegalDeployments(turn.player, turn.tile, at, &deployments_);
    // Rarely, so that some features of an abbot are completed first.
    std::vector<Cell> recalls;
    if (Pick(6) == 0) recalls = game.LegalRecalls(turn.player, at);
    // Nothing about a third of the time.
    const std::size_t pick = Pick(3 * (deployments_.size() + recalls.size()) / 2 + 1);
    if (pick < deployments_.size()) {
      turn.deployment = deployments_[pick];
    } else if (pick < deployments_.size() + recalls.size()) {
      turn.recall = recalls[pick - deployments_.size()];
    }
    MoveNeutralFigures(game, &turn);
    return turn;
  }
  return std::nullopt;
}

void RandomPlayer::MoveNeutralFigures(const Game& game, Turn* turn) {
  const Placement at = {turn->cell, turn->rotation};
  if (game.rules().gingerbread) {
    const std::vector<Place> targets = game.GingerbreadTargets(turn->tile, at);
    if (!targets.empty()) turn->gingerbread.push_back(targets[Pick(targets.size())]);
    // A second move, where the rules ask for one, goes to another city.
    for (const Place& second : targets) {
      const std::optional<Refusal> why = game.Check(*turn);
      if (!why) break;
      turn->gingerbread.resize(1);
      if (why->code == "gingerbread-must-move" || why->code == "gingerbread-bad-target") {
        turn->gingerbread.push_back(second);
      }
    }
  }
  if (game.rules().ark == ArkEdition::kNone) return;
  const std::vector<Cell> landings = game.ArkLandings(turn->tile, at);
  if (!landings.empty()) turn->ark_landing = landings[Pick(landings.size())];
  if (!game.ark() || Pick(3) != 0) return;
  // A walk over laid tiles, as far as it is legal.
  Turn walk = *turn;
  walk.deployment.reset();
  Cell cell = *game.ark();
  for (std::size_t steps = 1 + Pick(5); steps > 0; --steps) {
    cell = Neighbour(cell, kSides[Pick(4)]);
    walk.ark_path.push_back(cell);
    if (game.Check(walk)) walk.ark_path.pop_back();
    if (walk.ark_path.empty() || walk.ark_path.back() != cell) break;
  }
  if (!walk.ark_path.empty()) *turn = walk;
}

}  // namespace tilewarden::engine
