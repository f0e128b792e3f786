#include "services/publish/mqtt_connection.h"

#include <mosquitto.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

// A broker that is cut off is noticed within one and a half times this.
constexpr int kKeepAlive_s = 15;
constexpr std::chrono::seconds kFirstRetry{1}, kLongestRetry{30};
// A broker that takes the connection and says nothing is left after this.
constexpr std::chrono::seconds kConnectWithin{10};
// To say "offline" when leaving.
constexpr std::chrono::seconds kLeaveWithin{1};
constexpr int kLook_ms = 1000;
constexpr int kAtLeastOnce = 1;
// Shorter outages are not worth a line.
constexpr std::chrono::seconds kWorthTelling{3};

absl::Status NoAddress(const std::string& url, const std::string& why) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", url, "' ", why, "; give an address such as mqtt://broker.example:1883, ",
                   "mqtts:// for TLS, with a user as in mqtt://ann@broker.example"));
}

}  // namespace

absl::StatusOr<MqttBroker> MqttBroker::Parse(const std::string& url) {
  MqttBroker broker;
  broker.tls = absl::StartsWith(url, "mqtts://");
  if (!broker.tls && !absl::StartsWith(url, "mqtt://")) {
    return NoAddress(url, "is not the address of an MQTT broker");
  }
  std::string rest = url.substr(url.find("://") + 3);
  if (absl::EndsWith(rest, "/")) rest.pop_back();
  if (const auto at = rest.rfind('@'); at != std::string::npos) {
    broker.user = rest.substr(0, at);
    rest.erase(0, at + 1);
    if (broker.user.find(':') != std::string::npos) {
      return absl::InvalidArgumentError(
          "keep the password out of the broker's address; give it as --mqtt-password");
    }
  }
  broker.port = broker.tls ? 8883 : 1883;
  const auto colon = rest.rfind(':');
  if (colon != std::string::npos && rest.find(']', colon) == std::string::npos &&
      (rest[0] == '[' || rest.find(':') == colon)) {
    if (!absl::SimpleAtoi(rest.substr(colon + 1), &broker.port) || broker.port < 1 ||
        broker.port > 65535) {
      return NoAddress(url, "has no port from 1 to 65535");
    }
    rest.erase(colon);
  }
  if (absl::StartsWith(rest, "[") && absl::EndsWith(rest, "]")) {
    rest = rest.substr(1, rest.size() - 2);
  }
  if (rest.empty() || rest.find('/') != std::string::npos) {
    return NoAddress(url, "names no broker");
  }
  broker.host = rest;
  return broker;
}

std::string MqttBroker::Name() const {
  return host.find(':') == std::string::npos ? absl::StrCat(host, ":", port)
                                             : absl::StrCat("[", host, "]:", port);
}

MqttConnection::MqttConnection(MqttBroker broker, std::function<void()> wake)
    : broker_(std::move(broker)), wake_(std::move(wake)) {}

absl::StatusOr<std::unique_ptr<MqttConnection>> MqttConnection::Start(MqttBroker broker,
                                                                      std::function<void()> wake) {
  static const int kReady = mosquitto_lib_init();
  if (kReady != MOSQ_ERR_SUCCESS) return absl::InternalError(mosquitto_strerror(kReady));
  std::unique_ptr<MqttConnection> connection(
      new MqttConnection(std::move(broker), std::move(wake)));
  if (auto status = connection->Prepare(); !status.ok()) return status;
  connection->thread_ =
      std::jthread([c = connection.get()](std::stop_token stop) { c->Run(std::move(stop)); });
  return connection;
}

absl::Status MqttConnection::Prepare() {
  client_ = mosquitto_new(broker_.client.c_str(), true, this);
  if (client_ == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", broker_.client, "' cannot be this client's name at an MQTT broker"));
  }
  // Others publish than the thread that runs the connection.
  mosquitto_threaded_set(client_, true);
  mosquitto_connect_callback_set(client_, OnConnect);
  mosquitto_disconnect_callback_set(client_, OnDisconnect);
  mosquitto_log_callback_set(client_, OnLog);
  const std::string offline = "offline";
  int code =
      mosquitto_will_set(client_, broker_.status_topic.c_str(), static_cast<int>(offline.size()),
                         offline.data(), kAtLeastOnce, true);
  if (code == MOSQ_ERR_SUCCESS && !broker_.user.empty()) {
    code = mosquitto_username_pw_set(client_, broker_.user.c_str(),
                                     broker_.password.empty() ? nullptr : broker_.password.c_str());
  }
  if (code == MOSQ_ERR_SUCCESS && broker_.tls && broker_.authority.empty()) {
    code = mosquitto_int_option(client_, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
  } else if (code == MOSQ_ERR_SUCCESS && broker_.tls) {
    if (mosquitto_tls_set(client_, broker_.authority.c_str(), nullptr, nullptr, nullptr, nullptr) !=
        MOSQ_ERR_SUCCESS) {
      return absl::InvalidArgumentError(
          absl::StrCat(broker_.authority.string(), " cannot be read; name a PEM file with the ",
                       "certificate to check the MQTT broker's with"));
    }
  }
  if (code != MOSQ_ERR_SUCCESS) {
    return absl::InvalidArgumentError(
        absl::StrCat("settings for the MQTT broker: ", mosquitto_strerror(code)));
  }
  return absl::OkStatus();
}

MqttConnection::~MqttConnection() {
  if (client_ == nullptr) return;
  Publish(broker_.status_topic, "offline");
  thread_.request_stop();
  // Wakes the thread too.
  mosquitto_disconnect(client_);
  if (thread_.joinable()) thread_.join();
  mosquitto_destroy(client_);
}

// The library's own thread connects with calls that block, and can be ended in them only by
// cancelling it, which leaks what TLS and the resolver hold.
void MqttConnection::Run(std::stop_token stop) {
  std::chrono::seconds retry = kFirstRetry;
  int code = mosquitto_connect_async(client_, broker_.host.c_str(), broker_.port, kKeepAlive_s);
  while (true) {
    if (code != MOSQ_ERR_SUCCESS) Explain(code);
    if (code == MOSQ_ERR_SUCCESS && Serve(stop)) retry = kFirstRetry;
    Tell();
    std::unique_lock lock(mutex_);
    if (retrying_.wait_for(lock, stop, retry, [] { return false; }) || stop.stop_requested()) {
      return;
    }
    lock.unlock();
    retry = std::min(2 * retry, kLongestRetry);
    code = mosquitto_reconnect_async(client_);
  }
}

bool MqttConnection::Serve(const std::stop_token& stop) {
  const auto begun = Clock::now();
  std::optional<Clock::time_point> leaving;
  bool connected = false;
  while (mosquitto_loop(client_, kLook_ms, 1) == MOSQ_ERR_SUCCESS) {
    connected = connected || connection() != 0;
    if (!connected && (stop.stop_requested() || Clock::now() - begun > kConnectWithin)) break;
    if (stop.stop_requested()) {
      if (!leaving) leaving = Clock::now() + kLeaveWithin;
      if (Clock::now() > *leaving) break;
    }
    Tell();
  }
  return connected;
}

void MqttConnection::Explain(int code) {
  const std::string why =
      code == MOSQ_ERR_ERRNO ? std::system_category().message(errno) : mosquitto_strerror(code);
  const std::lock_guard lock(mutex_);
  problem_ = why;
}

void MqttConnection::Tell() {
  bool connected = false, worth_telling = false;
  std::string problem;
  {
    const std::lock_guard lock(mutex_);
    connected = connected_;
    worth_telling = Clock::now() - away_since_ > kWorthTelling;
    problem = problem_.empty() ? "it does not answer" : problem_;
  }
  if (connected) {
    if (std::exchange(away_told_, false)) {
      spdlog::info("MQTT broker {}: connected", broker_.Name());
    }
  } else if (worth_telling && !std::exchange(away_told_, true)) {
    spdlog::warn("MQTT broker {} is away: {}; trying again, games go on", broker_.Name(), problem);
  }
}

std::uint64_t MqttConnection::connection() {
  const std::lock_guard lock(mutex_);
  return connected_ ? connections_ : 0;
}

void MqttConnection::Publish(const std::string& topic, const std::string& payload) {
  if (connection() == 0) return;
  const int code =
      mosquitto_publish(client_, nullptr, topic.c_str(), static_cast<int>(payload.size()),
                        payload.data(), kAtLeastOnce, true);
  if (code != MOSQ_ERR_SUCCESS && code != MOSQ_ERR_NO_CONN) {
    spdlog::warn("MQTT broker {}: {} was not published: {}", broker_.Name(), topic,
                 mosquitto_strerror(code));
  }
}

void MqttConnection::OnConnect(mosquitto*, void* self, int code) {
  auto& connection = *static_cast<MqttConnection*>(self);
  {
    const std::lock_guard lock(connection.mutex_);
    if (code != 0) {
      connection.problem_ = mosquitto_connack_string(code);
      return;
    }
    connection.connected_ = true;
    ++connection.connections_;
    connection.problem_.clear();
  }
  connection.wake_();
}

void MqttConnection::OnDisconnect(mosquitto*, void* self, int code) {
  auto& connection = *static_cast<MqttConnection*>(self);
  const std::lock_guard lock(connection.mutex_);
  if (std::exchange(connection.connected_, false)) connection.away_since_ = Clock::now();
  // What the broker or TLS said before tells more.
  if (connection.problem_.empty() && code != 0) {
    connection.problem_ =
        code == MOSQ_ERR_ERRNO ? "the connection was closed" : mosquitto_strerror(code);
  }
}

void MqttConnection::OnLog(mosquitto*, void* self, int level, const char* text) {
  if (level != MOSQ_LOG_ERR) return;
  auto& connection = *static_cast<MqttConnection*>(self);
  const std::lock_guard lock(connection.mutex_);
  connection.problem_ = text;
}

}  // namespace tilewarden::services
