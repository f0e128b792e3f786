// Finds and names the board in a picture without any pictures of its tiles: the
// naming network alone says where tiles of the published editions lie. Squares
// by their outlines, those that the network takes for tiles, and from the best of
// them outward over the lattice. Vision-internal (cv:: types).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/lattice.h"
#include "vision/sighting.h"
#include "vision/tile_network.h"

namespace tilewarden::vision {

struct UnaidedTile {
  cv::Matx33f px_from_tile;
  TileScores scores;
};

struct UnaidedBoard {
  std::map<LatticeCell, UnaidedTile> tiles;
  Lattice lattice;
};

// The largest board in the picture (8-bit BGR), without tiles where there is
// none. `types`: that may lie there; empty: all that the network knows. Errors as
// TileNetwork::Name. Blocks: one to three seconds for a whole board.
absl::StatusOr<UnaidedBoard> FindUnaidedBoard(const cv::Mat& picture, TileNetwork& network,
                                              const std::vector<std::string>& types);

}  // namespace tilewarden::vision
