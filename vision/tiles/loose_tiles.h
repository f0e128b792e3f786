// Finds tiles that lie face up beside each other in any order and turn, with or
// without gaps, as people lay out a box to enrol it: squares of one size by their
// outlines, those that the naming network takes for tiles first. Vision-internal
// types leave here (cv::), because enrolment cuts pictures from what was found.
#pragma once

#include <array>
#include <vector>

#include "absl/status/statusor.h"
#include "calibration/box/reference_pack.h"
#include "opencv2/core.hpp"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {

struct LooseTile {
  // Clockwise in the picture, pixel centres at integers. The first is taken for
  // north-west: turns in `scores` are those of the tile cut out so.
  std::array<cv::Point2f, 4> corners_px;
  TileScores scores;  // of all types that the network knows
};

// Row by row from the top. Empty: there are none. `any_art`: squares that the network takes for no
// tile count too, for sets that it never saw; then the table must be plain. `picture`: 8-bit BGR,
// not empty. Errors as TileNetwork::Name. Blocks: two to five seconds.
absl::StatusOr<std::vector<LooseTile>> FindLooseTiles(const cv::Mat& picture, TileNetwork& network,
                                                      bool any_art = false);

// Names those that are the copies which the pack shows; the others keep their scores. `picture`: in
// which they were found; `pack`: with pictures. Blocks: about 20 ms a tile.
void NameByPictures(const cv::Mat& picture, const calibration::ReferencePack& pack,
                    std::vector<LooseTile>* tiles);

}  // namespace tilewarden::vision
