// Cells, sides, rotations and half-edges of the square grid that tiles lie on.
//
//        N                    0   1
//      +---+      half-     +---+---+
//    W |   | E    edges:  7 |       | 2
//      +---+              6 |       | 3
//        S                  +---+---+
//                             5   4
//
// x grows east, y grows south; the start tile lies at (0, 0). A rotation is a
// number of quarter turns clockwise of a tile's canonical orientation: it adds
// 1 to a side and 2 to a half-edge. Small value types without state; every
// function is pure.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace tilewarden::engine {

enum class Side : std::uint8_t { kNorth = 0, kEast = 1, kSouth = 2, kWest = 3 };

inline constexpr std::array<Side, 4> kSides = {Side::kNorth, Side::kEast, Side::kSouth,
                                               Side::kWest};

constexpr Side Opposite(Side side) { return static_cast<Side>((static_cast<int>(side) + 2) & 3); }
constexpr Side Rotated(Side side, int quarter_turns) {
  return static_cast<Side>((static_cast<int>(side) + quarter_turns) & 3);
}

// Half-edges are numbered 0 to 7 as drawn above.
constexpr int RotatedHalfEdge(int half_edge, int quarter_turns) {
  return (half_edge + 2 * quarter_turns) & 7;
}
// The half-edge that touches this one across the edge: 0-5, 1-4, 2-7, 3-6.
constexpr int FacingHalfEdge(int half_edge) {
  constexpr std::array<int, 8> kFacing = {5, 4, 7, 6, 1, 0, 3, 2};
  return kFacing[static_cast<std::size_t>(half_edge)];
}
constexpr Side SideOfHalfEdge(int half_edge) { return static_cast<Side>(half_edge / 2); }

struct Cell {
  int x = 0;
  int y = 0;
  friend constexpr auto operator<=>(const Cell&, const Cell&) = default;
};

constexpr Cell Neighbour(Cell cell, Side side) {
  constexpr std::array<int, 4> kDx = {0, 1, 0, -1};
  constexpr std::array<int, 4> kDy = {-1, 0, 1, 0};
  const auto i = static_cast<std::size_t>(side);
  return {cell.x + kDx[i], cell.y + kDy[i]};
}

// The three by three cells that this one is the middle of.
constexpr std::array<Cell, 9> Around(Cell cell) {
  std::array<Cell, 9> cells;
  for (int i = 0; i < 9; ++i) {
    cells[static_cast<std::size_t>(i)] = {cell.x + i / 3 - 1, cell.y + i % 3 - 1};
  }
  return cells;
}

// A point on a tile: [0, 1] x [0, 1], origin at the north-west corner.
struct Point {
  double x = 0;
  double y = 0;
  friend constexpr auto operator<=>(const Point&, const Point&) = default;
};

// Where a point of the canonical orientation lies once the tile is turned.
constexpr Point RotatedPoint(Point p, int quarter_turns) {
  switch (quarter_turns & 3) {
    case 1:
      return {1 - p.y, p.x};
    case 2:
      return {1 - p.x, 1 - p.y};
    case 3:
      return {p.y, 1 - p.x};
    default:
      return p;
  }
}

}  // namespace tilewarden::engine

template <>
struct std::hash<tilewarden::engine::Cell> {
  std::size_t operator()(const tilewarden::engine::Cell& c) const noexcept {
    const auto x = static_cast<std::uint32_t>(c.x);
    const auto y = static_cast<std::uint32_t>(c.y);
    return std::hash<std::uint64_t>{}((static_cast<std::uint64_t>(x) << 32) | y);
  }
};
