// The Gingerbread Man (Winter Edition): he stands in a city, pays its knights when he
// leaves it or it is completed, and goes to another unfinished city.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

extern const PartEntry kGingerbreadPart;

}  // namespace tilewarden::engine
