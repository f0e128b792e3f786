// Tiles of a river that looks show though the game has none.
#pragma once

#include <vector>

#include "engine/referee/sighting.h"

namespace tilewarden::engine {

// A value; not thread safe.
class UnexpectedRiver {
 public:
  struct Seen {
    Cell cell;                              // in the lattice
    std::vector<TileCandidate> candidates;  // of rivers alone
  };
  // What one more settled look showed; nothing: none.
  void Saw(std::vector<Seen> tiles);
  // As the last look showed them.
  const std::vector<Seen>& tiles() const { return tiles_; }
  // So many looks in a row showed some.
  bool Sure() const;

 private:
  std::vector<Seen> tiles_;
  int looks_ = 0;
};

}  // namespace tilewarden::engine
