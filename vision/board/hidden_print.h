// What figures hide of the print. Two types may differ by their coat of arms alone: where a
// follower stands on the place, nothing that is seen tells them apart, whatever the costs of
// matching say. Vision-internal (cv:: types).
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/sighting.h"
#include "vision/tiles/tile_matcher.h"

namespace tilewarden::vision {

// Not thread safe.
class HiddenPrint {
 public:
  // `matcher` outlives this.
  explicit HiddenPrint(const TileMatcher& matcher) : matcher_(matcher) {}

  // Makes the names likelier that only what is hidden tells from the first one; puts the most
  // likely first. `reference`: what the tile matched best; `covered`: CV_8U, the cell as it
  // lies in the lattice, not 0 where figures hide it. Blocks: some milliseconds for a reference
  // that was not asked about before.
  void Weigh(int reference, const cv::Mat& covered, std::vector<TileCandidate>& names);

 private:
  // Another type in this turn, and where alone it differs: CV_8U, small.
  struct Twin {
    std::string tile;
    int rotation = 0;
    cv::Mat telling;
  };
  const std::vector<Twin>& TwinsOf(int reference);

  const TileMatcher& matcher_;
  std::vector<cv::Mat> small_;  // the pictures of all references, once one was asked about
  std::map<int, std::vector<Twin>> twins_;  // by reference
};

}  // namespace tilewarden::vision
