// Figures are what differs from what the named tiles should look like, in a paint
// of one colour. Vision-internal.
#pragma once

#include "vision/figures/figure_board_view.h"
#include "vision/figures/figure_signs.h"

namespace tilewarden::vision {

class DifferenceSigns : public FigureSigns {
 public:
  // `view` outlives this.
  explicit DifferenceSigns(const BoardView& view) : view_(view) {}

  cv::Mat Pieces(const cv::Rect& area) const override;
  Tones PaintOfPiece(const cv::Mat& piece, cv::Point corner) const override;
  FigureEvidence Weigh(const cv::Rect& window, const Tones& tones) const override;
  // By the light on the face that would be up if it lay.
  double StandingLogit(const cv::Mat& under, cv::Point corner, const cv::Mat& top,
                       cv::Point top_corner) const override;
  std::vector<ColourProbability> ColoursOf(const cv::Mat& /*under*/,
                                           cv::Point /*corner*/) const override {
    return {};
  }

  // Share of a figure's outline where something else is seen than the print below it. 1 where at
  // most half of the outline lies on print. under: not 0 on the figure; its first pixel lies at
  // `corner` of the view.
  double ForeignShare(const cv::Mat& under, cv::Point corner) const;

 private:
  // What one pixel says, from -1 to 1, and how much it could say, from 0 to 1.
  struct Evidence {
    float value, weight;
  };
  // contrast: how far the figure's lit paint would be from what is expected there.
  Evidence WeighPixel(cv::Point place, float contrast, float away_from_figure) const;

  const BoardView& view_;
};

}  // namespace tilewarden::vision
