// The Ark of the Covenant: when the Ark enters, how it moves and whom it pays; the
// prophets, and the sheep and wolves of its fields.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

extern const PartEntry kArkPart;

}  // namespace tilewarden::engine
