// When people are shown what the camera sees: every two seconds while no hand is in the way, and
// each time the table has come to rest, so that a picture shows what every hand has left.
#pragma once

#include <chrono>
#include <optional>

namespace tilewarden::services {

// A value; not thread safe.
class TopViewTimes {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Whether a picture is to go with this sighting. Sent() says that it did.
  bool Due(bool settled, bool hand, Time now) {
    if (!settled) shown_at_rest_ = false;
    if (hand) return false;
    return (settled && !shown_at_rest_) || !sent_ || now - *sent_ >= kBetween;
  }
  void Sent(bool settled, Time now) {
    sent_ = now;
    shown_at_rest_ = settled;
  }

 private:
  // Often enough to check by eye what the game believes.
  static constexpr std::chrono::seconds kBetween{2};

  std::optional<Time> sent_;
  bool shown_at_rest_ = false;  // since the table last moved
};

}  // namespace tilewarden::services
