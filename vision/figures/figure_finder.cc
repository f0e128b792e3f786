#include "vision/figures/figure_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "opencv2/imgproc.hpp"
#include "vision/figures/cloth_colours.h"
#include "vision/figures/figure_board_view.h"
#include "vision/figures/figure_colours.h"
#include "vision/figures/figure_difference.h"
#include "vision/figures/figure_fit.h"
#include "vision/figures/figure_own_paint.h"
#include "vision/figures/figure_report.h"
#include "vision/picture/camera_pose.h"
#include "vision/picture/geometry.h"
#include "vision/picture/lattice_cells.h"

namespace tilewarden::vision {
namespace {

// A piece of this share of the smallest figure is worth a look.
constexpr double kSeed = 0.35;
// Share of an outline that must be visible at all, for its paint differs from
// what lies there; and share of the visible that must agree.
constexpr double kVisible = 0.3;
constexpr double kAgreement = 0.3;
// What agrees this well is surely a figure: on 18 games of the virtual table, hands aside, 166
// of 167 that agreed by 0.4 to 0.54 were figures.
constexpr double kFullAgreement = 0.7;
// Probabilities from which a look is believed against what the outline says. That it is no
// figure: so that none that is found by pictures on the rendered tables is lost, and one of those
// that are found by a network's word alone.
constexpr double kSureOfKind = 0.6, kClearlyOfKind = 0.95;
constexpr double kNoFigure = 0.97, kNoFigureByLook = 0.99;
// What the look says is a figure beyond this needs to agree by less: black ones on the dark roofs
// of a monastery show an eighth of what their outline should. The look's word counts twenty to one
// at most, as it was taught on drawn figures.
constexpr double kSurelyNone = 0.01, kAgreementOfOne = 0.05, kMostByLook = 20;
// Where the print shows all that is seen there is nothing but print, whatever the network says: of
// the figures that it alone found on the rendered tables, a third of each or more was foreign;
// of what was none, 4 % at most.
constexpr double kLeastForeign = 0.15;

// That there is a figure, by how well its outline agrees and by the look of it.
double ThatItIsOne(double agreement, const std::optional<FigureKindAnswer>& look) {
  // One that is known by its look alone may have an outline that disagrees.
  const double by_outline = std::clamp(agreement / kFullAgreement, 0.0, 1.0);
  if (!look) return by_outline;
  const double weight = std::clamp((1 - look->none) / std::max(look->none, 1e-9), 1.0, kMostByLook);
  // Rounding may take it beyond 1.
  return std::min(1.0, weight * by_outline / (weight * by_outline + 1 - by_outline));
}

// Of all kinds that the game may have; the others are but followers.
double ShareOf(const FigureKindAnswer& look, FigureKind kind) {
  return look.Of(kind) / std::max(1e-9, 1 - look.none);
}

FigureKind LikeliestKind(const FigureKindAnswer& look, const Options& options) {
  FigureKind likeliest = FigureKind::kFollower;
  for (const FigureKind kind : options.special_figures) {
    if (ShareOf(look, kind) > ShareOf(look, likeliest)) likeliest = kind;
  }
  return likeliest;
}

// A large follower and a prophet differ from a follower in size alone, and the look misses them
// more often than it makes them up. So a figure that the look takes for a follower may yet be the
// larger one, if nearly all of it is seen: where that outline explains clearly more than the
// smaller; where all of it is seen, it need explain but nearly as much, as long as the look does
// not rule that out. Chosen on games of the virtual table (MEASURED.md).
constexpr double kExplainsMore = 1.06, kNearlyAllSeen = 0.8;
constexpr double kExplainsAlike = 0.89, kWhollySeen = 0.95, kNotRuledOut = 0.005;
// Of prophets both together tell: how much more its outline explains weighs so much beside the log
// of its share of the look. Chosen on eleven games of the virtual table, 31 prophets and 373
// followers: those of four prophets and of three followers come near to even or beyond it, the
// middle look of each. So they count for more than one look says.
constexpr double kWeightOfOutline = 10, kLeastShare = 1e-5, kOutlineOfProphet = 0.5;
constexpr double kTrustInSize = 1.5;
// Followers are many.
constexpr double kProphetFrom = 1;

// How much the larger outline explains for each part that the smaller does.
double Explains(const FigureFit& larger, const FigureFit& smaller) {
  return larger.fit.score / std::max(1.0, smaller.fit.score);
}

bool NearlyAllSeen(const FigureFit& fit) {
  return fit.visible >= kNearlyAllSeen * std::max(1.0, fit.whole);
}

bool IsLargeFollower(const FigureFit& follower, const FigureFit& large,
                     const FigureKindAnswer& look) {
  const double explains = Explains(large, follower);
  return NearlyAllSeen(follower) &&
         (explains >= kExplainsMore ||
          (explains >= kExplainsAlike &&
           follower.visible >= kWhollySeen * std::max(1.0, follower.whole) &&
           ShareOf(look, FigureKind::kLargeFollower) >= kNotRuledOut));
}

// The log of the odds that it is a prophet and no follower.
double LogOddsOfProphet(const FigureFit& follower, const FigureFit& prophet,
                        const FigureKindAnswer& look) {
  return kWeightOfOutline * (Explains(prophet, follower) - kOutlineOfProphet) +
         std::log(std::max(ShareOf(look, FigureKind::kProphet), kLeastShare));
}

bool Has(const Options& options, FigureKind kind) {
  const auto& special = options.special_figures;
  return std::find(special.begin(), special.end(), kind) != special.end();
}

// The look gives special figures too little: of 43 abbots in six games of the virtual table one in
// ten had a share of 0.2 or less, of 177 followers one in ten 0.02 or more. So its log odds count
// for half, and this much more for special kinds.
constexpr double kTrust = 0.5, kGivenTooLittle = 1, kLeastOfKind = 1e-4;

double Calibrated(double log_odds_of_special) {
  return kTrust * log_odds_of_special + kGivenTooLittle;
}

// `prophet`: the log odds of one, where its size tells them.
std::vector<KindProbability> KindsOf(const FigureKindAnswer& look, std::optional<double> prophet,
                                     const Options& options) {
  const double follower = std::max(ShareOf(look, FigureKind::kFollower), kLeastOfKind);
  std::vector<KindProbability> kinds = {{FigureKind::kFollower, 1}};
  for (const FigureKind kind : options.special_figures) {
    const double by_look = std::log(std::max(ShareOf(look, kind), kLeastOfKind) / follower);
    const bool by_size = kind == FigureKind::kProphet && prophet;
    const double log_odds = by_size ? kTrustInSize * *prophet : Calibrated(by_look);
    kinds.push_back({kind, std::exp(log_odds)});
  }
  double all = 0;
  for (const KindProbability& kind : kinds) all += kind.probability;
  for (KindProbability& kind : kinds) kind.probability /= all;
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return kinds;
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
    for (const LatticeCell& d : kBeside) beside.insert(Plus(cell, d));
  }
  for (const NamedTile& tile : tiles) beside.erase(tile.cell);
  changed.merge(beside);
}

// The tiles that a figure on one of the cells may lean over. It changes too little of them to be
// told by itself, and with a part of it cut off it is not found.
std::set<LatticeCell> TilesBeside(const std::vector<NamedTile>& tiles,
                                  const std::set<LatticeCell>& changed) {
  std::set<LatticeCell> beside;
  for (const NamedTile& tile : tiles) {
    const bool touches = std::any_of(changed.begin(), changed.end(), [&](const LatticeCell& cell) {
      return Touch(cell, tile.cell);
    });
    if (touches && !changed.contains(tile.cell)) beside.insert(tile.cell);
  }
  return beside;
}

// Whether the table plane lies elsewhere in the picture than when the board was viewed. Far from
// the tiles they tell it only roughly: beside them it counts where they lie alone.
bool Elsewhere(const BoardView& view, const TablePlane& now, FigureGround ground,
               const std::vector<NamedTile>& tiles) {
  constexpr double kTiles = 0.05, kTilesBeside = 0.2;  // 2 and 9 mm
  const bool beside = ground == FigureGround::kBesideTiles;
  const auto moved = [&](cv::Point2d at) {
    const cv::Point2d by =
        Through(view.plane.px_from_lattice, at) - Through(now.px_from_lattice, at);
    return std::hypot(by.x, by.y) > (beside ? kTilesBeside : kTiles) * now.tile_px;
  };
  if (beside) {
    return std::any_of(tiles.begin(), tiles.end(), [&](const NamedTile& tile) {
      return moved(cv::Point2d(tile.cell.x + 0.5, tile.cell.y + 0.5));
    });
  }
  for (const cv::Point2d& corner :
       {cv::Point2d(0, 0), cv::Point2d(1, 0), cv::Point2d(0, 1), cv::Point2d(1, 1)}) {
    if (moved(cv::Point2d(view.first.x + corner.x * view.cells_x,
                          view.first.y + corner.y * view.cells_y))) {
      return true;
    }
  }
  return false;
}

// Whether another thing shows under the mask, and not the same in another light.
bool LooksOtherwise(const cv::Mat& before, const cv::Mat& now, const cv::Mat& mask) {
  constexpr double kDarkest = 0.5, kBrightest = 1.3;  // a hand's shadow, a lamp
  constexpr double kDifferent = 12;                   // levels of a channel, the mean
  double product = 0, square = 0;
  std::vector<std::pair<cv::Vec3b, cv::Vec3b>> pixels;
  for (int y = 0; y < mask.rows; ++y) {
    for (int x = 0; x < mask.cols; ++x) {
      if (mask.at<uchar>(y, x) == 0) continue;
      pixels.emplace_back(before.at<cv::Vec3b>(y, x), now.at<cv::Vec3b>(y, x));
      for (int c = 0; c < 3; ++c) {
        product += static_cast<double>(pixels.back().first[c]) * pixels.back().second[c];
        square += static_cast<double>(pixels.back().first[c]) * pixels.back().first[c];
      }
    }
  }
  if (pixels.empty()) return false;
  const double light = std::clamp(product / std::max(square, 1.0), kDarkest, kBrightest);
  double differs = 0;
  for (const auto& [then, here] : pixels) {
    for (int c = 0; c < 3; ++c) differs += std::abs(here[c] - light * then[c]);
  }
  return differs > 3 * kDifferent * static_cast<double>(pixels.size());
}

}  // namespace

void FigureFinder::Explain(const Search& search, const std::vector<NamedTile>& tiles,
                           const cv::Mat& own, const cv::Rect& box, const cv::Rect& window,
                           const Options& options, cv::Mat& explained) {
  const FigureSigns& signs = search.signs;
  cv::Mat taken = explained(window);
  cv::Mat left = own & ~taken;
  while (cv::countNonZero(left) > kSeed * kSmallestFigure_px) {
    // Of a heap of several colours one after the other; what one hides of the next, and what
    // shows another colour, says little.
    const cv::Mat piece = ground_ == FigureGround::kSheet
                              ? OfOneColour(left, window.tl(), options.colours)
                              : left.clone();
    const bool heap = ground_ == FigureGround::kSheet;
    const cv::Mat others = left & ~piece;
    const FigurePiece sought{window, box, piece, others, taken, heap};
    std::optional<FigureFit> fit = FitFigure(signs, view_, pose_, sought, search.forms);
    if (!fit) return;
    const std::optional<FigureKindAnswer> look = TellKind(*fit, sought);
    KindOfFit told = TellKindOf(search, sought, *fit, look, options);
    const FigureKind kind = told.kind;
    if (told.fit) fit = std::move(told.fit);
    const bool sure = look && kind != FigureKind::kFollower &&
                      look->Of(kind) > std::max(kSureOfKind, search.sure_by_look);
    if (search.sure_by_look > 0 && !sure) return;
    // Without the tiles' pictures there is nothing dark to blame for a weak outline.
    const bool by_pictures = search.witness == Search::Witness::kPictures;
    const bool beside_pictures = search.witness == Search::Witness::kNetworkBesidePictures;
    const bool one = by_pictures && look && look->none < kSurelyNone;
    const double least = one ? kAgreementOfOne : kAgreement;
    if (!sure && (fit->visible < kVisible * fit->whole || fit->fit.score < least * fit->visible)) {
      if (!heap) return;
      left.setTo(0, piece);
      continue;
    }
    const double agreement = fit->visible > 0 ? fit->fit.score / fit->visible : 0;
    // The outlines of both poses are much alike from aside: how it looks tells more.
    const double standing =
        StandingLogit(signs, *fit, window.tl()) + (look ? look->standing_logit : 0);
    fit->Take(standing > 0);
    cv::Mat cover;
    cv::dilate(fit->under, cover, {}, {-1, -1}, 2);
    const auto leave = [&] {
      taken.setTo(255, cover);
      left.setTo(0, cover);
      cv::morphologyEx(left, left, cv::MORPH_OPEN,
                       cv::getStructuringElement(cv::MORPH_ELLIPSE, {5, 5}));
    };
    if (look && look->none > (by_pictures ? kNoFigure : kNoFigureByLook)) {
      leave();
      continue;
    }
    const cv::Vec3f colour = signs.PaintOfPiece(fit->under & ~others, window.tl()).lit;
    const cv::Point2d foot = fit->Foot(window);
    SightedFigure figure = Report(view_, tiles, signs, *fit, window, standing);
    figure.kind = kind;
    figure.kinds = std::move(told.kinds);
    figure.probability = ThatItIsOne(agreement, look);
    if (look) figure.unexpected = UnexpectedKind(*look, options.special_figures);
    // Beside the board the network takes too much for figures, and on it a round lake.
    if (beside_pictures && (!figure.cell || DifferenceSigns(view_).ForeignShare(
                                                fit->under, window.tl()) < kLeastForeign)) {
      leave();
      continue;
    }
    if (ByPictures() && network_ != nullptr) {
      figure.colours = NetworkSigns(view_, answer_).ColoursOf(fit->under, window.tl());
    }
    const cv::Vec3f white = view_.light.WhiteAt({cvRound(foot.x), cvRound(foot.y)});
    found_.push_back({std::move(figure), {colour, white}, window, cover});
    leave();
  }
}

FigureFinder::KindOfFit FigureFinder::TellKindOf(const Search& search, const FigurePiece& sought,
                                                 const FigureFit& fit,
                                                 const std::optional<FigureKindAnswer>& look,
                                                 const Options& options) const {
  KindOfFit told;
  told.kind = look ? LikeliestKind(*look, options) : KindOf(fit.form);
  if (!look) return told;
  const auto fit_as = [&](FigureKind kind) {
    return kind == KindOf(fit.form)
               ? std::optional(fit)
               : FitFigure(search.signs, view_, pose_, sought, FactsOf(kind).forms);
  };
  const bool large_ones = Has(options, FigureKind::kLargeFollower);
  if (large_ones && told.kind == FigureKind::kFollower) {
    std::optional<FigureFit> large = fit_as(FigureKind::kLargeFollower);
    if (large && IsLargeFollower(fit, *large, *look)) {
      return {FigureKind::kLargeFollower, {}, std::move(large)};
    }
    return told;
  }
  std::optional<double> prophet;
  const bool by_size = told.kind == FigureKind::kFollower || told.kind == FigureKind::kProphet;
  if (by_size && Has(options, FigureKind::kProphet)) {
    std::optional<FigureFit> small = fit_as(FigureKind::kFollower);
    std::optional<FigureFit> larger = fit_as(FigureKind::kProphet);
    if (small && larger && NearlyAllSeen(*small)) {
      prophet = LogOddsOfProphet(*small, *larger, *look);
      const bool is = *prophet >= kProphetFrom;
      told.kind = is ? FigureKind::kProphet : FigureKind::kFollower;
      told.fit = is ? std::move(larger) : std::move(small);
    }
  }
  // How surely large followers are told nobody has measured.
  if (!large_ones) told.kinds = KindsOf(*look, prophet, options);
  if (!told.fit && told.kind != KindOf(fit.form)) told.fit = fit_as(told.kind);
  return told;
}

std::optional<FigureKindAnswer> FigureFinder::TellKind(const FigureFit& fit,
                                                       const FigurePiece& sought) const {
  if (kinds_ == nullptr || sought.heap) return std::nullopt;
  const cv::Point2d foot = fit.Foot(sought.window);
  return kinds_->Tell(LookAt(frame_, view_.plane.px_from_lattice, pose_,
                             view_.LatticeFromView(foot),
                             view_.light.WhiteAt({cvRound(foot.x), cvRound(foot.y)})));
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
  return rest < kSeed * kSmallestFigure_px ? heap.clone() : most->second;
}

void FigureFinder::ExplainPieces(const Search& search, const std::vector<NamedTile>& tiles,
                                 const cv::Mat& stirred, const Options& options) {
  cv::Mat labels, stats, centroids;
  const int n = cv::connectedComponentsWithStats(search.pieces, labels, stats, centroids);
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
    if (piece.area <= kSeed * kSmallestFigure_px) continue;
    if (cv::countNonZero((labels(piece.box) == i) & stirred(piece.box)) > 0)
      by_size.push_back(piece);
  }
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const Piece& a, const Piece& b) { return a.area > b.area; });
  cv::Mat explained = cv::Mat::zeros(view_.size(), CV_8U);
  for (const Found& found : found_) explained(found.window).setTo(255, found.cover);
  constexpr int kMargin_px =
      BoardView::kSide_px * 2 / 3;  // 30 mm: room for the outline to be moved
  for (const Piece& piece : by_size) {
    const cv::Rect window = Grown(piece.box, kMargin_px, view_.size());
    Explain(search, tiles, labels(window) == piece.label, piece.box, window, options, explained);
  }
}

std::vector<FigureForm> FigureFinder::Forms(const Options& options) const {
  // A figure whose look tells its kind is found as a follower first, because that is quicker.
  return FormsOf(kinds_ == nullptr ? options.special_figures : std::vector<FigureKind>{});
}

void FigureFinder::ExplainByOwnPaint(const std::vector<NamedTile>& tiles, const cv::Mat& stirred,
                                     const Options& options) {
  if (kinds_ == nullptr || view_.difference.empty()) return;
  cv::Mat drawing;
  // The sure ones first: one of them may pass for another.
  for (const double sure : {kClearlyOfKind, kSureOfKind}) {
    for (const FigureKind kind : options.special_figures) {
      const FigureKindFacts& facts = FactsOf(kind);
      if (!facts.paint) continue;
      if (drawing.empty()) drawing = DrawingSeen(view_);
      const OwnPaintSigns signs(view_, drawing, *facts.paint);
      const cv::Mat pieces = signs.Pieces(cv::Rect({}, view_.size()));
      ExplainPieces({signs, pieces, facts.forms, Search::Witness::kPictures, sure}, tiles, stirred,
                    options);
    }
  }
}

void FigureFinder::ExplainAll(const std::vector<NamedTile>& tiles, const cv::Mat& stirred,
                              const Options& options) {
  using Witness = Search::Witness;
  if (!ByPictures()) {
    const NetworkSigns signs(view_, answer_);
    cv::Mat where = stirred;
    if (ground_ == FigureGround::kBesideTiles) where = stirred & ~view_.on_tile;
    ExplainPieces({signs, pieces_, Forms(options), Witness::kNetwork}, tiles, where, options);
    return;
  }
  const DifferenceSigns signs(view_);
  ExplainPieces({signs, pieces_, Forms(options), Witness::kPictures}, tiles, stirred, options);
  ExplainByOwnPaint(tiles, stirred, options);
  if (network_ == nullptr) return;
  const NetworkSigns looks(view_, answer_);
  const cv::Mat pieces = looks.Pieces(cv::Rect({}, view_.size())) & ~Explained();
  ExplainPieces({looks, pieces, Forms(options), Witness::kNetworkBesidePictures}, tiles, stirred,
                options);
}

std::vector<SightedFigure> FigureFinder::Conclude(const Options& options) const {
  std::vector<SightedFigure> figures;
  std::vector<FigureTone> tones;
  std::vector<std::vector<ColourProbability>> looks;
  for (const Found& found : found_) {
    figures.push_back(found.figure);
    tones.push_back(found.tone);
    if (!found.figure.colours.empty()) looks.push_back(found.figure.colours);
  }
  const std::vector<PaintColour> paints = PaintsOf(tones, options.colours);
  const std::vector<std::vector<ColourProbability>> colours =
      looks.empty() ? NameColours(paints, options.colours)
                    : NameColours(paints, looks, options.colours);
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].colours = colours[i];
  std::stable_sort(figures.begin(), figures.end(), [](const auto& a, const auto& b) {
    if (a.cell.has_value() != b.cell.has_value()) return a.cell.has_value();
    return a.probability > b.probability;
  });
  if (!options.debug_folder.empty()) WriteFigures(view_, pieces_, figures, options.debug_folder);
  return figures;
}

std::vector<SightedFigure> FigureFinder::Find(const cv::Mat& frame,
                                              const std::vector<NamedTile>& tiles,
                                              const TablePlane& plane, const cv::Mat& hand_mask,
                                              const Options& options) {
  found_.clear();
  cloth_.clear();
  tiles_ = tiles;
  frame_ = frame;
  view_ = ViewBoard(frame, tiles, plane, hand_mask, ground_);
  if (view_.picture.empty()) return {};
  pose_ = EstimateCameraPose(plane.px_from_lattice, frame.size());
  const cv::Rect whole({}, view_.size());
  if (network_ != nullptr) answer_ = network_->Look(view_);
  pieces_ = ByPictures() ? DifferenceSigns(view_).Pieces(whole)
                         : NetworkSigns(view_, answer_).Pieces(whole);
  ExplainAll(tiles, cv::Mat(view_.size(), CV_8U, cv::Scalar(255)), options);
  if (ground_ == FigureGround::kTilesOnTable) {
    cloth_ = ClothColoursOf(view_, Explained(), options.colours);
  }
  return Conclude(options);
}

std::vector<SightedFigure> FigureFinder::FindAgain(
    const cv::Mat& frame, const std::vector<NamedTile>& tiles, const TablePlane& plane,
    const cv::Mat& hand_mask, std::set<LatticeCell> changed, const Options& options) {
  AddExchanged(tiles_, tiles, changed);
  const std::set<LatticeCell> beside = TilesBeside(tiles, changed);
  AddTableBeside(tiles, changed);
  const bool hidden = !hand_mask.empty() || view_.hand;
  if (hidden || Elsewhere(view_, plane, ground_, tiles) ||
      !ViewAgain(frame, tiles, changed, beside, view_)) {
    return Find(frame, tiles, plane, hand_mask, options);
  }
  tiles_ = tiles;
  frame_ = frame;
  // A piece beside a changed cell may have been cut off by its border.
  constexpr int kRim_px = 8;
  std::vector<cv::Rect> areas;
  for (const LatticeCell& cell : changed) {
    const cv::Rect area = Grown(view_.Of(cell), kRim_px, view_.size());
    if (!area.empty()) areas.push_back(area);
  }
  if (network_ != nullptr) {
    network_->LookAgain(view_, ByPictures() ? AroundTiles(tiles, changed) : areas, answer_);
  }
  cv::Mat stirred = cv::Mat::zeros(view_.size(), CV_8U);
  const DifferenceSigns differences(view_);
  const NetworkSigns looks(view_, answer_);
  const FigureSigns& signs = ByPictures() ? static_cast<const FigureSigns&>(differences) : looks;
  for (const cv::Rect& area : areas) stirred(area).setTo(255);
  for (const LatticeCell& cell : beside) areas.push_back(view_.Of(cell));
  for (const cv::Rect& area : areas) signs.Pieces(area).copyTo(pieces_(area));
  // What a figure covered that may be another now must be explained anew.
  const cv::Mat changed_there = stirred.clone();
  std::erase_if(found_, [&](const Found& found) {
    const bool touched = cv::countNonZero(found.cover & changed_there(found.window)) > 0;
    if (touched) stirred(found.window).setTo(255, found.cover);
    return touched;
  });
  ExplainAll(tiles, stirred, options);
  return Conclude(options);
}

std::vector<cv::Rect> FigureFinder::AroundTiles(const std::vector<NamedTile>& tiles,
                                                const std::set<LatticeCell>& changed) const {
  // A figure may stand out so far over the edge of its tile.
  constexpr int kOverTheEdge_px = BoardView::kSide_px / 4;
  std::vector<cv::Rect> areas;
  for (const NamedTile& tile : tiles) {
    if (!changed.contains(tile.cell)) continue;
    const cv::Rect area = Grown(view_.Of(tile.cell), kOverTheEdge_px, view_.size());
    if (!area.empty()) areas.push_back(area);
  }
  return areas;
}

FigureFinder::Changes FigureFinder::WhatChanged(const cv::Mat& frame,
                                                const cv::Mat& hand_mask) const {
  Changes changes;
  const auto flat = [&](const cv::Mat& picture, const cv::Rect& window, int how) {
    const double sx = static_cast<double>(picture.cols) / frame.cols;
    const double sy = static_cast<double>(picture.rows) / frame.rows;
    const cv::Matx33d from_px(sx, 0, 0.5 * sx - 0.5, 0, sy, 0.5 * sy - 0.5, 0, 0, 1);
    const cv::Matx33d from_window(1, 0, window.x, 0, 1, window.y, 0, 0, 1);
    cv::Mat seen;
    cv::warpPerspective(picture, seen, from_px * view_.PxFromView() * from_window, window.size(),
                        how | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
    return seen;
  };
  for (const Found& found : found_) {
    if (found.figure.cell && ground_ == FigureGround::kBesideTiles) continue;
    if (!hand_mask.empty()) {
      const cv::Mat hand = flat(hand_mask, found.window, cv::INTER_NEAREST);
      if (cv::countNonZero(hand & found.cover) > 0) {
        changes.hidden.push_back(found.figure.foot_px);
        continue;
      }
    }
    const cv::Mat now = flat(frame, found.window, cv::INTER_LINEAR);
    cv::Mat inside;
    cv::erode(found.cover, inside, cv::getStructuringElement(cv::MORPH_ELLIPSE, {7, 7}));
    if (LooksOtherwise(view_.picture(found.window), now, inside)) {
      changes.gone.push_back(found.figure.foot_px);
    }
  }
  return changes;
}

cv::Mat FigureFinder::Explained() const {
  cv::Mat explained = cv::Mat::zeros(view_.size(), CV_8U);
  for (const Found& found : found_) explained(found.window).setTo(255, found.cover);
  return explained;
}

}  // namespace tilewarden::vision
