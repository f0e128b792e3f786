// A game as a viewer has it: the state, brought up to date by the events.
#pragma once

#include "tilewarden/v1/game.pb.h"

namespace tilewarden::services {

// Puts one message of a watch into the state. False: it changed nothing (a
// heartbeat, or an event that the state already holds).
bool Update(const v1::WatchGameResponse& message, v1::GameState* state);

}  // namespace tilewarden::services
