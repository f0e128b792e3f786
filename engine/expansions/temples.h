// Temples (The Ark of the Covenant): whoever has most figures on a temple's tile and
// the four beside it scores it.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

bool HasTemple(const CompiledTile& tile);

extern const PartEntry kTemplesPart;

}  // namespace tilewarden::engine
