// Which segment of a tile a figure claims: by where its foot is, by its pose, as figures
// lie in fields and stand elsewhere, and by how people set them. Before the rules have a
// word: a segment may be taken already. Pure functions, values.
#pragma once

#include <vector>

#include "engine/tiles/tile_layout.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

struct TileFace {
  TileLayout layout;
  std::vector<double> areas;  // of the segments, shares of the tile
};

TileFace FaceOf(const TileType& type);

// What was seen of a figure on a tile.
struct FigurePlace {
  Point foot;             // on the tile in canonical orientation
  double sigma = 0;       // standard deviation of the foot on one axis, tile sizes
  double standing = 0.5;  // probability
};

// For each segment of the type how likely a figure that claims it would be seen like this,
// times how often such a segment is claimed; up to a common factor.
std::vector<double> SegmentLikelihoods(const TileType& type, const TileFace& face,
                                       const FigurePlace& figure);

}  // namespace tilewarden::engine
