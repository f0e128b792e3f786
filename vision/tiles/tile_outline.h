// Where exactly a tile lies whose place is known about: by the edges along its sides.
// Vision-internal (cv:: types).
#pragma once

#include "opencv2/core.hpp"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {

// The square nearest to this one along whose sides the picture has edges: seams,
// or the table. Each end of a side moves by itself, an eighth of a side at most.
cv::Matx33f OutlineNear(const PicturePyramid& picture, const cv::Matx33f& px_from_tile);
// The same with the perspective of the given place, so that one side that was taken from another
// edge does not bend the tile.
cv::Matx33f ParallelogramNear(const PicturePyramid& picture, const cv::Matx33f& px_from_tile);

}  // namespace tilewarden::vision
