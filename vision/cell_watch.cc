#include "vision/cell_watch.h"

#include <algorithm>
#include <cmath>

namespace tilewarden::vision {
namespace {

// A sample changed by more than this many levels is another thing; noise and
// compression of the recorded sequences stay below 12.
constexpr float kDifferent = 18;
// A figure covers at least a twelfth of a tile; this many samples are less.
constexpr int kFew = 5;

}  // namespace

void CellWatch::LookAt(const PicturePyramid& picture, const cv::Matx33f& px_from_tile, Look& look) {
  constexpr float kStep = 1.F / kSamples;
  Sample(picture, px_from_tile, kStep / 2, kStep, kStep, kSamples, look.data());
}

void CellWatch::Remember(const PicturePyramid& picture, const Board& board) {
  cells_.clear();
  for (const auto& [cell, read] : board.tiles) {
    cells_[cell].px_from_tile = read.candidates.front().px_from_tile;
  }
  for (const auto& [cell, read] : board.others) {
    cells_[cell].px_from_tile = board.lattice.Predict(cell);
  }
  for (auto& [cell, watched] : cells_) LookAt(picture, watched.px_from_tile, watched.look);
}

std::set<LatticeCell> CellWatch::Changed(const PicturePyramid& picture) const {
  std::set<LatticeCell> changed;
  Look now;
  for (const auto& [cell, watched] : cells_) {
    LookAt(picture, watched.px_from_tile, now);
    cv::Vec3f drift;
    for (int k = 0; k < 3; ++k) {
      std::array<float, kSamples * kSamples> difference{};
      for (std::size_t i = 0; i < now.size(); ++i) difference[i] = now[i][k] - watched.look[i][k];
      const auto middle = difference.begin() + difference.size() / 2;
      std::nth_element(difference.begin(), middle, difference.end());
      // More than a little is no light but another thing all over the cell.
      drift[k] = std::clamp(*middle, -15.F, 15.F);
    }
    int different = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const cv::Vec3f d = now[i] - watched.look[i] - drift;
      different += (std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2])) / 3 > kDifferent ? 1 : 0;
    }
    if (different > kFew) changed.insert(cell);
  }
  return changed;
}

}  // namespace tilewarden::vision
