#include "services/publish/mqtt_connection.h"

#include <mosquitto.h>

#include <algorithm>
#include <cerrno>
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

absl::StatusOr<std::unique_ptr<MqttConnection>> MqttConnection::Make(MqttBroker broker,
                                                                     std::function<void()> wake) {
  static const int kReady = mosquitto_lib_init();
  if (kReady != MOSQ_ERR_SUCCESS) return absl::InternalError(mosquitto_strerror(kReady));
  std::unique_ptr<MqttConnection> connection(
      new MqttConnection(std::move(broker), std::move(wake)));
  if (auto status = connection->Prepare(); !status.ok()) return status;
  return connection;
}

absl::Status MqttConnection::Prepare() {
  client_ = mosquitto_new(broker_.client.c_str(), true, this);
  if (client_ == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", broker_.client, "' cannot be this client's name at an MQTT broker"));
  }
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
                       "certificate that the MQTT broker's is checked with"));
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
  const bool connected = connection() != 0;
  if (connected) {
    Publish(broker_.status_topic, "offline");
    mosquitto_disconnect(client_);
  }
  // Its thread may be waiting for an answer of somebody who is away.
  if (running_) mosquitto_loop_stop(client_, !connected);
  mosquitto_destroy(client_);
}

void MqttConnection::Begin() {
  if (std::exchange(running_, true)) {
    mosquitto_loop_stop(client_, true);
    const std::lock_guard lock(mutex_);
    connected_ = false;
  }
  begun_ = Clock::now();
  const int code =
      mosquitto_connect_async(client_, broker_.host.c_str(), broker_.port, kKeepAlive_s);
  if (code != MOSQ_ERR_SUCCESS) {
    const std::string why =
        code == MOSQ_ERR_ERRNO ? std::system_category().message(errno) : mosquitto_strerror(code);
    const std::lock_guard lock(mutex_);
    problem_ = why;
  }
  mosquitto_loop_start(client_);
}

void MqttConnection::Keep() {
  bool connected = false, worth_telling = false;
  std::string problem;
  {
    const std::lock_guard lock(mutex_);
    connected = connected_;
    worth_telling = Clock::now() - away_since_ > kWorthTelling;
    problem = problem_.empty() ? "it does not answer" : problem_;
  }
  if (connected) {
    retry_ = kFirstRetry;
    if (std::exchange(away_told_, false)) {
      spdlog::info("MQTT broker {}: connected", broker_.Name());
    }
    return;
  }
  if (worth_telling && !std::exchange(away_told_, true)) {
    spdlog::warn("MQTT broker {} is away: {}; trying again and again, games go on", broker_.Name(),
                 problem);
  }
  // The library's thread does not try again after a first try that was refused, nor after some
  // errors of TLS.
  if (!running_ || Clock::now() - begun_ >= retry_) {
    Begin();
    retry_ = std::min(2 * retry_, kLongestRetry);
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
