#include "engine/referee/memory/supplies.h"

#include <algorithm>
#include <cmath>

#include "engine/referee/model.h"

namespace tilewarden::engine {

void Supplies::Saw(const std::string& colour, int turns, int seen, int expected) {
  const Count now = {std::min(seen, expected), expected};
  Count& most = seen_[colour].try_emplace(turns, now).first->second;
  if (now.Short() < most.Short()) most = now;
}

double Supplies::SpeakForAnother(const std::string& colour, int from, int to) const {
  const auto found = seen_.find(colour);
  if (found == seen_.end()) return 1;
  // The share of them that this camera misses: as it was before.
  double missed = kSupplyMissed * kSupplyPrior, of = kSupplyPrior;
  double factor = 1;
  bool first = true;
  for (const auto& [turns, count] : found->second) {
    if (turns < from) {
      missed += count.Short();
      of += count.expected;
    } else if (turns <= to && count.expected > 0) {
      // How likely so few are seen where one less lies there, and where all do.
      const double ratio = count.Short() / (count.expected * missed / of);
      const double clamped = std::clamp(ratio, 1 / kSupplyTrust, kSupplyTrust);
      // Later looks hardly differ from the first.
      factor *= first ? clamped : std::pow(clamped, kRepeatedLook);
      first = false;
    }
  }
  return factor;
}

}  // namespace tilewarden::engine
