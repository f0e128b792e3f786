#include "engine/referee/memory/recent_sightings.h"

#include <algorithm>
#include <functional>
#include <string>

#include "engine/referee/model.h"

namespace tilewarden::engine {
namespace {

// Tells repeated deliveries from a camera that started over with its numbers.
std::uint64_t Fingerprint(const Sighting& s) {
  std::uint64_t hash = 1469598103934665603ULL;
  const auto mix = [&hash](std::uint64_t value) {
    hash ^= value + 0x9E3779B97F4A7C15ULL + (hash << 6) + (hash >> 2);
  };
  mix(s.sequence);
  mix(static_cast<std::uint64_t>(s.time_ms));
  mix(s.settled ? 1 : 2);
  mix(s.hidden_cells.size());
  for (const SightedTile& tile : s.tiles) {
    mix(std::hash<Cell>()(tile.cell));
    if (!tile.candidates.empty()) mix(std::hash<std::string>()(tile.candidates.front().tile));
  }
  for (const SightedFigure& figure : s.figures) mix(std::hash<double>()(figure.foot.x));
  return hash;
}

}  // namespace

bool RecentSightings::Repeated(const Sighting& sighting) {
  const std::uint64_t print = Fingerprint(sighting);
  if (last_sequence_ == sighting.sequence ||
      std::find(prints_.begin(), prints_.end(), print) != prints_.end()) {
    return true;
  }
  last_sequence_ = sighting.sequence;
  prints_.push_back(print);
  if (prints_.size() > kRecentSightings) prints_.pop_front();
  return false;
}

}  // namespace tilewarden::engine
