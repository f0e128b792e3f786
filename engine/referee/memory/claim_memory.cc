#include "engine/referee/memory/claim_memory.h"

#include <algorithm>

#include "engine/referee/model.h"

namespace tilewarden::engine {

double ClaimMemory::ShareMissed() const {
  const double share = static_cast<double>(missed_) / std::max(turns_, 1);
  return missed_ < kFewMissed || share < kMissingStream ? 0 : share;
}

double ClaimMemory::ShareSeenLater() const {
  return (kSeenLaterRate * kSeenLaterPrior + seen_later_) / (kSeenLaterPrior + figures_);
}

}  // namespace tilewarden::engine
