// Cathedrals (Inns & Cathedrals): a city with one is worth more complete, and nothing
// unfinished.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

extern const PartEntry kCathedralsPart;

}  // namespace tilewarden::engine
