// Where hands were, look by look, since something was last seen on a still table: since the Ark
// was, which tells its way; since the table was, which tells what else a hand may have done.
#pragma once

#include <set>
#include <vector>

#include "engine/referee/look.h"

namespace tilewarden::engine {

// A value; not thread safe.
class HandLooks {
 public:
  // A look at a hand: the cells that it covers.
  void Remember(const Look& look);
  void Forget() { hands_.clear(); }

  // Log likelihood of these hands if the Ark went this way after a tile was laid: a hand stays
  // over the Ark from tile to tile, so in turn it was most over each of them.
  double Fit(const std::vector<Cell>& path, Cell laid) const;
  int looks() const { return static_cast<int>(hands_.size()); }
  // Hands that were over this cell, and no less than over the one where the Ark landed.
  int Beside(Cell cell, Cell landing) const;
  // Hands that were over this cell, and over nothing beside the other one.
  int OnlyOver(Cell cell, Cell other) const;
  // A hand was over this cell or one beside it.
  bool EverNear(Cell cell) const;

 private:
  std::vector<std::set<Cell>> hands_;
};

}  // namespace tilewarden::engine
