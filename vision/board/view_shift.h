// How the board moved in the picture when somebody bumped the camera, told by its
// own art in a picture from before and one from after. Vision-internal (cv:: types).
#pragma once

#include <optional>

#include "opencv2/core.hpp"

namespace tilewarden::vision {

// px_now_from_px_before on the plane of the board. `before`, `now`: 8-bit grey, of one size;
// `board`: 8-bit, not 0 where the board lay in `before`. Nothing where too little of it is found
// again. Pure; blocks for about 60 ms at 1080p.
std::optional<cv::Matx33d> ShiftOfView(const cv::Mat& before, const cv::Mat& board,
                                       const cv::Mat& now);

}  // namespace tilewarden::vision
