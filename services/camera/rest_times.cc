#include "services/camera/rest_times.h"

#include <utility>

namespace tilewarden::services {
namespace {

double Ms(RestTimes::Clock::time_point time) {
  return std::chrono::duration<double, std::milli>(time.time_since_epoch()).count();
}

}  // namespace

void RestTimes::Saw(const vision::Frame& frame, const vision::Sighting& sighting,
                    Clock::time_point begun, Clock::time_point read) {
  // A recorded frame comes when it is looked at.
  const double came_ms = Ms(frame.came == Clock::time_point() ? begun : frame.came);
  if (sighting.hand) {
    hand_gone_ms_.reset();
  } else if (!hand_gone_ms_) {
    hand_gone_ms_ = came_ms;
  }
  const bool rested = std::exchange(rested_, sighting.settled);
  if (!sighting.settled || rested) return;
  const auto gate = sighting.stage_ms.find("gate");
  v1::RestTimes times;
  times.set_hand_gone_ms(*hand_gone_ms_);
  times.set_rests_ms(came_ms);
  times.set_gate_done_ms(Ms(begun) + (gate == sighting.stage_ms.end() ? 0 : gate->second));
  times.set_read_ms(Ms(read));
  times.set_reported_ms(Ms(Clock::now()));
  last_ = std::move(times);
}

}  // namespace tilewarden::services
