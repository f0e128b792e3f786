// An expansion that nobody sells, to measure what one costs: a figure of its own and a
// rule for points. It is known to games whose rule book names the two entries.
#pragma once

#include "engine/game/figure_kind.h"
#include "engine/game/part.h"

namespace tilewarden::engine {

// One for each player. It stands on fields only, and not beside another one.
inline constexpr FigureKind kBeekeeper{8};
extern const FigureKindEntry kBeekeeperKind;

// A tile laid beside a beekeeper's pays its owner a point, as long as there are pots.
inline constexpr int kPots = 2;
extern const PartEntry kBeekeepersPart;

}  // namespace tilewarden::engine
