// A small board that is painted, with figures on it, as a tilted camera would see it.
#pragma once

#include <vector>

#include "opencv2/core.hpp"
#include "vision/picture/named_tile.h"
#include "vision/picture/table_plane.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

struct Scene {
  cv::Mat frame;
  std::vector<NamedTile> tiles;
  TablePlane plane;
};

// Three by two tiles on a grey table, the camera tilted by some 25 degrees.
Scene MakeScene(double brightness = 1);

// Paints a figure on the scene where the camera would see it, lit from above.
void Place(Scene& scene, cv::Point2d foot, bool standing, const cv::Scalar& colour);

// The same again, with pixels of its own.
Scene Copy(const Scene& scene);

// The tile is one whose print shows what is seen there now.
void PrintWhatIsSeen(Scene& scene, LatticeCell cell);

// The tile goes, and shows the table where it lay.
void TakeAway(Scene& scene, LatticeCell cell);

}  // namespace tilewarden::vision
