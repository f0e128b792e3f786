// The connection to an MQTT broker (libmosquitto): connects again by itself, with back-off,
// and the broker says "offline" for us when it breaks off.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"

struct mosquitto;

namespace tilewarden::services {

struct MqttBroker {
  std::string host;
  int port = 1883;
  bool tls = false;
  std::string user, password;       // empty: none
  std::filesystem::path authority;  // PEM file that the broker's certificate is checked with;
                                    // empty: the system's
  std::string client;               // its id there: of one connection at a time
  std::string status_topic;         // retained: online or offline

  // "mqtt://ann@broker.example", mqtts:// for TLS, with or without a port. INVALID_ARGUMENT.
  static absl::StatusOr<MqttBroker> Parse(const std::string& url);
  // For people: "broker.example:1883".
  std::string Name() const;
};

// Methods from one thread; the library has a thread of its own besides.
class MqttConnection {
 public:
  // `wake` is called from the library's thread after each connecting. INVALID_ARGUMENT: the
  // authority cannot be read. Does not connect yet.
  static absl::StatusOr<std::unique_ptr<MqttConnection>> Make(MqttBroker broker,
                                                              std::function<void()> wake);
  // Says "offline" if it can, and leaves. Blocks for some milliseconds.
  ~MqttConnection();

  // To be called once a second: connects, again with back-off, and tells the log when the
  // broker is away and when it is back. Blocks while the broker's name is looked up.
  void Keep();
  // How often it has connected; 0: it is not connected now. What was retained may be lost
  // with each new number.
  std::uint64_t connection();
  // Retained, at least once. Does nothing while not connected.
  void Publish(const std::string& topic, const std::string& payload);

 private:
  MqttConnection(MqttBroker broker, std::function<void()> wake);
  absl::Status Prepare();
  void Begin();
  static void OnConnect(mosquitto* client, void* self, int code);
  static void OnDisconnect(mosquitto* client, void* self, int code);
  static void OnLog(mosquitto* client, void* self, int level, const char* text);

  const MqttBroker broker_;
  const std::function<void()> wake_;
  mosquitto* client_ = nullptr;
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun_;        // the last try
  std::chrono::seconds retry_{1};  // after it
  bool running_ = false;
  bool away_told_ = false;

  std::mutex mutex_;
  bool connected_ = false;
  std::uint64_t connections_ = 0;
  Clock::time_point away_since_ = Clock::now();
  std::string problem_;  // why it is away
};

}  // namespace tilewarden::services
