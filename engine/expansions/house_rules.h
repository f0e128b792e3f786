// Small house rules, a part each: roads that go on through bushes, a turn more for who
// fills a hole, and a double-sized source that counts as one tile.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

extern const PartEntry kBushesPart;
extern const PartEntry kFilledHolePart;
extern const PartEntry kDoubleSourcePart;

}  // namespace tilewarden::engine
