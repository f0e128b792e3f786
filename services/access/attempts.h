// Counts failed attempts to get in, by address, so that guessing is slow. Whoever has thousands of
// addresses in IPv6 does not have thousands of times as many: so many households of one provider's
// customer (ManyHouseholds) are counted together, too.
//
// Thread safe; never blocks. Times are milliseconds of any clock that only goes forward.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace tilewarden::services {

class Attempts {
 public:
  // So many in a row; then one more every six seconds. Whoever goes on meanwhile
  // waits longer, up to a minute more.
  static constexpr double kInARow = 10, kPerSecond = 1.0 / 6, kMost = 20;
  // Of households together: so many times as much.
  static constexpr double kTogether = 8;
  // Beyond this many addresses, the oldest is forgotten.
  static constexpr std::size_t kMostAddresses = 4096;

  bool Blocked(const std::string& address, std::int64_t now_ms);
  // Counts one more. Returns whether the address was blocked before.
  bool Failed(const std::string& address, std::int64_t now_ms);

 private:
  struct Bucket {
    double failed = 0;  // as of then
    std::int64_t time_ms = 0;
  };
  static double FailedBy(const Bucket& bucket, std::int64_t now_ms, double times);
  // With the lock held; `times` is 1, or kTogether.
  bool IsBlocked(const std::string& address, std::int64_t now_ms, double times) const;
  void Count(const std::string& address, std::int64_t now_ms, double times);

  std::mutex mutex_;
  std::map<std::string, Bucket> buckets_;
};

}  // namespace tilewarden::services
