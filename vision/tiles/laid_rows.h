// From a picture in which the types of a box lie in rows, in a known order, to a pack
// of them: enrolment of tiles that nobody can name but by their place. Pure functions;
// results are values.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "calibration/box/enrolment.h"
#include "calibration/box/reference_pack.h"
#include "opencv2/core.hpp"
#include "vision/tiles/loose_tiles.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {

// These tiles, the rows from top to bottom and each from left to right; empty where
// they do not all lie in rows: then one of them is not a tile.
std::vector<LooseTile> InRows(const std::vector<LooseTile>& tiles);

// The pack of tiles that lie upright in rows in the order of `types`. `tiles`: as
// FindLooseTiles found them in `picture`. INVALID_ARGUMENT: they are more or fewer, or
// not all in rows; the message says what to do.
absl::StatusOr<calibration::ReferencePack> PackOfRows(
    const cv::Mat& picture, const std::vector<LooseTile>& tiles,
    const std::vector<calibration::TypeToEnrol>& types);

// Finds them first, art that the network never saw as well. Other things may lie
// around them. Errors of PackOfRows and FindLooseTiles. Blocks: two to ten seconds.
absl::StatusOr<calibration::ReferencePack> EnrolRows(
    const cv::Mat& picture, const std::vector<calibration::TypeToEnrol>& types,
    TileNetwork& network);

}  // namespace tilewarden::vision
