// What the finder sees of a table, joined to boards: in the picture as it is, or as a camera that
// is turned down towards the table would see it from the same place. From far aside tiles are
// narrow and the further ones small; turned down, they are squares again, and lie in rows.
// Vision-internal (cv:: types).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/board/joined_tiles.h"
#include "vision/tiles/tile_finder.h"

namespace tilewarden::vision {

struct TableView {
  bool from_aside = false;
  std::size_t tiles = 0;  // that show clearly, in boards or alone
  TileCover cover;
  // In the picture's frame, the most evidence first; from aside their tiles have perspective.
  std::vector<JoinedTiles> boards;

  std::size_t LargestBoard() const { return boards.empty() ? 0 : boards.front().tiles.size(); }
};

// Where the tiles of a board lie, px_from_tile each.
using TileOutlines = std::vector<cv::Matx33f>;

// How much of the picture a tile takes, in square pixels.
double AreaOf(const cv::Matx33f& px_from_tile);

// This board shows clearly more of the table than that one: tiles where that one has none. Not by
// counting them: seen as if from aside the halves of a tile are squares, too, and may reach beyond
// it.
bool CoversMore(const TileOutlines& board, const TileOutlines& than);

// Calls `read` with the picture as it is, and again as if from above where the board that it read
// leaves out much of what was found, its tiles do not look square, and a larger board is seen then.
// `read` returns the best board so far, or an error, which ends this. Blocks for the looks.
absl::Status ReadFromBestSide(const cv::Mat& picture, TileFinder& finder,
                              const std::function<absl::StatusOr<TileOutlines>(TableView)>& read);

// `picture`: 8-bit BGR. Blocks as TileFinder::Find.
TableView ViewTable(const cv::Mat& picture, TileFinder& finder);
// For a camera that looks from more than 40 degrees aside, whichever its direction: of some dozen
// looks the one with the most evidence. Blocks for all of them.
TableView ViewTableFromAside(const cv::Mat& picture, TileFinder& finder);

}  // namespace tilewarden::vision
