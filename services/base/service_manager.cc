#include "services/base/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/numbers.h"

namespace tilewarden::services {
namespace {

// How long the service may be silent; 0: nobody waits for it.
std::chrono::microseconds MaySilentFor() {
  const char* time = std::getenv("WATCHDOG_USEC");
  const char* whose = std::getenv("WATCHDOG_PID");
  std::int64_t microseconds = 0, process = 0;
  if (time == nullptr || !absl::SimpleAtoi(time, &microseconds)) return {};
  if (whose != nullptr && (!absl::SimpleAtoi(whose, &process) || process != getpid())) return {};
  return std::chrono::microseconds(microseconds);
}

}  // namespace

bool TellServiceManager(const std::string& state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (path == nullptr || std::strlen(path) < 2 || std::strlen(path) >= sizeof address.sun_path) {
    return false;
  }
  address.sun_family = AF_UNIX;
  const std::size_t length = std::strlen(path);
  std::memcpy(address.sun_path, path, length);
  // Without a file.
  if (path[0] == '@') address.sun_path[0] = '\0';
  const int handle = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (handle < 0) return false;
  const ssize_t sent = sendto(handle, state.data(), state.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                              reinterpret_cast<const sockaddr*>(&address),
                              static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length));
  close(handle);
  return sent == static_cast<ssize_t>(state.size());
}

Watchdog::Watchdog(std::function<bool()> well) : well_(std::move(well)) {
  TellServiceManager("READY=1");
  if (MaySilentFor().count() > 0) thread_ = std::thread([this] { Run(); });
}

Watchdog::~Watchdog() {
  TellServiceManager("STOPPING=1");
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::Run() {
  const auto between = MaySilentFor() / 4;
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, between, [this] { return stopped_; })) {
    lock.unlock();
    if (well_()) TellServiceManager("WATCHDOG=1");
    lock.lock();
  }
}

}  // namespace tilewarden::services
