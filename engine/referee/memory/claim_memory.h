// What is remembered of claims that hands hid or looks missed, and of how far the stream can be
// trusted to show them.
#pragma once

#include <map>
#include <set>
#include <string>

#include "engine/tiles/grid.h"

namespace tilewarden::engine {

// A value; not thread safe.
class ClaimMemory {
 public:
  // The claim on this tile was concluded, not seen.
  void Conclude(Cell cell) { concluded_.insert(cell); }
  bool Concluded(Cell cell) const { return concluded_.contains(cell); }

  // A hand came back to this tile in its turn, and nothing was seen of what it did.
  void HandCameBack(Cell cell) { visited_.insert(cell); }
  bool MayHaveSet(Cell cell) const { return visited_.contains(cell); }

  // A figure was seen in the look after it was set, or only in a later one.
  void CountFigure(const std::string& colour, bool seen_later);
  // Share of the figures of this colour that this camera does not see in the looks after they are
  // set: on this table, as far as it is known by now.
  double ShareSeenLater(const std::string& colour) const;

  // A turn was taken down. `missed`: it came with others in one look, or no look shows the hand
  // that laid the tile, or the one that set the figure.
  void CountTurn(bool missed) {
    ++turns_;
    missed_ += missed ? 1 : 0;
  }
  // Share of the turns of which looks were missed, in a stream that misses many; else 0.
  double ShareMissed() const;

 private:
  std::set<Cell> concluded_, visited_;
  int turns_ = 0, missed_ = 0;
  struct Seen {
    int figures = 0, later = 0;
  };
  std::map<std::string, Seen> seen_;  // by colour
};

}  // namespace tilewarden::engine
