// How sharp a picture is, by the edges in it.
#pragma once

#include <optional>

#include "opencv2/core.hpp"

namespace tilewarden::calibration {

// Spread (standard deviation, pixels) of the picture's clear edges: of the
// direction in which they are widest, so that a picture blurred by motion is
// told too. A sharp camera has 0.5 to 0.9. None: no clear edges. `picture`:
// 8-bit, grey or BGR. Pure.
std::optional<double> EdgeSpread_px(const cv::Mat& picture);

}  // namespace tilewarden::calibration
