// Finds the project's own score track (calibration/print/score_track.h) in a picture by
// the marks that are printed on it. Vision-internal (cv:: types).
#pragma once

#include <optional>

#include "opencv2/core.hpp"

namespace tilewarden::vision {

// Homography: pixel ~ px_from_track * (x, y, 1), millimetres of the track frame.
// From two marks on; nothing where fewer are clear, or where they do not lie as they
// do on one flat sheet. picture: 8-bit BGR. within: only there; empty: everywhere.
std::optional<cv::Matx33d> FindScoreTrack(const cv::Mat& picture, cv::Rect within = {});

}  // namespace tilewarden::vision
