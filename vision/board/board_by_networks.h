// Reads a board of a published edition by the networks alone, with no pictures of
// its tiles. Vision-internal (cv:: types).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "calibration/box/reference_pack.h"
#include "vision/board/board_reader.h"
#include "vision/board/unaided_board.h"
#include "vision/figures/figure_finder.h"
#include "vision/figures/figure_network.h"
#include "vision/tiles/tile_finder.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {

class BoardByNetworks final : public BoardReader {
 public:
  // `types`: that may lie there; empty: those of the pack's descriptors, else all that the
  // network knows. `unexpected`: of Options. The others outlive this.
  BoardByNetworks(const calibration::ReferencePack& pack, std::vector<std::string> types,
                  TileFinder& finder, TileNetwork& network, FigureNetwork& figure_network,
                  FigureKindNetwork& kinds, std::vector<std::string> unexpected = {});

  absl::Status Find(const cv::Mat& picture, const PicturePyramid& pyramid,
                    StageClock& clock) override;
  absl::StatusOr<bool> Update(const cv::Mat& picture, const PicturePyramid& pyramid,
                              const CellWatch::Change& change, StageClock& clock) override;
  void Carry(const cv::Matx33d& px_now_from_px_before) override;
  const TableView& View() const override { return board_.view; }
  BoardPlaces Places() const override;
  const Lattice& lattice() const override { return board_.lattice; }
  absl::Status Describe(const cv::Mat& picture, const cv::Mat& hand_mask, const Options& options,
                        StageClock& clock, Sighting* sighting) override;
  absl::StatusOr<std::optional<LooseReading>> ReadLoose(
      const cv::Mat& picture, const PicturePyramid& pyramid,
      const std::array<cv::Point2f, 4>& corners_px) override;

 private:
  // Tiles that were not weighed by the pack's descriptors yet.
  absl::Status Weigh(const cv::Mat& picture);

  const calibration::ReferencePack& pack_;
  TileFinder& finder_;
  TileNetwork& network_;
  const std::vector<std::string> types_, unexpected_;
  UnaidedBoard board_;
  FigureFinder figures_;
  // Cells that changed since the figures were looked for; none: everything.
  std::optional<std::set<LatticeCell>> changed_;
};

}  // namespace tilewarden::vision
