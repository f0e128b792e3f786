// A tile type's facts in the form that the board and the features work with:
// looked up by side and half-edge instead of searched. Worked out once per
// type when a set is loaded. Values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

// What the tiles around an empty cell demand of one laid there: a number in base
// 5 with a digit a side, north the lowest; 0 where no tile lies, else the letter
// that the edge must show.
using Demand = std::uint16_t;

// Demands are below this.
inline constexpr int kDemands = 5 * 5 * 5 * 5;

// The demand of one side alone.
constexpr Demand DemandOf(char letter, Side side) {
  constexpr std::array<int, 4> kWeights = {1, 5, 25, 125};
  const int digit = letter == 'c' ? 1 : letter == 'f' ? 2 : letter == 'r' ? 3 : 4;
  return static_cast<Demand>(digit * kWeights[static_cast<std::size_t>(side)]);
}

// A tile's demand at `side`, seen from the cell on that side.
constexpr Demand Facing(Demand demand, Side side) {
  const bool first = side == Side::kNorth || side == Side::kEast;
  return static_cast<Demand>(first ? demand * 25 : demand / 25);
}

struct CompiledTile {
  // The demands that the tile meets, by the rotation times 16 and the sides on
  // which tiles lie (bit i: side i): no more than these, however large the board.
  std::array<Demand, 64> meets{};
  static constexpr int RotationOf(std::size_t place) { return static_cast<int>(place / 16); }
  // In one rotation, by the sides.
  using Meets = std::span<const Demand, 16>;
  Meets MeetsIn(int rotation) const {
    return Meets(meets.data() + 16 * static_cast<std::size_t>(rotation), 16);
  }
  // Segment that a city, road or river edge belongs to, by canonical side; -1.
  std::array<std::int8_t, 4> side_segment{};
  // Field at each canonical half-edge; -1.
  std::array<std::int8_t, 8> field{};
  struct Part {
    SegmentKind kind = SegmentKind::kField;
    // Edges it touches; for monasteries, gardens and temples the neighbours
    // that complete it.
    std::int8_t open = 0;
  };
  std::vector<Part> parts;
  // Segments that can be completed: all but fields and rivers.
  std::vector<std::int8_t> completable;
  // Segments that complete by their neighbours.
  std::vector<std::int8_t> plots;
  // Bit i: segment i is a road that ends at bushes.
  std::uint16_t bushes = 0;
  // Bit i: canonical side i is a river.
  std::uint8_t river_sides = 0;
  bool volcano = false;  // a lake with a volcano
};

CompiledTile Compile(const TileType& type);

}  // namespace tilewarden::engine
