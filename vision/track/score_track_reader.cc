#include "vision/track/score_track_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>

#include "calibration/box/reference_pack.h"
#include "calibration/print/score_track.h"
#include "opencv2/imgproc.hpp"
#include "vision/picture/geometry.h"
#include "vision/picture/tile_patch.h"
#include "vision/track/score_track_fields.h"
#include "vision/track/score_track_finder.h"

namespace tilewarden::vision {
namespace {

using calibration::ScoreTrack;

// Side of what the figure finder takes for a tile: three fields, so that figures have
// nearly the size there that they have on tiles of 45 mm. The tiles go on around the
// ring by half of one, for markers lean over its rim.
constexpr double kTile_mm = 3 * ScoreTrack::kField_mm;
constexpr double kRim_mm = kTile_mm / 2;
constexpr int kTilesX = 5, kTilesY = 6;
static_assert(kTilesX * kTile_mm == ScoreTrack::kWidth_mm + 2 * kRim_mm);
static_assert(kTilesY * kTile_mm == ScoreTrack::kHeight_mm + 2 * kRim_mm);
// Tiles from track.
const cv::Matx33d kTilesFromTrack(1 / kTile_mm, 0, 0.5, 0, 1 / kTile_mm, 0.5, 0, 0, 1);

// A track that is not in view is looked for this often: people lay it on the table
// once in a game.
constexpr std::int64_t kSearchAgain_ms = 5000;
// Besides its own doubt the foot is off by this much (standard deviation): the sheet's
// waves, and print that is not quite true to scale.
constexpr double kFootSpread_mm = 1.0;
// Where the print lies open around it, what is as much as this like a figure is one,
// though others stand in its way.
constexpr double kPlain = 0.6;
// A field whose print is as much as this like what is seen there, as a correlation, lies
// open; one of which figures cover more than the second share cannot tell.
constexpr double kLiesOpen = 0.3, kCovered = 0.3;

// The pictures of the track's tiles, row by row.
const std::vector<cv::Mat>& Pictures() {
  static const std::vector<cv::Mat> pictures = [] {
    constexpr double kPx_per_mm = calibration::ReferencePack::kSide_px / kTile_mm;
    constexpr auto kPaper = calibration::Paper::kA4;
    const cv::Mat page = calibration::PaintScoreTrack(kPaper, kPx_per_mm);
    const cv::Point2d track = calibration::TrackOnPage_mm(kPaper).tl();
    std::vector<cv::Mat> cut;
    for (int i = 0; i < kTilesX * kTilesY; ++i) {
      const cv::Point2d middle =
          (track + cv::Point2d(i % kTilesX, i / kTilesX) * kTile_mm) * kPx_per_mm;
      cv::Mat tile;
      cv::getRectSubPix(
          page, {calibration::ReferencePack::kSide_px, calibration::ReferencePack::kSide_px},
          cv::Point2f(middle - cv::Point2d(0.5, 0.5)), tile);
      cut.push_back(tile);
    }
    return cut;
  }();
  return pictures;
}

// Brightness without what changes slowly: shadows, light.
cv::Mat Details(const ColourPlanes& planes) {
  constexpr int kSlowly_px = 9;  // what changes more slowly is light
  const cv::Mat grey = planes[0] + planes[1] + planes[2];
  cv::Mat slow;
  cv::blur(grey, slow, {kSlowly_px, kSlowly_px});
  return grey - slow;
}

// How much the details of two pictures are alike, -1 to 1.
double Correlation(const cv::Mat& a, const cv::Mat& b, const cv::Mat& mask) {
  cv::Mat x = a.clone(), y = b.clone();
  x.setTo(0, mask == 0);
  y.setTo(0, mask == 0);
  return x.dot(y) / std::max(1e-6, cv::norm(x) * cv::norm(y));
}

}  // namespace

std::array<double, 4> ScoreTrackReader::Margins_mm(const cv::Matx33d& px_from_track,
                                                   const cv::Mat& frame) {
  // Beyond it there may be print that is not painted here, the heading and the ruler.
  constexpr int kMost_mm = 13;
  constexpr int kPlaces = 24;
  constexpr double kMajority = 0.6 * kPlaces;
  // The paper is blank this far within the ring.
  constexpr double kBlank_mm = ScoreTrack::kField_mm + 2.5;
  const auto seen = [&](cv::Point2d at, cv::Vec3b* colour) {
    const cv::Point px = Through(px_from_track, at);
    if (!cv::Rect({}, frame.size()).contains(px)) return false;
    *colour = frame.at<cv::Vec3b>(px);
    return true;
  };
  const auto alike = [](const cv::Vec3b& a, const cv::Vec3b& b) {
    constexpr double kShare = 0.12, kLevels = 12;  // more takes a table for paper
    for (int c = 0; c < 3; ++c) {
      if (std::abs(a[c] - b[c]) > kLevels + kShare * std::max(a[c], b[c])) return false;
    }
    return true;
  };
  const std::array<cv::Point2d, 4> corners =
      OutlineOf({0, 0, ScoreTrack::kWidth_mm, ScoreTrack::kHeight_mm});
  const std::array<cv::Point2d, 4> outwards = {{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}};
  std::array<double, 4> margins{};
  for (std::size_t side = 0; side < 4; ++side) {
    for (int out = 1; out <= kMost_mm; ++out) {
      int paper = 0;
      for (int i = 0; i < kPlaces; ++i) {
        const double share = 0.1 + 0.8 * (i + 0.5) / kPlaces;
        const cv::Point2d rim = corners[side] * (1 - share) + corners[(side + 1) % 4] * share;
        cv::Vec3b there, blank;
        paper += seen(rim + outwards[side] * out, &there) &&
                 seen(rim - outwards[side] * kBlank_mm, &blank) && alike(there, blank);
      }
      if (paper < kMajority) break;
      margins[side] = out - 1;
    }
  }
  return margins;
}

void ScoreTrackReader::LieAt(const cv::Matx33d& px_from_track, const cv::Mat& frame) {
  px_from_track_ = px_from_track;
  plane_.px_from_lattice = px_from_track * kTilesFromTrack.inv();
  const std::array<double, 4> margins = Margins_mm(px_from_track, frame);
  const cv::Rect2d paper(-margins[3], -margins[0], ScoreTrack::kWidth_mm + margins[3] + margins[1],
                         ScoreTrack::kHeight_mm + margins[0] + margins[2]);
  constexpr double kIn = ScoreTrack::kField_mm + kMarkerLeans_mm;
  const cv::Rect2d middle(kIn, kIn, ScoreTrack::kWidth_mm - 2 * kIn,
                          ScoreTrack::kHeight_mm - 2 * kIn);
  tiles_.clear();
  places_ = {};
  std::vector<double> sides;
  for (int i = 0; i < kTilesX * kTilesY; ++i) {
    NamedTile tile;
    tile.cell = {i % kTilesX, i / kTilesX};
    const std::array<cv::Point2d, 4> corners =
        OutlineOf(cv::Rect2d(tile.cell.x, tile.cell.y, 1, 1));
    for (std::size_t c = 0; c < 4; ++c) {
      tile.corners_px[c] = cv::Point2f(Through(plane_.px_from_lattice, corners[c]));
    }
    tile.tile = "score track";
    tile.probability = 1;
    tile.expected = Pictures()[static_cast<std::size_t>(i)];
    tile.held = cv::Mat::zeros(BoardView::kSide_px, BoardView::kSide_px, CV_8U);
    const auto hold = [&](const cv::Rect2d& area_mm, int value) {
      const cv::Point2d at(tile.cell.x * kTile_mm - kRim_mm, tile.cell.y * kTile_mm - kRim_mm);
      constexpr double kPx_per_mm = BoardView::kSide_px / kTile_mm;
      const cv::Rect area(cv::Point((area_mm.tl() - at) * kPx_per_mm),
                          cv::Point((area_mm.br() - at) * kPx_per_mm));
      const cv::Rect inside = area & cv::Rect({}, tile.held.size());
      if (!inside.empty()) tile.held(inside).setTo(value);
    };
    hold(paper, 255);
    hold(middle, 0);
    for (const int field : hidden_) hold(AcrossRing_mm(field), 0);
    places_.tiles[tile.cell] = {tile.tile, PxFromTile(tile.corners_px)};
    sides.push_back(cv::norm(tile.corners_px[1] - tile.corners_px[0]));
    tiles_.push_back(std::move(tile));
  }
  std::nth_element(sides.begin(), sides.begin() + kTilesX * kTilesY / 2, sides.end());
  plane_.tile_px = sides[kTilesX * kTilesY / 2];
}

std::array<cv::Point2d, 4> ScoreTrackReader::Corners_px(const cv::Matx33d& px_from_track) {
  std::array<cv::Point2d, 4> corners =
      OutlineOf(cv::Rect2d(0, 0, ScoreTrack::kWidth_mm, ScoreTrack::kHeight_mm));
  for (cv::Point2d& corner : corners) corner = Through(px_from_track, corner);
  return corners;
}

bool ScoreTrackReader::LiesElsewhere(const cv::Matx33d& px_from_track) const {
  constexpr double kMoved_mm = 1;  // less reads it again for nothing
  const std::array<cv::Point2d, 4> before = Corners_px(px_from_track_),
                                   now = Corners_px(px_from_track);
  for (std::size_t c = 0; c < 4; ++c) {
    if (cv::norm(before[c] - now[c]) > kMoved_mm / kTile_mm * plane_.tile_px) return true;
  }
  return false;
}

std::vector<int> ScoreTrackReader::HiddenFields(cv::Size frame) const {
  const BoardView& view = figures_.view();
  const cv::Mat explained = figures_.Explained();
  const cv::Mat seen = Details(view.seen), expected = Details(view.expected);
  enum class Shows { kPrint, kFigure, kNeither };
  std::array<Shows, ScoreTrack::kFields> fields{};
  for (int field = 0; field < ScoreTrack::kFields; ++field) {
    const cv::Rect2d place = calibration::Field_mm(field);
    const cv::Point2d low = view.ViewFromLattice(Through(kTilesFromTrack, place.tl())),
                      high = view.ViewFromLattice(Through(kTilesFromTrack, place.br()));
    const cv::Rect area = cv::Rect(cv::Point(low), cv::Point(high)) & cv::Rect({}, view.size());
    bool in_frame = true;
    for (const cv::Point2d& corner : OutlineOf(place)) {
      const cv::Point2d px = Through(px_from_track_, corner);
      in_frame &= px.x >= 0 && px.y >= 0 && px.x <= frame.width - 1 && px.y <= frame.height - 1;
    }
    const cv::Mat free = explained(area) == 0;
    Shows& shows = fields[static_cast<std::size_t>(field)];
    if (in_frame && cv::countNonZero(free) < (1 - kCovered) * area.area()) {
      shows = Shows::kFigure;
    } else {
      const bool open = in_frame && Correlation(seen(area), expected(area), free) >= kLiesOpen;
      shows = open ? Shows::kPrint : Shows::kNeither;
    }
  }
  // Figures alone, with no print beside them, are something else.
  std::vector<int> hidden;
  for (int field = 0; field < ScoreTrack::kFields; ++field) {
    const Shows shows = fields[static_cast<std::size_t>(field)];
    const std::array<int, 5> near = Near(field);
    const bool beside_print = std::any_of(near.begin(), near.end(), [&](int other) {
      return fields[static_cast<std::size_t>(other)] == Shows::kPrint;
    });
    if (shows == Shows::kNeither || !beside_print) hidden.push_back(field);
  }
  return hidden;
}

SightedScoreTrack ScoreTrackReader::Describe(const std::vector<SightedFigure>& figures) const {
  SightedScoreTrack track;
  const std::array<cv::Point2d, 4> corners = Corners_px(px_from_track_);
  for (std::size_t c = 0; c < 4; ++c) track.corners_px[c] = {corners[c].x, corners[c].y};
  track.hidden_fields = hidden_;
  const cv::Matx33d track_from_px = px_from_track_.inv();
  for (const SightedFigure& figure : figures) {
    const cv::Point2d foot_mm = Through(track_from_px, {figure.foot_px.x, figure.foot_px.y});
    SightedMarker marker;
    marker.fields = FieldsOf(foot_mm, std::hypot(figure.foot_sigma * kTile_mm, kFootSpread_mm));
    if (marker.fields.empty()) continue;
    // What stands among fields that cannot be seen may be anything.
    const std::array<int, 5> near = Near(marker.fields.front().field);
    const bool lies_open = std::none_of(near.begin(), near.end(), [&](int field) {
      return std::binary_search(hidden_.begin(), hidden_.end(), field);
    });
    if (!lies_open) continue;
    marker.foot_px = figure.foot_px;
    marker.colours = figure.colours;
    marker.standing_probability = figure.standing_probability;
    marker.probability = std::min(1.0, figure.probability / kPlain);
    track.markers.push_back(std::move(marker));
  }
  return track;
}

void ScoreTrackReader::Forget() {
  seen_.reset();
  searched_ms_.reset();
}

const std::optional<SightedScoreTrack>& ScoreTrackReader::Read(
    const cv::Mat& frame, const PicturePyramid& pyramid, std::int64_t time_ms,
    const cv::Mat& hand_mask, const Options& options, bool may_search) {
  if (frame.size() != size_) {
    Forget();
    size_ = frame.size();
  }
  std::optional<CellWatch::Change> change;
  std::optional<cv::Matx33d> found;
  if (seen_) {
    change = watch_.Changed(pyramid);
    if (change->cells.empty() && !change->everywhere) return seen_;
    // Somebody may have shifted the sheet with the marker.
    found = FindScoreTrack(
        frame, cv::boundingRect(std::vector<cv::Point2f>{
                   tiles_.front().corners_px[0], tiles_[kTilesX - 1].corners_px[1],
                   tiles_.back().corners_px[2], tiles_[tiles_.size() - kTilesX].corners_px[3]}));
    if (!found && !change->everywhere) found = px_from_track_;
  }
  if (!found) {
    seen_.reset();
    if (!may_search || (searched_ms_ && time_ms < *searched_ms_ + kSearchAgain_ms)) {
      return seen_;
    }
    searched_ms_ = time_ms;
    found = FindScoreTrack(frame);
    if (!found) return seen_;
  }
  Options of_figures = options;
  of_figures.debug_folder.clear();     // the board's own pictures go there
  of_figures.special_figures.clear();  // followers count
  const bool anew = !seen_ || change->everywhere || LiesElsewhere(*found);
  const auto find = [&] {
    LieAt(*found, frame);
    return figures_.Find(frame, tiles_, plane_, hand_mask, of_figures);
  };
  if (anew) hidden_.clear();
  std::vector<SightedFigure> figures =
      anew ? find()
           : figures_.FindAgain(frame, tiles_, plane_, hand_mask, change->cells, of_figures);
  // What lies over the track is not to be explained by figures.
  if (std::vector<int> hidden = HiddenFields(frame.size()); hidden != hidden_) {
    hidden_ = std::move(hidden);
    figures = find();
  }
  seen_ = Describe(figures);
  watch_.Remember(pyramid, places_);
  return seen_;
}

}  // namespace tilewarden::vision
