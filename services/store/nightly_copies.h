// A copy of all games each day, made by itself: in the folder `backups` beside them, the newest few
// are kept.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "absl/status/statusor.h"

namespace tilewarden::services {

// Held while copies are made or changed.
std::mutex& CopyingMutex();

class NightlyCopies {
 public:
  struct Options {
    std::filesystem::path log;
    int keep = 7;  // 0: none are made
    // How long after the start it first looks whether one is due, and then again each time.
    std::chrono::milliseconds between = std::chrono::minutes(10);
  };
  explicit NightlyCopies(Options options);
  ~NightlyCopies();

  // Makes one if the newest is older than a day and anything has changed since; drops the oldest.
  // The file it made; empty: none was due. Errors as CopySqliteFile. Blocks on the disk.
  static absl::StatusOr<std::filesystem::path> CopyIfDue(const Options& options,
                                                         std::int64_t now_ms);

 private:
  void Run();

  const Options options_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace tilewarden::services
