#include "engine/referee/memory/lattice.h"

#include "engine/referee/model.h"

namespace tilewarden::engine {

void Lattice::Wait(std::uint64_t number, const Sighting& sighting) {
  waiting_.emplace_back(number, sighting);
  if (waiting_.size() > kKeptViews) waiting_.pop_front();
}

}  // namespace tilewarden::engine
