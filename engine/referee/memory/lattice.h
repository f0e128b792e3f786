// How the camera's lattice lies on the board, from sighting to sighting, and the
// sightings that wait to be laid on it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "engine/referee/sighting.h"

namespace tilewarden::engine {

// A value; not thread safe.
class Lattice {
 public:
  // A sighting by its number.
  using Numbered = std::pair<std::uint64_t, Sighting>;

  // A new sighting: how the lattice lies in it is not known yet.
  void Next() { known_ = false; }
  // It lies like this in the new sighting, or nothing tells how.
  void Found(const std::optional<BoardFromLattice>& place) { known_ = place.has_value(); }
  // From now on it lies like this.
  void Lay(const BoardFromLattice& place) { last_ = place; }

  // How it lay when that was last known.
  const std::optional<BoardFromLattice>& last() const { return last_; }
  // How it lies in the last sighting; nothing while that is not known.
  std::optional<BoardFromLattice> now() const { return known_ ? last_ : std::nullopt; }

  // A look at hands that leaves nothing to tell how the lattice lies, or one after it. Only the
  // last few are kept.
  void Wait(std::uint64_t number, const Sighting& sighting);
  bool SomeWait() const { return !waiting_.empty(); }
  // They wait no longer.
  std::deque<Numbered> TakeWaiting() { return std::exchange(waiting_, {}); }

 private:
  std::optional<BoardFromLattice> last_;
  bool known_ = false;
  std::deque<Numbered> waiting_;
};

}  // namespace tilewarden::engine
