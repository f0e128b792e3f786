// Which cells of the board changed since they were last read, so that the rest
// need not be read again. Vision-internal.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>

#include "opencv2/core.hpp"
#include "vision/picture/tile_patch.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Where the tiles of a board lie in the picture, and the cells beside them where
// none does.
struct BoardPlaces {
  struct Tile {
    std::string name;  // its likeliest code
    cv::Matx33f px_from_tile;
    // Probabilities: that a known tile lies there, and that it is the one of that name.
    double is_known = 1, is_named = 1;
  };
  std::map<LatticeCell, Tile> tiles;
  std::map<LatticeCell, cv::Matx33f> beside;  // px_from_tile
};

class CellWatch {
 public:
  struct Change {
    std::set<LatticeCell> cells;
    // Most of the tiles look different, if only a little: the camera was moved.
    bool everywhere = false;
  };

  // Takes the look of every cell of the board, tiles and the places beside them.
  void Remember(const PicturePyramid& picture, const BoardPlaces& board);
  // Cells that look different now, a common change of the light left out. Those
  // in `hidden` are not looked at.
  Change Changed(const PicturePyramid& picture, const std::set<LatticeCell>& hidden = {}) const;

 private:
  static constexpr int kSamples = 12;
  using Look = std::array<cv::Vec3f, kSamples * kSamples>;
  struct Watched {
    cv::Matx33f px_from_tile;
    bool tile = false;
    Look look;
  };
  static void LookAt(const PicturePyramid& picture, const cv::Matx33f& px_from_tile, Look& look);

  std::map<LatticeCell, Watched> cells_;
};

}  // namespace tilewarden::vision
