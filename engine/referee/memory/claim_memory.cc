#include "engine/referee/memory/claim_memory.h"

#include <algorithm>

#include "engine/referee/model.h"

namespace tilewarden::engine {

double ClaimMemory::ShareOfLongVisits() const {
  return (kLikelyVisit * kVisitPrior + visits_set_) / (kVisitPrior + visits_);
}

double ClaimMemory::ShareMissed() const {
  const double share = static_cast<double>(missed_) / std::max(turns_, 1);
  return missed_ < kFewMissed || share < kMissingStream ? 0 : share;
}

void ClaimMemory::NothingSeen(Cell cell, int tiles_around, const ChanceMissed& chance) {
  const auto found = visited_.find(cell);
  if (found == visited_.end()) return;
  Visited& visited = found->second;
  // With the tile that came beside it the figure may have gone home: the next look counts.
  if (visited.tiles_around == tiles_around && visited.counted != tiles_around) {
    visited.chances.push_back(chance);
    visited.counted = tiles_around;
  }
  visited.tiles_around = tiles_around;
}

const std::vector<ChanceMissed>& ClaimMemory::ChancesMissed(Cell cell) const {
  static const std::vector<ChanceMissed> none;
  const auto found = visited_.find(cell);
  return found == visited_.end() ? none : found->second.chances;
}

}  // namespace tilewarden::engine
