// Goods (Traders & Builders): whoever completes a city takes what it trades in, and most
// of a kind pay at the end.
#pragma once

#include "engine/game/part.h"

namespace tilewarden::engine {

extern const PartEntry kGoodsPart;

}  // namespace tilewarden::engine
