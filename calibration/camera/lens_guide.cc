#include "calibration/camera/lens_guide.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "calibration/camera/lens.h"
#include "opencv2/calib3d.hpp"

namespace tilewarden::calibration {
namespace {

// What a lens needs: measured by tests/calibration/calibration_evaluation, where
// two halves of so many looks agree.
constexpr int kLooks = 24, kAtEachPlace = 2, kWithEachTilt = 4;
// Corners of the board must have been seen in so many parts of a fine grid.
constexpr int kColumns = 8, kRows = 5;
constexpr double kCovered = 0.9;
// From so much tilt on a look says something about the focal length.
constexpr double kTilted = 15 * std::numbers::pi / 180;
// Focal length by picture width, between phones and webcams.
constexpr double kUsualFocal = 0.85;
// A look that is nearer to another than this share of the picture's width says
// nothing new.
constexpr double kSame = 0.025;

constexpr std::array<const char*, kPlaces> kPlaceNames = {
    "in the upper left", "at the top",    "in the upper right",
    "on the left",       "in the middle", "on the right",
    "in the lower left", "at the bottom", "in the lower right"};
constexpr std::array<const char*, kTilts> kTiltNames = {
    "facing the camera", "with its left side tilted away", "with its right side tilted away",
    "with its top tilted away", "with its bottom tilted away"};

int PlaceOf(const BoardLook& look) {
  const cv::Point2f sum =
      std::accumulate(look.corners_px.begin(), look.corners_px.end(), cv::Point2f());
  const cv::Point2f middle = sum / static_cast<float>(look.corners_px.size());
  const auto third = [](float at, int size) {
    return std::clamp(static_cast<int>(3 * at / static_cast<float>(size)), 0, 2);
  };
  return 3 * third(middle.y, look.size_px.height) + third(middle.x, look.size_px.width);
}

bool Same(const BoardLook& a, const BoardLook& b) {
  double moved = 0;
  int both = 0;
  for (std::size_t i = 0; i < a.ids.size(); ++i) {
    const auto j = std::find(b.ids.begin(), b.ids.end(), a.ids[i]);
    if (j == b.ids.end()) continue;
    moved += cv::norm(a.corners_px[i] - b.corners_px[static_cast<std::size_t>(j - b.ids.begin())]);
    ++both;
  }
  return both > 0 && moved / both < kSame * a.size_px.width;
}

template <typename Counts>
std::size_t Fewest(const Counts& counts, std::size_t first) {
  // Every place and tilt in turn where none is behind.
  std::size_t best = first % counts.size();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t at = (first + i) % counts.size();
    if (counts[at] < counts[best]) best = at;
  }
  return best;
}

}  // namespace

Tilt TiltOf(const BoardLook& look) {
  const Lens guess{look.size_px,
                   kUsualFocal * std::max(look.size_px.width, look.size_px.height),
                   (look.size_px.width - 1) / 2.0,
                   (look.size_px.height - 1) / 2.0,
                   {}};
  cv::Vec3d turn, place;
  cv::solvePnP(look.corners_mm, look.corners_px, guess.CameraMatrix(), cv::noArray(), turn, place,
               false, cv::SOLVEPNP_IPPE);
  cv::Matx33d r;
  cv::Rodrigues(turn, r);
  // Away from the camera, through the board: it leans to the nearer side.
  cv::Vec3d normal = {r(0, 2), r(1, 2), r(2, 2)};
  if (normal[2] < 0) normal = -normal;
  if (std::hypot(normal[0], normal[1]) < std::sin(kTilted)) return Tilt::kNone;
  if (std::abs(normal[0]) > std::abs(normal[1])) {
    return normal[0] < 0 ? Tilt::kRight : Tilt::kLeft;
  }
  return normal[1] < 0 ? Tilt::kBottom : Tilt::kTop;
}

absl::Status LensGuide::Add(const BoardLook& look) {
  if (!looks_.empty() && look.size_px != looks_.front().size_px) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "a picture of %dx%d after one of %dx%d: take them all with one camera at one size",
        look.size_px.width, look.size_px.height, looks_.front().size_px.width,
        looks_.front().size_px.height));
  }
  if (std::any_of(looks_.begin(), looks_.end(),
                  [&](const auto& other) { return Same(look, other); })) {
    return absl::AlreadyExistsError(
        "there is already a look like this: move the board, or tilt it");
  }
  ++at_place_[static_cast<std::size_t>(PlaceOf(look))];
  ++with_tilt_[static_cast<std::size_t>(TiltOf(look))];
  for (const cv::Point2f& p : look.corners_px) {
    seen_.emplace(static_cast<int>(p.x) * kColumns / look.size_px.width,
                  static_cast<int>(p.y) * kRows / look.size_px.height);
  }
  looks_.push_back(look);
  return absl::OkStatus();
}

LensGuide::Wish LensGuide::Next() const {
  Wish wish;
  const std::size_t place = Fewest(at_place_, kPlaces / 2), tilt = Fewest(with_tilt_, 1);
  wish.place = static_cast<int>(place);
  wish.tilt = static_cast<Tilt>(tilt);
  wish.text =
      absl::StrCat("hold the board ", kPlaceNames[place], " of the picture, ", kTiltNames[tilt]);
  return wish;
}

double LensGuide::Coverage() const {
  return static_cast<double>(seen_.size()) / (kColumns * kRows);
}

double LensGuide::Progress() const {
  double have = std::min<double>(kLooks, static_cast<double>(looks_.size())), need = kLooks;
  for (const int n : at_place_) have += std::min(n, kAtEachPlace), need += kAtEachPlace;
  for (const int n : with_tilt_) have += std::min(n, kWithEachTilt), need += kWithEachTilt;
  have += kLooks * std::min(1.0, Coverage() / kCovered), need += kLooks;
  return have / need;
}

}  // namespace tilewarden::calibration
