// The connection to an MQTT broker (libmosquitto): connects again by itself, with back-off,
// and the broker says "offline" for us when it breaks off.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

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

// Methods from one thread; it has a thread of its own besides.
class MqttConnection {
 public:
  // Connects by and by, again and again with back-off, and tells the log when the broker is away
  // and when it is back. `wake` is called from the connection's thread after each connecting.
  // Does not block. INVALID_ARGUMENT: the authority cannot be read.
  static absl::StatusOr<std::unique_ptr<MqttConnection>> Start(MqttBroker broker,
                                                               std::function<void()> wake);
  // Says "offline" if it can, and leaves. Blocks for some milliseconds, for a second where the
  // broker does not take it, and while the broker's name is being looked up.
  ~MqttConnection();

  // How often it has connected; 0: it is not connected now. What was retained may be lost
  // with each new number.
  std::uint64_t connection();
  // Retained, at least once. Does nothing while not connected.
  void Publish(const std::string& topic, const std::string& payload);

 private:
  MqttConnection(MqttBroker broker, std::function<void()> wake);
  absl::Status Prepare();
  void Run(std::stop_token stop);
  // Until the connection breaks off or is to be left. Was it ever connected?
  bool Serve(const std::stop_token& stop);
  void Explain(int code);
  void Tell();
  static void OnConnect(mosquitto* client, void* self, int code);
  static void OnDisconnect(mosquitto* client, void* self, int code);
  static void OnLog(mosquitto* client, void* self, int level, const char* text);

  const MqttBroker broker_;
  const std::function<void()> wake_;
  mosquitto* client_ = nullptr;
  using Clock = std::chrono::steady_clock;
  bool away_told_ = false;  // of the thread alone

  std::mutex mutex_;
  std::condition_variable_any retrying_;
  bool connected_ = false;
  std::uint64_t connections_ = 0;
  Clock::time_point away_since_ = Clock::now();
  std::string problem_;  // why it is away

  std::jthread thread_;
};

}  // namespace tilewarden::services
