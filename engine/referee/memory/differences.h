// What looks show otherwise than the game has it, and whether somebody may have made it so. The
// first look that shows a difference decides: a hand that comes later did not make it.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "engine/tiles/grid.h"

namespace tilewarden::engine {

enum class Difference { kTile, kFigureGone, kFigureMoved, kFigurePose, kFigureCame };

// A value; not thread safe.
class Differences {
 public:
  // This look shows it. `touched`: somebody may have touched the cell since it was as the game has
  // it. Whether that was so when it was first seen.
  bool Made(Difference what, Cell cell, bool touched);
  // Looks showed it up to now, and nobody may have made it: the camera missed something.
  bool OnlyMissed(Difference what, Cell cell) const;
  // How many of this kind the present look shows first, where somebody may have made them.
  int First(Difference what) const;
  // The hand of this look did something else: it did not make the differences of this kind that the
  // look shows first, but for those on such cells.
  void Explain(Difference what, const std::function<bool(Cell)>& but_on = nullptr);
  // Somebody may have made it, were it not for that.
  bool Explained(Difference what, Cell cell) const;
  // Ends a look: what it did not show any more is forgotten where the cell can be seen.
  void EndLook(const std::function<bool(Cell)>& visible);

 private:
  struct Seen {
    bool made = false;
    bool shown = false;  // by the present look
    bool first = true;   // in the present look
    bool explained = false;
  };
  std::map<std::pair<Difference, Cell>, Seen> seen_;
};

}  // namespace tilewarden::engine
