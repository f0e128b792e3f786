// What a caller chooses of a reading. Numbers that were tuned stand beside the code they belong to.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

struct Options {
  // Colours that play, when known; empty: any of the usual ones.
  std::vector<std::string> colours;
  // Special figures that the game has; any other figure is a follower, and is said besides to be of
  // another kind where that is clear. Each costs time for every figure, and may be taken for a
  // follower now and then.
  std::vector<FigureKind> special_figures;
  // Types of tiles that the game is not said to have: what clearly is one of them is said to be one
  // besides; with a pack's pictures only where no tile of the pack lies on the table.
  std::vector<std::string> unexpected_tiles;
  // Folder for a picture of every stage; empty: none. Costs disk and time.
  std::string debug_folder;

  // INVALID_ARGUMENT: a value outside its range; the message names it.
  absl::Status Check() const;
};

}  // namespace tilewarden::vision
