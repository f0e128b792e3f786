// Which cells of the board changed since they were last read, so that the rest
// need not be read again. Vision-internal.
#pragma once

#include <array>
#include <map>
#include <set>

#include "opencv2/core.hpp"
#include "vision/board_finder.h"
#include "vision/sighting.h"
#include "vision/tile_patch.h"

namespace tilewarden::vision {

class CellWatch {
 public:
  // Takes the look of every cell of the board, tiles and the places beside them.
  void Remember(const PicturePyramid& picture, const Board& board);
  // Cells that look different now, a common change of the light left out.
  std::set<LatticeCell> Changed(const PicturePyramid& picture) const;

 private:
  static constexpr int kSamples = 12;
  using Look = std::array<cv::Vec3f, kSamples * kSamples>;
  struct Watched {
    cv::Matx33f px_from_tile;
    Look look;
  };
  static void LookAt(const PicturePyramid& picture, const cv::Matx33f& px_from_tile, Look& look);

  std::map<LatticeCell, Watched> cells_;
};

}  // namespace tilewarden::vision
