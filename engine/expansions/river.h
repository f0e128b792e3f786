// The River: where a river tile may go on, and on which nobody is deployed.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

// A complete river, and nothing but river on the table yet.
bool RiverIsCompleteAndAlone(const Position& position);

extern const PartEntry kRiverPart;

}  // namespace tilewarden::engine
