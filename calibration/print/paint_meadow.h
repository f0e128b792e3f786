// What grows on a meadow, and the farms there. Units and colours as the brushes. Internal to the
// calibration folder.
#pragma once

#include "calibration/print/paint_brushes.h"

namespace tilewarden::calibration {

enum class Plant { kFarm, kPloughed, kBush, kTree, kStones, kFlowers, kTuft };

// size: half of how far it reaches, about.
void PaintPlant(Plant plant, cv::Point2d at, double size, Canvas* canvas);

}  // namespace tilewarden::calibration
