#include "vision/gate/gate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "opencv2/imgproc.hpp"
#include "opencv2/video/tracking.hpp"
#include "vision/gate/hand_mask.h"
#include "vision/gate/light_change.h"
#include "vision/picture/geometry.h"
#include "vision/picture/median.h"

namespace tilewarden::vision {
namespace {

constexpr int kWidth_px = 240;  // of the reduced picture, about
// Difference from the background, in units of what noise does at most, from
// which a pixel may be a hand's, and from which it surely is not the table's.
constexpr float kForeign = 0.6F;
constexpr float kSurelyForeign = 1.5F;
// Of a hand at least this share of the picture differs so much that no light explains it.
constexpr double kSurelyHand = 0.002;
// Where the median distance is more, the picture is noisy and more must differ.
constexpr float kUsualNoise = 0.12F;
// More of the picture changed than any arm covers: another picture.
constexpr double kOtherPicture = 0.55;
// Much of the picture beside what may be a hand changed as well: it moved. Of 1,087 looks at
// virtual tables with a hand one had 0.18, where the table was much like it, all others less than
// 0.14.
constexpr double kMovedBeside = 0.22, kStillBeside = 0.03;
// Where the camera is known to have moved, that much of it is seams of a cloth that do not fit.
constexpr double kUnfitBeside = 0.05;

cv::Size ReducedSize(cv::Size frame) {
  const int factor = std::max(1, frame.width / kWidth_px);
  return {std::max(1, frame.width / factor), std::max(1, frame.height / factor)};
}

cv::Mat Reduce(const cv::Mat& frame) {
  const cv::Size size = ReducedSize(frame.size());
  cv::Mat small = frame, wide;
  // By halves as long as they come out even: OpenCV has a fast way for those.
  while (small.cols % 2 == 0 && small.rows % 2 == 0 && small.cols / 2 >= size.width &&
         small.rows / 2 >= size.height) {
    cv::Mat half;
    cv::resize(small, half, {small.cols / 2, small.rows / 2}, 0, 0, cv::INTER_AREA);
    small = half;
  }
  if (small.size() != size) cv::resize(small, small, size, 0, 0, cv::INTER_AREA);
  small.convertTo(wide, CV_32F);
  return wide;
}

cv::Matx33d ReducedFromPx(cv::Size frame, cv::Size reduced) {
  const double sx = static_cast<double>(reduced.width) / frame.width;
  const double sy = static_cast<double>(reduced.height) / frame.height;
  return {sx, 0, 0.5 * sx - 0.5, 0, sy, 0.5 * sy - 0.5, 0, 0, 1};
}

// How far a picture is from the background at each pixel, a soft shadow or a
// bright spot allowed.
cv::Mat AwayFromBackground(const cv::Mat& background, const cv::Mat& picture) {
  // Of the background's brightness. A deeper one lets the shadow of a hand pass for light, but dark
  // sleeves too.
  constexpr float kDeepest = 0.72F, kBrightest = 1.1F;
  cv::Mat away(picture.size(), CV_32F);
  for (int y = 0; y < picture.rows; ++y) {
    const cv::Vec3f* b = background.ptr<cv::Vec3f>(y);
    const cv::Vec3f* s = picture.ptr<cv::Vec3f>(y);
    float* out = away.ptr<float>(y);
    for (int x = 0; x < picture.cols; ++x) {
      const float bb = b[x].dot(b[x]);
      const float k = std::clamp(s[x].dot(b[x]) / std::max(bb, 1.0F), kDeepest, kBrightest);
      const cv::Vec3f d = s[x] - k * b[x];
      out[x] = std::sqrt(d.dot(d)) / (6 + 0.03F * (std::sqrt(bb) + std::sqrt(s[x].dot(s[x]))));
    }
  }
  return away;
}

float MedianOf(const cv::Mat& values) {
  std::vector<float> sample;
  for (int y = 0; y < values.rows; y += 3) {
    for (int x = 0; x < values.cols; x += 3) sample.push_back(values.at<float>(y, x));
  }
  return Median(std::move(sample));
}

// The background as a bumped camera would see it: shifted, turned and zoomed a little
// so that it fits the picture, and the picture itself where it was not in view; empty if nothing of
// the kind fits.
cv::Mat Follow(const cv::Mat& background, const cv::Mat& picture) {
  cv::Mat from, to, warp = cv::Mat::eye(2, 3, CV_32F), moved;
  cv::cvtColor(background, from, cv::COLOR_BGR2GRAY);
  cv::cvtColor(picture, to, cv::COLOR_BGR2GRAY);
  cv::pyrDown(from, from);
  cv::pyrDown(to, to);
  // A lamp's light stays where it is when the camera moves, and would hold the table back.
  constexpr double kLight_px = 4;
  for (cv::Mat* grey : {&from, &to}) {
    cv::Mat light;
    cv::GaussianBlur(*grey, light, {}, kLight_px);
    *grey -= light;
  }
  cv::Mat window;
  cv::createHanningWindow(window, to.size(), CV_32F);
  const cv::Point2d shift = cv::phaseCorrelate(to, from, window);
  warp.at<float>(0, 2) = static_cast<float>(shift.x);
  warp.at<float>(1, 2) = static_cast<float>(shift.y);
  const auto refine = [&](int motion) {
    cv::Mat finer = warp.clone();
    try {
      cv::findTransformECC(to, from, finer, motion,
                           {cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 20, 1e-3}, {}, 3);
    } catch (const cv::Exception&) {
      return false;  // it throws where the two have nothing in common
    }
    warp = finer;
    return true;
  };
  // First without zoom, which leads astray from far away.
  if (!refine(cv::MOTION_EUCLIDEAN)) return {};
  refine(cv::MOTION_AFFINE);
  // From the halved pictures to these.
  warp.at<float>(0, 2) *= 2;
  warp.at<float>(1, 2) *= 2;
  constexpr int kInverse = cv::WARP_INVERSE_MAP;
  cv::warpAffine(background, moved, warp, picture.size(), cv::INTER_LINEAR | kInverse);
  cv::Mat seen_before;
  cv::warpAffine(cv::Mat(background.size(), CV_8U, cv::Scalar(255)), seen_before, warp,
                 picture.size(), cv::INTER_NEAREST | kInverse);
  // Nothing can be said of the strip that came into view.
  cv::erode(seen_before, seen_before, {}, {-1, -1}, 1, cv::BORDER_CONSTANT, cv::Scalar(255));
  picture.copyTo(moved, seen_before == 0);
  return moved;
}

// In how much of the picture beside what may be a hand something differs, 0 to 1.
double SpreadBeside(const cv::Mat& hand, const cv::Mat& differs) {
  constexpr int kBlock_px = 12;     // a twentieth of the width
  constexpr double kEnough = 0.06;  // of a block
  const cv::Size size(differs.cols / kBlock_px, differs.rows / kBlock_px);
  cv::Mat wide, covered, blocks;
  cv::dilate(hand, wide, cv::getStructuringElement(cv::MORPH_ELLIPSE, {7, 7}));
  cv::resize(wide, covered, size, 0, 0, cv::INTER_AREA);
  cv::resize(differs & ~wide, blocks, size, 0, 0, cv::INTER_AREA);
  blocks = cv::min(blocks, 255 * kEnough);
  return cv::mean(blocks, covered < 128)[0] / (255 * kEnough);
}

// True if a block of the picture changed more than noise does.
bool Moved(const cv::Mat& before, const cv::Mat& now) {
  constexpr double kChange = 5;  // levels, the mean of a block of 6 x 6: more lets slow hands pass
  cv::Mat difference, blocks;
  cv::absdiff(before, now, difference);
  cv::resize(difference, blocks, {now.cols / 6, now.rows / 6}, 0, 0, cv::INTER_AREA);
  // A flicker of the whole picture is not motion.
  const cv::Scalar common = cv::mean(blocks);
  int moved = 0;
  for (int y = 0; y < blocks.rows; ++y) {
    for (int x = 0; x < blocks.cols; ++x) {
      const cv::Vec3f d = blocks.at<cv::Vec3f>(y, x);
      double sum = 0;
      for (int c = 0; c < 3; ++c) sum += std::max(0.0, d[c] - common[c]);
      moved += sum / 3 > kChange;
    }
  }
  return moved > 0;
}

}  // namespace

Gate::Comparison Gate::Compare(const cv::Mat& background, const cv::Mat& picture,
                               int slack_px) const {
  Comparison c;
  const LightChange light = FitLightChange(background, picture);
  c.background = InOtherLight(background, light);
  if (slack_px > 0) {
    cv::Mat least, most;
    const cv::Mat around(2 * slack_px + 1, 2 * slack_px + 1, CV_8U, cv::Scalar(1));
    cv::erode(c.background, least, around);
    cv::dilate(c.background, most, around);
    c.background = cv::max(least, cv::min(most, picture));
  }
  c.light_change = light.Mean();
  const cv::Mat away = AwayFromBackground(c.background, picture);
  const float noise = std::clamp(MedianOf(away) / kUsualNoise, 1.0F, 2.0F);
  cv::Mat foreign = away > kForeign * noise;
  c.sure = away > kSurelyForeign * noise;
  const auto pixels = static_cast<double>(foreign.total());
  c.sure_share = cv::countNonZero(c.sure) / pixels;
  cv::morphologyEx(foreign, foreign, cv::MORPH_OPEN, {});
  cv::morphologyEx(foreign, foreign, cv::MORPH_CLOSE,
                   cv::getStructuringElement(cv::MORPH_ELLIPSE, {7, 7}));
  c.hand = HandsAmong(foreign, picture, c.background, places_);
  c.foreign = foreign;
  if (cv::countNonZero(c.hand & c.sure) < kSurelyHand * pixels) c.hand.setTo(0);
  return c;
}

cv::Mat Gate::FindHand(const cv::Mat& picture, bool sparse, bool& camera_moved) {
  constexpr double kLargeChange = 0.006;  // as much as the smallest hand
  Comparison c = Compare(background_, picture);
  changed_ = cv::countNonZero(c.foreign) > kLargeChange * static_cast<double>(picture.total());
  other_light_ = c.light_change > kSwitchedLamp;
  if (cv::countNonZero(c.hand) == 0) return c.hand;
  // Beside a hand alone nothing differs, and what the hand covers would lead astray.
  const bool still_beside = sparse && SpreadBeside(c.hand, c.sure) < kStillBeside;
  if ((!hand_before_ || follows_ || sparse) && !still_beside) {
    // A bumped camera moves every edge, at the border too. In video it is looked at only
    // when something like a hand appears, because it is slow, and while that stays though the
    // camera has begun to move; between looks that are seconds apart a hand may have gone and the
    // camera been bumped.
    constexpr int kSlack_px = 2;  // the table may be tilted, and what stands on it is seen aside
    const cv::Mat moved = Follow(background_, picture);
    if (!moved.empty()) {
      const Comparison after = Compare(moved, picture);
      if (after.sure_share < 0.5 * c.sure_share) {
        camera_moved = follows_ = true;
        background_ = moved;
        c = Compare(moved, picture, kSlack_px);
      }
    }
  }
  const double unfit = camera_moved ? kUnfitBeside : kMovedBeside;
  const bool moved_unseen = sparse && SpreadBeside(c.hand, c.sure) > unfit;
  if (c.sure_share > kOtherPicture || moved_unseen) {
    camera_moved = true;
    return SkinFromBorder(picture);
  }
  cv::Mat new_since;
  const auto since = [&](std::size_t i) { return Compare(before_changes_[i], picture).foreign; };
  const std::size_t n = camera_moved ? 0 : before_changes_.size();
  if (n > 0) new_since = since(n - 1);
  bool dropped = DropGhosts(picture, c.background, c.light_change, c.foreign, new_since, c.hand);
  // The newest shows a hand as well if that was missed more than once.
  for (std::size_t i = n; i-- > 1 && cv::countNonZero(c.hand) > 0;) {
    if (!DropWhatIsBack(picture, c.background, c.foreign, since(i - 1), c.hand)) continue;
    dropped = true;
    before_changes_.resize(i);
  }
  // What was dropped before may have been a hand that was taken for a ghost.
  if (!camera_moved && !before_ghost_.empty() && cv::countNonZero(c.hand) > 0) {
    const cv::Mat other = Compare(before_ghost_, picture).foreign;
    dropped = DropWhatIsBack(picture, c.background, c.foreign, other, c.hand) || dropped;
  }
  if (dropped) before_ghost_ = background_;
  // What hands left behind says nothing of how the table was before them.
  if (dropped) changed_ = false;
  if (cv::countNonZero(c.hand) > 0) {
    c.hand |= PartsOfHands(c.foreign, picture);
    shows_skin_ = ShowsSkin(c.hand, picture, c.background);
  }
  return c.hand;
}

void Gate::Remember(const cv::Mat& table) {
  constexpr std::size_t kMost = 4;
  before_changes_.push_back(table);
  if (before_changes_.size() > kMost) before_changes_.erase(before_changes_.begin());
}

void Gate::TakeInWhatStays(const cv::Mat& picture, std::int64_t time_ms, cv::Mat& mask) {
  // Beside it hands come and go.
  constexpr double kSame = 0.9, kUnchanged = 6;  // levels
  if (!stayed_mask_.empty()) {
    cv::Mat difference;
    cv::absdiff(picture, stayed_picture_, difference);
    const cv::Scalar change = cv::mean(difference, stayed_mask_);
    const int stayed = cv::countNonZero(stayed_mask_);
    const bool there = cv::countNonZero(mask & stayed_mask_) > kSame * stayed;
    // Of an arm that reaches out farther the rest may lie still: what a lamp left does not grow.
    const bool grown = came_with_light_ && kSame * cv::countNonZero(mask) > stayed;
    if (there && !grown && (change[0] + change[1] + change[2]) / 3 < kUnchanged) {
      const std::int64_t absorb_ms =
          came_with_light_ ? settings_.absorb_with_light_ms : settings_.absorb_ms;
      if (time_ms - stayed_since_ms_ <= absorb_ms) return;
      // With its rim, which wavers.
      cv::Mat whole;
      cv::dilate(stayed_mask_, whole, cv::getStructuringElement(cv::MORPH_ELLIPSE, {5, 5}));
      picture.copyTo(background_, whole);
      mask.setTo(0, whole);
    }
  }
  stayed_mask_ = mask.clone();
  stayed_picture_ = picture.clone();
  stayed_since_ms_ = time_ms;
}

void Gate::ExpectTiles(const std::vector<std::array<cv::Point2f, 4>>& places_px, cv::Size frame) {
  const cv::Matx33d small_from_px = ReducedFromPx(frame, ReducedSize(frame));
  places_ = places_px;
  for (TilePlace& place : places_) {
    for (cv::Point2f& corner : place) corner = Through(small_from_px, cv::Point2d(corner));
  }
}

GateResult Gate::Look(const cv::Mat& frame, std::int64_t time_ms, Kind kind) {
  GateResult result;
  const cv::Mat picture = Reduce(frame);
  const bool first = background_.empty() || background_.size() != picture.size();
  if (!first && time_ms - last_ms_ <= settings_.film_ms) film_ms_ = time_ms;
  result.film = film_ms_ && time_ms - *film_ms_ <= 2 * settings_.late_ms;
  const std::int64_t most_ms = result.film ? settings_.late_ms : settings_.sparse_ms;
  const bool sparse = result.sparse = first || time_ms - last_ms_ > most_ms;
  cv::Mat hand;
  shows_skin_ = true;  // of what is found by its colour alone
  if (first) {
    changed_ = false;
    before_changes_.clear();
    before_ghost_.release();
    hand = SkinFromBorder(picture);
    background_ = picture.clone();
  } else {
    hand = FindHand(picture, sparse, result.camera_moved);
  }
  const bool had_hand = std::exchange(hand_before_, cv::countNonZero(hand) > 0);
  follows_ = follows_ && hand_before_;
  // A camera that suits its exposure to a hand does so after it has come.
  if (hand_before_ && !had_hand) came_with_light_ = other_light_;
  if (hand_before_) TakeInWhatStays(picture, time_ms, hand);
  result.hand = cv::countNonZero(hand) > 0;
  if (result.hand) {
    KeepHand(hand, result);
    result.shows_skin = shows_skin_;
  } else {
    if (result.camera_moved || !sparse) {
      before_changes_.clear();
      before_ghost_.release();
    } else if (changed_) {
      Remember(background_);
    }
    background_ = picture.clone();
    stayed_mask_.release();
  }
  auto& before = last_of_kind_[static_cast<int>(kind)];
  // A look from before the last motion, or with a hand that has left, shows nothing new: that
  // motion is known.
  const bool comparable = !sparse && before.picture.size() == picture.size() &&
                          before.time_ms >= restless_ms_ && (result.hand || !before.hand) &&
                          time_ms - before.time_ms <= most_ms;
  result.moving = comparable && Moved(before.picture, picture);
  before = {picture, time_ms, result.hand};
  const bool leaves = had_hand && !result.hand;
  if (result.moving || sparse || leaves) stirred_ms_ = time_ms;
  result.quiet_ms = time_ms - stirred_ms_;
  const bool restless = result.hand || result.moving || leaves || (result.camera_moved && !sparse);
  if (restless) {
    restless_ms_ = time_ms;
    hand_left_ = leaves && !result.camera_moved;
  }
  const std::int64_t wait_ms = hand_left_ ? settings_.still_after_hand_ms : settings_.still_ms;
  if (!sparse && !result.hand) {
    result.settles_in_ms = std::max<std::int64_t>(0, restless_ms_ + wait_ms - time_ms);
  }
  const bool still = sparse ? !result.moving : result.settles_in_ms == 0;
  result.settled = !result.hand && still;
  last_ = picture;
  last_ms_ = time_ms;
  return result;
}

void Gate::KeepHand(const cv::Mat& hand, GateResult& result) {
  cv::dilate(hand, result.hand_mask, cv::getStructuringElement(cv::MORPH_ELLIPSE, {5, 5}));
}

std::optional<GateResult> Gate::LookAgain(const cv::Matx33d& px_now_from_px_before,
                                          cv::Size frame) {
  // A hand may be there as well.
  constexpr double kLess = 0.8;
  if (background_.empty() || background_.size() != last_.size()) return std::nullopt;
  const cv::Matx33d small_from_px = ReducedFromPx(frame, last_.size());
  const cv::Matx33d move = small_from_px * px_now_from_px_before * small_from_px.inv();
  cv::Mat moved, seen_before;
  cv::warpPerspective(background_, moved, move, last_.size());
  cv::warpPerspective(cv::Mat(last_.size(), CV_8U, cv::Scalar(255)), seen_before, move,
                      last_.size(), cv::INTER_NEAREST);
  last_.copyTo(moved, seen_before == 0);
  const Comparison before = Compare(background_, last_), after = Compare(moved, last_);
  if (after.sure_share > kLess * before.sure_share) return std::nullopt;
  GateResult result;
  result.sparse = result.camera_moved = true;
  cv::Mat hand = after.hand;
  DropGhosts(last_, after.background, after.light_change, after.foreign, {}, hand);
  result.hand = cv::countNonZero(hand) > 0;
  result.shows_skin = result.hand && ShowsSkin(hand, last_, after.background);
  if (result.hand) KeepHand(hand, result);
  background_ = result.hand ? moved : last_.clone();
  hand_before_ = result.hand;
  before_changes_.clear();
  before_ghost_.release();
  stayed_mask_.release();
  result.settled = !result.hand;
  return result;
}

std::vector<LatticeCell> HiddenCells(const cv::Mat& hand_mask, cv::Size frame,
                                     const TablePlane& plane, const std::vector<LatticeCell>& cells,
                                     double share) {
  std::vector<LatticeCell> hidden;
  if (hand_mask.empty()) return hidden;
  constexpr int kPoints = 8;  // along each side of a cell
  for (const LatticeCell& cell : cells) {
    int covered = 0;
    for (int i = 0; i < kPoints * kPoints; ++i) {
      const double u = cell.x + (i % kPoints + 0.5) / kPoints;
      const double v = cell.y + (i / kPoints + 0.5) / kPoints;
      const cv::Point2d px = Through(plane.px_from_lattice, {u, v});
      const int x = static_cast<int>((px.x + 0.5) * hand_mask.cols / frame.width);
      const int y = static_cast<int>((px.y + 0.5) * hand_mask.rows / frame.height);
      if (x < 0 || y < 0 || x >= hand_mask.cols || y >= hand_mask.rows) continue;
      covered += hand_mask.at<uchar>(y, x) != 0;
    }
    if (covered > share * kPoints * kPoints) hidden.push_back(cell);
  }
  return hidden;
}

}  // namespace tilewarden::vision
