// Whether the table was cleared while a game was under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/referee/sighting.h"

namespace tilewarden::engine {

// A value; not thread safe.
class ClearedTable {
 public:
  // One more look at the table, of a board with so many tiles. True, once for each clearing: it
  // has lain clear for so long that it is time to ask.
  bool Saw(const Sighting& sighting, std::size_t tiles_on_board);
  // The board was seen again.
  void BoardShown();

 private:
  std::optional<std::int64_t> since_ms_;  // of the camera's clock
  int looks_ = 0;
  bool asked_ = false;
};

}  // namespace tilewarden::engine
