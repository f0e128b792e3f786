// Which sightings were delivered before: the network may bring one twice.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "engine/referee/sighting.h"

namespace tilewarden::engine {

// A value; not thread safe.
class RecentSightings {
 public:
  // Whether this very sighting came before, among the last few hundred. If not, it has come now.
  bool Repeated(const Sighting& sighting);

 private:
  std::optional<std::uint64_t> last_sequence_;
  std::deque<std::uint64_t> prints_;
};

}  // namespace tilewarden::engine
