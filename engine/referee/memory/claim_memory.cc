#include "engine/referee/memory/claim_memory.h"

#include <algorithm>

#include "engine/referee/model.h"

namespace tilewarden::engine {

double ClaimMemory::ShareMissed() const {
  const double share = static_cast<double>(missed_) / std::max(turns_, 1);
  return missed_ < kFewMissed || share < kMissingStream ? 0 : share;
}

void ClaimMemory::NothingSeen(Cell cell, int tiles_around) {
  const auto found = visited_.find(cell);
  if (found == visited_.end()) return;
  Visited& visited = found->second;
  // With the tile that came beside it the figure may have gone home: the next look counts.
  if (visited.tiles_around == tiles_around && visited.counted != tiles_around) {
    visited.chances += visited.counted >= 0 ? 1 : 0;
    visited.counted = tiles_around;
  }
  visited.tiles_around = tiles_around;
}

int ClaimMemory::ChancesMissed(Cell cell) const {
  const auto found = visited_.find(cell);
  return found == visited_.end() ? 0 : found->second.chances;
}

}  // namespace tilewarden::engine
