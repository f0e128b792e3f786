// Reads a board by the pictures of a pack, the naming network as second witness.
// Vision-internal (cv:: types).
#pragma once

#include "vision/board_finder.h"
#include "vision/board_reader.h"
#include "vision/tile_matcher.h"
#include "vision/tile_naming.h"
#include "vision/tile_network.h"

namespace tilewarden::vision {

class BoardByPictures final : public BoardReader {
 public:
  // `matcher` and `network` outlive this.
  BoardByPictures(const TileMatcher& matcher, TileNetwork* network);

  absl::Status Find(const cv::Mat& picture, const PicturePyramid& pyramid,
                    StageClock& clock) override;
  absl::StatusOr<bool> Update(const cv::Mat& picture, const PicturePyramid& pyramid,
                              const CellWatch::Change& change, StageClock& clock) override;
  BoardPlaces Places() const override;
  const Lattice& lattice() const override { return board_.lattice; }
  absl::Status Describe(const cv::Mat& picture, const cv::Mat& hand_mask, const Options& options,
                        StageClock& clock, Sighting* sighting) override;

 private:
  const TileMatcher& matcher_;
  const TileNaming naming_;
  Board board_;
};

}  // namespace tilewarden::vision
