#include "services/access/attempts.h"

#include <algorithm>

namespace tilewarden::services {

double Attempts::FailedBy(const Bucket& bucket, std::int64_t now_ms) {
  const double seconds =
      static_cast<double>(std::max<std::int64_t>(now_ms - bucket.time_ms, 0)) / 1000;
  return std::max(bucket.failed - seconds * kPerSecond, 0.0);
}

bool Attempts::Blocked(const std::string& address, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  const auto bucket = buckets_.find(address);
  return bucket != buckets_.end() && FailedBy(bucket->second, now_ms) > kInARow - 1;
}

bool Attempts::Failed(const std::string& address, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  if (buckets_.size() >= kMostAddresses && !buckets_.contains(address)) {
    std::erase_if(buckets_, [&](const auto& entry) { return FailedBy(entry.second, now_ms) == 0; });
    if (buckets_.size() >= kMostAddresses) {
      buckets_.erase(std::min_element(buckets_.begin(), buckets_.end(), [](auto& a, auto& b) {
        return a.second.time_ms < b.second.time_ms;
      }));
    }
  }
  Bucket& bucket = buckets_[address];
  const double failed = FailedBy(bucket, now_ms);
  bucket = {std::min(failed + 1, kMost), now_ms};
  return failed > kInARow - 1;
}

}  // namespace tilewarden::services
