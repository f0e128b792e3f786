// Lays a reference picture over a place in the picture: where exactly, in what
// light, and how well it fits with what covers it left out. Vision-internal.
#pragma once

#include <vector>

#include "opencv2/core.hpp"
#include "vision/picture/tile_patch.h"
#include "vision/tiles/tile_matcher.h"

namespace tilewarden::vision {

// In whatever light (each channel for itself; the cost is then the share of the
// reference's contrast that is left unexplained), or near that of the start
// (exposure and veil of glare).
enum class LightFit { kAny, kNear };
// The last look with all samples, or with a quarter of them and for the cost alone.
enum class Finish { kFull, kQuick };

// From `start` (place, light) by at most so many steps.
TileMatcher::Match AlignTile(const PicturePyramid& picture, const TileMatcher::Reference& reference,
                             const TileMatcher::Match& start, LightFit fit, int steps,
                             Finish finish = Finish::kFull);

// A colour of an aligned tile and what it should be.
struct ColourPair {
  cv::Vec3f seen, reference;
  float exposure = 1, veil = 0;  // of the tile, there
  float weight = 0;              // 0 to 1: how much they are of the same thing
};
void CollectColours(const PicturePyramid& picture, const TileMatcher::Reference& reference,
                    const TileMatcher::Match& match, std::vector<ColourPair>& pairs);

}  // namespace tilewarden::vision
