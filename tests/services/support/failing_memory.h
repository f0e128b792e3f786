// Memory that SQLite does not get, once: to be made before SQLite is used in this process.
#pragma once

#include <sqlite3.h>

#include <atomic>

namespace tilewarden::services {

class FailingMemory {
 public:
  FailingMemory() {
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &Real());
    sqlite3_mem_methods own = Real();
    own.xMalloc = [](int size) { return Fails() ? nullptr : Real().xMalloc(size); };
    own.xRealloc = [](void* old, int size) {
      return Fails() ? nullptr : Real().xRealloc(old, size);
    };
    sqlite3_config(SQLITE_CONFIG_MALLOC, &own);
    // Else it keeps small pieces of its own, which are never refused.
    sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
  }
  void FailIn(int allocations) { Left() = allocations; }
  bool has_failed() const { return Left() < 0; }

 private:
  static sqlite3_mem_methods& Real() {
    static sqlite3_mem_methods real{};
    return real;
  }
  // -1: it has failed.
  static std::atomic<int>& Left() {
    static std::atomic<int> left = 0;
    return left;
  }
  static bool Fails() {
    int left = Left();
    while (left > 0 && !Left().compare_exchange_weak(left, left == 1 ? -1 : left - 1)) {
    }
    return left == 1;
  }
};

}  // namespace tilewarden::services
