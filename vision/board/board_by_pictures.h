// Reads a board by the pictures of a pack, with the naming network as a second witness.
// Vision-internal (cv:: types).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "vision/board/board.h"
#include "vision/board/board_reader.h"
#include "vision/board/hidden_print.h"
#include "vision/board/tile_naming.h"
#include "vision/board/unaided_board.h"
#include "vision/figures/figure_finder.h"
#include "vision/tiles/tile_matcher.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {

class BoardByPictures final : public BoardReader {
 public:
  // All of them outlive this. `unexpected`: of Options.
  BoardByPictures(const TileMatcher& matcher, TileFinder& finder, TileNetwork& network,
                  FigureNetwork& figure_network, FigureKindNetwork& kinds,
                  std::vector<std::string> unexpected = {});

  absl::Status Find(const cv::Mat& picture, const PicturePyramid& pyramid,
                    StageClock& clock) override;
  absl::StatusOr<bool> Update(const cv::Mat& picture, const PicturePyramid& pyramid,
                              const CellWatch::Change& change, StageClock& clock) override;
  void Carry(const cv::Matx33d& px_now_from_px_before) override;
  const TableView& View() const override { return view_; }
  BoardPlaces Places() const override;
  const Lattice& lattice() const override { return board_.lattice; }
  absl::Status Describe(const cv::Mat& picture, const cv::Mat& hand_mask, const Options& options,
                        StageClock& clock, Sighting* sighting) override;
  absl::StatusOr<std::optional<LooseReading>> ReadLoose(
      const cv::Mat& picture, const PicturePyramid& pyramid,
      const std::array<cv::Point2f, 4>& corners_px) override;

 private:
  // The names before, and the readings that they came from.
  struct Known {
    std::map<LatticeCell, std::vector<TileCandidate>> names;
    std::map<LatticeCell, ReadCell> tiles;
  };
  // Whether many of the tiles that were found are like none of the pack.
  bool IsInDoubt() const;
  // Finds the board once more as if there were no pack, where the network knows most of it, and
  // takes that where it is clearer which tiles lie there: edges inside of tiles, as rivers have
  // them, may have passed for tiles' own.
  absl::Status FindOtherwise(const cv::Mat& picture, const PicturePyramid& pyramid);
  // On and around what changed, and where a name is in doubt, once each: what is wrongly read
  // spoils the lattice of what is laid beside it.
  std::set<LatticeCell> WorthAnotherLook(const std::set<LatticeCell>& changed);
  // After the camera was moved, a tile is renamed only where another one clearly lies there.
  void KeepNames(const Known& known);

  const TileMatcher& matcher_;
  TileFinder& finder_;
  const TileNaming naming_;
  const std::vector<std::string> unexpected_;
  HiddenPrint hidden_;
  Board board_;
  std::map<LatticeCell, std::vector<TileCandidate>> names_;  // of its tiles
  TableView view_;
  UnaidedBoard strange_;  // of unexpected tiles, where none of the pack's lies
  FigureFinder figures_;
  // Cells that changed since the figures were looked for; none: everything.
  std::optional<std::set<LatticeCell>> changed_;
};

}  // namespace tilewarden::vision
