// Whether the bare table shows where a tile lay: else something lies on the tile, or over it.
// Vision-internal (cv:: types).
#pragma once

#include "opencv2/core.hpp"
#include "vision/picture/cell_watch.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {

// `cell`, `px_from_tile`: where it lay. By the colours of the other places beside the tiles in the
// same picture. Where nothing of those is in view nobody can tell, and it counts as bare.
bool ShowsBareTable(const PicturePyramid& picture, LatticeCell cell,
                    const cv::Matx33f& px_from_tile, const BoardPlaces& places);

}  // namespace tilewarden::vision
