// Which figure explains a piece of the board view best: its form, pose, turn and
// place. Vision-internal (cv:: types).
#pragma once

#include <optional>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/figures/figure_board_view.h"
#include "vision/figures/figure_forms.h"
#include "vision/figures/figure_shape.h"
#include "vision/figures/figure_signs.h"
#include "vision/picture/camera_pose.h"

namespace tilewarden::vision {

// Pixels of the board view that the smallest view of a follower covers: 16 x 10 mm from above.
inline constexpr double kSmallestFigure_px =
    16.0 / 45 * BoardView::kSide_px * 10.0 / 45 * BoardView::kSide_px;
// Evidence, as a share of a whole outline, that makes one reading e times as
// likely as another: neighbouring pixels err together.
inline constexpr double kPerNat = 0.05;

// Where a figure is looked for. Masks are CV_8U of the window's size, not 0 on what they tell.
struct FigurePiece {
  cv::Rect window;  // of the view
  cv::Rect box;     // around the piece, in the view
  cv::Mat piece;
  cv::Mat others;  // of the same heap, in another colour
  cv::Mat taken;   // by figures found before
  bool heap = false;
};

struct FigureFit {
  FigureForm form = FigureForm::kFollower;
  std::vector<FigureOutline> outlines;  // of this form, near the best
  OutlineFit fit;
  FigureEvidence evidence;
  cv::Mat under;  // CV_8U of the window's size, 1 on what the figure covers
  // Evidence of an outline of which all is seen, and what of it could be seen at all.
  double whole = 0, visible = 0;

  const FigureOutline& outline() const { return outlines[static_cast<std::size_t>(fit.outline)]; }
  cv::Point2d Foot(const cv::Rect& window) const {
    return {window.x + fit.corner.x + outline().foot_px.x,
            window.y + fit.corner.y + outline().foot_px.y};
  }
  // Takes the best outline in that pose for the fit. Stays as it is where none gained anywhere.
  void Take(bool standing);
};

// Of these forms the one that fits best. Nothing: no outline gains anywhere.
std::optional<FigureFit> FitFigure(const FigureSigns& signs, const BoardView& view,
                                   const CameraPose& pose, const FigurePiece& sought,
                                   const std::vector<FigureForm>& forms);

}  // namespace tilewarden::vision
