// Where each segment of a tile lies on its face: the one geometry from which
// the display draws tiles, the printable set is painted, and a figure's foot
// is told to stand on a road, in a city or in the field beside it.
//
// Worked out from the tile's facts (what touches which edge), so every set has
// it without a line of drawing data. Points are in canonical orientation.
// Pure functions; results are values.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/tiles/grid.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

using Polyline = std::vector<Point>;

struct SegmentShape {
  // Closed outlines (cities, monasteries, gardens, temples); empty for fields,
  // roads and rivers.
  std::vector<Polyline> areas;
  // Centre lines (roads, rivers).
  std::vector<Polyline> paths;
  // Where a figure stands on it, or lies (fields).
  Point spot;
  // Where coats of arms are drawn (cities).
  std::vector<Point> coats_of_arms;
};

// Widths that go with the centre lines, in tile sizes.
inline constexpr double kRoadWidth = 0.09;
inline constexpr double kRiverWidth = 0.16;

struct TileLayout {
  // As TileType::segments.
  std::vector<SegmentShape> segments;

  // Which segment covers each point of a kGrid x kGrid raster, row by row from
  // the north-west corner; every point belongs to one.
  static constexpr int kGrid = 64;
  std::array<std::int8_t, kGrid * kGrid> raster{};

  // The segment under a point (clamped to the tile).
  int SegmentAt(Point p) const;
  // Share of each segment under a foot known with this standard deviation (in
  // tile sizes): sums to 1.
  std::vector<double> SegmentsNear(Point p, double sigma) const;
};

TileLayout LayOut(const TileType& type);

}  // namespace tilewarden::engine
