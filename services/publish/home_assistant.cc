#include "services/publish/home_assistant.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "services/base/secrets.h"
#include "services/convert/words.h"

namespace tilewarden::services {
namespace {

using Json = nlohmann::ordered_json;

// Home Assistant's states are at most so long.
constexpr std::size_t kLongestText = 255;

std::string Shortened(std::string text) {
  if (text.size() <= kLongestText) return text;
  text.resize(kLongestText - 3);
  // Not within a character of several bytes.
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xc0) text.pop_back();
  return text + "...";
}

std::string NameOf(const v1::GameState& state, const std::string& colour) {
  for (const v1::Player& player : state.players()) {
    if (player.colour() == colour && !player.name().empty()) return player.name();
  }
  return colour.empty() ? "somebody" : colour;
}

const char* PhaseWord(v1::GamePhase phase) {
  switch (phase) {
    case v1::GAME_PHASE_PLAYING:
      return "playing";
    case v1::GAME_PHASE_ENDED:
      return "ended";
    default:
      return "waiting";
  }
}

std::string LastMove(const v1::GameState& state) {
  const auto last = std::max_element(
      state.tiles().begin(), state.tiles().end(),
      [](const v1::PlacedTile& a, const v1::PlacedTile& b) { return a.turn() < b.turn(); });
  if (last == state.tiles().end() || last->turn() == 0) return "";
  std::string text = absl::StrCat(NameOf(state, last->colour()), " laid ", last->tile(), " at (",
                                  last->cell().x(), ", ", last->cell().y(), ")");
  for (const v1::PlacedFigure& figure : state.figures()) {
    if (figure.cell().x() == last->cell().x() && figure.cell().y() == last->cell().y()) {
      absl::StrAppend(&text, ", ", NameOf(state, figure.colour()), " on its ",
                      FeatureWord(figure.feature()));
    }
  }
  return Shortened(text);
}

struct Entity {
  const char *component, *id, *name, *value;
  Json more;
};

const std::vector<Entity>& Entities() {
  static const std::vector<Entity> kEntities = {
      {"sensor",
       "game",
       "Game",
       "{{ value_json.phase }}",
       {{"device_class", "enum"},
        {"options", {"waiting", "playing", "ended"}},
        {"icon", "mdi:puzzle"}}},
      {"sensor",
       "to_move",
       "To move",
       "{{ value_json.to_move_name }}",
       {{"icon", "mdi:account-arrow-right"}}},
      {"sensor", "turn", "Turn", "{{ value_json.turn }}", {{"icon", "mdi:counter"}}},
      {"sensor",
       "tiles_left",
       "Tiles left",
       "{{ value_json.tiles_left }}",
       {{"icon", "mdi:layers-outline"}, {"unit_of_measurement", "tiles"}}},
      {"sensor", "last_move", "Last move", "{{ value_json.last_move }}", {{"icon", "mdi:history"}}},
      {"sensor",
       "questions",
       "Open questions",
       "{{ value_json.questions }}",
       {{"icon", "mdi:help-circle-outline"}}},
      {"sensor",
       "findings",
       "Open findings",
       "{{ value_json.findings }}",
       {{"icon", "mdi:magnify"}}},
      {"binary_sensor",
       "problem",
       "To sort out",
       "{{ 'ON' if value_json.findings > 0 else 'OFF' }}",
       {{"device_class", "problem"}}},
      {"binary_sensor",
       "over",
       "Game over",
       "{{ 'ON' if value_json.over else 'OFF' }}",
       {{"icon", "mdi:flag-checkered"}}}};
  return kEntities;
}

// Of the boxes that there are; a game may have others.
constexpr const char* kColours[] = {"red",  "blue", "green", "yellow", "black",
                                    "pink", "grey", "white", "orange", "purple"};

}  // namespace

std::string TopicName(const std::string& table) {
  if (table.empty()) return "table";
  std::string out;
  bool same = table != "table";
  for (const char c : table) {
    const bool kept = absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-';
    if (kept) out += c;
    if (c == ' ') out += '_';
    same = same && (kept || c == ' ');
  }
  if (same) return out;
  return absl::StrCat(out, "_", absl::BytesToHexString(HashOf(table).substr(0, 4)));
}

std::string TableJson(const v1::GameState& state) {
  Json scores = Json::object(), live = Json::object(), names = Json::object();
  for (const v1::Player& player : state.players()) {
    scores[player.colour()] = player.score();
    live[player.colour()] = player.live_score();
    names[player.colour()] = NameOf(state, player.colour());
  }
  std::uint32_t left = 0;
  for (const auto& [tile, count] : state.tiles_left()) left += count;
  const v1::Finding* worst = nullptr;
  for (const v1::Finding& finding : state.findings()) {
    if (worst == nullptr || finding.severity() > worst->severity()) worst = &finding;
  }
  const Json json = {
      {"game_id", state.game_id()},
      {"table", state.name()},
      {"event_number", state.event_number()},
      {"phase", PhaseWord(state.phase())},
      {"over", state.phase() == v1::GAME_PHASE_ENDED},
      {"turn", state.turn()},
      {"to_move", state.to_move()},
      {"to_move_name", state.to_move().empty() ? "" : NameOf(state, state.to_move())},
      {"scores", scores},
      {"live_scores", live},
      {"names", names},
      {"tiles_left", left},
      {"last_move", LastMove(state)},
      {"findings", state.findings_size()},
      {"finding", worst == nullptr ? "" : Shortened(worst->text())},
      {"questions", state.questions_size()},
      {"question", state.questions_size() == 0 ? "" : Shortened(state.questions(0).text())}};
  return json.dump();
}

std::string MqttTopics::StateOf(const std::string& table) const {
  return absl::StrCat(prefix, "/table/", TopicName(table), "/state");
}

std::vector<MqttMessage> Discovery(const MqttTopics& topics, const v1::GameState& state) {
  std::vector<MqttMessage> out;
  if (topics.discovery.empty()) return out;
  const std::string name = TopicName(state.name()), device = absl::StrCat("tilewarden_", name);
  const Json shown = {
      {"identifiers", Json::array({device})},
      {"name", state.name().empty() ? "Tilewarden" : absl::StrCat("Tilewarden ", state.name())},
      {"manufacturer", "Tilewarden"},
      {"model", "Game table"},
      {"sw_version", TILEWARDEN_VERSION}};
  const auto topic = [&](const std::string& component, const std::string& id) {
    return absl::StrCat(topics.discovery, "/", component, "/", device, "/", id, "/config");
  };
  const auto add = [&](const std::string& component, const std::string& id,
                       const std::string& title, const std::string& value, const Json& more) {
    Json config = {{"name", title},
                   {"unique_id", absl::StrCat(device, "_", id)},
                   {"object_id", absl::StrCat(device, "_", id)},
                   {"state_topic", topics.StateOf(state.name())},
                   {"value_template", value},
                   {"availability_topic", topics.status},
                   {"device", shown},
                   {"origin", {{"name", "Tilewarden"}, {"sw_version", TILEWARDEN_VERSION}}}};
    config.update(more);
    out.push_back({topic(component, id), config.dump()});
  };
  for (const Entity& entity : Entities()) {
    Json more = entity.more;
    if (entity.id == std::string("problem")) {
      more["json_attributes_topic"] = topics.StateOf(state.name());
      more["json_attributes_template"] = "{{ {'finding': value_json.finding} | tojson }}";
    }
    add(entity.component, entity.id, entity.name, entity.value, more);
  }
  std::set<std::string> playing;
  for (const v1::Player& player : state.players()) {
    const std::string& colour = player.colour();
    playing.insert(colour);
    add("sensor", absl::StrCat("score_", TopicName(colour)),
        absl::StrCat("Score ", NameOf(state, colour)),
        absl::StrCat("{{ value_json.scores[", Json(colour).dump(), "] }}"),
        {{"unit_of_measurement", "points"},
         {"state_class", "measurement"},
         {"icon", "mdi:castle"}});
  }
  for (const char* colour : kColours) {
    if (playing.count(colour) == 0) {
      out.push_back({topic("sensor", absl::StrCat("score_", colour)), ""});
    }
  }
  return out;
}

}  // namespace tilewarden::services
