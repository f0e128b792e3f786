// What is told of a figure once its outline is fitted. Vision-internal (cv:: types).
#pragma once

#include <string>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/figures/figure_board_view.h"
#include "vision/figures/figure_fit.h"
#include "vision/figures/figure_signs.h"
#include "vision/picture/named_tile.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// The logit of standing by the outlines and by what the signs see.
double StandingLogit(const FigureSigns& signs, const FigureFit& found, cv::Point corner);

// Where it stands, on which tile, how surely, and whether it stands at all; colours as the signs
// see it by itself. Its kind and probability are left to the caller. window: of the view, that it
// was fitted in. standing_logit: by all that is known of it.
SightedFigure Report(const BoardView& view, const std::vector<NamedTile>& tiles,
                     const FigureSigns& signs, const FigureFit& fit, const cv::Rect& window,
                     double standing_logit);

// Writes figures.png into a folder: the board with its pieces (CV_8U of the view's size) and
// figures, beside what was expected and what differs. Blocks on the disk.
void WriteFigures(const BoardView& view, const cv::Mat& pieces,
                  const std::vector<SightedFigure>& figures, const std::string& folder);

}  // namespace tilewarden::vision
