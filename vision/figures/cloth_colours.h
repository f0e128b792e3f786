// Which figures the bare table around the board looks like: those of its own colour are easily
// missed, and whoever follows the game had better know. Vision-internal (cv:: types), pure.
#pragma once

#include <string>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/figures/figure_board_view.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// explained: CV_8U of the view's size, not 0 where figures were found. allowed: colours of the
// figures; empty: all that figures come in. Each of them, in order, with the share of the table
// next to the tiles that looks like it; empty where none of the table is in view.
std::vector<ClothColour> ClothColoursOf(const BoardView& view, const cv::Mat& explained,
                                        const std::vector<std::string>& allowed);

}  // namespace tilewarden::vision
