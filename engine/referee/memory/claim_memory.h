// What is remembered of claims that hands hid, and of how far the stream can be trusted to
// show them.
#pragma once

#include <set>

#include "engine/tiles/grid.h"

namespace tilewarden::engine {

// A value; not thread safe.
class ClaimMemory {
 public:
  // The claim on this tile was concluded, not seen.
  void Conclude(Cell cell) { concluded_.insert(cell); }
  bool Concluded(Cell cell) const { return concluded_.contains(cell); }

  // A turn was taken down. `missed`: it came with others in one look, or no look shows the hand
  // that laid the tile, or the one that set the figure.
  void CountTurn(bool missed) {
    ++turns_;
    missed_ += missed ? 1 : 0;
  }
  // Share of the turns of which looks were missed, in a stream that misses many; else 0.
  double ShareMissed() const;

 private:
  std::set<Cell> concluded_;
  int turns_ = 0, missed_ = 0;
};

}  // namespace tilewarden::engine
