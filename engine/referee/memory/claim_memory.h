// What is remembered of claims that hands hid or looks missed, and of how far the stream can be
// trusted to show them.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "engine/referee/memory/supplies.h"
#include "engine/tiles/grid.h"

namespace tilewarden::engine {

// By side of a tile: no tile lies beyond it.
using OpenSides = std::array<bool, 4>;

// The camera could have seen a figure on a tile, and no look showed one.
struct ChanceMissed {
  OpenSides open{};  // how the tile lay then
  int turns = 0;     // that had been played

  friend bool operator==(const ChanceMissed&, const ChanceMissed&) = default;
};

// A value; not thread safe.
class ClaimMemory {
 public:
  // The claim on this tile was concluded, not seen.
  void Conclude(Cell cell) { concluded_.insert(cell); }
  bool Concluded(Cell cell) const { return concluded_.contains(cell); }

  // A hand came back to this tile in its turn, and nothing was seen of what it did.
  void HandCameBack(Cell cell) { visited_.try_emplace(cell); }
  bool MayHaveSet(Cell cell) const { return visited_.contains(cell); }
  // A look at such a tile shows no figure, with so many tiles around it.
  void NothingSeen(Cell cell, int tiles_around, const ChanceMissed& chance);
  // One in its turn, and one each time that what lies around it has changed since, oldest first.
  const std::vector<ChanceMissed>& ChancesMissed(Cell cell) const;

  // Looks with a hand in view, in this tile's turn, showed whether one of its player's figures was
  // away from the supply and came back.
  void WasAway(Cell cell, Supplies::Away away) {
    auto& seen = away_.try_emplace(cell, away).first->second;
    seen = std::max(seen, away);
  }
  Supplies::Away WasAway(Cell cell) const {
    const auto found = away_.find(cell);
    return found == away_.end() ? Supplies::Away::kNotLooked : found->second;
  }

  // A turn was taken down. `missed`: it came with others in one look, or no look shows the hand
  // that laid the tile, or the one that set the figure.
  void CountTurn(bool missed) {
    ++turns_;
    missed_ += missed ? 1 : 0;
  }
  // A hand was at a tile longer than to lay it, and it shows whether it set a figure.
  void CountLongVisit(bool set) {
    ++visits_;
    visits_set_ += set ? 1 : 0;
  }
  // How likely such a visit sets a figure.
  double ShareOfLongVisits() const;
  // Some were counted.
  bool AnyLongVisits() const { return visits_ > 0; }

  // Share of the turns of which looks were missed, in a stream that misses many; else 0.
  double ShareMissed() const;

 private:
  struct Visited {
    int tiles_around = -1;  // in the look before
    int counted = -1;       // when a chance was counted last
    std::vector<ChanceMissed> chances;
  };
  std::set<Cell> concluded_;
  std::map<Cell, Visited> visited_;
  std::map<Cell, Supplies::Away> away_;
  int turns_ = 0, missed_ = 0;
  int visits_ = 0, visits_set_ = 0;
};

}  // namespace tilewarden::engine
