// Figures that lie on the table beside the board: the players' supplies, where the camera sees
// them. Looked for by the figure network where the picture changed outside the board since the look
// before. Vision-internal (cv:: types).
#pragma once

#include <cstddef>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/figures/figure_finder.h"
#include "vision/options.h"
#include "vision/picture/cell_watch.h"
#include "vision/picture/table_plane.h"
#include "vision/picture/tile_patch.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Not thread safe.
class FiguresBeside {
 public:
  // Both outlive this.
  FiguresBeside(FigureNetwork& network, FigureKindNetwork& kinds)
      : finder_(&network, FigureGround::kBesideTiles, &kinds) {}

  // Takes a settled look. `places`: those of the board, with a tile at least; `on_board`: the
  // figures that are found there already; `hand_mask`: as FigureFinder takes it. Blocks: a few ms
  // where nothing changed, a third of a second where all did.
  void Look(const cv::Mat& picture, const PicturePyramid& pyramid, const cv::Mat& hand_mask,
            const BoardPlaces& places, const TablePlane& plane,
            const std::vector<SightedFigure>& on_board, const Options& options);
  // Those that a frame with a hand in view still shows; as likely as not, those that are under the
  // hand. Blocks for some milliseconds.
  std::vector<SightedFigure> StillThere(const cv::Mat& picture, const cv::Mat& hand_mask) const;
  // Looks for everything again.
  void Forget();
  // Without a cell, most probable first.
  const std::vector<SightedFigure>& figures() const { return figures_; }

 private:
  FigureFinder finder_;
  CellWatch watch_;
  bool looked_ = false;
  std::size_t tiles_ = 0;             // in the look before
  std::vector<SightedFigure> found_;  // on the board's rim, too
  std::vector<SightedFigure> figures_;
};

}  // namespace tilewarden::vision
