// Where tiles may be laid, by the board, the table's edge and the parts.
#pragma once

#include "engine/game/part.h"
#include "engine/game/placement_list.h"

namespace tilewarden::engine {

// At a cost that does not grow with the board.
void FindPlacements(const Position& position, const Parts& parts, int tile, PlacementList* out);

}  // namespace tilewarden::engine
