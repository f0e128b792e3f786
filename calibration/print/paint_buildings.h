// What people built on a tile: city walls, roofs, monasteries and gardens. Units and colours as the
// brushes. Internal to the calibration folder.
#pragma once

#include <vector>

#include "calibration/print/paint_brushes.h"

namespace tilewarden::calibration {

// Stretches of a closed outline that do not run along the tile's border.
struct Walls {
  std::vector<cv::Point2d> outline;            // clockwise, with the walls waved
  std::vector<std::vector<cv::Point2d>> runs;  // the waved walls
  bool closed = false;                         // one run that goes all around
};

// The outline may run either way round.
Walls WavedWalls(std::vector<cv::Point2d> area, Canvas* canvas);

inline constexpr double kWallWidth = 0.04;
inline constexpr Paint kTowerRoof = {150, 84, 58};

// Bricks, merlons on the outer side and, unless closed, towers.
void PaintWall(const std::vector<cv::Point2d>& run, bool closed, Canvas* canvas);
// One of the warm colours of the roofs.
Paint RoofPaint(Canvas* canvas);
void PaintMonastery(const std::vector<cv::Point2d>& area, Canvas* canvas);
// Moved so that it lies whole on the tile; returns the mask of its place.
cv::Mat PaintGarden(const std::vector<cv::Point2d>& area, Canvas* canvas);

}  // namespace tilewarden::calibration
