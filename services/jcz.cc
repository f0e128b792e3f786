#include "services/jcz.h"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include "nlohmann/json.hpp"

namespace tilewarden::services {
namespace {

using engine::Cell;
using engine::FigureKind;
using engine::Game;
using engine::GameRecord;
using engine::Rotated;
using engine::RotatedHalfEdge;
using engine::Segment;
using engine::SegmentKind;
using engine::Side;
using engine::TileSet;
using engine::TileType;
using engine::Turn;
using nlohmann::json;

// Their name of each base tile, and the quarter turns from our canonical
// orientation to theirs.
struct SharedTile {
  std::string_view theirs, ours;
  int turn;
};
constexpr std::array<SharedTile, 24> kTiles = {{
    {"LR", "B.A", 3},   {"L", "B.B", 0},    {"Cccc+", "B.C", 0}, {"RCr", "B.D", 0},
    {"C", "B.E", 0},    {"CFc+", "B.F", 1}, {"CFc.1", "B.G", 1}, {"CFC.2", "B.H", 0},
    {"CC.2", "B.I", 3}, {"CRr", "B.J", 0},  {"RrC", "B.K", 0},   {"CRRR", "B.L", 0},
    {"Cc+", "B.M", 3},  {"Cc.1", "B.N", 3}, {"CcRr+", "B.O", 3}, {"CcRr", "B.P", 3},
    {"Ccc+", "B.Q", 3}, {"Ccc", "B.R", 3},  {"CccR+", "B.S", 3}, {"CccR", "B.T", 3},
    {"RFr", "B.U", 0},  {"Rr", "B.V", 0},   {"RRR", "B.W", 0},   {"RRRR", "B.X", 0},
}};

struct FoundTile {
  std::string id;
  int turn = 0;
};

// A trailing G marks their copies with a garden, as a trailing g marks ours.
std::optional<FoundTile> FromTheirs(std::string_view id) {
  if (id.size() > 3 && id.substr(0, 2) == "BA" && (id[2] == '/' || id[2] == '.'))
    id.remove_prefix(3);
  const bool garden = !id.empty() && id.back() == 'G';
  if (garden) id.remove_suffix(1);
  for (const SharedTile& tile : kTiles) {
    if (tile.theirs == id)
      return FoundTile{std::string(tile.ours) + (garden ? "g" : ""), tile.turn};
  }
  return std::nullopt;
}

std::optional<FoundTile> ToTheirs(std::string_view id) {
  const bool garden = !id.empty() && id.back() == 'g';
  if (garden) id.remove_suffix(1);
  for (const SharedTile& tile : kTiles) {
    if (tile.ours == id) {
      return FoundTile{"BA/" + std::string(tile.theirs) + (garden ? "G" : ""), tile.turn};
    }
  }
  return std::nullopt;
}

constexpr std::string_view kSideNames = "NESW";

// Their location names a segment by where it lies on the board: "I" within the
// tile; "NL.NR.EL" half-edges of a field; "WE" sides, "_N" all sides but one.
struct Touched {
  unsigned sides = 0, halves = 0;
  bool inner = false;
};

std::optional<Touched> ReadLocation(const std::string& location) {
  Touched touched;
  if (location == "I" || location == "CLOISTER") {
    touched.inner = true;
    return touched;
  }
  if (location.empty()) return std::nullopt;
  const bool all_but = location[0] == '_';
  const bool field = location.find_first_of("LR") != std::string::npos;
  for (std::size_t i = all_but ? 1 : 0; i < location.size(); ++i) {
    if (field && location[i] == '.') continue;
    const std::size_t side = kSideNames.find(location[i]);
    if (side == std::string_view::npos) return std::nullopt;
    if (!field) {
      touched.sides |= 1U << side;
      continue;
    }
    if (++i >= location.size() || (location[i] != 'L' && location[i] != 'R')) return std::nullopt;
    touched.halves |= 1U << (2 * side + (location[i] == 'R' ? 1 : 0));
  }
  if (all_but) touched.sides ^= 15U;
  return touched;
}

Touched TouchedBy(const Segment& segment, int rotation) {
  Touched touched;
  for (int side = 0; side < 4; ++side) {
    if (segment.sides >> side & 1) {
      touched.sides |= 1U << static_cast<int>(Rotated(static_cast<Side>(side), rotation));
    }
  }
  for (int half = 0; half < 8; ++half) {
    if (segment.half_edges >> half & 1) touched.halves |= 1U << RotatedHalfEdge(half, rotation);
  }
  touched.inner = touched.sides == 0 && touched.halves == 0;
  return touched;
}

std::string WriteLocation(const Touched& touched) {
  if (touched.inner) return "I";
  std::string out;
  for (int half = 0; half < 8; ++half) {
    if (!(touched.halves >> half & 1)) continue;
    if (!out.empty()) out += '.';
    out += kSideNames[static_cast<std::size_t>(half / 2)];
    out += half % 2 ? 'R' : 'L';
  }
  if (touched.halves != 0) return out;
  // Three sides are named by the one that is missing; the pairs in their order.
  for (unsigned side = 0; side < 4; ++side) {
    if (touched.sides == (15U ^ (1U << side))) return std::string("_") + kSideNames[side];
  }
  for (const char side : {'N', 'S', 'W', 'E'}) {
    if (touched.sides >> kSideNames.find(side) & 1) out += side;
  }
  return touched.sides == 15 ? "NWSE" : out;
}

std::string FeatureName(SegmentKind kind) {
  std::string name(engine::ToString(kind));
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

// Turns in their form may be a number or "R90".
std::optional<int> ReadRotation(const json& value) {
  int degrees = -1;
  if (value.is_number_integer()) degrees = value.get<int>();
  if (value.is_string()) {
    const std::string text = value;
    if (text == "R0") degrees = 0;
    if (text == "R90") degrees = 90;
    if (text == "R180") degrees = 180;
    if (text == "R270") degrees = 270;
  }
  if (degrees % 90 != 0 || degrees < 0 || degrees > 270) return std::nullopt;
  return degrees / 90;
}

class Reader {
 public:
  absl::StatusOr<JczGame> Read(const json& file) {
    if (absl::Status status = ReadSetup(file.at("setup")); !status.ok()) return status;
    for (const json& player : file.at("players")) {
      game_.record.colours.push_back(player.at("name").get<std::string>());
    }
    if (game_.record.colours.size() > Game::kMaxPlayers) {
      return absl::InvalidArgumentError("more than six players");
    }
    for (const json& move : file.at("replay")) {
      if (absl::Status status = ReadMove(move); !status.ok()) return status;
    }
    if (file.contains("test")) {
      const json assertions = file["test"].value("assertions", json::array());
      for (const json& line : assertions) {
        game_.assertions.push_back(line.get<std::string>());
      }
    }
    return std::move(game_);
  }

 private:
  absl::Status ReadSetup(const json& setup) {
    std::string set;
    for (const auto& [name, count] : setup.at("sets").items()) {
      if (name == "basic:1") set = "base.c1";
      if (name == "basic:2") set = "base.c2";
      if ((name != "basic:1" && name != "basic:2") || count != 1) {
        return absl::InvalidArgumentError("tile set " + name + " is not one that we share");
      }
    }
    if (set.empty()) return absl::InvalidArgumentError("the base game is not in the setup");
    auto tiles = TileSet::Load(set);
    if (!tiles.ok()) return tiles.status();
    game_.record.tiles = *tiles;
    engine::Rules& rules = game_.record.rules;
    rules.farmers = false;
    const json elements = setup.value("elements", json::object());
    for (const auto& [name, value] : elements.items()) {
      if (name == "small-follower") {
        rules.followers = value;
      } else if (name == "farmers") {
        rules.farmers = value == json(true) || value == json(1);
      } else if (name == "abbot") {
        rules.abbot = value != json(0) && value != json(false);
      } else if (name != "garden") {
        return absl::InvalidArgumentError("element " + name + " is not one that we share");
      }
    }
    const json options = setup.value("rules", json::object());
    if (const auto tiny = options.find("tiny-city-scoring"); tiny != options.end()) {
      const std::string points = tiny->is_string() ? tiny->get<std::string>() : tiny->dump();
      if (absl::Status status = rules.Set("two_tile_city_points", points); !status.ok()) {
        return status;
      }
    }
    const json& start = setup.at("start");
    if (start.size() != 1 || start[0].at("tile") != "BA/RCr" || start[0].at("x") != 0 ||
        start[0].at("y") != 0) {
      return absl::InvalidArgumentError("the start is not the base game's start tile at (0, 0)");
    }
    const auto rotation = ReadRotation(start[0].at("rotation"));
    if (!rotation) return absl::InvalidArgumentError("the start tile's rotation is unknown");
    game_.record.start_rotation = *rotation;
    return absl::OkStatus();
  }

  absl::Status ReadMove(const json& move) {
    const std::string type = move.at("type");
    const json payload = move.value("payload", json::object());
    GameRecord& record = game_.record;
    if (type == "PLACE_TILE") {
      const std::string id = payload.at("tileId");
      const auto tile = FromTheirs(id);
      const auto rotation = ReadRotation(payload.at("rotation"));
      if (!tile || !rotation) return absl::InvalidArgumentError("tile " + id + " is unknown");
      Turn turn;
      turn.tile = record.tiles->Find(tile->id);
      if (turn.tile < 0) return absl::InvalidArgumentError("tile " + id + " is not in the set");
      turn.player = static_cast<int>(record.turns.size() % record.colours.size());
      turn.cell = {payload.at("position").at(0), payload.at("position").at(1)};
      // Ours, turned to lie as theirs does at R0, and then as it was laid.
      turn.rotation = (*rotation + tile->turn) & 3;
      record.turns.push_back(turn);
      return absl::OkStatus();
    }
    if (type == "PASS" || type == "COMMIT" || type == "GAME_OVER") return absl::OkStatus();
    if (record.turns.empty()) return absl::InvalidArgumentError(type + " before any tile");
    Turn& turn = record.turns.back();
    if (type == "DEPLOY_MEEPLE") return ReadDeployment(payload, &turn);
    if (type == "RETURN_MEEPLE") {
      const json& position = payload.at("pointer").at("position");
      turn.recall = Cell{position.at(0), position.at(1)};
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError("move " + type + " is not one that we share");
  }

  absl::Status ReadDeployment(const json& payload, Turn* turn) {
    const json& pointer = payload.at("pointer");
    const std::string location = pointer.at("location");
    const std::string meeple = payload.at("meepleId");
    FigureKind kind = FigureKind::kFollower;
    if (meeple.find(".abbot") != std::string::npos) {
      kind = FigureKind::kAbbot;
    } else if (meeple.find(".small") == std::string::npos) {
      return absl::InvalidArgumentError("meeple " + meeple + " is not one that we share");
    }
    const auto touched = ReadLocation(location);
    const TileType& type = game_.record.tiles->types()[static_cast<std::size_t>(turn->tile)];
    const std::string feature = pointer.value("feature", "");
    for (std::size_t i = 0; touched && i < type.segments.size(); ++i) {
      const Segment& segment = type.segments[i];
      const Touched own = TouchedBy(segment, turn->rotation);
      if (own.inner != touched->inner || own.sides != touched->sides ||
          own.halves != touched->halves) {
        continue;
      }
      if (!feature.empty() && feature != FeatureName(segment.kind)) continue;
      turn->deployment = {kind, static_cast<int>(i)};
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError("no " + feature + " at " + location + " on tile " + type.id);
  }

  JczGame game_;
};

json Move(const char* type, json payload, int player) {
  return {{"type", type}, {"payload", std::move(payload)}, {"player", player}};
}

}  // namespace

absl::StatusOr<JczGame> ReadJcz(std::string_view text) {
  const json file = json::parse(text, nullptr, false);
  if (!file.is_object()) return absl::InvalidArgumentError("not a saved game: no JSON object");
  try {
    if (file.at("players").empty()) return absl::InvalidArgumentError("nobody plays");
    return Reader().Read(file);
  } catch (const json::exception& error) {
    return absl::InvalidArgumentError(std::string("not a saved game: ") + error.what());
  }
}

absl::StatusOr<std::string> WriteJcz(const GameRecord& record) {
  const std::string& set = record.tiles->id();
  if (set != "base.c1" && set != "base.c2") {
    return absl::InvalidArgumentError("set " + set + " is not one that the format shares");
  }
  engine::Rules plain;
  plain.farmers = record.rules.farmers;
  plain.abbot = record.rules.abbot;
  plain.followers = record.rules.followers;
  plain.two_tile_city_points = record.rules.two_tile_city_points;
  if (!(plain == record.rules)) {
    return absl::InvalidArgumentError("the game's options go beyond those that the format shares");
  }
  json file;
  file["appVersion"] = "5.7.0";
  file["gameId"] = "tilewarden";
  file["name"] = "";
  file["initialRandom"] = 0.0;
  json elements = {{"small-follower", plain.followers}};
  if (plain.farmers) elements["farmers"] = true;
  if (plain.abbot) elements["abbot"] = 1;
  if (set == "base.c2") elements["garden"] = 1;
  file["setup"] = {
      {"sets", {{set == "base.c1" ? "basic:1" : "basic:2", 1}}},
      {"elements", elements},
      {"rules", {{"tiny-city-scoring", std::to_string(plain.two_tile_city_points)}}},
      {"timer", nullptr},
      {"start",
       {{{"tile", "BA/RCr"}, {"x", 0}, {"y", 0}, {"rotation", 90 * record.start_rotation}}}}};
  file["players"] = json::array();
  for (std::size_t i = 0; i < record.colours.size(); ++i) {
    file["players"].push_back({{"name", record.colours[i]}, {"slot", i}});
  }
  json replay = json::array(), order = json::array();
  std::vector<int> deployed(record.colours.size());
  for (std::size_t i = 0; i < record.turns.size(); ++i) {
    const Turn& turn = record.turns[i];
    if (turn.player != static_cast<int>(i % record.colours.size()) || turn.set_aside) {
      return absl::InvalidArgumentError("turn " + std::to_string(i + 1) +
                                        " breaks the turn order, which the format implies");
    }
    const TileType& type = record.tiles->types()[static_cast<std::size_t>(turn.tile)];
    const auto theirs = ToTheirs(type.id);
    if (!theirs) return absl::InvalidArgumentError("tile " + type.id + " is not shared");
    const json position = {turn.cell.x, turn.cell.y};
    order.push_back(theirs->id);
    replay.push_back(
        Move("PLACE_TILE",
             {{"tileId", theirs->id},
              {"rotation", "R" + std::to_string(90 * ((turn.rotation - theirs->turn) & 3))},
              {"position", position}},
             turn.player));
    const std::string owner = std::to_string(turn.player);
    if (turn.deployment) {
      const Segment& segment = type.segments[static_cast<std::size_t>(turn.deployment->segment)];
      const bool abbot = turn.deployment->kind == FigureKind::kAbbot;
      int& used = deployed[static_cast<std::size_t>(turn.player)];
      const std::string meeple =
          abbot ? owner + ".abbot.1"
                : owner + ".small." + std::to_string(used++ % plain.followers + 1);
      replay.push_back(Move("DEPLOY_MEEPLE",
                            {{"pointer",
                              {{"position", position},
                               {"feature", FeatureName(segment.kind)},
                               {"location", WriteLocation(TouchedBy(segment, turn.rotation))}}},
                             {"meepleId", meeple}},
                            turn.player));
    } else if (turn.recall) {
      replay.push_back(Move("RETURN_MEEPLE",
                            {{"pointer", {{"position", {turn.recall->x, turn.recall->y}}}},
                             {"meepleId", owner + ".abbot.1"},
                             {"source", "ABBOT_RETURN"}},
                            turn.player));
    } else {
      replay.push_back(Move("PASS", json::object(), turn.player));
    }
    replay.push_back(Move("COMMIT", {{"random", 0.0}}, turn.player));
  }
  file["replay"] = std::move(replay);
  file["gameAnnotations"] = {{"drawOrder", std::move(order)}, {"endTurn", record.turns.size()}};
  return file.dump(2) + "\n";
}

absl::StatusOr<bool> Holds(const std::string& assertion, const Game& game) {
  const auto unknown = [&] {
    return absl::InvalidArgumentError("assertion \"" + assertion + "\" is not understood");
  };
  std::istringstream in(assertion);
  std::string name, verb, kind, word;
  int points = 0;
  in >> name >> verb;
  int player = -1;
  for (std::size_t i = 0; i < game.players().size(); ++i) {
    if (game.players()[i].colour == name) player = static_cast<int>(i);
  }
  if (player < 0) return unknown();
  std::vector<engine::ScoreItem> items = game.score_items();
  const std::vector<engine::ScoreItem> final_items = game.ScoreIfEndedNow();
  items.insert(items.end(), final_items.begin(), final_items.end());
  if (verb == "has" && in >> points >> word && (word == "points" || word == "point")) {
    int sum = 0;
    for (const auto& item : items) sum += item.player == player ? item.points : 0;
    return sum == points;
  }
  if (verb == "scored" && in >> kind >> word >> points && word == "for") {
    return std::any_of(items.begin(), items.end(), [&](const engine::ScoreItem& item) {
      return item.player == player && item.points == points &&
             item.kind.substr(0, item.kind.find('.')) == kind;
    });
  }
  return unknown();
}

}  // namespace tilewarden::services
