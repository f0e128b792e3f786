#include "vision/figures/figure_report.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "vision/figures/figure_shape.h"
#include "vision/picture/geometry.h"

namespace tilewarden::vision {
namespace {

constexpr int kSide = BoardView::kSide_px;

// The tile that a foot there stands on, in the lattice. A figure that lies on a narrow field may
// have its middle over the tile's edge. Beside the board it belongs to the nearest tile.
const NamedTile* TileUnder(const std::vector<NamedTile>& tiles, cv::Point2d at) {
  // 3 mm. From 7 mm on things beside the board of a photograph were taken for five more figures.
  constexpr double kOverhang = 0.07;
  const NamedTile* nearest = nullptr;
  double least = kOverhang;
  for (const NamedTile& tile : tiles) {
    const double x = std::abs(at.x - tile.cell.x - 0.5) - 0.5;
    const double y = std::abs(at.y - tile.cell.y - 0.5) - 0.5;
    const double off = std::hypot(std::max(x, 0.0), std::max(y, 0.0));
    if (off > least || (nearest != nullptr && off == least)) continue;
    least = off;
    nearest = &tile;
  }
  return nearest;
}

// Puts the foot on its tile, or beside the board.
void Place(const BoardView& view, const std::vector<NamedTile>& tiles, cv::Point2d foot,
           SightedFigure& figure) {
  const cv::Point2d at = view.LatticeFromView(foot);
  cv::Point2d px;
  if (const NamedTile* tile = TileUnder(tiles, at)) {
    const cv::Point2d on_tile(at.x - tile->cell.x, at.y - tile->cell.y);
    const std::array<cv::Point2f, 4> unit = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    const cv::Matx33d h = cv::getPerspectiveTransform(unit, tile->corners_px);
    px = Through(h, on_tile);
    figure.cell = tile->cell;
    figure.foot = {std::clamp(on_tile.x, 0.0, 1.0), std::clamp(on_tile.y, 0.0, 1.0)};
  } else {
    px = Through(view.PxFromView(), foot);
  }
  figure.foot_px = {px.x, px.y};
}

}  // namespace

double StandingLogit(const FigureSigns& signs, const FigureFit& found, cv::Point corner) {
  static const cv::Mat kNone;
  const OutlineFit& fit = found.fit;
  const cv::Mat& top =
      fit.lying >= 0 ? found.outlines[static_cast<std::size_t>(fit.lying)].top : kNone;
  return (fit.standing_score - fit.lying_score) / (kPerNat * found.whole) +
         signs.StandingLogit(found.under, corner, top, corner + fit.lying_corner);
}

namespace {

// Standard deviation of the foot on one axis, in tiles: how far the outline can
// move before the evidence drops, and how far apart the feet of the two poses are
// while the pose is in doubt.
double FootSigma(const FigureFit& found, double standing) {
  constexpr double kLeast = 0.01;  // the tiles' own corners
  const OutlineFit& fit = found.fit;
  const double wander_px =
      Wander(found.evidence.value, found.outline(), fit.corner, kPerNat * found.whole);
  double variance = kLeast * kLeast + wander_px * wander_px / (kSide * kSide);
  if (fit.standing >= 0 && fit.lying >= 0) {
    const auto foot = [&](int i, cv::Point corner) {
      return cv::Point2f(corner) + found.outlines[static_cast<std::size_t>(i)].foot_px;
    };
    const cv::Point2f apart =
        foot(fit.standing, fit.standing_corner) - foot(fit.lying, fit.lying_corner);
    variance += standing * (1 - standing) * apart.dot(apart) / 2 / (kSide * kSide);
  }
  return std::sqrt(variance);
}

}  // namespace

SightedFigure Report(const BoardView& view, const std::vector<NamedTile>& tiles,
                     const FigureSigns& signs, const FigureFit& fit, const cv::Rect& window,
                     double standing_logit) {
  SightedFigure figure;
  Place(view, tiles, fit.Foot(window), figure);
  figure.standing_probability = 1 / (1 + std::exp(-standing_logit));
  figure.foot_sigma = FootSigma(fit, figure.standing_probability);
  figure.colours = signs.ColoursOf(fit.under, window.tl());
  return figure;
}

void WriteFigures(const BoardView& view, const cv::Mat& pieces,
                  const std::vector<SightedFigure>& figures, const std::string& folder) {
  cv::Mat drawn = view.picture.clone(), sheet;
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(pieces.clone(), contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  cv::drawContours(drawn, contours, -1, {255, 255, 255});
  for (const SightedFigure& f : figures) {
    if (!f.cell) continue;
    const cv::Point2d p = view.ViewFromLattice({f.cell->x + f.foot.x, f.cell->y + f.foot.y});
    cv::drawMarker(drawn, p, {255, 0, 255}, cv::MARKER_CROSS, 10, 1);
    cv::putText(drawn, f.colours.front().colour + (f.standing_probability > 0.5 ? " s" : " l"),
                p + cv::Point2d(5, -8), cv::FONT_HERSHEY_SIMPLEX, 0.35, {255, 255, 255});
  }
  std::vector<cv::Mat> beside_each_other = {drawn};
  if (!view.difference.empty()) {
    cv::Mat expected, difference;
    cv::merge(view.expected.data(), view.expected.size(), expected);
    expected.convertTo(expected, CV_8U);
    view.difference.convertTo(difference, CV_8U, 40);
    cv::cvtColor(difference, difference, cv::COLOR_GRAY2BGR);
    beside_each_other.insert(beside_each_other.end(), {expected, difference});
  }
  cv::hconcat(beside_each_other, sheet);
  cv::imwrite(folder + "/figures.png", sheet);
}

}  // namespace tilewarden::vision
