// Tells when the whole board lies elsewhere in the picture: the camera was
// bumped, turned or zoomed, or the board was pushed. Tiles lie still, so that
// most of them move at once only then. Vision-internal.
#pragma once

#include <string>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/picture/cell_watch.h"

namespace tilewarden::vision {

class ViewAnchor {
 public:
  // The tiles as they lie now, each known by its name: a tile lies where its like lay. True: most
  // of those known lie elsewhere. From then on they are known as they lie now.
  bool Moved(const BoardPlaces& board);

 private:
  struct Place {
    std::string name;
    cv::Point2f middle_px;
    float side_px = 0;
  };
  std::vector<Place> known_;
};

}  // namespace tilewarden::vision
