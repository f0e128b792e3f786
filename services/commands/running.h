// What commands that keep running have in common: a clean stop, and logs on stderr.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/commands/commands.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::services {

// Takes SIGINT and SIGTERM for this process, and lets it have as many files open as it may: make
// one before any thread starts.
class StopSignal {
 public:
  StopSignal();
  // Waits for one of them. False: none came in this time. Once one came, every
  // call returns true at once.
  bool WaitFor(std::chrono::milliseconds time);
  void Wait();

 private:
  bool came_ = false;
};

// Logs of this program go to stderr, so that stdout holds what was asked for.
void LogToStderr();

// "2026-11-27", as the clock on this machine's wall has it. `ms`: since 1970.
std::string LocalDay(std::int64_t ms);

// For a Watchdog: whether the service that listens there answers a caller, on gRPC's own port or,
// where a gateway stands before it, over HTTP. Blocks for some seconds at most.
enum class Over { kGrpc, kHttp };
bool Answers(const std::string& address, const std::string& fingerprint, Over over);

// --record and --record-limit for a command that reads frames.
void AddRecordOptions(Command command, vision::FrameSourceSettings* settings);

// The value, or CommandError with the status's sentence.
void Check(const absl::Status& status);
template <typename T>
T Check(absl::StatusOr<T> value) {
  Check(value.status());
  return *std::move(value);
}

}  // namespace tilewarden::services
