#include "tests/virtual_table/story/player.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/game/box_rules.h"
#include "engine/game/stack.h"
#include "tests/engine/game/random_game.h"

namespace tilewarden::virtual_table {
namespace {

using engine::Cell;
using engine::Game;

// What a player thinks a position is worth: own points sure and likely, less
// the others', and a figure kept is worth something too.
double Worth(const Game& game, int player) {
  const auto players = game.players().size();
  std::vector<double> points(players);
  for (std::size_t i = 0; i < players; ++i) points[i] = game.players()[i].score;
  for (const auto& item : game.ScoreIfEndedNow()) {
    points[static_cast<std::size_t>(item.player)] +=
        item.points * (item.kind.rfind("field", 0) == 0 ? 0.35 : 0.8);
  }
  double best_other = 0;
  for (std::size_t i = 0; i < players; ++i) {
    if (static_cast<int>(i) != player) best_other = std::max(best_other, points[i]);
  }
  const int kept = game.players()[static_cast<std::size_t>(player)].followers();
  constexpr double kFigureWorth[] = {0, 3.5, 5.5, 7, 8, 8.6, 9, 9.2, 9.3};
  return points[static_cast<std::size_t>(player)] - 0.5 * best_other +
         kFigureWorth[std::clamp(kept, 0, 8)];
}

}  // namespace

int NextPlayer(const Game& game) {
  if (game.turns().empty()) return 0;
  const engine::Turn last = game.turns().back();
  Game before = game;
  before.Undo();
  if (before.Apply(last)->extra_turn) return last.player;
  return (last.player + 1) % static_cast<int>(game.players().size());
}

void People::Extent::Grow(Cell c) {
  x0 = std::min(x0, c.x), x1 = std::max(x1, c.x);
  y0 = std::min(y0, c.y), y1 = std::max(y1, c.y);
}

People::People(const Game& game, const GamePlan& plan) : plan_(plan), chance_(plan.seed) {
  for (const std::vector<int>& drawn : engine::DrawPiles(game.tile_set(), game.rules())) {
    std::vector<int> pile = drawn;
    // Fisher-Yates by hand: std::shuffle differs between libraries.
    for (std::size_t i = pile.size(); i > 1; --i) std::swap(pile[i - 1], pile[chance_() % i]);
    stack_.insert(stack_.end(), pile.begin(), pile.end());
  }
}

std::optional<engine::Turn> People::NextTurn(const Game& game) {
  const int player = NextPlayer(game);
  while (drawn_ < stack_.size()) {
    const std::optional<engine::Turn> best = Best(game, player, stack_[drawn_++]);
    if (!best.has_value()) continue;  // fits nowhere
    extent_.Grow(best->cell);
    return best;
  }
  return std::nullopt;
}

std::optional<engine::Turn> People::Best(Game game, int player, int tile) {
  std::optional<engine::Turn> best;
  double most = std::numeric_limits<double>::lowest();
  for (const auto& at : game.LegalPlacements(tile)) {
    Extent grown = extent_;
    grown.Grow(at.cell);
    double liking = static_cast<double>(chance_() % 1000) / 1000;
    liking -= 0.25 * (grown.x1 - grown.x0 + grown.y1 - grown.y0);
    liking -= 30.0 * std::max(0, grown.x1 - grown.x0 + 1 - plan_.max_columns);
    liking -= 30.0 * std::max(0, grown.y1 - grown.y0 + 1 - plan_.max_rows);
    engine::Turn laid;
    laid.player = player;
    laid.tile = tile;
    laid.cell = at.cell;
    laid.rotation = at.rotation;
    std::vector<engine::Turn> choices = {laid};
    for (const auto& deployment : game.LegalDeployments(player, tile, at)) {
      choices.emplace_back(laid).deployment = deployment;
    }
    for (const Cell called : game.LegalRecalls(player, at))
      choices.emplace_back(laid).recall = called;
    for (engine::Turn turn : choices) {
      engine::MoveNeutralFigures(
          game, [this](std::size_t count) { return chance_() % count; }, &turn);
      const std::optional<engine::Deployment>& choice = turn.deployment;
      if (!game.Apply(turn).has_value()) continue;
      double worth = Worth(game, player) + liking;
      // An abbot who is home can go out again.
      if (turn.recall.has_value()) worth += 1;
      if (choice.has_value()) {
        // A new feature will grow: what it may still bring.
        const auto feature = game.FeatureAt(at.cell, choice->segment);
        using engine::SegmentKind;
        // What it brings, it brings later: turns, and points for each city.
        if (choice->kind == engine::FigureKind::kBuilder) worth += 2.5;
        if (choice->kind == engine::FigureKind::kPig) worth += 1.5;
        // There is one, and it is kept for where it decides.
        if (choice->kind == engine::FigureKind::kLargeFollower) {
          worth -= static_cast<double>(chance_() % 4000) / 1000;
        }
        if (feature.kind == SegmentKind::kMonastery) worth += 4;
        if (feature.kind == SegmentKind::kCity && !feature.complete) worth += 2.2;
        if (feature.kind == SegmentKind::kRoad && !feature.complete) worth += 1;
        if (feature.kind == SegmentKind::kField) {
          worth +=
              game.turns().size() < 8 ? -3 : 1.2 * static_cast<double>(chance_() % 1000) / 1000;
        }
      }
      game.Undo();
      if (worth > most) {
        most = worth;
        best = turn;
      }
    }
  }
  return best;
}

Game PlayGame(std::shared_ptr<const engine::TileSet> tiles, const GamePlan& plan) {
  engine::Rules rules;
  if (const auto own = engine::RulesOfBox(*tiles); own.ok()) {
    // What the box's edition refuses, its people do not lay.
    rules.river_away = own->river_away;
    rules.river_three = own->river_three;
  }
  Game game(tiles, rules, plan.colours);
  People people(game, plan);
  while (static_cast<int>(game.turns().size()) < plan.turns) {
    const std::optional<engine::Turn> turn = people.NextTurn(game);
    if (!turn.has_value()) break;
    game.Apply(*turn);
  }
  return game;
}

}  // namespace tilewarden::virtual_table
