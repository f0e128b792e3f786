// The use of a table: its edge limits the board, may complete features by a house
// rule, and what may happen to a board that reaches it.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

extern const PartEntry kTableEdgePart;

}  // namespace tilewarden::engine
