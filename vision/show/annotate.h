// Draws what was read over the picture it was read from.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "opencv2/core.hpp"
#include "vision/sighting.h"

namespace tilewarden::vision {

// What to write on a tile; empty: drawn as refused.
using TileLabel = std::function<std::string(const SightedTile&)>;

// A copy of `picture` (8-bit BGR) with every tile's outline, its label and how
// sure it is (the outline's colour), and every figure's foot and colour. Pure.
cv::Mat Annotate(const cv::Mat& picture, const Sighting& sighting, const TileLabel& label);

// Marks what each side of a tile shows, in its colour: city c, road r, field f,
// river s. `edges`: in the order of the corners, the first from corner 0 to 1.
void MarkEdges(const std::array<Point, 4>& corners_px, const std::array<char, 4>& edges,
               cv::Mat& canvas);

}  // namespace tilewarden::vision
