#include "engine/game/rule_book.h"

#include "engine/expansions/abbot.h"
#include "engine/expansions/ark.h"
#include "engine/expansions/builder.h"
#include "engine/expansions/cathedrals.h"
#include "engine/expansions/gingerbread.h"
#include "engine/expansions/goods.h"
#include "engine/expansions/house_rules.h"
#include "engine/expansions/pig.h"
#include "engine/expansions/purchase.h"
#include "engine/expansions/river.h"
#include "engine/expansions/table_edge.h"
#include "engine/expansions/temples.h"

namespace tilewarden::engine {

// The order is that of a turn: who asks for the table comes before who lays on it, the
// Ark enters before the Gingerbread Man goes.
const RuleBook& RuleBook::Standard() {
  static const auto* const kBook =
      new RuleBook{{AllFigureKinds().begin(), AllFigureKinds().end()},
                   {kTableEdgePart, kRiverPart, kPurchasePart, kBushesPart, kDoubleSourcePart,
                    kAbbotPart, kCathedralsPart, kBuilderPart, kPigPart, kTemplesPart, kArkPart,
                    kGoodsPart, kGingerbreadPart, kFilledHolePart}};
  return *kBook;
}

}  // namespace tilewarden::engine
