// Finds the figures on the board and beside it. Where a named tile's picture is
// known, what differs is a figure, a hand, glare or a shadow, and these are told
// apart by size, shape and paint. Where it is not, the figure network says where
// figures are. Where both can be asked, the network finds on the tiles what hardly
// differs, as green farmers on green, and helps to name the colours.
//
//   tiles laid flat -> light fitted -> difference, network -> pieces
//     -> outline fitted (standing or lying, turn, foot) -> paint
//
// A figure is an object on the whole board: it leans over its neighbours' tiles.
// The foot is where it touches the table.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/figures/figure_board_view.h"
#include "vision/figures/figure_colours.h"
#include "vision/figures/figure_fit.h"
#include "vision/figures/figure_kind_network.h"
#include "vision/figures/figure_network.h"
#include "vision/options.h"
#include "vision/picture/camera_pose.h"
#include "vision/picture/named_tile.h"
#include "vision/picture/table_plane.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Remembers the board that it looked at last, so that a small change costs little.
// Not thread safe.
class FigureFinder {
 public:
  // network: the one witness where no tile has a picture (`expected` of each is empty), else the
  // second; outlives this. Null: figures are what differs from the tiles' pictures. kinds: tells
  // kinds apart, and what is no figure; outlives this. Null: by the outline alone.
  explicit FigureFinder(FigureNetwork* network = nullptr,
                        FigureGround ground = FigureGround::kTilesOnTable,
                        FigureKindNetwork* kinds = nullptr)
      : network_(network), ground_(ground), kinds_(kinds) {}

  // frame: 8-bit BGR. tiles: named tiles, and refused ones (expected empty).
  // hand_mask: empty, or CV_8U of the frame's shape at any size, not 0 where a
  // hand is; what it hides is not reported. Board figures first, then those beside
  // the board (cell absent); most probable first within each.
  std::vector<SightedFigure> Find(const cv::Mat& frame, const std::vector<NamedTile>& tiles,
                                  const TablePlane& plane, const cv::Mat& hand_mask,
                                  const Options& options);
  // The same for another frame of the same camera, where only these cells changed
  // since the last call. Looks everywhere all the same where the change is larger
  // than that: a tile beyond the board's rim, another light, a hand.
  std::vector<SightedFigure> FindAgain(const cv::Mat& frame, const std::vector<NamedTile>& tiles,
                                       const TablePlane& plane, const cv::Mat& hand_mask,
                                       std::set<LatticeCell> changed, const Options& options);

  // What this frame of the same camera shows of the figures that were found last: the feet in the
  // picture of those that are gone, and of those that a hand hides.
  struct Changes {
    std::vector<Point> gone, hidden;
  };
  Changes WhatChanged(const cv::Mat& frame, const cv::Mat& hand_mask) const;

  // What Find saw of the table; FindAgain looks at the same one.
  const std::vector<ClothColour>& cloth() const { return cloth_; }
  // What was looked at last, laid flat.
  const BoardView& view() const { return view_; }
  // CV_8U of the view's size, not 0 where figures were found.
  cv::Mat Explained() const;

 private:
  // A figure, as it was found, and what it explains of the view.
  struct Found {
    SightedFigure figure;  // colours as it looks by itself, if the witness says so
    FigureTone tone;
    cv::Rect window;
    cv::Mat cover;  // CV_8U of the window's size
  };

  // What says where figures are, and which of them it may be.
  struct Search {
    const FigureSigns& signs;
    const cv::Mat& pieces;  // CV_8U of the view's size
    std::vector<FigureForm> forms;
    enum class Witness { kPictures, kNetwork, kNetworkBesidePictures } witness;
    // Only what is of a special kind by its look, by this probability; 0: anything.
    double sure_by_look = 0;
  };

  // Whether tiles have pictures.
  bool ByPictures() const { return !view_.difference.empty(); }
  // Explains what touches `stirred` (CV_8U of the view's size), by all witnesses.
  void ExplainAll(const std::vector<NamedTile>& tiles, const cv::Mat& stirred,
                  const Options& options);
  // What is looked for first, of what the game has.
  std::vector<FigureForm> Forms(const Options& options) const;
  // Explains the pieces that touch `stirred` (CV_8U of the view's size) by figures.
  void ExplainPieces(const Search& search, const std::vector<NamedTile>& tiles,
                     const cv::Mat& stirred, const Options& options);
  // Looks at these parts of the view again for figures that have a paint of their own.
  void ExplainByOwnPaint(const std::vector<NamedTile>& tiles, const cv::Mat& stirred,
                         const Options& options);
  // One after another, the outlines that explain a piece best. own: its pixels within the window;
  // explained: pixels of the view that figures found so far cover; grows.
  void Explain(const Search& search, const std::vector<NamedTile>& tiles, const cv::Mat& own,
               const cv::Rect& box, const cv::Rect& window, const Options& options,
               cv::Mat& explained);
  // What a figure that was found so is by its look; nothing: nobody to tell.
  std::optional<FigureKindAnswer> TellKind(const FigureFit& fit, const FigurePiece& sought) const;
  struct KindOfFit {
    FigureKind kind = FigureKind::kFollower;
    std::vector<KindProbability> kinds;  // SightedFigure::kinds
    std::optional<FigureFit> fit;        // as that kind; nothing: as it was fitted
  };
  // By its look and its size.
  KindOfFit TellKindOf(const Search& search, const FigurePiece& sought, const FigureFit& fit,
                       const std::optional<FigureKindAnswer>& look, const Options& options) const;
  // Of a heap of figures (CV_8U, not 0 on it; its first pixel lies at `corner` of the view),
  // those of the colour that most of its pixels have.
  cv::Mat OfOneColour(const cv::Mat& heap, cv::Point corner,
                      const std::vector<std::string>& allowed) const;
  // The changed cells that have a tile, with what may stand out over their edges: beside pictures
  // the network is asked about no others.
  std::vector<cv::Rect> AroundTiles(const std::vector<NamedTile>& tiles,
                                    const std::set<LatticeCell>& changed) const;
  std::vector<SightedFigure> Conclude(const Options& options) const;

  FigureNetwork* network_;
  FigureGround ground_;
  FigureKindNetwork* kinds_;
  cv::Mat frame_;  // that is looked at now
  BoardView view_;
  FigureNetwork::Answer answer_;
  CameraPose pose_;
  std::vector<NamedTile> tiles_;
  cv::Mat pieces_;  // CV_8U of the view's size
  std::vector<Found> found_;
  std::vector<ClothColour> cloth_;
};

}  // namespace tilewarden::vision
