// A broker of MQTT of the test's own, and somebody who listens there.
#pragma once

#include <arpa/inet.h>
#include <mosquitto.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "services/base/child_process.h"
#include "tests/services/support/eventually.h"

namespace tilewarden::services {

// A port of this machine that nobody listens on now.
inline int FreePort() {
  const int handle = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(bind(handle, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  socklen_t size = sizeof address;
  EXPECT_EQ(getsockname(handle, reinterpret_cast<sockaddr*>(&address), &size), 0);
  close(handle);
  return ntohs(address.sin_port);
}

// Whether somebody takes connections there.
inline bool Listens(int port) {
  const int handle = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool listens = connect(handle, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  close(handle);
  return listens;
}

// mosquitto, which forgets everything when it ends.
class MqttBrokerProcess {
 public:
  // `more`: further lines of its settings.
  MqttBrokerProcess(const std::filesystem::path& folder, int port,
                    const std::string& more = "allow_anonymous true\n") {
    const auto settings = folder / absl::StrCat("broker-", port, ".conf");
    std::ofstream(settings) << "user root\nlog_type error\nlistener " << port << " 127.0.0.1\n"
                            << more;
    auto process = ChildProcess::Start({TILEWARDEN_MOSQUITTO, "-c", settings.string()});
    EXPECT_TRUE(process.ok()) << process.status();
    if (process.ok()) process_.emplace(*std::move(process));
    EXPECT_TRUE(Eventually([port] { return Listens(port); }));
  }
  pid_t pid() const { return process_->pid(); }

 private:
  std::optional<ChildProcess> process_;
};

// Keeps the last message of each topic. Comes back when the broker does; it must be there at
// first.
class MqttListener {
 public:
  explicit MqttListener(int port, const char* user = nullptr, const char* password = nullptr)
      : client_(MakeClient(this)) {
    mosquitto_username_pw_set(client_, user, password);
    mosquitto_connect_callback_set(client_, [](mosquitto* client, void*, int) {
      mosquitto_subscribe(client, nullptr, "#", 1);
    });
    mosquitto_message_callback_set(client_, [](mosquitto*, void* self,
                                               const mosquitto_message* message) {
      auto& listener = *static_cast<MqttListener*>(self);
      const std::lock_guard lock(listener.mutex_);
      listener.seen_[message->topic] = {std::string(static_cast<const char*>(message->payload),
                                                    static_cast<std::size_t>(message->payloadlen)),
                                        message->retain};
    });
    mosquitto_reconnect_delay_set(client_, 1, 1, false);
    mosquitto_connect_async(client_, "127.0.0.1", port, 5);
    mosquitto_loop_start(client_);
  }
  MqttListener(const MqttListener&) = delete;
  MqttListener& operator=(const MqttListener&) = delete;
  ~MqttListener() {
    mosquitto_disconnect(client_);
    mosquitto_loop_stop(client_, false);
    mosquitto_destroy(client_);
  }

  struct Message {
    std::string payload;
    bool retained = false;  // it was there before this listener came
  };
  std::map<std::string, Message> seen() {
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  // Empty: nothing was seen there.
  std::string At(const std::string& topic) {
    const std::lock_guard lock(mutex_);
    const auto found = seen_.find(topic);
    return found == seen_.end() ? "" : found->second.payload;
  }
  void Forget() {
    const std::lock_guard lock(mutex_);
    seen_.clear();
  }

 private:
  static mosquitto* MakeClient(MqttListener* self) {
    mosquitto_lib_init();
    return mosquitto_new(nullptr, true, self);
  }

  mosquitto* const client_;
  std::mutex mutex_;
  std::map<std::string, Message> seen_;
};

}  // namespace tilewarden::services
