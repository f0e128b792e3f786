#include "services/records/rules_check_case.h"

#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/tiles/text.h"
#include "services/records/rules_comparison.h"

namespace tilewarden::services {
namespace {

using engine::Cell;
using engine::Deployment;
using engine::FigureKind;
using engine::Game;
using engine::Placement;
using engine::Refusal;
using engine::Rules;
using engine::ScoreItem;
using engine::TileSet;
using engine::Turn;
using nlohmann::json;

// "meeple", "abbot", "large follower"
std::string FigureName(FigureKind kind) {
  return kind == FigureKind::kFollower ? "meeple" : std::string(engine::WordOf(kind));
}

std::string TurnedEdges(const TileSet& tiles, int tile, int rotation) {
  const auto& edges = tiles.types()[static_cast<std::size_t>(tile)].edges;
  std::string out;
  for (int side = 0; side < 4; ++side) {
    out += edges[static_cast<std::size_t>((side - rotation) & 3)];
  }
  return out;
}

// Placements by what they look like: a symmetric tile's equal turns are one.
std::set<std::tuple<int, int, std::string>> Appearances(const TileSet& tiles, int tile,
                                                        const std::vector<Placement>& placements) {
  std::set<std::tuple<int, int, std::string>> appearances;
  for (const Placement& p : placements) {
    appearances.emplace(p.cell.x, p.cell.y, TurnedEdges(tiles, tile, p.rotation));
  }
  return appearances;
}

Placement PlacementFrom(const json& from) { return {{from.at(0), from.at(1)}, from.at(2)}; }

absl::StatusOr<int> FindTile(const TileSet& tiles, const std::string& id) {
  const int tile = tiles.Find(id);
  if (tile < 0) return absl::InvalidArgumentError("no tile " + id);
  return tile;
}

absl::Status Act(const json& action, Turn* turn) {
  const std::string what = action.at(0);
  for (const engine::FigureKindEntry& entry : engine::AllFigureKinds()) {
    if (entry.neutral || FigureName(entry.kind) != what) continue;
    turn->deployment = {entry.kind, action.at(1)};
    return absl::OkStatus();
  }
  if (what == "recall") {
    turn->recall = Cell{action.at(1), action.at(2)};
  } else if (what == "ark") {
    for (const json& cell : action.at(1)) turn->ark_path.push_back({cell.at(0), cell.at(1)});
  } else {
    return absl::InvalidArgumentError("no action \"" + what + "\"");
  }
  return absl::OkStatus();
}

// A game with the case's tiles and rules, and its first tiles laid.
absl::StatusOr<Game> Start(const json& from, int players) {
  const json& start = from.at("start");
  const std::string first = start.at(0).at(0);
  if (start.at(0).at(1) != 0 || start.at(0).at(2) != 0) {
    return absl::InvalidArgumentError("the first tile must lie at (0, 0)");
  }
  absl::StatusOr<std::shared_ptr<const TileSet>> tiles =
      AllTiles(from.value("tiles", json::object()), first);
  if (!tiles.ok()) return tiles.status();
  absl::StatusOr<Rules> rules = RulesFrom(from.value("rules", json::object()));
  if (!rules.ok()) return rules.status();
  // The engine that played the games lets a meeple on the volcano lake and
  // gives no extra turn for it.
  if (from.contains("engine")) rules->volcano_lake = false;
  std::vector<std::string> colours;
  for (int i = 0; i < players; ++i) colours.push_back(engine::Text("P", i));
  Game game(*tiles, *rules, colours, start.at(0).at(3));
  for (std::size_t i = 1; i < start.size(); ++i) {
    Turn turn;
    turn.player = -1;
    absl::StatusOr<int> tile = FindTile(**tiles, start[i].at(0));
    if (!tile.ok()) return tile.status();
    turn.tile = *tile;
    turn.cell = {start[i].at(1), start[i].at(2)};
    turn.rotation = start[i].at(3);
    Refusal refusal;
    if (!game.Apply(turn, &refusal)) {
      return absl::InvalidArgumentError("start tile " + std::to_string(i) + ": " + refusal.text);
    }
  }
  return game;
}

void CompareLegal(const json& expect, const Game& game, int tile, Comparison* comparison) {
  const std::vector<Placement> legal = game.LegalPlacements(tile);
  if (expect.contains("count")) {
    std::set<Cell> cells;
    for (const Placement& p : legal) cells.insert(p.cell);
    comparison->Expect(
        "cells where " + game.tile_set().types()[static_cast<std::size_t>(tile)].id + " fits",
        expect["count"].get<std::size_t>(), cells.size());
  }
  const auto appearances = Appearances(game.tile_set(), tile, legal);
  for (const json& wanted : expect.value("contains", json::array())) {
    const Placement p = PlacementFrom(wanted);
    comparison->Expect("legal placement " + wanted.dump(), true,
                       appearances.count({p.cell.x, p.cell.y,
                                          TurnedEdges(game.tile_set(), tile, p.rotation)}) > 0);
  }
}

absl::Status PlayMove(const json& move, Game* game, Comparison* comparison) {
  absl::StatusOr<int> tile = FindTile(game->tile_set(), move.at("tile"));
  if (!tile.ok()) return tile.status();
  const json expect = move.value("expect", json::object());
  if (move.contains("query")) {
    CompareLegal(expect, *game, *tile, comparison);
    return absl::OkStatus();
  }
  Turn turn;
  turn.player = move.at("p");
  turn.tile = *tile;
  turn.cell = {move.at("at").at(0), move.at("at").at(1)};
  turn.rotation = move.at("at").at(2);
  if (move.contains("do")) {
    if (absl::Status status = Act(move["do"], &turn); !status.ok()) return status;
  }
  if (move.contains("ark_to")) turn.ark_landing = Cell{move["ark_to"].at(0), move["ark_to"].at(1)};
  if (move.contains("ginger")) {
    const json& to = move["ginger"];
    turn.gingerbread.push_back({{to.at(0), to.at(1)}, to.at(2)});
  }
  Refusal refusal;
  const auto outcome = game->Apply(turn, &refusal);
  const std::string expected = expect.value("reject", "");
  if (!outcome || !expected.empty()) {
    comparison->Expect("refusal", expected, outcome ? std::string() : refusal.code);
  }
  if (expect.contains("events")) {
    comparison->ExpectEvents(
        ExpectedEvents(expect["events"], false),
        ActualEvents(outcome ? outcome->items : std::vector<ScoreItem>{}, false));
  }
  if (expect.contains("scores")) {
    comparison->Expect("scores", expect["scores"].get<std::vector<int>>(), Scores(*game));
  }
  if (expect.contains("supply")) {
    std::vector<int> supply;
    for (const auto& player : game->players()) supply.push_back(player.followers());
    comparison->Expect("supply", expect["supply"].get<std::vector<int>>(), supply);
  }
  return absl::OkStatus();
}

void CompareFinal(const json& expect, const Game& game, bool plain, Comparison* comparison) {
  const std::vector<ScoreItem> items = game.ScoreIfEndedNow();
  if (expect.contains("events")) {
    comparison->ExpectEvents(ExpectedEvents(expect["events"], plain), ActualEvents(items, plain));
  }
  if (expect.contains("scores")) {
    comparison->Expect("final scores", expect["scores"].get<std::vector<int>>(),
                       Scores(game, items));
  }
}

void ComparePlacements(const json& turn, const Game& game, int tile, Comparison* comparison) {
  std::vector<Placement> listed;
  for (const json& p : turn.at("legal")) listed.push_back(PlacementFrom(p));
  const auto expected = Appearances(game.tile_set(), tile, listed);
  const auto actual = Appearances(game.tile_set(), tile, game.LegalPlacements(tile));
  ++comparison->report().expectations;
  for (const auto& one : expected) {
    if (!actual.count(one)) comparison->Differ("listed, but not legal: " + json(one).dump());
  }
  const bool river = game.tile_set().types()[static_cast<std::size_t>(tile)].HasRiver();
  for (const auto& one : actual) {
    if (expected.count(one)) continue;
    if (river) {
      comparison->Explain("legal, but not listed: " + json(one).dump() +
                          ": no immediate U-turn and at an open end; the engine that played the "
                          "games looks ahead and avoids ends that a later tile could not continue");
    } else {
      comparison->Differ("legal, but not listed: " + json(one).dump());
    }
  }
}

void CompareOptions(const json& turn, const Game& game, const Turn& laid, Comparison* comparison) {
  std::set<json> expected, actual;
  for (const json& option : turn.at("options")) expected.insert(option);
  const Placement at = {laid.cell, laid.rotation};
  for (const Deployment& d : game.LegalDeployments(laid.player, laid.tile, at)) {
    actual.insert(json::array({FigureName(d.kind), d.segment}));
  }
  for (const Cell& cell : game.LegalRecalls(laid.player, at)) {
    actual.insert(json::array({"recall", cell.x, cell.y}));
  }
  comparison->Expect("options", expected, actual);
}

// The games count the city segments that a field's tiles border, finished or not.
std::size_t CitySegmentsBeside(const json& places, const Game& game) {
  std::set<std::pair<Cell, int>> cities;
  for (const json& place : places) {
    const Cell cell = {place.at(0), place.at(1)};
    const engine::PlacedTile* tile = game.TileAt(cell);
    if (tile == nullptr) continue;
    const auto& type = game.tile_set().types()[static_cast<std::size_t>(tile->tile)];
    const std::uint32_t beside = type.segments.at(place.at(2).get<std::size_t>()).cities;
    for (int city = 0; city < 32; ++city) {
      if (beside >> city & 1) cities.emplace(cell, city);
    }
  }
  return cities.size();
}

void CompareFeatures(const json& listed, const Game& game, Comparison* comparison) {
  for (const json& expected : listed) {
    const json& first = expected.at("places").at(0);
    const Game::Feature feature = game.FeatureAt({first.at(0), first.at(1)}, first.at(2));
    comparison->set_step("feature at " + first.dump());
    comparison->Expect("kind", expected.at("k").get<std::string>(),
                       std::string(engine::ToString(feature.kind)));
    std::set<std::pair<int, int>> cells, actual_cells;
    for (const json& place : expected.at("places"))
      cells.emplace(place.at(0).get<int>(), place.at(1).get<int>());
    for (const Cell& cell : feature.cells) actual_cells.emplace(cell.x, cell.y);
    comparison->Expect("cells", cells, actual_cells);
    comparison->Expect("owners", expected.at("owners").get<std::vector<int>>(), feature.owners);
    if (expected.contains("cities")) {
      comparison->Expect("city segments beside", expected["cities"].get<std::size_t>(),
                         CitySegmentsBeside(expected.at("places"), game));
    }
  }
}

}  // namespace

absl::Status CheckScenario(const std::string& file, const json& scenario, RulesReport* report) {
  ++report->cases;
  const std::string id = scenario.at("id");
  const auto wrong = [&](const absl::Status& status) {
    return absl::InvalidArgumentError(file + ": " + id + ": " + std::string(status.message()));
  };
  Comparison comparison(file + ": " + id, report);
  absl::StatusOr<Game> game = Start(scenario, static_cast<int>(scenario.at("players").size()));
  if (!game.ok()) return wrong(game.status());
  int number = 0;
  for (const json& move : scenario.at("moves")) {
    comparison.set_step("move " + std::to_string(++number));
    if (absl::Status status = PlayMove(move, &*game, &comparison); !status.ok()) {
      return wrong(status);
    }
  }
  if (scenario.contains("final")) {
    comparison.set_step("final");
    CompareFinal(scenario["final"], *game, false, &comparison);
  }
  return absl::OkStatus();
}

absl::Status CheckGame(const std::string& file, const json& game_json, const json* live,
                       RulesReport* report) {
  ++report->cases;
  const std::string name = file + ": game " + game_json.at("seed").dump();
  const auto wrong = [&](const absl::Status& status) {
    return absl::InvalidArgumentError(name + ": " + std::string(status.message()));
  };
  Comparison comparison(name, report);
  absl::StatusOr<Game> started = Start(game_json, game_json.at("players"));
  if (!started.ok()) return wrong(started.status());
  Game& game = *started;
  const json& turns = game_json.at("turns");
  if (live != nullptr && live->at("if_ended_after_turn").size() != turns.size()) {
    return wrong(absl::InvalidArgumentError("as many live scores as turns are needed"));
  }
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const json& from = turns[i];
    comparison.set_step("turn " + std::to_string(i + 1));
    absl::StatusOr<int> tile = FindTile(game.tile_set(), from.at("tile"));
    if (!tile.ok()) return wrong(tile.status());
    Turn turn;
    turn.player = from.at("player");
    turn.tile = *tile;
    turn.cell = PlacementFrom(from.at("place")).cell;
    turn.rotation = PlacementFrom(from.at("place")).rotation;
    if (live == nullptr) {
      ComparePlacements(from, game, *tile, &comparison);
      CompareOptions(from, game, turn, &comparison);
      for (const json& id : from.value("unplaceable", json::array())) {
        absl::StatusOr<int> other = FindTile(game.tile_set(), id);
        if (!other.ok()) return wrong(other.status());
        comparison.Expect(id.get<std::string>() + " fits nowhere", true,
                          game.LegalPlacements(*other).empty());
      }
    }
    if (!from.at("action").is_null()) {
      if (absl::Status status = Act(from["action"], &turn); !status.ok()) return wrong(status);
    }
    Refusal refusal;
    const auto outcome = game.Apply(turn, &refusal);
    if (!outcome) {
      comparison.Differ("refused: " + refusal.code + ": " + refusal.text);
      return absl::OkStatus();
    }
    if (live != nullptr) {
      comparison.Expect("scores if the game ended now",
                        live->at("if_ended_after_turn")[i].get<std::vector<int>>(),
                        Scores(game, game.ScoreIfEndedNow()));
      continue;
    }
    comparison.ExpectEvents(ExpectedEvents(from.at("events"), true),
                            ActualEvents(outcome->items, true));
    comparison.Expect("scores", from.at("scores").get<std::vector<int>>(), Scores(game));
  }
  if (live != nullptr) return absl::OkStatus();
  comparison.set_step("final");
  CompareFinal({{"events", game_json.at("final_events")}, {"scores", game_json.at("final_scores")}},
               game, true, &comparison);
  CompareFeatures(game_json.at("features_at_end"), game, &comparison);
  return absl::OkStatus();
}

}  // namespace tilewarden::services
