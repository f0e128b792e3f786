#include "vision/picture/lattice.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "vision/picture/median.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {
namespace {

// Beyond this many tiles a tile says little about where a cell lies.
constexpr double kReach = 2.5;
// How well a corner is known, and how strong perspective is over one tile (40
// degrees at 1 m: 0.03), as standard deviations in tiles.
constexpr double kCornerSigma = 0.015;
constexpr double kPerspectiveSigma = 0.03;

}  // namespace

void Lattice::Fit(const std::map<LatticeCell, cv::Matx33f>& tiles) {
  corners_.clear();
  std::vector<double> sides;
  for (const auto& [cell, px_from_tile] : tiles) {
    const std::array<cv::Point2f, 4> c = CornersOf(px_from_tile);
    const std::array<cv::Point2d, 4> kSquare = {cv::Point2d{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    double side = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      corners_.push_back({cv::Point2d(cell.x, cell.y) + kSquare[i], cv::Point2d(c[i]), cell});
      side += cv::norm(c[(i + 1) % 4] - c[i]) / 4;
    }
    sides.push_back(side);
  }
  tile_px_ = Median(sides);
  tile_in_pitches_ = 1;
  if (tiles.size() < 4) return;
  std::vector<double> ratios;
  for (const auto& [cell, px_from_tile] : tiles) {
    const std::array<cv::Point2f, 4> laid = CornersOf(px_from_tile);
    const std::array<cv::Point2f, 4> pitch = CornersOf(Predict(cell));
    ratios.push_back(std::sqrt(cv::norm(laid[2] - laid[0]) * cv::norm(laid[3] - laid[1]) /
                               (cv::norm(pitch[2] - pitch[0]) * cv::norm(pitch[3] - pitch[1]))));
  }
  constexpr double kWidestFrame = 0.85;  // wider gaps are a misfit
  tile_in_pitches_ = std::clamp(Median(ratios), kWidestFrame, 1.0);
}

cv::Matx33d Lattice::FitAround(cv::Point2d at, double reach, const LatticeCell* without) const {
  // In tiles around `at` on both sides, so that the priors have their units.
  const auto nearest =
      std::min_element(corners_.begin(), corners_.end(), [&](const Corner& a, const Corner& b) {
        return cv::norm(a.lattice - at) < cv::norm(b.lattice - at);
      });
  const cv::Point2d middle = nearest->px;
  // Each corner gives two equations, (u.x, u.y, 1, 0, 0, 0, -v.x u.x, -v.x u.y) h = v.x and
  // (0, 0, 0, u.x, u.y, 1, -v.y u.x, -v.y u.y) h = v.y. Of their products most are alike or 0, so
  // only these are summed: of u and 1 (by 0, 1 and 2) with each other, times 1, v.x, v.y and v.v.
  enum : std::size_t { kXX, kXY, kYY, kX1, kY1, k11, kProducts };
  std::array<double, kProducts> uu{}, uu_x{}, uu_y{}, uu_vv{};
  for (const Corner& corner : corners_) {
    if (without != nullptr && corner.cell == *without) continue;
    const cv::Point2d u = corner.lattice - at;
    const cv::Point2d v = (corner.px - middle) * (1 / tile_px_);
    const double distance2 = u.dot(u);
    const double w = reach > 0 ? std::exp(-distance2 / (2 * reach * reach)) + 0.01 : 1;
    const std::array<double, kProducts> products = {w * u.x * u.x, w * u.x * u.y, w * u.y * u.y,
                                                    w * u.x,       w * u.y,       w};
    for (std::size_t i = 0; i < kProducts; ++i) {
      uu[i] += products[i];
      uu_x[i] += products[i] * v.x;
      uu_y[i] += products[i] * v.y;
      uu_vv[i] += products[i] * v.dot(v);
    }
  }
  cv::Matx<double, 8, 8> normal = cv::Matx<double, 8, 8>::zeros();
  cv::Vec<double, 8> right;
  for (const int block : {0, 3}) {
    const auto& along = block == 0 ? uu_x : uu_y;
    const cv::Matx33d square(uu[kXX], uu[kXY], uu[kX1], uu[kXY], uu[kYY], uu[kY1], uu[kX1], uu[kY1],
                             uu[k11]);
    const cv::Matx<double, 3, 2> beside(-along[kXX], -along[kXY], -along[kXY], -along[kYY],
                                        -along[kX1], -along[kY1]);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) normal(block + i, block + j) = square(i, j);
      for (int j = 0; j < 2; ++j) {
        normal(block + i, 6 + j) = normal(6 + j, block + i) = beside(i, j);
      }
    }
    right[block] = along[kX1];
    right[block + 1] = along[kY1];
    right[block + 2] = along[k11];
  }
  const double prior = kCornerSigma * kCornerSigma / (kPerspectiveSigma * kPerspectiveSigma);
  normal(6, 6) = uu_vv[kXX] + prior;
  normal(6, 7) = normal(7, 6) = uu_vv[kXY];
  normal(7, 7) = uu_vv[kYY] + prior;
  right[6] = -uu_vv[kX1];
  right[7] = -uu_vv[kY1];
  const cv::Vec<double, 8> h = normal.solve(right, cv::DECOMP_CHOLESKY);
  const cv::Matx33d v_from_u(h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], 1);
  const cv::Matx33d px_from_v(tile_px_, 0, middle.x, 0, tile_px_, middle.y, 0, 0, 1);
  return px_from_v * v_from_u;
}

cv::Matx33f Lattice::Predict(LatticeCell cell) const {
  const cv::Matx33d px_from_local =
      FitAround({cell.x + 0.5, cell.y + 0.5}, kReach, corners_.size() > 4 ? &cell : nullptr);
  const double s = tile_in_pitches_;
  const cv::Matx33d local_from_tile(s, 0, -s / 2, 0, s, -s / 2, 0, 0, 1);
  cv::Matx33d px_from_tile = px_from_local * local_from_tile;
  px_from_tile *= 1 / px_from_tile(2, 2);
  return cv::Matx33f(px_from_tile);
}

TablePlane Lattice::Plane() const {
  cv::Point2d at(0, 0);
  for (const Corner& corner : corners_)
    at += corner.lattice * (1.0 / static_cast<double>(corners_.size()));
  const cv::Matx33d local_from_lattice(1, 0, -at.x, 0, 1, -at.y, 0, 0, 1);
  cv::Matx33d h = FitAround(at, 0, nullptr) * local_from_lattice;
  h *= 1 / h(2, 2);
  return {h, tile_px_};
}

}  // namespace tilewarden::vision
