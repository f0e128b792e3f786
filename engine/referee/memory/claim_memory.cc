#include "engine/referee/memory/claim_memory.h"

#include <algorithm>

#include "engine/referee/model.h"

namespace tilewarden::engine {

double ClaimMemory::ShareMissed() const {
  const double share = static_cast<double>(missed_) / std::max(turns_, 1);
  return missed_ < kFewMissed || share < kMissingStream ? 0 : share;
}

void ClaimMemory::CountFigure(const std::string& colour, bool seen_later) {
  Seen& seen = seen_[colour];
  ++seen.figures;
  seen.later += seen_later ? 1 : 0;
}

double ClaimMemory::ShareSeenLater(const std::string& colour) const {
  const auto found = seen_.find(colour);
  const Seen seen = found == seen_.end() ? Seen() : found->second;
  return (kSeenLaterRate * kSeenLaterPrior + seen.later) / (kSeenLaterPrior + seen.figures);
}

}  // namespace tilewarden::engine
