// The third witness, for figures that have their own paint whoever plays: where a print's
// drawing is covered by something smooth of that paint. A brown figure on brown roofs may well
// be a shadow by its colour alone. Vision-internal (cv:: types).
#pragma once

#include <optional>

#include "vision/figures/figure_board_view.h"
#include "vision/figures/figure_difference.h"
#include "vision/figures/figure_signs.h"

namespace tilewarden::vision {

// How much of a print's drawing is to be seen: CV_32F of the view's size, about 1 where it lies
// bare and 0 where something smooth covers it; -1 where nothing much is drawn, or no print lies.
cv::Mat DrawingSeen(const BoardView& view);

class OwnPaintSigns : public FigureSigns {
 public:
  // `view` and `drawing` (of DrawingSeen) outlive this. paint: BGR where white is 1.
  OwnPaintSigns(const BoardView& view, const cv::Mat& drawing, const cv::Vec3f& paint);

  cv::Mat Pieces(const cv::Rect& area) const override;
  Tones PaintOfPiece(const cv::Mat& piece, cv::Point corner) const override;
  FigureEvidence Weigh(const cv::Rect& window, const Tones& tones) const override;
  double StandingLogit(const cv::Mat& under, cv::Point corner, const cv::Mat& top,
                       cv::Point top_corner) const override;
  std::vector<ColourProbability> ColoursOf(const cv::Mat& /*under*/,
                                           cv::Point /*corner*/) const override {
    return {};
  }

 private:
  const BoardView& view_;
  const cv::Mat& drawing_;
  const DifferenceSigns by_difference_;
  cv::Mat apart_;  // CV_32F, how far what is seen is from the paint
};

}  // namespace tilewarden::vision
