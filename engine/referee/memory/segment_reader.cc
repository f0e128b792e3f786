#include "engine/referee/memory/segment_reader.h"

#include <cstddef>

namespace tilewarden::engine {

const TileFace& SegmentReader::Face(int tile) const {
  auto face = faces_.find(tile);
  if (face == faces_.end()) {
    face = faces_.emplace(tile, FaceOf(tiles_->types()[static_cast<std::size_t>(tile)])).first;
  }
  return face->second;
}

Point SegmentReader::SpotOf(int tile, int rotation, int segment) const {
  const SegmentShape& shape = Face(tile).layout.segments[static_cast<std::size_t>(segment)];
  return RotatedPoint(shape.spot, rotation);
}

std::vector<double> SegmentReader::Likelihoods(const FigureView& figure, int tile,
                                               int rotation) const {
  const TileType& type = tiles_->types()[static_cast<std::size_t>(tile)];
  return SegmentLikelihoods(type, Face(tile),
                            {RotatedPoint(figure.foot, 4 - rotation), figure.seen.foot_sigma,
                             figure.seen.standing_probability});
}

}  // namespace tilewarden::engine
