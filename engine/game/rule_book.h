// What games can be played with: the kinds of figures and the parts of the rules, as
// two lists. Immutable; safe to share.
#pragma once

#include <vector>

#include "engine/game/figure_kind.h"
#include "engine/game/part.h"

namespace tilewarden::engine {

struct RuleBook {
  std::vector<FigureKindEntry> kinds;
  std::vector<PartEntry> parts;  // in the order in which a turn asks them

  // All that the program knows: engine/expansions/rule_book.cc.
  static const RuleBook& Standard();
};

}  // namespace tilewarden::engine
