// What the faults of store_faults share: how many of them, and work that goes on beside them.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <thread>

#include "tests/services/support/postgres_cluster.h"

namespace tilewarden::services {

struct Settings {
  std::string store = "sqlite";
  int count = 10, minutes = 60, seconds = 30, tables = 4;
  unsigned seed = 1;
};

inline double SecondsSince(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

inline std::string StoreOf(const Settings& settings) {
  return settings.store == "sqlite" ? "" : PostgresCluster::Shared().NewDatabase();
}

// Runs beside the main thread, which alone starts processes; what it throws is
// thrown again by Join.
class Beside {
 public:
  explicit Beside(const std::function<void()>& work)
      : thread_([this, work] {
          try {
            work();
          } catch (...) {
            failed_ = std::current_exception();
          }
          ended_ = true;
        }) {}
  bool ended() const { return ended_; }
  void Join() {
    thread_.join();
    if (failed_) std::rethrow_exception(failed_);
  }

 private:
  std::exception_ptr failed_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

// Watches that are cut, without a goodbye.
void Disconnects(const Settings& settings);

}  // namespace tilewarden::services
