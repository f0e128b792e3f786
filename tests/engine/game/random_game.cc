#include "tests/engine/game/random_game.h"

#include <algorithm>
#include <stdexcept>

#include "engine/game/box_rules.h"

namespace tilewarden::engine {
namespace {

// More than any bag holds: whoever set so many aside would go on for ever.
constexpr int kMostDraws = 500;

}  // namespace

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
      {"gingerbread man once",
       "winter+gingerbread",
       "winter",
       {{"gingerbread", "true"}, {"gingerbread_moves_twice", "false"}}},
      {"three tiles in hand",
       "base.c1",
       "c1",
       {{"bushes_end_roads", "false"}, {"hand", "3"}, {"start_tile_mixed", "true"}}},
      {"a small table",
       "base.c2",
       "c2",
       {{"area", "-5,-4,5,4"},
        {"board_shift", "allowed"},
        {"draw_at_end", "true"},
        {"unplaceable_returns", "true"}}},
      {"a second table",
       "base.c2",
       "c2",
       {{"area", "-4,-4,4,4"}, {"board_shift", "second_table"}, {"tile_buying", "true"}}},
      {"a table that completes",
       "base.c2",
       "c3",
       {{"abbot", "true"}, {"area", "-4,-4,5,5"}, {"table_edge_completes", "true"}}},
      {"river laid backwards",
       "base.c2+river1.c2",
       "c2",
       {{"river_start", "lake"}, {"start_tile_mixed", "true"}}},
      {"rivers from the fork",
       "base.c2+river1.c2+river2.c2",
       "c2",
       {{"river_start", "fork"}, {"several_sources", "true"}}},
      {"rivers backwards in two stacks",
       "base.c2+river1.c2+river2.c2",
       "c2",
       {{"one_lake", "true"},
        {"river_in_two_stacks", "true"},
        {"river_start", "lake"},
        {"several_sources", "true"}}},
      {"rivers from the fork to the spring",
       "base.c2+river2.c2",
       "c2",
       {{"lakes_mixed", "true"},
        {"river_meeples", "false"},
        {"river_start", "fork"},
        {"start_tile_mixed", "true"}}},
      {"river shuffled", "base.c2+river2.c2", "c2", {{"river_shuffled", "true"}}},
      {"a source that counts once",
       "base.c2+river.20ae",
       "c3",
       {{"abbot", "true"}, {"source_counts_once", "true"}}},
      {"gingerbread man first",
       "winter+gingerbread",
       "winter",
       {{"gingerbread", "true"}, {"gingerbread_moves_first", "true"}}},
      {"inns and cathedrals first edition", "base.c1+inns.c1", "c1", {}},
      {"inns and cathedrals", "base.c2+inns.c2", "c2", {{"abbot", "true"}}},
      {"traders and builders first edition",
       "base.c1+traders.c1",
       "c1",
       {{"farm_scoring", "first"}}},
      {"traders and builders", "base.c2+traders.c2", "c2", {}},
      {"both boxes",
       "base.c2+inns.c2+traders.c2",
       "c3",
       {{"abbot", "true"}, {"farm_scoring", "second"}}},
      {"both boxes with a river",
       "base.c1+river2.c1+inns.c1+traders.c1",
       "c1",
       {{"builders", "2"}, {"large_followers", "2"}, {"pigs", "2"}}},
      {"ark with four crrf", "ark.crrf4", "ark-2", {}},
      {"ark first edition", "ark", "ark-1", {}},
      {"ark second edition", "ark", "ark-2", {}},
      {"ark German edition", "ark", "ark-de", {{"ark_temple_each_time", "false"}}},
  };
  return *kConfigs;
}

Game NewGame(const GameConfig& config, int players) {
  auto tiles = TileSet::Load(config.set);
  if (!tiles.ok()) throw std::runtime_error(std::string(tiles.status().message()));
  auto rules = RulesOfBox(**tiles, config.preset);
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

RandomPlayer::RandomPlayer(const Game& game, std::uint64_t seed)
    : random_(seed * 0x9E3779B97F4A7C15U),
      stack_(Shuffled(game), game.rules(), static_cast<int>(game.players().size())) {}

// The piles in turn, each shuffled.
std::deque<int> RandomPlayer::Shuffled(const Game& game) {
  std::deque<int> order;
  for (std::vector<int>& pile : DrawPiles(game.tile_set(), game.rules())) {
    for (std::size_t i = pile.size(); i > 1; --i) std::swap(pile[i - 1], pile[Pick(i)]);
    order.insert(order.end(), pile.begin(), pile.end());
  }
  return order;
}

std::optional<Turn> RandomPlayer::NextTurn(const Game& game, std::vector<int>* unplaceable) {
  std::optional<Turn> turn = NextTurnOrSetAside(game);
  // What goes back to the bag may be all that is left in it, while others hold what fits.
  for (int draws = 0; turn && turn->set_aside; ++draws) {
    if (draws == kMostDraws) return std::nullopt;
    if (unplaceable != nullptr) unplaceable->push_back(turn->tile);
    turn = NextTurnOrSetAside(game);
  }
  return turn;
}

std::optional<Turn> RandomPlayer::NextTurnOrSetAside(const Game& game) {
  const std::vector<int>& choices = stack_.Choices(player_);
  if (choices.empty()) return std::nullopt;
  const std::size_t first = Pick(choices.size());
  Turn turn;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    turn.tile = choices[(first + i) % choices.size()];
    game.LegalPlacements(turn.tile, &placements_);
    if (!placements_.empty()) break;
  }
  turn.player = player_;
  if (placements_.empty()) {
    // Where such tiles go back to the bag, the game ends once none of them fits.
    if (game.rules().unplaceable_returns && game.IsOver()) return std::nullopt;
    turn.set_aside = true;
    stack_.SetAside(player_, turn.tile, Pick(stack_.left() + 1));
    return turn;
  }
  stack_.Laid(player_, turn.tile);
  const Placement at = placements_[Pick(placements_.size())];
  turn.cell = at.cell;
  turn.rotation = at.rotation;
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
  MoveNeutralFigures(
      game, [this](std::size_t count) { return Pick(count); }, &turn);
  if (game.area() || game.rules().tile_buying) AgreeOnHouseRules(game, &turn);
  return turn;
}

// Now and then the board is shifted or the table made larger, and a tile that
// may be bought is.
void RandomPlayer::AgreeOnHouseRules(const Game& game, Turn* turn) {
  Turn agreed = *turn;
  if (game.area() && Pick(8) == 0) {
    const int dx = static_cast<int>(Pick(3)) - 1, dy = static_cast<int>(Pick(3)) - 1;
    PlayingArea table = *game.area();
    const bool larger = game.rules().board_shift == BoardShift::kSecondTable;
    agreed.table = {table.west + (larger ? -1 : dx), table.north + (larger ? 0 : dy),
                    table.east + dx * (larger ? 0 : 1), table.south + (larger ? 0 : dy)};
    if (!game.Check(agreed)) *turn = agreed;
  }
  const auto& player = game.players()[static_cast<std::size_t>(turn->player)];
  if (!game.rules().tile_buying || player.score == 0) return;
  agreed = *turn;
  const auto players = game.players().size();
  agreed.purchase = {static_cast<int>((static_cast<std::size_t>(turn->player) + 1) % players),
                     1 + static_cast<int>(Pick(static_cast<std::size_t>(player.score)))};
  if (!game.Check(agreed)) *turn = agreed;
}

void MoveNeutralFigures(const Game& game, const std::function<std::size_t(std::size_t)>& pick,
                        Turn* turn) {
  const Placement at = {turn->cell, turn->rotation};
  if (game.rules().gingerbread) {
    const std::vector<Place> targets = game.GingerbreadTargets(turn->tile, at);
    if (!targets.empty()) turn->gingerbread.push_back(targets[pick(targets.size())]);
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
  if (!landings.empty()) turn->ark_landing = landings[pick(landings.size())];
  if (!game.ark() || pick(3) != 0) return;
  // A walk over laid tiles, as far as it is legal.
  Turn walk = *turn;
  walk.deployment.reset();
  Cell cell = *game.ark();
  for (std::size_t steps = 1 + pick(5); steps > 0; --steps) {
    cell = Neighbour(cell, kSides[pick(4)]);
    walk.ark_path.push_back(cell);
    if (game.Check(walk)) walk.ark_path.pop_back();
    if (walk.ark_path.empty() || walk.ark_path.back() != cell) break;
  }
  if (!walk.ark_path.empty()) *turn = walk;
}

}  // namespace tilewarden::engine
