#include "engine/referee/memory/segment_reader.h"

#include <cstddef>

namespace tilewarden::engine {

std::vector<double> SegmentReader::Likelihoods(const FigureView& figure, int tile,
                                               int rotation) const {
  const TileType& type = tiles_->types()[static_cast<std::size_t>(tile)];
  auto face = faces_.find(tile);
  if (face == faces_.end()) face = faces_.emplace(tile, FaceOf(type)).first;
  return SegmentLikelihoods(type, face->second,
                            {RotatedPoint(figure.foot, 4 - rotation), figure.seen.foot_sigma,
                             figure.seen.standing_probability});
}

}  // namespace tilewarden::engine
