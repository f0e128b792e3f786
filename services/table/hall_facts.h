// What a hall of tables is told beside play: the clock, whether the referee is called, and since
// when something waits for a person. Folded from the log, so that a restart finds it as it was.
//
// Pure functions; times in milliseconds since 1970.
#pragma once

#include <cstdint>

#include "engine/referee/referee.h"
#include "services/convert/convert.h"
#include "tilewarden/v1/log.pb.h"

namespace tilewarden::services {

// As often as the players of one game can call: a device that only watches may, and its calls are
// kept.
inline constexpr int kMostCalls = 100;

// After an event of play; `after` holds it.
void FollowPlay(const engine::Referee& after, std::int64_t time_ms, HallFacts* facts);
void FollowCall(const v1::LoggedCall& called, std::int64_t time_ms, HallFacts* facts);

}  // namespace tilewarden::services
