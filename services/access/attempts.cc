#include "services/access/attempts.h"

#include <algorithm>

#include "services/access/addresses.h"

namespace tilewarden::services {

double Attempts::FailedBy(const Bucket& bucket, std::int64_t now_ms, double times) {
  const double seconds =
      static_cast<double>(std::max<std::int64_t>(now_ms - bucket.time_ms, 0)) / 1000;
  return std::max(bucket.failed - seconds * kPerSecond * times, 0.0);
}

bool Attempts::IsBlocked(const std::string& address, std::int64_t now_ms, double times) const {
  const auto bucket = buckets_.find(address);
  return bucket != buckets_.end() && FailedBy(bucket->second, now_ms, times) > kInARow * times - 1;
}

bool Attempts::Blocked(const std::string& address, std::int64_t now_ms) {
  const std::string many = ManyHouseholds(address);
  const std::lock_guard lock(mutex_);
  return IsBlocked(address, now_ms, 1) || (!many.empty() && IsBlocked(many, now_ms, kTogether));
}

void Attempts::Count(const std::string& address, std::int64_t now_ms, double times) {
  if (buckets_.size() >= kMostAddresses && !buckets_.contains(address)) {
    std::erase_if(buckets_,
                  [&](const auto& entry) { return FailedBy(entry.second, now_ms, 1) == 0; });
    if (buckets_.size() >= kMostAddresses) {
      buckets_.erase(std::min_element(buckets_.begin(), buckets_.end(), [](auto& a, auto& b) {
        return a.second.time_ms < b.second.time_ms;
      }));
    }
  }
  Bucket& bucket = buckets_[address];
  bucket = {std::min(FailedBy(bucket, now_ms, times) + 1, kMost * times), now_ms};
}

bool Attempts::Failed(const std::string& address, std::int64_t now_ms) {
  const std::string many = ManyHouseholds(address);
  const std::lock_guard lock(mutex_);
  const bool blocked =
      IsBlocked(address, now_ms, 1) || (!many.empty() && IsBlocked(many, now_ms, kTogether));
  Count(address, now_ms, 1);
  if (!many.empty()) Count(many, now_ms, kTogether);
  return blocked;
}

}  // namespace tilewarden::services
