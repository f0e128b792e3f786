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
  constexpr double kWidestFrame = 0.85;  // gaps of a seventh of a tile
  tile_in_pitches_ = std::clamp(Median(ratios), kWidestFrame, 1.0);
}

cv::Matx33d Lattice::FitAround(cv::Point2d at, double reach, const LatticeCell* without) const {
  // In tiles around `at` on both sides, so that the priors have their units.
  const auto nearest =
      std::min_element(corners_.begin(), corners_.end(), [&](const Corner& a, const Corner& b) {
        return cv::norm(a.lattice - at) < cv::norm(b.lattice - at);
      });
  const cv::Point2d middle = nearest->px;
  cv::Matx<double, 8, 8> normal = cv::Matx<double, 8, 8>::zeros();
  cv::Vec<double, 8> right;
  const double prior = kCornerSigma * kCornerSigma / (kPerspectiveSigma * kPerspectiveSigma);
  normal(6, 6) = normal(7, 7) = prior;
  for (const Corner& corner : corners_) {
    if (without != nullptr && corner.cell == *without) continue;
    const cv::Point2d u = corner.lattice - at;
    const cv::Point2d v = (corner.px - middle) * (1 / tile_px_);
    const double distance2 = u.dot(u);
    const double w = reach > 0 ? std::exp(-distance2 / (2 * reach * reach)) + 0.01 : 1;
    const std::array<cv::Vec<double, 8>, 2> rows = {
        cv::Vec<double, 8>(u.x, u.y, 1, 0, 0, 0, -v.x * u.x, -v.x * u.y),
        cv::Vec<double, 8>(0, 0, 0, u.x, u.y, 1, -v.y * u.x, -v.y * u.y)};
    for (int r = 0; r < 2; ++r) {
      const cv::Vec<double, 8>& row = rows[static_cast<std::size_t>(r)];
      normal += w * row * row.t();
      right += row * (w * (r == 0 ? v.x : v.y));
    }
  }
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
