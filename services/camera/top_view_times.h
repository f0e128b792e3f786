// When people are shown what the camera sees: every two seconds while no hand is in the way, and
// each time the table has come to rest, so that a picture shows what every hand has left. Of a live
// camera that is the look after the first at rest, if looks follow each other soon: the score does
// not wait for the picture.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

namespace tilewarden::services {

// A value; not thread safe.
class TopViewTimes {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit TopViewTimes(bool live) : live_(live) {}

  // Whether a picture is to go with this sighting. Sent() says that it did.
  bool Due(bool settled, bool hand, Time now) {
    const bool comes_to_rest = settled && !std::exchange(rests_, settled);
    if (!settled) rests_ = shown_at_rest_ = false;
    const bool soon = live_ && looked_ && now - *looked_ <= kSoon;
    looked_ = now;
    if (hand || (comes_to_rest && soon)) return false;
    return (settled && !shown_at_rest_) || !sent_ || now - *sent_ >= kBetween;
  }
  void Sent(bool settled, Time now) {
    sent_ = now;
    shown_at_rest_ = settled;
  }

 private:
  // Often enough to check by eye what the game believes.
  static constexpr std::chrono::seconds kBetween{2};

  // Between looks, so that the next one is worth waiting for.
  static constexpr std::chrono::milliseconds kSoon{400};

  const bool live_;
  std::optional<Time> looked_, sent_;
  bool rests_ = false;
  bool shown_at_rest_ = false;  // since the table last moved
};

}  // namespace tilewarden::services
