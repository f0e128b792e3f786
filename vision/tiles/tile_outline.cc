#include "vision/tiles/tile_outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "vision/picture/for_processors.h"
#include "vision/picture/geometry.h"

namespace tilewarden::vision {

TILEWARDEN_FOR_PROCESSORS
cv::Matx33f OutlineNear(const PicturePyramid& picture, const cv::Matx33f& px_from_tile) {
  // Samples over the tile and a quarter around it.
  constexpr int kAcross = 96;
  constexpr float kFirst = -0.25F, kStep = 1.5F / kAcross;
  std::array<cv::Vec3f, kAcross * kAcross> seen;
  Sample(picture, px_from_tile, kFirst + kStep / 2, kStep, kStep, kAcross, seen.data());
  const auto at = [&](int x, int y) { return seen[static_cast<std::size_t>(y * kAcross + x)]; };
  // How much the colours change in x or in y, up to what a seam needs.
  constexpr float kEnough = 60;
  std::array<std::array<float, kAcross * kAcross>, 2> edges{};
  for (int y = 1; y + 1 < kAcross; ++y) {
    for (int x = 1; x + 1 < kAcross; ++x) {
      const cv::Vec3f dx = at(x + 1, y) - at(x - 1, y), dy = at(x, y + 1) - at(x, y - 1);
      const auto p = static_cast<std::size_t>(y * kAcross + x);
      const auto change = [&](const cv::Vec3f& d) {
        return std::min(std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]), kEnough) / kEnough;
      };
      edges[0][p] = change(dx);
      edges[1][p] = change(dy);
    }
  }
  // Of one side, how far its two ends are moved outward; in samples.
  constexpr int kReach = 8;
  constexpr float kSpread = 5, kTurn = 2.5;  // what is usual, as standard deviations
  constexpr int kPoints = 24;
  std::array<std::array<float, 2>, 4> moved{};  // by side: north, east, south, west
  for (std::size_t side = 0; side < 4; ++side) {
    const bool level = side % 2 == 0, far = side == 1 || side == 2;
    const float line = ((far ? 1.F : 0.F) - kFirst) / kStep - 0.5F;
    // What lies on a line across the side, as far as its points, and where that begins.
    std::array<std::size_t, kPoints> begins{};
    std::array<float, kPoints> share{};
    for (std::size_t i = 0; i < kPoints; ++i) {
      share[i] = 0.06F + 0.88F * static_cast<float>(i) / (kPoints - 1);
      const auto along = static_cast<std::size_t>((share[i] - kFirst) / kStep);
      begins[i] = level ? along : along * kAcross;
    }
    const std::size_t across = level ? kAcross : 1;
    const std::array<float, kAcross* kAcross>& edge = edges[level ? 1 : 0];
    float most = -1e9F;
    for (int a = -kReach; a <= kReach; ++a) {
      for (int b = -kReach; b <= kReach; ++b) {
        float sum = 0;
        const auto from = static_cast<float>(a), change = static_cast<float>(b - a);
        for (std::size_t i = 0; i < kPoints; ++i) {
          // Rounded: it is never negative.
          const auto off = static_cast<int>(line + from + share[i] * change + 0.5F);
          sum += edge[begins[i] + static_cast<std::size_t>(off) * across];
        }
        const float mean = 0.5F * static_cast<float>(a + b), turn = static_cast<float>(a - b);
        const float worth = sum / kPoints - 0.1F * (mean * mean) / (kSpread * kSpread) -
                            0.1F * (turn * turn) / (kTurn * kTurn);
        if (worth > most) {
          most = worth;
          moved[side] = {kStep * static_cast<float>(a), kStep * static_cast<float>(b)};
        }
      }
    }
  }
  // North-west, north-east, south-east, south-west in the tile's own frame.
  const std::array<cv::Point2f, 4> corners = {cv::Point2f{moved[3][0], moved[0][0]},
                                              {1 + moved[1][0], moved[0][1]},
                                              {1 + moved[1][1], 1 + moved[2][1]},
                                              {moved[3][1], 1 + moved[2][0]}};
  std::array<cv::Point2f, 4> corners_px;
  for (std::size_t i = 0; i < 4; ++i) {
    corners_px[i] = Through(px_from_tile, corners[i]);
  }
  return PxFromTile(corners_px);
}

cv::Matx33f ParallelogramNear(const PicturePyramid& picture, const cv::Matx33f& px_from_tile) {
  const cv::Matx33f tile_from_px = px_from_tile.inv();
  std::array<cv::Point2f, 4> c = CornersOf(OutlineNear(picture, px_from_tile));
  for (cv::Point2f& corner : c) corner = Through(tile_from_px, corner);
  const cv::Point2f u = 0.5F * (c[1] + c[2] - c[0] - c[3]), v = 0.5F * (c[2] + c[3] - c[0] - c[1]);
  const cv::Point2f first = 0.25F * (c[0] + c[1] + c[2] + c[3]) - 0.5F * (u + v);
  return px_from_tile * cv::Matx33f(u.x, v.x, first.x, u.y, v.y, first.y, 0, 0, 1);
}

}  // namespace tilewarden::vision
