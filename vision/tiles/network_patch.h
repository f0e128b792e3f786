// The patches of a picture that the naming network takes.
//
// Patch: 8-bit BGR, square, shows the tile's top face and an eighth of its side
// more on every side: corner (x, y) of the tile, in [0, 1] x [0, 1], lies at
// ((x + 1/8) / (5/4) * side - 1/2), pixel centres at integers. Turns are
// those of the patch: 1 means that canonical north points to the patch's right.
#pragma once

#include <array>

#include "absl/status/statusor.h"
#include "opencv2/core.hpp"

namespace tilewarden::vision {

// As in training (scripts/train): the side of a patch as the network takes it, and what it shows
// beyond the tile on every side, in tile sides.
inline constexpr int kPatch_px = 64;
inline constexpr double kPatchMargin = 0.125;
// How far patches are shifted for an average, in pixels: 4 % of a tile.
inline constexpr int kPatchShift_px = 2;

// The patch of the tile with these corners: clockwise from the one that shall
// be north-west, pixel centres at integers. Beyond the picture its border goes
// on. Empty if the picture is not 8-bit BGR or the corners span no area.
cv::Mat CutPatch(const cv::Mat& picture, const std::array<cv::Point2f, 4>& corners_px);

// The patch in the size that the network takes. INVALID_ARGUMENT: not square, or not 8-bit BGR.
absl::StatusOr<cv::Mat> OfSize(const cv::Mat& given);
// A patch of that size, shifted by kPatchShift_px at most.
cv::Mat Shifted(const cv::Mat& patch, cv::Point by);
// A patch as the network takes it: without its mean and contrast, CV_32FC3.
cv::Mat Normalised(const cv::Mat& patch);

}  // namespace tilewarden::vision
