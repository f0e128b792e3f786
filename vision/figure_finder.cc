#include "vision/figure_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "vision/camera_pose.h"
#include "vision/figure_board_view.h"
#include "vision/figure_colours.h"
#include "vision/figure_difference.h"
#include "vision/figure_shape.h"

namespace tilewarden::vision {
namespace {

constexpr int kSide = BoardView::kSide_px;
// Pixels that the smallest view of a follower covers: 16 x 10 mm from above.
constexpr double kSmallest_px = 16.0 / 45 * kSide * 10.0 / 45 * kSide;
// A piece of this share of that is worth a look.
constexpr double kSeed = 0.35;
// Share of an outline that must be visible at all, for its paint differs from
// what lies there; and share of the visible that must agree.
constexpr double kVisible = 0.3;
constexpr double kAgreement = 0.3;
SightedFigure Describe(const BoardView& view, const std::vector<NamedTile>& tiles,
                       cv::Point2d foot) {
  SightedFigure figure;
  const cv::Point2d at = view.LatticeFromView(foot);
  const LatticeCell cell{static_cast<int>(std::floor(at.x)), static_cast<int>(std::floor(at.y))};
  const auto tile =
      std::find_if(tiles.begin(), tiles.end(), [&](const NamedTile& t) { return t.cell == cell; });
  cv::Point2d px;
  if (tile != tiles.end()) {
    figure.cell = cell;
    figure.foot = {at.x - cell.x, at.y - cell.y};
    const std::array<cv::Point2f, 4> unit = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    const cv::Matx33d h = cv::getPerspectiveTransform(unit, tile->corners_px);
    const cv::Vec3d q = h * cv::Vec3d(figure.foot.x, figure.foot.y, 1);
    px = {q[0] / q[2], q[1] / q[2]};
  } else {
    const cv::Vec3d q = view.px_from_view * cv::Vec3d(foot.x, foot.y, 1);
    px = {q[0] / q[2], q[1] / q[2]};
  }
  figure.foot_px = {px.x, px.y};
  return figure;
}

// The pixels of a window that an outline covers.
cv::Mat Under(const FigureOutline& outline, cv::Point corner, cv::Size window) {
  cv::Mat under = cv::Mat::zeros(window, CV_8U);
  const cv::Rect place = cv::Rect(corner, outline.mask.size()) & cv::Rect({}, window);
  outline.mask(cv::Rect(place.tl() - corner, place.size())).copyTo(under(place));
  return under;
}

// Evidence, as a share of a whole outline, that makes one reading e times as
// likely as another: neighbouring pixels err together.
constexpr double kPerNat = 0.05;

// The logit of standing, by the fit and by what else there is to see.
double StandingLogit(const FigureSigns& signs, const std::vector<FigureOutline>& outlines,
                     const OutlineFit& fit, double whole, const cv::Mat& under, cv::Point corner) {
  static const cv::Mat kNone;
  const cv::Mat& top = fit.lying >= 0 ? outlines[static_cast<std::size_t>(fit.lying)].top : kNone;
  return (fit.standing_score - fit.lying_score) / (kPerNat * whole) +
         signs.StandingLogit(under, corner, top, corner + fit.lying_corner);
}

// Standard deviation of the foot on one axis, in tiles: how far the outline can
// move before the evidence drops, and how far apart the feet of the two poses are
// while the pose is in doubt.
double FootSigma(const cv::Mat& evidence, const std::vector<FigureOutline>& outlines,
                 const OutlineFit& fit, double whole, double standing) {
  constexpr double kLeast = 0.01;  // the tiles' own corners
  const double wander_px = Wander(evidence, outlines[static_cast<std::size_t>(fit.outline)],
                                  fit.corner, kPerNat * whole);
  double variance = kLeast * kLeast + wander_px * wander_px / (kSide * kSide);
  if (fit.standing >= 0 && fit.lying >= 0) {
    const auto foot = [&](int i, cv::Point corner) {
      return cv::Point2f(corner) + outlines[static_cast<std::size_t>(i)].foot_px;
    };
    const cv::Point2f apart =
        foot(fit.standing, fit.standing_corner) - foot(fit.lying, fit.lying_corner);
    variance += standing * (1 - standing) * apart.dot(apart) / 2 / (kSide * kSide);
  }
  return std::sqrt(variance);
}

// One after another, the outlines that explain a piece best. explained: pixels
// of the view that figures found so far cover; grows.
void Explain(const BoardView& view, const FigureSigns& signs, const CameraPose& pose,
             const std::vector<NamedTile>& tiles, const cv::Mat& own, const cv::Rect& box,
             cv::Mat& explained, std::vector<SightedFigure>& figures,
             std::vector<PaintColour>& paints) {
  const int margin = kSide * 2 / 3;
  const cv::Rect window =
      cv::Rect(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin) &
      cv::Rect({}, view.picture.size());
  cv::Mat taken = explained(window);
  cv::Mat left = own(window) & ~taken;
  while (cv::countNonZero(left) > kSeed * kSmallest_px) {
    const cv::Moments m = cv::moments(left, true);
    const cv::Point2f middle(static_cast<float>(m.m10 / m.m00), static_cast<float>(m.m01 / m.m00));
    const cv::Point2d at =
        view.LatticeFromView(cv::Point2d(middle.x + window.x, middle.y + window.y));
    const bool crowd = cv::countNonZero(left) > 2.5 * kSmallest_px;
    const int reach = crowd ? std::max(12, std::max(box.width, box.height) / 2) : 12;
    FigureEvidence evidence = signs.Weigh(window, signs.PaintOfPiece(left, window.tl()));
    evidence.value.setTo(-kFullEvidence, taken);
    std::vector<FigureOutline> outlines = FollowerOutlines(pose, at, kSide, EveryTurn());
    OutlineFit fit = FitOutline(evidence.value, outlines, middle, reach);
    if (fit.outline < 0) return;
    const auto found = [&]() -> const FigureOutline& {
      return outlines[static_cast<std::size_t>(fit.outline)];
    };
    const auto foot_in_view = [&] {
      return cv::Point2d(window.x + fit.corner.x + found().foot_px.x,
                         window.y + fit.corner.y + found().foot_px.y);
    };
    // The paint told the place; now the place tells the paint, and that a finer
    // place and turn.
    constexpr int kFineReach_px = 6;
    cv::Mat under = Under(found(), fit.corner, window.size());
    evidence = signs.Weigh(window, signs.PaintOfPiece(under, window.tl()));
    evidence.value.setTo(-kFullEvidence, taken);
    const cv::Point2f centre(fit.corner.x + found().mask.cols / 2.0F,
                             fit.corner.y + found().mask.rows / 2.0F);
    std::vector<FigureTurn> turns;
    for (const int i : {fit.standing, fit.lying}) {
      if (i < 0) continue;
      for (const FigureTurn& t : TurnsNear(outlines[static_cast<std::size_t>(i)].turn)) {
        turns.push_back(t);
      }
    }
    outlines = FollowerOutlines(pose, view.LatticeFromView(foot_in_view()), kSide, turns);
    fit = FitOutline(evidence.value, outlines, centre, kFineReach_px);
    if (fit.outline < 0) return;
    const FigureOutline& outline = found();
    under = Under(outline, fit.corner, window.size());
    const cv::Vec3f colour = signs.PaintOfPiece(under, window.tl()).lit;
    const double whole = static_cast<double>(outline.area) * kFullEvidence;
    const double visible = cv::mean(evidence.weight, under)[0] * cv::countNonZero(under);
    if (visible < kVisible * whole || fit.score < kAgreement * visible) return;
    const cv::Point2d foot = foot_in_view();
    SightedFigure figure = Describe(view, tiles, foot);
    figure.standing_probability =
        1 / (1 + std::exp(-StandingLogit(signs, outlines, fit, whole, under, window.tl())));
    const cv::Vec3f light =
        view.light.at<cv::Vec3f>(std::clamp(cvRound(foot.y), 0, view.light.rows - 1),
                                 std::clamp(cvRound(foot.x), 0, view.light.cols - 1));
    paints.push_back(PaintOf(colour, light));
    figure.foot_sigma =
        FootSigma(evidence.value, outlines, fit, whole, figure.standing_probability);
    figure.colours = signs.ColoursOf(under, window.tl());
    figure.probability = std::min(1.0, fit.score / (0.9 * visible));
    figures.push_back(figure);
    cv::dilate(under, under, {}, {-1, -1}, 2);
    taken.setTo(255, under);
    left.setTo(0, under);
    cv::morphologyEx(left, left, cv::MORPH_OPEN,
                     cv::getStructuringElement(cv::MORPH_ELLIPSE, {5, 5}));
  }
}

void WriteDebug(const BoardView& view, const cv::Mat& foreign,
                const std::vector<SightedFigure>& figures, const std::string& folder) {
  cv::Mat expected, difference, drawn = view.picture.clone(), sheet;
  view.expected.convertTo(expected, CV_8U);
  view.difference.convertTo(difference, CV_8U, 40);
  cv::cvtColor(difference, difference, cv::COLOR_GRAY2BGR);
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(foreign.clone(), contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  cv::drawContours(drawn, contours, -1, {255, 255, 255});
  for (const SightedFigure& f : figures) {
    if (!f.cell) continue;
    const cv::Point2d p = view.ViewFromLattice({f.cell->x + f.foot.x, f.cell->y + f.foot.y});
    cv::drawMarker(drawn, p, {255, 0, 255}, cv::MARKER_CROSS, 10, 1);
    cv::putText(drawn, f.colours.front().colour + (f.standing_probability > 0.5 ? " s" : " l"),
                p + cv::Point2d(5, -8), cv::FONT_HERSHEY_SIMPLEX, 0.35, {255, 255, 255});
  }
  cv::hconcat(std::vector<cv::Mat>{drawn, expected, difference}, sheet);
  cv::imwrite(folder + "/figures.png", sheet);
}

std::vector<SightedFigure> Find(const BoardView& view, const FigureSigns& signs,
                                const CameraPose& pose, const std::vector<NamedTile>& tiles,
                                const Options& options) {
  std::vector<SightedFigure> figures;
  const cv::Mat pieces = signs.Pieces();
  cv::Mat labels, stats, centroids;
  const int n = cv::connectedComponentsWithStats(pieces, labels, stats, centroids);
  std::vector<int> by_size;
  for (int i = 1; i < n; ++i) {
    if (stats.at<int>(i, cv::CC_STAT_AREA) > kSeed * kSmallest_px) by_size.push_back(i);
  }
  std::stable_sort(by_size.begin(), by_size.end(), [&](int a, int b) {
    return stats.at<int>(a, cv::CC_STAT_AREA) > stats.at<int>(b, cv::CC_STAT_AREA);
  });
  cv::Mat explained = cv::Mat::zeros(view.picture.size(), CV_8U);
  std::vector<PaintColour> paints;
  for (const int i : by_size) {
    const cv::Rect box(stats.at<int>(i, cv::CC_STAT_LEFT), stats.at<int>(i, cv::CC_STAT_TOP),
                       stats.at<int>(i, cv::CC_STAT_WIDTH), stats.at<int>(i, cv::CC_STAT_HEIGHT));
    Explain(view, signs, pose, tiles, labels == i, box, explained, figures, paints);
  }
  std::vector<std::vector<ColourProbability>> looks, colours;
  for (const SightedFigure& figure : figures) {
    if (!figure.colours.empty()) looks.push_back(figure.colours);
  }
  colours = looks.empty() ? NameColours(paints, options.colours)
                          : NameColours(paints, looks, options.colours);
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].colours = colours[i];
  std::stable_sort(figures.begin(), figures.end(), [](const auto& a, const auto& b) {
    if (a.cell.has_value() != b.cell.has_value()) return a.cell.has_value();
    return a.probability > b.probability;
  });
  if (!options.debug_folder.empty()) WriteDebug(view, pieces, figures, options.debug_folder);
  return figures;
}

}  // namespace

std::vector<SightedFigure> FindFigures(const cv::Mat& frame, const std::vector<NamedTile>& tiles,
                                       const TablePlane& plane, const cv::Mat& hand_mask,
                                       const Options& options) {
  const BoardView view = ViewBoard(frame, tiles, plane, hand_mask);
  if (view.picture.empty()) return {};
  const CameraPose pose = EstimateCameraPose(plane.px_from_lattice, frame.size());
  return Find(view, DifferenceSigns(view), pose, tiles, options);
}

std::vector<SightedFigure> FindFiguresByLook(const cv::Mat& frame,
                                             const std::vector<NamedTile>& tiles,
                                             const TablePlane& plane, const cv::Mat& hand_mask,
                                             const Options& options, FigureNetwork& network) {
  const BoardView view = ViewBoard(frame, tiles, plane, hand_mask);
  if (view.picture.empty()) return {};
  const CameraPose pose = EstimateCameraPose(plane.px_from_lattice, frame.size());
  return Find(view, NetworkSigns(view, network.Look(view)), pose, tiles, options);
}

}  // namespace tilewarden::vision
