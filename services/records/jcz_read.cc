#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/tiles/text.h"
#include "nlohmann/json.hpp"
#include "services/records/jcz.h"
#include "services/records/jcz_shared.h"

namespace tilewarden::services {
namespace {

using engine::Cell;
using engine::Game;
using engine::GameRecord;
using engine::TileSet;
using engine::TileType;
using engine::Turn;
using nlohmann::json;

// What a file may say that no game there does.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int Number(const json& value) {
  if (!value.is_number_integer()) throw Malformed("expected a whole number, not " + value.dump());
  const auto number = value.get<std::int64_t>();
  if (number < -10000 || number > 10000) throw Malformed(value.dump() + " is out of bounds");
  return static_cast<int>(number);
}

Cell Position(const json& value) { return {Number(value.at(0)), Number(value.at(1))}; }

// Turns in their form may be a number or "R90".
int Rotation(const json& value) {
  const std::string text =
      value.is_string() ? value.get<std::string>() : absl::StrCat("R", value.dump());
  for (int turns = 0; turns < 4; ++turns) {
    if (text == absl::StrCat("R", 90 * turns)) return turns;
  }
  throw Malformed("no rotation " + value.dump());
}

// Elements are switched off by what counts as nothing, or are not there.
bool IsOn(const json& value) {
  return value != json(false) && value != json(0) && value != json("off") && !value.is_null();
}

class Reader {
 public:
  explicit Reader(const engine::TileSetLoader& load) : load_(load) {}

  absl::StatusOr<JczGame> Read(const json& file) {
    const json& setup = file.at("setup");
    if (absl::Status status = ReadSets(setup.at("sets")); !status.ok()) return status;
    if (absl::Status status = ReadRules(setup); !status.ok()) return status;
    if (absl::Status status = ReadStart(setup.at("start")); !status.ok()) return status;
    if (absl::Status status = ReadPlayers(file.at("players")); !status.ok()) return status;
    const json annotations = file.value("gameAnnotations", json::object());
    for (const json& id : annotations.value("drawOrder", json::array())) {
      draw_order_.push_back(id.get<std::string>());
    }
    for (const json& move : file.at("replay")) {
      if (absl::Status status = ReadMove(move); !status.ok()) return status;
    }
    const int drawn = static_cast<int>(game_.record.turns.size());
    const auto end = annotations.find("endTurn");
    game_.ended = drawn >= (end == annotations.end() ? pack_ : Number(*end));
    if (file.contains("test")) {
      for (const json& line : file["test"].value("assertions", json::array())) {
        game_.assertions.push_back(line.get<std::string>());
      }
    }
    return std::move(game_);
  }

 private:
  absl::Status ReadSets(const json& sets) {
    std::string base, joined;
    for (const auto& [name, count] : sets.items()) {
      const std::string_view ours = OurSet(name);
      if (ours.empty() || count != json(1)) {
        return absl::InvalidArgumentError("tile set " + name + ", " + count.dump() +
                                          " times, is not one that we share");
      }
      const std::string_view box = ours.substr(0, ours.find('.'));
      if (box == "river1" || box == "river2" || box == "inns" || box == "traders") {
        joined += "+" + std::string(ours);
      } else if (base.empty()) {
        base = ours;
      } else {
        return absl::InvalidArgumentError("both " + base + " and " + name + " are in the setup");
      }
    }
    if (base.empty()) return absl::InvalidArgumentError("the base game is not in the setup");
    auto tiles = load_(base + joined);
    if (!tiles.ok()) return tiles.status();
    game_.record.tiles = *tiles;
    return absl::OkStatus();
  }

  absl::Status ReadRules(const json& setup) {
    engine::Rules rules;
    rules.farmers = false;
    const json elements = setup.value("elements", json::object());
    for (const auto& [name, value] : elements.items()) {
      if (!IsOn(value)) continue;
      if (name == "small-follower") {
        absl::Status status = rules.Set("followers", value.dump());
        if (!status.ok()) return status;
      } else if (name == "big-follower" || name == "builder" || name == "pig") {
        const std::string option = name == "big-follower" ? "large_followers" : name + "s";
        absl::Status status = rules.Set(option, value == json(true) ? "1" : value.dump());
        if (!status.ok()) return status;
      } else if (name == "cathedral") {
        rules.cathedrals = true;
      } else if (name == "traders") {
        rules.goods = true;
      } else if (name == "farmers") {
        rules.farmers = true;
      } else if (name == "abbot" && (value == json(1) || value == json(true))) {
        rules.abbot = true;
      } else if (name == "inn") {
        rules.inns = true;
      } else if (name == "pig-herd") {
        rules.pig_herd = true;
      } else if (name != "garden" && name != "river") {
        return absl::InvalidArgumentError("element " + name + ": " + value.dump() +
                                          " is not one that we share");
      }
    }
    const json options = setup.value("rules", json::object());
    if (const auto tiny = options.find("tiny-city-scoring"); tiny != options.end()) {
      absl::Status status = rules.Set("two_tile_city_points",
                                      tiny->is_string() ? tiny->get<std::string>() : tiny->dump());
      if (!status.ok()) return status;
    }
    game_.record.rules = SharedRules(rules, *game_.record.tiles);
    return absl::OkStatus();
  }

  absl::Status ReadStart(const json& start) {
    const TileSet& tiles = *game_.record.tiles;
    const std::string& own = tiles.types()[static_cast<std::size_t>(tiles.start_tile())].id;
    const auto theirs = TheirTile(own);
    if (!theirs || start.size() != 1 || start.at(0).at("tile") != theirs->id ||
        Number(start[0].at("x")) != 0 || Number(start[0].at("y")) != 0) {
      return absl::InvalidArgumentError("the start is not " + own + " at (0, 0)");
    }
    game_.record.start_rotation = (Rotation(start[0].at("rotation")) + theirs->turn) & 3;
    // All but the start tile are drawn, that of the base game too where a
    // river's source takes its place.
    pack_ = tiles.total() - 1 + (tiles.replaced_start() >= 0 ? 1 : 0);
    return absl::OkStatus();
  }

  absl::Status ReadPlayers(const json& players) {
    std::vector<std::string>& names = game_.record.colours;
    for (const json& player : players) {
      std::string name = player.value("name", "");
      if (name.empty()) name = "Player";
      while (std::find(names.begin(), names.end(), name) != names.end()) name += "'";
      names.push_back(name);
    }
    if (names.empty()) return absl::InvalidArgumentError("nobody plays");
    if (names.size() > Game::kMaxPlayers) {
      return absl::InvalidArgumentError("more than six players");
    }
    return absl::OkStatus();
  }

  absl::Status ReadMove(const json& move) {
    const std::string type = move.at("type");
    const json payload = move.value("payload", json::object());
    if (type == "PLACE_TILE") return ReadPlacement(payload, move.value("player", json()));
    if (type == "PASS" || type == "COMMIT" || type == "GAME_FINISHED") return absl::OkStatus();
    std::vector<Turn>& turns = game_.record.turns;
    if (turns.empty()) return absl::InvalidArgumentError(type + " before any tile");
    if (type == "DEPLOY_MEEPLE") return ReadDeployment(payload, &turns.back());
    if (type == "RETURN_MEEPLE" && payload.value("source", "") == "ABBOT_RETURN") {
      turns.back().recall = Position(payload.at("pointer").at("featurePointer").at("position"));
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError("move " + type + " is not one that we share");
  }

  // Double turns break the order of the players, so that the file says who moves.
  absl::Status ReadPlacement(const json& payload, const json& player) {
    GameRecord& record = game_.record;
    const std::string id = payload.at("tileId");
    const int players = static_cast<int>(record.colours.size());
    Turn turn;
    turn.player = player.is_null() ? placed_ % players : Number(player);
    if (turn.player < 0 || turn.player >= players) {
      return absl::InvalidArgumentError("no player " + player.dump());
    }
    // What was drawn before it and does not come, fitted nowhere.
    const auto found = std::find(draw_order_.begin(), draw_order_.end(), id);
    if (found != draw_order_.end()) {
      for (auto aside = draw_order_.begin(); aside != found; ++aside) {
        turn.set_aside = true;
        if (absl::Status status = FindTile(*aside, &turn); !status.ok()) return status;
        turn.rotation = 0;
        record.turns.push_back(turn);
      }
      draw_order_.erase(draw_order_.begin(), found + 1);
      turn.set_aside = false;
    }
    if (absl::Status status = FindTile(id, &turn); !status.ok()) return status;
    turn.cell = Position(payload.at("position"));
    // Ours, turned to lie as theirs does at R0, and then as it was laid.
    turn.rotation = (turn.rotation + Rotation(payload.at("rotation"))) & 3;
    record.turns.push_back(turn);
    ++placed_;
    return absl::OkStatus();
  }

  // The tile and its turn at R0. Of copies that look the same, one still in the
  // box.
  absl::Status FindTile(const std::string& id, Turn* turn) {
    const TileSet& tiles = *game_.record.tiles;
    turn->tile = -1;
    for (const SharedTile& tile : OurTiles(id)) {
      const int index = tiles.Find(tile.id);
      if (index < 0) continue;
      turn->tile = index;
      turn->rotation = tile.turn;
      if (used_[index] < tiles.counts()[static_cast<std::size_t>(index)]) break;
    }
    if (turn->tile < 0) {
      return absl::InvalidArgumentError("tile " + id + " is not in the set " + tiles.id());
    }
    ++used_[turn->tile];
    return absl::OkStatus();
  }

  absl::Status ReadDeployment(const json& payload, Turn* turn) {
    const json& pointer = payload.at("pointer");
    const std::string meeple = payload.at("meepleId");
    // "0.small.1"
    const std::vector<std::string> parts = engine::SplitText(meeple, '.');
    const auto kind = parts.size() == 3 ? OurFigure(parts[1]) : std::nullopt;
    if (!kind) {
      return absl::InvalidArgumentError("meeple " + meeple + " is not one that we share");
    }
    const std::string feature = pointer.value("feature", ""), location = pointer.at("location");
    const TileType& type = game_.record.tiles->types()[static_cast<std::size_t>(turn->tile)];
    const int segment = SegmentAt(type, turn->rotation, feature, location);
    if (segment < 0 || Position(pointer.at("position")) != turn->cell) {
      return absl::InvalidArgumentError("no " + feature + " at " + location + " of the tile " +
                                        type.id + " just laid");
    }
    turn->deployment = {*kind, segment};
    return absl::OkStatus();
  }

  const engine::TileSetLoader& load_;
  JczGame game_;
  std::vector<std::string> draw_order_;  // still to come
  std::map<int, int> used_;              // copies by type
  int pack_ = 0;                         // tiles to draw
  int placed_ = 0;
};

}  // namespace

absl::StatusOr<JczGame> ReadJcz(std::string_view text, const engine::TileSetLoader& load) {
  const json file = json::parse(text, nullptr, false);
  if (!file.is_object()) return absl::InvalidArgumentError("not a saved game: no JSON object");
  try {
    return Reader(load).Read(file);
  } catch (const json::exception& error) {
    return absl::InvalidArgumentError(std::string("not a saved game: ") + error.what());
  } catch (const Malformed& error) {
    return absl::InvalidArgumentError(std::string("not a saved game: ") + error.what());
  }
}

}  // namespace tilewarden::services
