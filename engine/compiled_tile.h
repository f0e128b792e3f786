// A tile type's facts in the form that the board and the features work with:
// looked up by side and half-edge instead of searched. Worked out once per
// type when a set is loaded. Values.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/tile_set.h"

namespace tilewarden::engine {

// Four edge letters as one-hot nibbles, side i in bits 4i to 4i+3. A tile fits
// an opening when its edges lie within what the opening allows, so one AND
// answers for all four sides.
using EdgeMask = std::uint16_t;

inline constexpr EdgeMask kAnyEdges = 0xFFFF;

constexpr EdgeMask EdgeBit(char letter) {
  switch (letter) {
    case 'c':
      return 1;
    case 'f':
      return 2;
    case 'r':
      return 4;
    default:
      return 8;
  }
}

struct CompiledTile {
  // By rotation.
  std::array<EdgeMask, 4> edges{};
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
