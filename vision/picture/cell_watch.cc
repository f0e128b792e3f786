#include "vision/picture/cell_watch.h"

#include <algorithm>
#include <cmath>

namespace tilewarden::vision {
namespace {

// A sample changed by more than this many levels is another thing; noise and
// compression of the recorded sequences stay below 12.
constexpr float kDifferent = 18;
// A figure covers at least a twelfth of a tile, and one at its rim that is laid down changes half
// of that; this many samples are less.
constexpr int kFew = 3;
// Edges that come to lie a millimetre further change more than a few samples of a
// tile by this much. One, two tiles say nothing: a hand shifts them.
constexpr float kStirred = 8;
constexpr int kFewStirred = 9;
constexpr int kFewestTiles = 3;
// From this share of the tiles on it is the camera that moved: more leaves a bump that most tiles
// show unseen, less takes two arms for one.
constexpr double kMostTiles = 0.6;

}  // namespace

void CellWatch::LookAt(const PicturePyramid& picture, const cv::Matx33f& px_from_tile, Look& look) {
  constexpr float kStep = 1.F / kSamples;
  Sample(picture, px_from_tile, kStep / 2, kStep, kStep, kSamples, look.data());
}

void CellWatch::Remember(const PicturePyramid& picture, const BoardPlaces& board) {
  cells_.clear();
  for (const auto& [cell, tile] : board.tiles) {
    cells_[cell].px_from_tile = tile.px_from_tile;
    cells_[cell].tile = true;
  }
  for (const auto& [cell, px_from_tile] : board.beside) {
    cells_[cell].px_from_tile = px_from_tile;
  }
  for (auto& [cell, watched] : cells_) LookAt(picture, watched.px_from_tile, watched.look);
}

CellWatch::Change CellWatch::Changed(const PicturePyramid& picture,
                                     const std::set<LatticeCell>& hidden) const {
  Change change;
  int tiles = 0, tiles_stirred = 0;
  Look now;
  for (const auto& [cell, watched] : cells_) {
    if (hidden.contains(cell)) continue;
    LookAt(picture, watched.px_from_tile, now);
    cv::Vec3f drift;
    for (int k = 0; k < 3; ++k) {
      std::array<float, kSamples * kSamples> difference{};
      for (std::size_t i = 0; i < now.size(); ++i) difference[i] = now[i][k] - watched.look[i][k];
      const auto middle = difference.begin() + difference.size() / 2;
      std::nth_element(difference.begin(), middle, difference.end());
      // More than a little is not light but another thing all over the cell.
      drift[k] = std::clamp(*middle, -15.F, 15.F);
    }
    int different = 0, stirred = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const cv::Vec3f d = now[i] - watched.look[i] - drift;
      const float by = (std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2])) / 3;
      different += by > kDifferent ? 1 : 0;
      stirred += by > kStirred ? 1 : 0;
    }
    if (different > kFew) change.cells.insert(cell);
    tiles += watched.tile ? 1 : 0;
    tiles_stirred += watched.tile && stirred > kFewStirred ? 1 : 0;
  }
  change.everywhere = tiles >= kFewestTiles && tiles_stirred > kMostTiles * tiles;
  return change;
}

}  // namespace tilewarden::vision
