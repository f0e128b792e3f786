// The pig (Traders & Builders): its owner's farm is worth more for each city.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

extern const PartEntry kPigPart;

}  // namespace tilewarden::engine
