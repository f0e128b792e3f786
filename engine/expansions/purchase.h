// House rule: the only tile that completes a feature may be bought for points from the
// player who drew it.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

extern const PartEntry kPurchasePart;

}  // namespace tilewarden::engine
