// How the bare table beside the board looks, place by place: mean and spread of
// its colour, so that what lies on it stands out. Vision-internal.
#pragma once

#include <array>

#include "opencv2/core.hpp"
#include "vision/picture/colour_distance.h"

namespace tilewarden::vision {

class BareTable {
 public:
  // picture: CV_8UC3. bare: CV_8U of its size, not 0 where neither a tile nor a
  // hand is. around_px: width of what counts as around a place.
  static BareTable Learn(const cv::Mat& picture, cv::Mat bare, int around_px);

  // Of `count` places of a row of the picture from (x, y) on: three planes of the
  // means, and three of the spreads (standard deviations).
  void Around(int x, int y, int count, const std::array<float*, 6>& out) const;

 private:
  ColourPlanes mean_, spread_;  // at a quarter of the picture's size
};

}  // namespace tilewarden::vision
