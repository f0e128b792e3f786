// On which segment of a tile a figure stands.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "engine/referee/look.h"
#include "engine/tiles/figure_segments.h"

namespace tilewarden::engine {

// Not thread safe: keeps the faces of the tiles that it was asked about.
class SegmentReader {
 public:
  explicit SegmentReader(std::shared_ptr<const TileSet> tiles) : tiles_(std::move(tiles)) {}

  // Likelihood of the foot's place and the pose for each segment of a tile that lies so, up to a
  // factor: figures stand anywhere on their segment, so a foot on a narrow road speaks for the
  // road more than for the wide field beside it.
  std::vector<double> Likelihoods(const FigureView& figure, int tile, int rotation) const;

  // Where a figure on this segment has its foot, on the tile as it lies.
  Point SpotOf(int tile, int rotation, int segment) const;

 private:
  const TileFace& Face(int tile) const;

  std::shared_ptr<const TileSet> tiles_;
  mutable std::map<int, TileFace> faces_;
};

}  // namespace tilewarden::engine
