// What the pixels of a board laid flat say about figures. Two witnesses: what
// differs from the tiles' pictures (figure_difference), and how figures look,
// whatever lies below them (figure_network). Vision-internal (cv:: types).
#pragma once

#include <vector>

#include "opencv2/core.hpp"
#include "vision/figures/figure_colours.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Evidence of one pixel that surely is, or is not, part of a figure.
inline constexpr int kFullEvidence = 20;

// What the pixels of a window say: positive where a figure shows, negative where
// the print or the table does; and how much each of them could say.
struct FigureEvidence {
  cv::Mat value;   // CV_8S
  cv::Mat weight;  // CV_8U, at least the magnitude of value
};

class FigureSigns {
 public:
  virtual ~FigureSigns() = default;

  // CV_8U of the area's size, not 0 where a figure may be: pixels that hang together.
  virtual cv::Mat Pieces(const cv::Rect& area) const = 0;
  // Paint of a piece: from those of its pixels that are surely of a figure, where there are
  // enough of them. piece: not 0 on it; its first pixel lies at `corner` of the view.
  virtual Tones PaintOfPiece(const cv::Mat& piece, cv::Point corner) const = 0;
  // For a figure of these tones.
  virtual FigureEvidence Weigh(const cv::Rect& window, const Tones& tones) const = 0;
  // What besides its outline speaks for a standing figure, as a logit. under: not 0 on the
  // figure; top: on the raised face of one that lies, or empty. Their first pixels lie
  // at `corner` and `top_corner`.
  virtual double StandingLogit(const cv::Mat& under, cv::Point corner, const cv::Mat& top,
                               cv::Point top_corner) const = 0;
  // How likely each colour is, where the witness knows colours besides the paint; else
  // empty.
  virtual std::vector<ColourProbability> ColoursOf(const cv::Mat& under,
                                                   cv::Point corner) const = 0;
};

}  // namespace tilewarden::vision
