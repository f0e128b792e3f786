#include "tests/virtual_table/story/game_truth.h"

#include "tests/virtual_table/scene/wooden_figures.h"

namespace tilewarden::virtual_table {
namespace {

using engine::Cell;
using engine::Game;
using nlohmann::json;

json ItemsOf(const std::vector<engine::ScoreItem>& items) {
  json out = json::array();
  for (const auto& item : items) {
    out.push_back({{"player", item.player},
                   {"points", item.points},
                   {"kind", item.kind},
                   {"reason", item.reason},
                   {"cells", CellsOf(item.cells)}});
  }
  return out;
}

json ScoresOf(const Game& game) {
  json out = json::array();
  for (const auto& player : game.players()) out.push_back(player.score);
  return out;
}

}  // namespace

json CellsOf(const std::vector<Cell>& cells) {
  json out = json::array();
  for (const Cell& c : cells) out.push_back({c.x, c.y});
  return out;
}

json TurnTruth(const Game& game, const engine::Turn& turn, int number,
               const engine::Outcome& outcome) {
  const auto& type = game.tile_set().types()[static_cast<std::size_t>(turn.tile)];
  json out = {{"number", number},
              {"player", turn.player},
              {"tile", type.id},
              {"cell", {turn.cell.x, turn.cell.y}},
              {"rotation", turn.rotation},
              {"deployment", nullptr},
              {"items", ItemsOf(outcome.items)},
              {"returned", json::array()},
              {"scores", ScoresOf(game)}};
  if (turn.deployment.has_value()) {
    const auto segment = static_cast<std::size_t>(turn.deployment->segment);
    out["deployment"] = {{"kind", NameOf(turn.deployment->kind)},
                         {"segment", turn.deployment->segment},
                         {"feature", engine::ToString(type.segments[segment].kind)}};
  }
  if (turn.recall) out["recall"] = {turn.recall->x, turn.recall->y};
  if (turn.ark_landing) out["ark_landing"] = {turn.ark_landing->x, turn.ark_landing->y};
  if (!turn.ark_path.empty()) out["ark_path"] = CellsOf(turn.ark_path);
  for (const engine::Place& place : turn.gingerbread) {
    out["gingerbread"].push_back({place.cell.x, place.cell.y});
  }
  for (const auto& figure : outcome.returned) {
    out["returned"].push_back({{"player", figure.player},
                               {"cell", {figure.cell.x, figure.cell.y}},
                               {"segment", figure.segment}});
  }
  return out;
}

json FinalTruth(const Game& game) {
  std::vector<int> scores;
  for (const auto& player : game.players()) scores.push_back(player.score);
  const auto items = game.ScoreIfEndedNow();
  for (const auto& item : items) scores[static_cast<std::size_t>(item.player)] += item.points;
  return {{"items", ItemsOf(items)}, {"scores", scores}};
}

}  // namespace tilewarden::virtual_table
