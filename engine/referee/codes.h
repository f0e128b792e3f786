// What a code of a finding or a refusal says about itself, beyond its name: which
// family it belongs to. One list; nobody reads the letters of a code.
//
// Values; pure functions.
#pragma once

#include <string_view>

namespace tilewarden::engine {

// What may be wrong with one tile or one figure is one matter, also where two looks name it
// differently: one may have missed a tile that was moved.
enum class Matter { kNone, kTile, kFigure };

struct CodeFamily {
  std::string_view code;
  Matter matter = Matter::kNone;
  // How much a look that tells it has seen of the matter: what was seen somewhere is not gone
  // because the next look missed it.
  int plain = 0;
  // About the order of play: to be judged whatever can be seen.
  bool order = false;
  // A figure stands where none may.
  bool figure_where_none_may = false;
  // It clears when something is no longer seen, and one look may simply have missed that.
  bool clears_by_absence = false;
  // A refusal of where the Ark or the Gingerbread Man goes, which laying a tile leaves open.
  bool neutral_figure = false;
};

// Of a code that is in no family: all as above.
CodeFamily FamilyOf(std::string_view code);

}  // namespace tilewarden::engine
