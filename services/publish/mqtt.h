// Tables on an MQTT broker, for smart homes: the present state of each table's newest game,
// retained, with what Home Assistant finds it by. Topics, under a prefix:
//
//   tilewarden/engine/CLIENT/status   online, or offline (also when this process dies)
//   tilewarden/table/TABLE/state      JSON, see TableJson
//
// A broker that is away delays nobody: nothing is kept for it but each table's last state,
// which it is given when it is back.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "services/publish/game_feed.h"
#include "services/publish/home_assistant.h"
#include "services/publish/mqtt_connection.h"
#include "services/table/games.h"

namespace tilewarden::services {

struct MqttOptions {
  // As MqttBroker::Parse takes it; empty: no MQTT.
  std::string url;
  std::string password;  // as SecretOf takes it
  std::filesystem::path authority;
  std::string prefix = "tilewarden", discovery = "homeassistant";
  // This service's id at the broker, where each has its own; empty: of this machine's name.
  std::string client;
};

class MqttPublisher {
 public:
  // Watches these games, which must outlive it. `alone`: no other engine service shares them, so
  // each table's newest game is shown from the start. INVALID_ARGUMENT: wrong options.
  // Does not wait for the broker.
  static absl::StatusOr<std::unique_ptr<MqttPublisher>> Start(Games* games,
                                                              const MqttOptions& options,
                                                              bool alone);
  // Says "offline" and leaves.
  ~MqttPublisher();

 private:
  struct Shown {
    std::string game_id;
    std::int64_t created_ms = 0;
    std::string topic, state, players;
    std::vector<MqttMessage> discovery;
  };
  MqttPublisher(Games* games, MqttTopics topics, bool alone);
  void Wake();
  void Run();
  // The newest game of each table. False: the log cannot be read now.
  bool ShowNewest();
  // False: try again later.
  bool Show(const std::string& game_id);
  void Forget(const std::string& game_id);
  void TakeAwayOldest();
  void Publish(const Shown& shown, bool discovery);

  const MqttTopics topics_;
  const bool alone_;
  std::unique_ptr<MqttConnection> connection_;

  std::mutex mutex_;
  std::condition_variable news_;
  bool woken_ = false, stopped_ = false;

  // Of its thread alone.
  std::map<std::string, Shown> shown_;  // by table
  std::set<std::string> waiting_;       // games whose log could not be read

  GameFeed feed_;
  std::thread thread_;
};

}  // namespace tilewarden::services
