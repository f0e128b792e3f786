// The outlines of figures, and of things that are not figures, as the camera sees them,
// drawn on the board view.
//
// A follower is 16 mm wide and high and 10 mm thick; a tile is 45 mm. A figure stands
// on its legs, or lies on its flat side. Because the camera is not straight
// above, what stands leans away from it. Vision-internal; values.
#pragma once

#include <vector>

#include "opencv2/core.hpp"
#include "vision/figures/figure_kinds.h"
#include "vision/picture/camera_pose.h"

namespace tilewarden::vision {

struct FigureTurn {
  bool standing = true;
  double yaw_rad = 0;
};

// Turns far enough apart to find every figure of a form by, and those around one of them.
std::vector<FigureTurn> EveryTurn(FigureForm form);
std::vector<FigureTurn> TurnsNear(const FigureTurn& turn);

// One outline: pose and turn of the figure, and the pixels it covers.
struct FigureOutline {
  FigureTurn turn;
  cv::Mat mask;         // CV_8U, 0 or 1
  cv::Mat top;          // CV_8U, 1 well within the raised face of what lies; empty if it stands
  cv::Point2f foot_px;  // where the foot is in the mask
  int area = 0;
};

// Outlines of a figure whose foot is near a point of the table. side_px: pixels
// of the board view per tile. The board view's axes are the lattice's.
std::vector<FigureOutline> Outlines(FigureForm form, const CameraPose& pose, cv::Point2d foot,
                                    int side_px, const std::vector<FigureTurn>& turns);

}  // namespace tilewarden::vision
