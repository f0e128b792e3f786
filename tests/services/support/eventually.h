// Waiting in tests for what other threads and processes do.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace tilewarden::services {

// Asks again and again until it holds, for as long as a loaded machine needs.
inline bool Eventually(const std::function<bool()>& holds) {
  for (int tries = 0; tries < 1200; ++tries) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

}  // namespace tilewarden::services
