#include "vision/tiles/tile_outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "vision/picture/geometry.h"

namespace tilewarden::vision {

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
      edges[0][p] = std::min(cv::norm(dx, cv::NORM_L1), double{kEnough}) / kEnough;
      edges[1][p] = std::min(cv::norm(dy, cv::NORM_L1), double{kEnough}) / kEnough;
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
    float most = -1e9F;
    for (int a = -kReach; a <= kReach; ++a) {
      for (int b = -kReach; b <= kReach; ++b) {
        float sum = 0;
        for (int i = 0; i < kPoints; ++i) {
          const float t = 0.06F + 0.88F * static_cast<float>(i) / (kPoints - 1);
          const auto along = static_cast<int>((t - kFirst) / kStep);
          const auto off = static_cast<int>(
              std::lround(line + (1 - t) * static_cast<float>(a) + t * static_cast<float>(b)));
          sum += level ? edges[1][static_cast<std::size_t>(off * kAcross + along)]
                       : edges[0][static_cast<std::size_t>(along * kAcross + off)];
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
