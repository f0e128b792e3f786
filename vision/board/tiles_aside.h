// Tiles that lie on the table away from the board: set aside because they fit nowhere, or
// though they fit. Looked for where the picture changed outside the board since the look
// before, by squares of the size of the board's tiles. Vision-internal (cv:: types).
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "opencv2/core.hpp"
#include "vision/board/board_reader.h"
#include "vision/picture/tile_patch.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Not thread safe.
class TilesAside {
 public:
  // Takes a settled look. `places`: those of `board`, with a tile at least; `hand_mask`: as
  // FigureFinder takes it, what is below it is known as it was. Errors as BoardReader::ReadLoose.
  // Blocks: 2 ms where nothing changed, a tenth of a second where all did.
  absl::Status Look(const cv::Mat& picture, const PicturePyramid& pyramid, const cv::Mat& hand_mask,
                    const BoardPlaces& places, BoardReader& board);
  // Looks for everything again.
  void Forget();
  // The same, first of all where the tiles have come to lie now that the camera was moved.
  void Carry(const cv::Matx33d& px_now_from_px_before);
  // In their places on the board's lattice, far from its cells; where two lie over the same
  // cell one of them.
  const std::vector<SightedTile>& tiles() const { return tiles_; }

 private:
  // Where to look, in the picture.
  std::vector<cv::Rect> Changed(const cv::Mat& picture, const cv::Mat& hand_mask,
                                const BoardPlaces& places, double tile_px);

  cv::Mat seen_;  // the look before, small
  std::vector<SightedTile> tiles_;
};

}  // namespace tilewarden::vision
