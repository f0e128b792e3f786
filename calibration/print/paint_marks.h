// The small marks of the expansions: what only some rules see. Each is drawn
// whole around its place, in its own colours, so that a person and the camera
// can tell it. Units and colours as the brushes. Internal to the calibration
// folder.
#pragma once

#include "calibration/print/paint_brushes.h"
#include "calibration/print/tile_painter.h"

namespace tilewarden::calibration {

void PaintMark(Mark mark, cv::Point2d at, Canvas* canvas);
// A hall with columns on steps; its outline says where.
void PaintTemple(const std::vector<cv::Point2d>& area, Canvas* canvas);

}  // namespace tilewarden::calibration
