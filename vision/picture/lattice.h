// Where the cells of a board's lattice lie in the picture, told from the tiles
// that were found: each cell mostly by its neighbours, because hand-laid tiles
// drift and lenses bend. Vision-internal (cv:: types).
#pragma once

#include <map>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/picture/table_plane.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

class Lattice {
 public:
  // Forgets what it was told and takes these tiles: px_from_tile by cell.
  // At least one.
  void Fit(const std::map<LatticeCell, cv::Matx33f>& tiles);

  // px_from_tile of a tile laid exactly in this cell, as the other tiles say;
  // as the tile in it says where it is alone.
  cv::Matx33f Predict(LatticeCell cell) const;
  TablePlane Plane() const;
  // Side of a tile in pitches, below 1 where there are gaps or frames.
  double tile_in_pitches() const { return tile_in_pitches_; }

 private:
  struct Corner {
    cv::Point2d lattice, px;
    LatticeCell cell;
  };
  // Homography px_from_lattice shifted to `at`, each corner weighted by its
  // distance from there (reach in tiles; none: all alike), those of the tile
  // in `without` left out.
  cv::Matx33d FitAround(cv::Point2d at, double reach, const LatticeCell* without) const;

  std::vector<Corner> corners_;
  double tile_px_ = 0;
  double tile_in_pitches_ = 1;
};

}  // namespace tilewarden::vision
