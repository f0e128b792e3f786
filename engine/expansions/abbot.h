// The Abbot: he is called back from an unfinished monastery or garden, which scores at
// once.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

extern const PartEntry kAbbotPart;

}  // namespace tilewarden::engine
