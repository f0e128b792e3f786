// Finds and names the board in a picture without any pictures of its tiles. The finder network
// says where tiles lie and which of them lie beside one another; the naming network says which of
// them are tiles of the published editions, and from those the board grows outward over its
// lattice. Vision-internal (cv:: types).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/board/table_views.h"
#include "vision/picture/lattice.h"
#include "vision/picture/tile_patch.h"
#include "vision/sighting.h"
#include "vision/tiles/tile_finder.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {

struct UnaidedTile {
  cv::Matx33f px_from_tile;
  TileScores scores;
  bool careful = false;  // asked about in all four turns
  bool weighed = false;  // by descriptors, where a pack has some
};

struct UnaidedBoard {
  std::map<LatticeCell, UnaidedTile> tiles;
  // Cells beside them where none was found, and how many tiles lay around them then.
  std::map<LatticeCell, std::size_t> others;
  Lattice lattice;
  TableView view;  // in which it was found
};

// The largest board in the picture (8-bit BGR), without tiles where there is
// none. `types`: that may lie there; empty: all that the network knows; `others`: that are not said
// to, and may all the same (Looks::others). Errors as
// TileNetwork::Name. Blocks: about half a second for a whole board, two seconds where it is seen
// from far aside.
absl::StatusOr<UnaidedBoard> FindUnaidedBoard(const cv::Mat& picture, const PicturePyramid& pyramid,
                                              TileFinder& finder, TileNetwork& network,
                                              const std::vector<std::string>& types,
                                              const std::vector<std::string>& others = {});

// Looks again at these cells of a board, and on from there. A tile that something was set on
// stays what it was seen to be. `moved`: the tiles may lie elsewhere in the picture. Errors as
// above. Blocks: about 10 ms a cell. The number of tiles that are gone.
absl::StatusOr<std::size_t> UpdateUnaidedBoard(const cv::Mat& picture,
                                               const PicturePyramid& pyramid, TileNetwork& network,
                                               const std::vector<std::string>& types,
                                               const std::set<LatticeCell>& cells, bool moved,
                                               UnaidedBoard& board,
                                               const std::vector<std::string>& others = {});

}  // namespace tilewarden::vision
