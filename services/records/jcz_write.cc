#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "engine/game/stack.h"
#include "nlohmann/json.hpp"
#include "services/records/jcz.h"
#include "services/records/jcz_shared.h"

namespace tilewarden::services {
namespace {

using engine::Cell;
using engine::Deployment;
using engine::FigureKind;
using engine::Game;
using engine::GameRecord;
using engine::PlacedFigure;
using engine::Side;
using engine::TileType;
using engine::Turn;
using nlohmann::json;

std::string Number(std::size_t turn) { return "turn " + std::to_string(turn + 1); }

// Both games' points, reason by reason, are the same.
bool SamePoints(const Game& one, const Game& other) {
  const auto all = [](const Game& game) {
    std::vector<engine::ScoreItem> items = game.score_items();
    const std::vector<engine::ScoreItem> last = game.ScoreIfEndedNow();
    items.insert(items.end(), last.begin(), last.end());
    return items;
  };
  const auto same = [](const engine::ScoreItem& a, const engine::ScoreItem& b) {
    return a.player == b.player && a.points == b.points && a.kind == b.kind && a.turn == b.turn;
  };
  const auto items = all(one), others = all(other);
  return std::equal(items.begin(), items.end(), others.begin(), others.end(), same);
}

// There, the next two tiles in the direction of a river's open end must have
// room: no tile may lie in these five cells.
bool LeavesRoom(const Game& game, const TileType& type, const Turn& turn) {
  for (const engine::Segment& segment : type.segments) {
    if (segment.kind != engine::SegmentKind::kRiver) continue;
    for (int side = 0; side < 4; ++side) {
      if (!(segment.sides >> side & 1)) continue;
      const Side out = engine::Rotated(static_cast<Side>(side), turn.rotation);
      const Cell next = engine::Neighbour(turn.cell, out), far = engine::Neighbour(next, out);
      if (game.TileAt(next) != nullptr) continue;
      for (const Side aside : {engine::Rotated(out, 1), engine::Rotated(out, 3)}) {
        if (game.TileAt(engine::Neighbour(next, aside)) != nullptr ||
            game.TileAt(engine::Neighbour(far, aside)) != nullptr) {
          return false;
        }
      }
      if (game.TileAt(far) != nullptr) return false;
    }
  }
  return true;
}

// The wood by its names there: "0.small.3" is the third follower of the first player.
class Wood {
 public:
  std::string Deploy(const PlacedFigure& figure, int player) {
    const std::string stem =
        std::to_string(player) + "." + std::string(TheirFigure(figure.kind)) + ".";
    for (int number = 1;; ++number) {
      std::string name = stem + std::to_string(number);
      if (!in_use_.insert(name).second) continue;
      where_.emplace_back(figure, name);
      return name;
    }
  }
  // Its name, of what stands there.
  std::string At(const Cell& cell) const {
    for (const auto& [figure, name] : where_) {
      if (figure.kind == FigureKind::kAbbot && figure.cell == cell) return name;
    }
    return {};
  }
  // What no longer stands on the board is back in the supply.
  void Update(const std::vector<PlacedFigure>& on_board) {
    const auto home = [&](const std::pair<PlacedFigure, std::string>& entry) {
      if (std::find(on_board.begin(), on_board.end(), entry.first) != on_board.end()) return false;
      in_use_.erase(entry.second);
      return true;
    };
    where_.erase(std::remove_if(where_.begin(), where_.end(), home), where_.end());
  }

 private:
  std::set<std::string> in_use_;
  std::vector<std::pair<PlacedFigure, std::string>> where_;
};

class Writer {
 public:
  explicit Writer(const GameRecord& record)
      : record_(record),
        rules_(SharedRules(record.rules, *record.tiles)),
        game_(record.tiles, rules_, record.colours, record.start_rotation) {
    piles_ = engine::DrawPiles(*record.tiles, engine::Rules{});
    // There, the start tile that a river's source replaces is drawn like others.
    if (record.tiles->replaced_start() >= 0) {
      piles_.back().push_back(record.tiles->replaced_start());
    }
  }

  absl::StatusOr<std::string> Write() {
    if (!record_.found.empty()) {
      return absl::InvalidArgumentError(
          "the format cannot hold a game that was joined part-way: write the turns as text");
    }
    if (absl::Status status = WriteSetup(); !status.ok()) return status;
    for (std::size_t i = 0; i < record_.turns.size(); ++i) {
      if (absl::Status status = WriteTurn(i); !status.ok()) return status;
    }
    if (absl::Status status = CheckPoints(); !status.ok()) return status;
    json annotations = {{"drawOrder", draw_order_}};
    if (NothingLeft()) annotations["endTurn"] = draw_order_.size();
    // A file without clock and seed is taken for a mere setup there.
    const json file = {{"appVersion", "5.7.0"},
                       {"gameId", "tilewarden"},
                       {"name", ""},
                       {"initialRandom", 0.0},
                       {"clock", 0},
                       {"setup", setup_},
                       {"players", players_},
                       {"replay", replay_},
                       {"gameAnnotations", annotations}};
    return file.dump(2) + "\n";
  }

 private:
  const TileType& TypeOf(int tile) const {
    return record_.tiles->types()[static_cast<std::size_t>(tile)];
  }
  // Players are numbered from the one who begins.
  int PlayerThere(int player) const {
    const int players = static_cast<int>(record_.colours.size());
    return (player - first_ + players) % players;
  }
  void Move(const char* type, json payload, int player) {
    replay_.push_back(
        {{"type", type}, {"payload", std::move(payload)}, {"player", player}, {"clock", 0}});
  }

  absl::Status WriteSetup() {
    json sets = json::object();
    const std::string& id = record_.tiles->id();
    for (std::size_t begin = 0; begin <= id.size();) {
      const std::size_t end = std::min(id.find('+', begin), id.size());
      const std::string part = id.substr(begin, end - begin);
      const std::string_view theirs = TheirSet(part);
      if (theirs.empty()) {
        return absl::InvalidArgumentError("set " + part + " is not one that the format shares");
      }
      sets[std::string(theirs)] = 1;
      begin = end + 1;
    }
    const auto start = TheirTile(TypeOf(record_.tiles->start_tile()).id);
    if (!start) return absl::InvalidArgumentError("the start tile is not shared");
    json elements = {{"small-follower", rules_.followers}};
    if (rules_.farmers) elements["farmers"] = true;
    if (rules_.abbot) elements["abbot"] = 1;
    if (rules_.abbot && id.find(".c2") != std::string::npos) elements["garden"] = true;
    if (rules_.inns) elements["inn"] = true;
    if (rules_.pig_herd) elements["pig-herd"] = true;
    if (rules_.cathedrals) elements["cathedral"] = true;
    if (rules_.large_followers > 0) elements["big-follower"] = rules_.large_followers;
    if (rules_.builders > 0) elements["builder"] = rules_.builders;
    if (rules_.pigs > 0) elements["pig"] = rules_.pigs;
    if (rules_.goods) elements["traders"] = true;
    setup_ = {{"sets", sets},
              {"elements", elements},
              {"rules", {{"tiny-city-scoring", std::to_string(rules_.two_tile_city_points)}}},
              {"timer", nullptr},
              {"start",
               {{{"tile", start->id},
                 {"x", 0},
                 {"y", 0},
                 {"rotation", 90 * ((record_.start_rotation - start->turn) & 3)}}}},
              {"options", json::object()}};
    if (record_.colours.empty()) return absl::InvalidArgumentError("nobody plays");
    if (!record_.turns.empty()) first_ = std::max(record_.turns[0].player, 0);
    next_ = first_;
    const std::size_t players = record_.colours.size();
    players_ = json::array();
    for (std::size_t i = 0; i < players; ++i) {
      const std::string& name = record_.colours[(i + static_cast<std::size_t>(first_)) % players];
      players_.push_back({{"name", name}, {"slot", i}});
    }
    return absl::OkStatus();
  }

  // Tiles are drawn pile by pile: fork, river, lake, land.
  absl::Status Draw(std::size_t i) {
    const int tile = record_.turns[i].tile;
    bool first = true;
    for (std::vector<int>& pile : piles_) {
      const auto found = std::find(pile.begin(), pile.end(), tile);
      if (found != pile.end() && first) {
        pile.erase(found);
        return absl::OkStatus();
      }
      if (found != pile.end()) {
        return absl::InvalidArgumentError(
            Number(i) +
            ": in the format the fork is drawn first, then all of the river, the lake " +
            "and the land");
      }
      if (!pile.empty()) first = false;
    }
    return absl::InvalidArgumentError(Number(i) + ": the box holds no more tiles " +
                                      TypeOf(tile).id);
  }

  absl::Status WriteTurn(std::size_t i) {
    const Turn& turn = record_.turns[i];
    const int players = static_cast<int>(record_.colours.size());
    if (turn.player < 0 || turn.player != next_) {
      return absl::InvalidArgumentError(Number(i) +
                                        " breaks the turn order, which the format implies");
    }
    const TileType& type = TypeOf(turn.tile);
    const auto theirs = TheirTile(type.id);
    if (!theirs) return absl::InvalidArgumentError("tile " + type.id + " is not shared");
    if (absl::Status status = Draw(i); !status.ok()) return status;
    draw_order_.push_back(theirs->id);
    if (!turn.set_aside && !LeavesRoom(game_, type, turn)) {
      return absl::InvalidArgumentError(
          Number(i) + ": the river comes too close to other tiles for the format's rules");
    }
    const engine::Placement at = {turn.cell, turn.rotation};
    const std::vector<Deployment> ways = game_.LegalDeployments(turn.player, turn.tile, at);
    const bool recalls = !game_.LegalRecalls(turn.player, at).empty();
    engine::Refusal refusal;
    const std::optional<engine::Outcome> outcome = game_.Apply(turn, &refusal);
    if (!outcome) {
      return absl::InvalidArgumentError(Number(i) + " is not legal by the rules that the format " +
                                        "has: " + refusal.text);
    }
    if (turn.set_aside) return absl::OkStatus();
    // There, no builder is set on what this tile completes.
    const auto possible = [&](const Deployment& way) {
      return way.kind != FigureKind::kBuilder || !game_.FeatureAt(turn.cell, way.segment).complete;
    };
    if (turn.deployment && !possible(*turn.deployment)) {
      return absl::InvalidArgumentError(
          Number(i) + ": the format's rules set no builder on what the tile completes");
    }
    const bool choice = recalls || std::any_of(ways.begin(), ways.end(), possible);
    next_ = outcome->extra_turn ? turn.player : (turn.player + 1) % players;
    const int player = PlayerThere(turn.player);
    const json position = {turn.cell.x, turn.cell.y};
    Move("PLACE_TILE",
         {{"tileId", theirs->id},
          {"rotation", "R" + std::to_string(90 * ((turn.rotation - theirs->turn) & 3))},
          {"position", position}},
         player);
    if (turn.deployment) {
      const engine::Segment& segment =
          type.segments[static_cast<std::size_t>(turn.deployment->segment)];
      const PlacedFigure figure = {turn.player, turn.deployment->kind, turn.cell,
                                   turn.deployment->segment};
      Move("DEPLOY_MEEPLE",
           {{"pointer", Pointer(turn.cell, segment, turn.rotation)},
            {"meepleId", wood_.Deploy(figure, player)}},
           player);
    } else if (turn.recall) {
      const engine::PlacedTile& tile = *game_.TileAt(*turn.recall);
      const engine::Segment& segment = PlotOf(TypeOf(tile.tile));
      Move("RETURN_MEEPLE",
           {{"pointer",
             {{"featurePointer", Pointer(tile.cell, segment, tile.rotation)},
              {"meepleId", wood_.At(tile.cell)}}},
            {"source", "ABBOT_RETURN"}},
           player);
    } else if (choice) {
      // Where nothing can be done, the turn goes on by itself.
      Move("PASS", json::object(), player);
    }
    Move("COMMIT", {{"random", 0.0}}, player);
    wood_.Update(game_.Figures());
    return absl::OkStatus();
  }

  static json Pointer(const Cell& cell, const engine::Segment& segment, int rotation) {
    return {{"position", {cell.x, cell.y}},
            {"feature", FeatureOf(segment.kind)},
            {"location", LocationOf(segment, rotation)}};
  }
  // The monastery or garden of a tile that has one.
  static const engine::Segment& PlotOf(const TileType& type) {
    return *std::find_if(type.segments.begin(), type.segments.end(),
                         [](const engine::Segment& segment) {
                           return segment.kind == engine::SegmentKind::kMonastery ||
                                  segment.kind == engine::SegmentKind::kGarden;
                         });
  }

  absl::Status CheckPoints() const {
    absl::StatusOr<Game> own = engine::Replay(record_);
    if (!own.ok()) return own.status();
    if (SamePoints(*own, game_)) return absl::OkStatus();
    std::string names;
    const auto shared = rules_.ToMap();
    for (const auto& [name, value] : record_.rules.ToMap()) {
      if (shared.at(name) != value) names += (names.empty() ? "" : ", ") + name;
    }
    return absl::InvalidArgumentError(
        "the format lacks options that changed points of this game: " + names);
  }

  // By our rules: but for the start tile that a river replaces.
  bool NothingLeft() const {
    return std::all_of(piles_.begin(), piles_.end(), [this](const std::vector<int>& pile) {
      return pile.empty() || pile == std::vector<int>{record_.tiles->replaced_start()};
    });
  }

  const GameRecord& record_;
  engine::Rules rules_;
  Game game_;
  Wood wood_;
  std::vector<std::vector<int>> piles_;  // still to draw
  int first_ = 0;                        // who begins
  int next_ = 0;                         // whose turn it is
  json setup_, players_, replay_ = json::array();
  std::vector<std::string> draw_order_;
};

}  // namespace

absl::StatusOr<std::string> WriteJcz(const GameRecord& record) { return Writer(record).Write(); }

}  // namespace tilewarden::services
