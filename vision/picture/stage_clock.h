// How long the stages of a reading take. Vision-internal.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace tilewarden::vision {

// Starts as it is made. `stage_ms` outlives it.
class StageClock {
 public:
  explicit StageClock(std::map<std::string, double>& stage_ms) : stage_ms_(stage_ms) {}
  // What passed since the stage before belongs to this one.
  void Done(const char* stage) {
    const auto now = std::chrono::steady_clock::now();
    stage_ms_[stage] += std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }

 private:
  std::map<std::string, double>& stage_ms_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace tilewarden::vision
