#include "calibration/camera/lens_solver.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "opencv2/calib3d.hpp"

namespace tilewarden::calibration {
namespace {

using Looks = std::vector<const BoardLook*>;

// From the simplest lens on: a term that the looks do not show only adds error.
constexpr int kPlain = cv::CALIB_FIX_ASPECT_RATIO | cv::CALIB_ZERO_TANGENT_DIST | cv::CALIB_FIX_K3;
constexpr int kModels[] = {kPlain, kPlain & ~cv::CALIB_FIX_K3,
                           cv::CALIB_FIX_ASPECT_RATIO | cv::CALIB_FIX_K3,
                           cv::CALIB_FIX_ASPECT_RATIO};
// A lens with more terms must foretell looks that it has not seen better by this.
constexpr double kWorthMore = 0.97;

// How far corners are from where the lens has them, and how far apart the lenses of two halves of
// the looks place a point, at most. Corners are found to 0.1 px.
constexpr double kGoodRms_px = 0.3, kGoodHalves_px = 0.5;
constexpr double kUsableRms_px = 1.0, kUsableHalves_px = 2.0;

Looks Pointers(const std::vector<BoardLook>& looks) {
  Looks pointers;
  for (const BoardLook& look : looks) pointers.push_back(&look);
  return pointers;
}

struct Solved {
  Lens lens;
  double rms_px = 0;
};

std::optional<Solved> Solve(const Looks& looks, int model) {
  std::vector<std::vector<cv::Point3f>> on_board;
  std::vector<std::vector<cv::Point2f>> seen;
  for (const BoardLook* look : looks) {
    on_board.push_back(look->corners_mm);
    seen.push_back(look->corners_px);
  }
  const cv::Size size = looks.front()->size_px;
  cv::Mat camera = cv::Mat::eye(3, 3, CV_64F), distortion, turns, places;
  try {
    const double rms =
        cv::calibrateCamera(on_board, seen, size, camera, distortion, turns, places, model,
                            {cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 100, 1e-10});
    Lens lens{size, camera.at<double>(0, 0), camera.at<double>(0, 2), camera.at<double>(1, 2), {}};
    for (int i = 0; i < 5; ++i)
      lens.distortion[static_cast<std::size_t>(i)] = distortion.at<double>(i);
    if (!std::isfinite(rms) || !(lens.focal_px > 0)) return std::nullopt;
    return Solved{lens, rms};
  } catch (const cv::Exception&) {
    return std::nullopt;  // looks that have no solution, all straight on for one
  }
}

// Each corner's distance from where a lens has it; only where the board was held
// is fitted.
std::vector<double> Residuals_px(const Lens& lens, const BoardLook& look) {
  cv::Vec3d turn, place;
  cv::solvePnP(look.corners_mm, look.corners_px, lens.CameraMatrix(), lens.Distortion(), turn,
               place);
  std::vector<cv::Point2f> expected;
  cv::projectPoints(look.corners_mm, turn, place, lens.CameraMatrix(), lens.Distortion(), expected);
  std::vector<double> residuals;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    residuals.push_back(cv::norm(expected[i] - look.corners_px[i]));
  }
  return residuals;
}

// The looks without corners that went astray, on a shadow or a finger: far from
// where all the others put them.
std::vector<BoardLook> WithoutStrays(const std::vector<BoardLook>& looks, const Lens& lens) {
  constexpr double kStray = 5;  // times the median distance
  std::vector<std::vector<double>> residuals;
  std::vector<double> all;
  for (const BoardLook& look : looks) {
    residuals.push_back(Residuals_px(lens, look));
    all.insert(all.end(), residuals.back().begin(), residuals.back().end());
  }
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2),
                   all.end());
  const double most = kStray * all[all.size() / 2];
  std::vector<BoardLook> kept;
  for (std::size_t n = 0; n < looks.size(); ++n) {
    BoardLook look{looks[n].size_px, {}, {}, {}};
    for (std::size_t i = 0; i < looks[n].ids.size(); ++i) {
      if (residuals[n][i] > most) continue;
      look.ids.push_back(looks[n].ids[i]);
      look.corners_px.push_back(looks[n].corners_px[i]);
      look.corners_mm.push_back(looks[n].corners_mm[i]);
    }
    if (look.ids.size() >= kFewestCorners) kept.push_back(std::move(look));
  }
  return kept;
}

// How well a lens predicts looks that it was not made from.
double Foretold_px(const Lens& lens, const Looks& looks) {
  double sum = 0, count = 0;
  for (const BoardLook* look : looks) {
    for (const double off : Residuals_px(lens, *look)) sum += off * off, ++count;
  }
  return std::sqrt(sum / count);
}

}  // namespace

Verdict LensFit::verdict() const {
  if (rms_px <= kGoodRms_px && halves.rms_px <= kGoodHalves_px) return Verdict::kGood;
  if (rms_px <= kUsableRms_px && halves.rms_px <= kUsableHalves_px) return Verdict::kUsable;
  return Verdict::kPoor;
}

std::string LensFit::Describe() const {
  const std::string figures = absl::StrFormat(
      "corners fit to %.2f px, two halves of the %d pictures agree to %.2f px "
      "(%.2f px at worst)",
      rms_px, looks, halves.rms_px, halves.worst_px);
  switch (verdict()) {
    case Verdict::kGood:
      return absl::StrCat("good: ", figures);
    case Verdict::kUsable:
      return absl::StrCat("usable: ", figures, "; for better, ",
                          rms_px > kGoodRms_px ? "glue the board on something flat"
                                               : "add pictures with the board tilted, and in the "
                                                 "picture's corners");
    case Verdict::kPoor:
      break;
  }
  return absl::StrCat("poor: ", figures, "; ",
                      rms_px > kUsableRms_px
                          ? "is the board flat and held still? Glue it to something stiff"
                          : "tilt the board more and show it in every part of the picture",
                      ", and calibrate again");
}

absl::StatusOr<LensFit> SolveLens(const std::vector<BoardLook>& taken) {
  if (taken.size() < kFewestLooks) {
    return absl::FailedPreconditionError(absl::StrCat(
        taken.size(), " usable pictures of the board are too few: take at least ", kFewestLooks,
        ", better 24, with the board tilted to all sides and in every "
        "part of the picture"));
  }
  for (const BoardLook& look : taken) {
    if (look.size_px != taken.front().size_px) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "pictures of %dx%d and of %dx%d: take them all with one camera at one size",
          taken.front().size_px.width, taken.front().size_px.height, look.size_px.width,
          look.size_px.height));
    }
  }
  const auto first_try = Solve(Pointers(taken), kPlain);
  const std::vector<BoardLook> looks =
      first_try ? WithoutStrays(taken, first_try->lens) : std::vector<BoardLook>();
  const Looks all = Pointers(looks);
  Looks even, odd;
  for (const BoardLook* look : all) (even.size() == odd.size() ? even : odd).push_back(look);
  std::optional<LensFit> best;
  double best_foretold = 0;
  for (const int model : kModels) {
    if (all.size() < kFewestLooks) break;
    const auto whole = Solve(all, model), first = Solve(even, model), second = Solve(odd, model);
    if (!whole || !first || !second) continue;
    const double foretold =
        std::hypot(Foretold_px(first->lens, odd), Foretold_px(second->lens, even));
    if (best && foretold > kWorthMore * best_foretold) continue;
    best_foretold = foretold;
    best = LensFit{whole->lens, static_cast<int>(all.size()), whole->rms_px,
                   Difference(first->lens, second->lens)};
  }
  if (!best) {
    return absl::FailedPreconditionError(
        "no lens fits these pictures: tilt the board to all sides, and start again");
  }
  return *best;
}

}  // namespace tilewarden::calibration
