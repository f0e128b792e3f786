// A child process that runs beside this one and ends with it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tilewarden::services {

// Not thread safe. The process ends with the thread that started it, so that
// nothing is left behind when ours is killed.
class ChildProcess {
 public:
  // Runs a program with arguments; its standard output comes here, its errors
  // go where ours go. UNAVAILABLE: it cannot be started.
  static absl::StatusOr<ChildProcess> Start(const std::vector<std::string>& command);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  // Asks it to stop, and waits.
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  // The next line that it prints; nothing when it ended.
  std::optional<std::string> ReadLine();
  // The exit status once it has ended (128 and more: by a signal).
  std::optional<int> Ended();
  void Stop();

 private:
  ChildProcess(pid_t pid, int output) : pid_(pid), output_(output) {}

  pid_t pid_ = -1;
  int output_ = -1;
  std::string read_;
  std::optional<int> ended_;
};

}  // namespace tilewarden::services
