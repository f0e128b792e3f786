// Takes the time from a hand's leaving the picture until what lies there was reported.
#pragma once

#include <chrono>
#include <optional>

#include "tilewarden/v1/vision.pb.h"
#include "vision/frames/frame_source.h"
#include "vision/sighting.h"

namespace tilewarden::services {

// Not thread safe.
class RestTimes {
 public:
  using Clock = std::chrono::system_clock;

  // A frame that was looked at from `begun` to `read`, and reported by now.
  void Saw(const vision::Frame& frame, const vision::Sighting& sighting, Clock::time_point begun,
           Clock::time_point read);
  // Of the last time that the table came to rest. Nothing: it has not yet.
  const std::optional<v1::RestTimes>& last() const { return last_; }

 private:
  std::optional<double> hand_gone_ms_;  // nothing: a hand is in view
  bool rested_ = false;                 // in the frame before
  std::optional<v1::RestTimes> last_;
};

}  // namespace tilewarden::services
