// The outline of a wooden figure as the camera sees it, drawn on the board
// view, and its fit to the pixels that do not belong to the tiles.
//
// A follower is 16 mm wide and high and 10 mm thick; a tile is 45 mm. It stands
// on its legs, or lies on its flat side. Because the camera is not straight
// above, a standing one leans away from it. Vision-internal; values.
#pragma once

#include <vector>

#include "opencv2/core.hpp"
#include "vision/camera_pose.h"

namespace tilewarden::vision {

struct FigureTurn {
  bool standing = true;
  double yaw_rad = 0;
};

// Turns far enough apart to find every figure by, and those around one of them.
std::vector<FigureTurn> EveryTurn();
std::vector<FigureTurn> TurnsNear(const FigureTurn& turn);

// One outline: pose and turn of the figure, and the pixels it covers.
struct FigureOutline {
  FigureTurn turn;
  cv::Mat mask;         // CV_8U, 0 or 1
  cv::Mat top;          // CV_8U, 1 well within the raised face of what lies; empty if it stands
  cv::Point2f foot_px;  // where the foot is in the mask
  int area = 0;
};

// Outlines of a follower whose foot is near a point of the table. side_px: pixels
// of the board view per tile. The board view's axes are the lattice's.
std::vector<FigureOutline> FollowerOutlines(const CameraPose& pose, cv::Point2d foot, int side_px,
                                            const std::vector<FigureTurn>& turns);

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
