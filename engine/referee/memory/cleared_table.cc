#include "engine/referee/memory/cleared_table.h"

#include <algorithm>

namespace tilewarden::engine {
namespace {

// A box or an arm in front of the camera is gone by then.
constexpr int kLooks = 4;
constexpr std::int64_t kLong_ms = 6000;
// Fewer may have been taken up for another reason.
constexpr std::size_t kBoard = 4;
// Of the board's tiles; stacks on the table look like tiles, too.
constexpr std::size_t kStillThere = 4;

}  // namespace

bool ClearedTable::Saw(const Sighting& sighting, std::size_t tiles_on_board) {
  if (!sighting.settled) return false;
  const bool clear = tiles_on_board >= kBoard && sighting.hidden_cells.empty() &&
                     sighting.tiles.size() <= tiles_on_board / kStillThere;
  if (!clear) {
    since_ms_.reset();
    looks_ = 0;
    return false;
  }
  if (!since_ms_) since_ms_ = sighting.time_ms;
  ++looks_;
  if (asked_ || looks_ < kLooks || sighting.time_ms - *since_ms_ < kLong_ms) return false;
  asked_ = true;
  return true;
}

void ClearedTable::BoardShown() { *this = {}; }

}  // namespace tilewarden::engine
