// Tiles that were found one by one, joined to boards: all that lie beside one another share a
// lattice, also across a tile that was missed. Vision-internal (cv:: types).
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/picture/lattice.h"
#include "vision/sighting.h"
#include "vision/tiles/tile_finder.h"

namespace tilewarden::vision {

struct JoinedTiles {
  // With their first corner north-west in the lattice; cells count from any of them.
  std::map<LatticeCell, FoundTile> tiles;
  double evidence = 0;  // of all together
};

// Every tile belongs to one of them, lone tiles each to its own. The most evidence first.
std::vector<JoinedTiles> JoinTiles(const std::vector<FoundTile>& found);

// Where a tile lies on the lattice of these, if it does, and itself with its first corner
// north-west there: a free cell three cells away from one of them at most. Of fewer than three
// tiles none, for they say too little of where their lattice goes on.
std::optional<std::pair<LatticeCell, cv::Matx33f>> CellOnLattice(
    const std::map<LatticeCell, cv::Matx33f>& laid, const Lattice& lattice,
    const cv::Matx33f& px_from_tile);

}  // namespace tilewarden::vision
