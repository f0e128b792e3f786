// Knows the tiles of a box again by descriptors, where the pack may hold no
// pictures: what the naming network makes of each tile's face. Vision-internal
// types leave here (cv::), because enrolment makes descriptors from pictures.
#pragma once

#include <array>
#include <vector>

#include "absl/status/status.h"
#include "calibration/box/reference_pack.h"
#include "opencv2/core.hpp"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {

// The network's patch of a face alone (a ReferencePicture), what lies beside it
// left out: the same beside any neighbour.
cv::Mat FacePatch(const cv::Mat& face);

// Puts a descriptor in the place of each picture of the pack. Errors as
// TileNetwork::Describe. Blocks: about 1 ms a picture.
absl::Status DescribeInsteadOfShow(TileNetwork& network, calibration::ReferencePack* pack);

// Weighs what the network alone made of a tile with these corners by how alike its
// face is to each descriptor in each turn. FAILED_PRECONDITION: the pack's
// descriptors are of another network. Blocks: about 4 ms.
absl::Status WeighByDescriptors(const cv::Mat& picture,
                                const std::array<cv::Point2f, 4>& corners_px,
                                const calibration::ReferencePack& pack, TileNetwork& network,
                                TileScores* scores);

}  // namespace tilewarden::vision
