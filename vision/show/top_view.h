// The picture of a table straightened to the lattice of its tiles: whole cells
// seen from above, all of the same size. For people to look at, not for reading.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "vision/sighting.h"

namespace cv {
class Mat;
}

namespace tilewarden::vision {

struct TopView {
  std::vector<unsigned char> jpeg;
  LatticeCell corner;  // at its top left
  int columns = 0, rows = 0;
};

struct TopViewOptions {
  // Pixels of a cell; fewer where the board is so large that the picture would
  // be larger than largest_px either way or most_bytes.
  int cell_px = 72;
  int largest_px = 1600;
  std::size_t most_bytes = 512 * 1024;
  int quality = 80;  // of the JPEG, 1 to 100
  // Cells around the outermost tiles, so that figures and what lies beside are seen.
  int around = 1;
};

// `sighting` read from this very picture (8-bit BGR). Nothing when it holds no
// tile, or its tiles do not lie on one plane. Pure; takes some 20 ms for a 1080p frame.
std::optional<TopView> StraightenToLattice(const cv::Mat& picture, const Sighting& sighting,
                                           const TopViewOptions& options = {});

}  // namespace tilewarden::vision
