// A table as a smart home sees it: small JSON about its newest game, and the entities that
// Home Assistant makes of it (MQTT discovery, https://www.home-assistant.io/integrations/mqtt).
// Pure functions.
#pragma once

#include <string>
#include <vector>

#include "tilewarden/v1/game.pb.h"

namespace tilewarden::services {

// The name of a table in topics and ids: letters and digits are kept, spaces are _. What else
// a name holds is left out, and tells itself by a hash at the end, so that no two tables
// share a topic. "table" for the one without a name.
std::string TopicName(const std::string& table);

// Scores by colour, whose turn it is, tiles left, the last move, findings and questions, and
// whether the game is over.
std::string TableJson(const v1::GameState& state);

struct MqttMessage {
  std::string topic, payload;
};
// Where Home Assistant finds what: topics begin with these, without a slash at their end.
struct MqttTopics {
  std::string prefix = "tilewarden";
  std::string discovery = "homeassistant";  // empty: none
  std::string status;                       // online or offline
  std::string StateOf(const std::string& table) const;
};
// The configurations of one table's entities, all of one device: those of colours that do not
// play are empty, which takes away what an earlier game left.
std::vector<MqttMessage> Discovery(const MqttTopics& topics, const v1::GameState& state);

}  // namespace tilewarden::services
