// The fit of outlines to the pixels that do not belong to the tiles.
// Vision-internal; values.
#pragma once

#include <vector>

#include "opencv2/core.hpp"
#include "vision/figures/figure_forms.h"

namespace tilewarden::vision {

struct OutlineFit {
  int outline = -1;  // index; -1: no place where any outline gains
  cv::Point corner;  // of the outline's mask on the evidence picture
  double score = 0;  // evidence summed under the outline
  // Best by pose.
  int standing = -1, lying = -1;
  cv::Point standing_corner, lying_corner;
  double standing_score = 0, lying_score = 0;
};

// The outline and place that gather the most evidence. evidence: CV_8S, positive
// where a figure shows, negative where the table or a tile does, 0 where either
// may be. centre: where the middle of the figure is searched, within reach_px.
OutlineFit FitOutline(const cv::Mat& evidence, const std::vector<FigureOutline>& outlines,
                      cv::Point2f centre, int reach_px);

// How uneven the light on a raised face would be: spread of its brightness over
// its median. One flat face shows one brightness; several faces do not. top: of a
// lying outline at `corner` of the picture (CV_8UC3).
double Unevenness(const cv::Mat& picture, const cv::Mat& top, cv::Point corner);

// How far an outline may lie from its best corner, standard deviation on one axis
// in pixels; per_nat: loss of score that makes a place e times less likely.
double Wander(const cv::Mat& evidence, const FigureOutline& outline, cv::Point corner,
              double per_nat);

}  // namespace tilewarden::vision
