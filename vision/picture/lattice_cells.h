// Which cells of a lattice are neighbours. Values.
#pragma once

#include <array>
#include <cstdlib>

#include "vision/sighting.h"

namespace tilewarden::vision {

// The ways to the cells that share a side with one: north, east, south, west.
inline constexpr std::array<LatticeCell, 4> kBeside = {LatticeCell{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
// The ways to all that touch it, at a corner too, row by row.
inline constexpr std::array<LatticeCell, 8> kAround = {
    LatticeCell{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}};

constexpr LatticeCell Plus(LatticeCell a, LatticeCell b) { return {a.x + b.x, a.y + b.y}; }

// They are the same, or touch.
inline bool Touch(LatticeCell a, LatticeCell b) {
  return std::abs(a.x - b.x) <= 1 && std::abs(a.y - b.y) <= 1;
}

}  // namespace tilewarden::vision
