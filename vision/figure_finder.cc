#include "vision/figure_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

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
// What agrees this well is no doubt a figure: on 18 games of the virtual table, hands aside, 166
// of 167 that agreed by 0.4 to 0.54 were figures.
constexpr double kFullAgreement = 0.7;
// Evidence, against a figure in a heap, of pixels that another one takes.
constexpr int kHiddenSays = 6, kOtherColourSays = 4;

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
    const cv::Vec3d q = view.PxFromView() * cv::Vec3d(foot.x, foot.y, 1);
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

// Adds the cells where another tile lies, or none any more.
void AddExchanged(const std::vector<NamedTile>& before, const std::vector<NamedTile>& now,
                  std::set<LatticeCell>& changed) {
  std::map<LatticeCell, const NamedTile*> old;
  for (const NamedTile& tile : before) old[tile.cell] = &tile;
  for (const NamedTile& tile : now) {
    const auto was = old.find(tile.cell);
    if (was == old.end() || was->second->tile != tile.tile ||
        was->second->rotation != tile.rotation) {
      changed.insert(tile.cell);
    }
    if (was != old.end()) old.erase(was);
  }
  for (const auto& [cell, tile] : old) changed.insert(cell);
}

// Adds the bare table beside the cells: a figure at the rim of the board stands out over it,
// where what changed may be too little to be told by itself, or was not watched before.
void AddTableBeside(const std::vector<NamedTile>& tiles, std::set<LatticeCell>& changed) {
  std::set<LatticeCell> beside;
  for (const LatticeCell& cell : changed) {
    for (const auto& [dx, dy] : {std::pair{0, -1}, {1, 0}, {0, 1}, {-1, 0}}) {
      beside.insert({cell.x + dx, cell.y + dy});
    }
  }
  for (const NamedTile& tile : tiles) beside.erase(tile.cell);
  changed.merge(beside);
}

// Whether the table plane lies elsewhere in the picture than when the board was viewed.
bool Elsewhere(const BoardView& view, const TablePlane& now) {
  constexpr double kTiles = 0.05;
  for (const cv::Point2d& corner :
       {cv::Point2d(0, 0), cv::Point2d(1, 0), cv::Point2d(0, 1), cv::Point2d(1, 1)}) {
    const cv::Vec3d at(view.first.x + corner.x * view.cells_x,
                       view.first.y + corner.y * view.cells_y, 1);
    const cv::Vec3d a = view.plane.px_from_lattice * at, b = now.px_from_lattice * at;
    if (std::hypot(a[0] / a[2] - b[0] / b[2], a[1] / a[2] - b[1] / b[2]) > kTiles * now.tile_px) {
      return true;
    }
  }
  return false;
}

void WriteDebug(const BoardView& view, const cv::Mat& foreign,
                const std::vector<SightedFigure>& figures, const std::string& folder) {
  cv::Mat drawn = view.picture.clone(), sheet;
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

}  // namespace

void FigureFinder::Explain(const FigureSigns& signs, const std::vector<NamedTile>& tiles,
                           const cv::Mat& own, const cv::Rect& box, const cv::Rect& window,
                           const Options& options, cv::Mat& explained) {
  cv::Mat taken = explained(window);
  cv::Mat left = own & ~taken;
  while (cv::countNonZero(left) > kSeed * kSmallest_px) {
    // Of a heap of several colours one after the other; what one hides of the next, and what
    // shows another colour, says little.
    const cv::Mat piece = ground_ == FigureGround::kSheet
                              ? OfOneColour(left, window.tl(), options.colours)
                              : left.clone();
    const cv::Mat others = left & ~piece;
    const bool heap = ground_ == FigureGround::kSheet;
    const auto weigh = [&](const cv::Mat& painted) {
      FigureEvidence evidence = signs.Weigh(window, signs.PaintOfPiece(painted, window.tl()));
      evidence.value.setTo(heap ? -kHiddenSays : -kFullEvidence, taken);
      evidence.value.setTo(-kOtherColourSays, others);
      return evidence;
    };
    const cv::Moments m = cv::moments(piece, true);
    const cv::Point2f middle(static_cast<float>(m.m10 / m.m00), static_cast<float>(m.m01 / m.m00));
    const cv::Point2d at =
        view_.LatticeFromView(cv::Point2d(middle.x + window.x, middle.y + window.y));
    const bool crowd = cv::countNonZero(piece) > 2.5 * kSmallest_px;
    const int reach = crowd ? std::max(12, std::max(box.width, box.height) / 2) : 12;
    FigureEvidence evidence = weigh(piece);
    std::vector<FigureOutline> outlines = FollowerOutlines(pose_, at, kSide, EveryTurn());
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
    evidence = weigh(under & ~others);
    const cv::Point2f centre(fit.corner.x + found().mask.cols / 2.0F,
                             fit.corner.y + found().mask.rows / 2.0F);
    std::vector<FigureTurn> turns;
    for (const int i : {fit.standing, fit.lying}) {
      if (i < 0) continue;
      for (const FigureTurn& t : TurnsNear(outlines[static_cast<std::size_t>(i)].turn)) {
        turns.push_back(t);
      }
    }
    outlines = FollowerOutlines(pose_, view_.LatticeFromView(foot_in_view()), kSide, turns);
    fit = FitOutline(evidence.value, outlines, centre, kFineReach_px);
    if (fit.outline < 0) return;
    const FigureOutline& outline = found();
    under = Under(outline, fit.corner, window.size());
    const cv::Vec3f colour = signs.PaintOfPiece(under & ~others, window.tl()).lit;
    const double whole = static_cast<double>(outline.area) * kFullEvidence;
    const double visible = cv::mean(evidence.weight, under)[0] * cv::countNonZero(under);
    if (visible < kVisible * whole || fit.score < kAgreement * visible) {
      if (!heap) return;
      left.setTo(0, piece);
      continue;
    }
    const cv::Point2d foot = foot_in_view();
    SightedFigure figure = Describe(view_, tiles, foot);
    figure.standing_probability =
        1 / (1 + std::exp(-StandingLogit(signs, outlines, fit, whole, under, window.tl())));
    figure.foot_sigma =
        FootSigma(evidence.value, outlines, fit, whole, figure.standing_probability);
    figure.colours = signs.ColoursOf(under, window.tl());
    figure.probability = std::min(1.0, fit.score / (kFullAgreement * visible));
    cv::dilate(under, under, {}, {-1, -1}, 2);
    const cv::Vec3f white = view_.light.WhiteAt({cvRound(foot.x), cvRound(foot.y)});
    found_.push_back({std::move(figure), PaintOf(colour, white), window, under.clone()});
    taken.setTo(255, under);
    left.setTo(0, under);
    cv::morphologyEx(left, left, cv::MORPH_OPEN,
                     cv::getStructuringElement(cv::MORPH_ELLIPSE, {5, 5}));
  }
}

cv::Mat FigureFinder::OfOneColour(const cv::Mat& heap, cv::Point corner,
                                  const std::vector<std::string>& allowed) const {
  std::vector<cv::Point> places;
  cv::findNonZero(heap, places);
  std::vector<PaintColour> paints;
  for (const cv::Point& place : places) {
    const cv::Point at = place + corner;
    paints.push_back(PaintOf(view_.picture.at<cv::Vec3b>(at), view_.light.WhiteAt(at)));
  }
  const auto named = NameColours(paints, allowed);
  std::map<std::string, cv::Mat> by_colour;
  for (std::size_t i = 0; i < places.size(); ++i) {
    cv::Mat& of_colour = by_colour[named[i].front().colour];
    if (of_colour.empty()) of_colour = cv::Mat::zeros(heap.size(), CV_8U);
    of_colour.at<uchar>(places[i]) = 255;
  }
  const auto most =
      std::max_element(by_colour.begin(), by_colour.end(), [](const auto& a, const auto& b) {
        return cv::countNonZero(a.second) < cv::countNonZero(b.second);
      });
  // So little else is a figure's own shades.
  const int rest = static_cast<int>(places.size()) - cv::countNonZero(most->second);
  return rest < kSeed * kSmallest_px ? heap.clone() : most->second;
}

void FigureFinder::ExplainPieces(const FigureSigns& signs, const std::vector<NamedTile>& tiles,
                                 const cv::Mat& stirred, const Options& options) {
  cv::Mat labels, stats, centroids;
  const int n = cv::connectedComponentsWithStats(pieces_, labels, stats, centroids);
  struct Piece {
    int label, area;
    cv::Rect box;
  };
  std::vector<Piece> by_size;
  for (int i = 1; i < n; ++i) {
    const Piece piece{i,
                      stats.at<int>(i, cv::CC_STAT_AREA),
                      {stats.at<int>(i, cv::CC_STAT_LEFT), stats.at<int>(i, cv::CC_STAT_TOP),
                       stats.at<int>(i, cv::CC_STAT_WIDTH), stats.at<int>(i, cv::CC_STAT_HEIGHT)}};
    if (piece.area <= kSeed * kSmallest_px) continue;
    if (cv::countNonZero((labels(piece.box) == i) & stirred(piece.box)) > 0)
      by_size.push_back(piece);
  }
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const Piece& a, const Piece& b) { return a.area > b.area; });
  cv::Mat explained = cv::Mat::zeros(view_.size(), CV_8U);
  for (const Found& found : found_) explained(found.window).setTo(255, found.cover);
  constexpr int kMargin_px = kSide * 2 / 3;
  for (const Piece& piece : by_size) {
    const cv::Rect window =
        (piece.box + cv::Size(2 * kMargin_px, 2 * kMargin_px) - cv::Point(kMargin_px, kMargin_px)) &
        cv::Rect({}, view_.size());
    Explain(signs, tiles, labels(window) == piece.label, piece.box, window, options, explained);
  }
}

std::vector<SightedFigure> FigureFinder::Conclude(const Options& options) const {
  std::vector<SightedFigure> figures;
  std::vector<PaintColour> paints;
  std::vector<std::vector<ColourProbability>> looks;
  for (const Found& found : found_) {
    figures.push_back(found.figure);
    paints.push_back(found.paint);
    if (!found.figure.colours.empty()) looks.push_back(found.figure.colours);
  }
  const std::vector<std::vector<ColourProbability>> colours =
      looks.empty() ? NameColours(paints, options.colours)
                    : NameColours(paints, looks, options.colours);
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].colours = colours[i];
  std::stable_sort(figures.begin(), figures.end(), [](const auto& a, const auto& b) {
    if (a.cell.has_value() != b.cell.has_value()) return a.cell.has_value();
    return a.probability > b.probability;
  });
  if (!options.debug_folder.empty()) WriteDebug(view_, pieces_, figures, options.debug_folder);
  return figures;
}

std::vector<SightedFigure> FigureFinder::Find(const cv::Mat& frame,
                                              const std::vector<NamedTile>& tiles,
                                              const TablePlane& plane, const cv::Mat& hand_mask,
                                              const Options& options) {
  found_.clear();
  tiles_ = tiles;
  view_ = ViewBoard(frame, tiles, plane, hand_mask, ground_);
  if (view_.picture.empty()) return {};
  pose_ = EstimateCameraPose(plane.px_from_lattice, frame.size());
  const auto explain = [&](const FigureSigns& signs) {
    pieces_ = signs.Pieces(cv::Rect({}, view_.size()));
    ExplainPieces(signs, tiles, cv::Mat(view_.size(), CV_8U, cv::Scalar(255)), options);
  };
  if (network_ == nullptr) {
    explain(DifferenceSigns(view_));
  } else {
    answer_ = network_->Look(view_);
    explain(NetworkSigns(view_, answer_));
  }
  return Conclude(options);
}

std::vector<SightedFigure> FigureFinder::FindAgain(
    const cv::Mat& frame, const std::vector<NamedTile>& tiles, const TablePlane& plane,
    const cv::Mat& hand_mask, std::set<LatticeCell> changed, const Options& options) {
  AddExchanged(tiles_, tiles, changed);
  AddTableBeside(tiles, changed);
  const bool hidden = !hand_mask.empty() || view_.hand;
  if (hidden || Elsewhere(view_, plane) || !ViewAgain(frame, tiles, changed, view_)) {
    return Find(frame, tiles, plane, hand_mask, options);
  }
  tiles_ = tiles;
  const cv::Rect whole({}, view_.size());
  cv::Mat stirred = cv::Mat::zeros(view_.size(), CV_8U);
  const auto explain = [&](const FigureSigns& signs, const std::vector<cv::Rect>& areas) {
    for (const cv::Rect& area : areas) {
      signs.Pieces(area).copyTo(pieces_(area));
      stirred(area).setTo(255);
    }
    // What a figure covered that may be another now must be explained anew.
    const cv::Mat changed_there = stirred.clone();
    std::erase_if(found_, [&](const Found& found) {
      const bool touched = cv::countNonZero(found.cover & changed_there(found.window)) > 0;
      if (touched) stirred(found.window).setTo(255, found.cover);
      return touched;
    });
    ExplainPieces(signs, tiles, stirred, options);
  };
  // A piece beside a changed cell may have been cut off by its border.
  constexpr int kRim_px = 8;
  std::vector<cv::Rect> areas;
  for (const LatticeCell& cell : changed) {
    const cv::Rect area =
        (view_.Of(cell) + cv::Size(2 * kRim_px, 2 * kRim_px) - cv::Point(kRim_px, kRim_px)) & whole;
    if (!area.empty()) areas.push_back(area);
  }
  if (network_ == nullptr) {
    explain(DifferenceSigns(view_), areas);
  } else {
    for (const cv::Rect& area : areas) network_->LookAgain(view_, area, answer_);
    explain(NetworkSigns(view_, answer_), areas);
  }
  return Conclude(options);
}

cv::Mat FigureFinder::Explained() const {
  cv::Mat explained = cv::Mat::zeros(view_.size(), CV_8U);
  for (const Found& found : found_) explained(found.window).setTo(255, found.cover);
  return explained;
}

}  // namespace tilewarden::vision
