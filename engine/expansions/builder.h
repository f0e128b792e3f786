// The builder (Traders & Builders): whoever lays a tile on the road or in the city of
// the own builder may take a second part of the turn.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

extern const PartEntry kBuilderPart;

}  // namespace tilewarden::engine
