#include "tests/virtual_table/player.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <random>

namespace tilewarden::virtual_table {
namespace {

using engine::Cell;
using engine::Game;

struct Extent {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  void Grow(Cell c) {
    x0 = std::min(x0, c.x), x1 = std::max(x1, c.x);
    y0 = std::min(y0, c.y), y1 = std::max(y1, c.y);
  }
};

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
  const int kept = game.players()[static_cast<std::size_t>(player)].followers;
  constexpr double kFigureWorth[] = {0, 3.5, 5.5, 7, 8, 8.6, 9, 9.2, 9.3};
  return points[static_cast<std::size_t>(player)] - 0.5 * best_other +
         kFigureWorth[std::clamp(kept, 0, 8)];
}

}  // namespace

Game PlayGame(std::shared_ptr<const engine::TileSet> tiles, const GamePlan& plan) {
  Game game(tiles, engine::Rules{}, plan.colours);
  std::mt19937_64 chance(plan.seed);
  std::vector<int> stack;
  for (std::size_t i = 0; i < tiles->types().size(); ++i) {
    const int type = static_cast<int>(i);
    for (int c = 0; c < game.TilesLeft(type); ++c) stack.push_back(type);
  }
  // Fisher-Yates by hand: std::shuffle differs between libraries.
  for (std::size_t i = stack.size(); i > 1; --i) std::swap(stack[i - 1], stack[chance() % i]);

  Extent extent;
  for (std::size_t drawn = 0;
       drawn < stack.size() && static_cast<int>(game.turns().size()) < plan.turns; ++drawn) {
    const int tile = stack[drawn];
    const int player = static_cast<int>(game.turns().size() % plan.colours.size());
    std::optional<engine::Turn> best;
    double most = std::numeric_limits<double>::lowest();
    for (const auto& at : game.LegalPlacements(tile)) {
      Extent grown = extent;
      grown.Grow(at.cell);
      double liking = static_cast<double>(chance() % 1000) / 1000;
      liking -= 0.25 * (grown.x1 - grown.x0 + grown.y1 - grown.y0);
      liking -= 30.0 * std::max(0, grown.x1 - grown.x0 + 1 - plan.max_columns);
      liking -= 30.0 * std::max(0, grown.y1 - grown.y0 + 1 - plan.max_rows);
      std::vector<std::optional<engine::Deployment>> choices = {std::nullopt};
      for (const auto& d : game.LegalDeployments(player, tile, at)) choices.emplace_back(d);
      for (const auto& choice : choices) {
        engine::Turn turn;
        turn.player = player;
        turn.tile = tile;
        turn.cell = at.cell;
        turn.rotation = at.rotation;
        turn.deployment = choice;
        if (!game.Apply(turn).has_value()) continue;
        double worth = Worth(game, player) + liking;
        if (choice.has_value()) {
          // A new feature will grow: what it may still bring.
          const auto feature = game.FeatureAt(at.cell, choice->segment);
          using engine::SegmentKind;
          if (feature.kind == SegmentKind::kMonastery) worth += 4;
          if (feature.kind == SegmentKind::kCity && !feature.complete) worth += 2.2;
          if (feature.kind == SegmentKind::kRoad && !feature.complete) worth += 1;
          if (feature.kind == SegmentKind::kField) {
            worth +=
                game.turns().size() < 8 ? -3 : 1.2 * static_cast<double>(chance() % 1000) / 1000;
          }
        }
        game.Undo();
        if (worth > most) {
          most = worth;
          best = turn;
        }
      }
    }
    if (!best.has_value()) continue;  // fits nowhere: put aside
    game.Apply(*best);
    extent.Grow(best->cell);
  }
  return game;
}

}  // namespace tilewarden::virtual_table
