#include "calibration/camera/board_look.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "calibration/camera/sharpness.h"
#include "opencv2/aruco.hpp"
#include "opencv2/calib3d.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

using Outline = std::vector<cv::Point2f>;

// Corners of blurred squares wander; sharp pictures have 0.5 to 0.9.
constexpr double kBlurred_px = 1.7;
// Of the way from a corner to the nearest marker.
constexpr double kReach = 0.8, kSmallestReach_px = 3;
// Smoothed by so much, and never so much that the nearest marker comes into reach.
constexpr double kSmooth_px = 1.2, kReachToSmooth = 5;

cv::Mat Grey(const cv::Mat& picture) {
  if (picture.channels() == 1) return picture;
  cv::Mat grey;
  cv::cvtColor(picture, grey, cv::COLOR_BGR2GRAY);
  return grey;
}

// Whether the markers lie to each other as on this board: another board's have
// the same numbers in other places.
bool Fits(const std::vector<Outline>& markers, const std::vector<int>& ids,
          const cv::aruco::CharucoBoard& board) {
  std::vector<cv::Point2f> on_board, seen;
  double side = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto known = std::find(board.ids.begin(), board.ids.end(), ids[i]);
    if (known == board.ids.end()) return false;
    const auto& corners = board.objPoints[static_cast<std::size_t>(known - board.ids.begin())];
    for (std::size_t c = 0; c < 4; ++c) {
      on_board.emplace_back(corners[c].x, corners[c].y);
      seen.push_back(markers[i][c]);
    }
    side += cv::norm(markers[i][0] - markers[i][1]) / static_cast<double>(ids.size());
  }
  std::vector<uchar> inliers;
  const cv::Mat h = cv::findHomography(on_board, seen, cv::RANSAC, 0.3 * side, inliers);
  return !h.empty() && cv::countNonZero(inliers) >= 0.7 * static_cast<double>(seen.size());
}

// Half the side of the largest upright square around a point that stays out of an outline. On a
// tilted board a marker's side may come nearer than its nearest corner.
double SquareUpTo(cv::Point2f middle, const Outline& outline) {
  constexpr int kAlong = 12;  // places along a side
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t side = 0; side < outline.size(); ++side) {
    const cv::Point2f from = outline[side] - middle;
    const cv::Point2f step = (outline[(side + 1) % outline.size()] - outline[side]) / kAlong;
    for (int i = 0; i < kAlong; ++i) {
      const cv::Point2f p = from + step * i;
      nearest = std::min<double>(nearest, std::max(std::abs(p.x), std::abs(p.y)));
    }
  }
  return nearest;
}

// A corner of squares lies half way between the corners of the two markers beside
// it, wherever the board is tilted to.
struct ExpectedCorner {
  cv::Point2f at_px;
  // So far a window may reach before it takes in a marker, which would pull it.
  double reach_px = 0;
};

std::optional<ExpectedCorner> Expected(const cv::aruco::CharucoBoard& board, std::size_t corner,
                                       const std::vector<Outline>& markers,
                                       const std::vector<int>& ids) {
  std::vector<cv::Point2f> beside;
  std::vector<const Outline*> outlines;
  for (std::size_t n = 0; n < board.nearestMarkerIdx[corner].size(); ++n) {
    const int id = board.ids[static_cast<std::size_t>(board.nearestMarkerIdx[corner][n])];
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found == ids.end()) return std::nullopt;
    outlines.push_back(&markers[static_cast<std::size_t>(found - ids.begin())]);
    const auto nearest = static_cast<std::size_t>(board.nearestMarkerCorners[corner][n]);
    beside.push_back((*outlines.back())[nearest]);
  }
  if (beside.size() != 2) return std::nullopt;
  const cv::Point2f at = (beside[0] + beside[1]) / 2;
  return ExpectedCorner{
      at, kReach * std::min(SquareUpTo(at, *outlines[0]), SquareUpTo(at, *outlines[1]))};
}

// The part of the picture that the board is in.
cv::Rect PlaceOf(const std::vector<Outline>& markers, cv::Size picture) {
  Outline all;
  for (const auto& marker : markers) all.insert(all.end(), marker.begin(), marker.end());
  return cv::boundingRect(all) & cv::Rect({}, picture);
}

}  // namespace

void RefineCorners(const cv::Mat& grey, double reach_px, std::vector<cv::Point2f>* points_px) {
  const int reach = std::clamp(static_cast<int>(reach_px), 2, 15);
  // Noise pulls corners by its gradients: smoothed, they are wrong by a third less.
  const double smooth_px = std::min(kSmooth_px, reach / kReachToSmooth);
  // A whole window, also at the picture's rim.
  const cv::Size window(std::min(2 * reach + 17, grey.cols), std::min(2 * reach + 17, grey.rows));
  if (std::min(window.width, window.height) < 2 * reach + 5) return;
  for (cv::Point2f& point : *points_px) {
    const cv::Point middle(point);
    if (!cv::Rect({}, grey.size()).contains(middle)) continue;
    const cv::Point from(std::clamp(middle.x - window.width / 2, 0, grey.cols - window.width),
                         std::clamp(middle.y - window.height / 2, 0, grey.rows - window.height));
    const cv::Rect place(from, window);
    cv::Mat smooth;
    cv::GaussianBlur(grey(place), smooth, {}, smooth_px);
    const auto corner = cv::Point2f(place.tl());
    std::vector<cv::Point2f> refined = {point - corner};
    cv::cornerSubPix(smooth, refined, {reach, reach}, {-1, -1},
                     {cv::TermCriteria::MAX_ITER + cv::TermCriteria::EPS, 60, 1e-3});
    point = refined[0] + corner;
  }
}

absl::StatusOr<BoardLook> FindBoard(const cv::Mat& picture, const BoardLayout& board) {
  const cv::Mat grey = Grey(picture);
  const auto charuco = ToCharuco(board);
  std::vector<Outline> markers;
  std::vector<int> ids;
  const auto parameters = cv::aruco::DetectorParameters::create();
  parameters->cornerRefinementMethod = cv::aruco::CORNER_REFINE_CONTOUR;
  cv::aruco::detectMarkers(grey, MarkerDictionary(), markers, ids, parameters);
  if (ids.size() < 2) {
    return absl::NotFoundError(
        "no board in the picture: hold the printed board up to the camera, well lit and not too "
        "far away");
  }
  if (!Fits(markers, ids, *charuco)) {
    return absl::InvalidArgumentError(
        absl::StrCat("this is not a board of ", board.ToString(),
                     " squares: give its squares across and down with --board, as the sheet says"));
  }
  const auto spread = EdgeSpread_px(grey(PlaceOf(markers, grey.size())));
  if (spread && *spread > kBlurred_px) {
    return absl::FailedPreconditionError(
        "the picture is blurred, or a lamp is reflected in the board: hold it still and without "
        "glare, give it more light, and let the camera focus");
  }
  BoardLook look;
  look.size_px = picture.size();
  for (std::size_t id = 0; id < charuco->chessboardCorners.size(); ++id) {
    const auto expected = Expected(*charuco, id, markers, ids);
    if (!expected || expected->reach_px < kSmallestReach_px) continue;
    // Where the window would be cut off by the picture's rim, a corner is pulled.
    const cv::Point2f& p = expected->at_px;
    const auto rim = static_cast<float>(expected->reach_px + 2);
    if (p.x < rim || p.x > static_cast<float>(grey.cols - 1) - rim) continue;
    if (p.y < rim || p.y > static_cast<float>(grey.rows - 1) - rim) continue;
    std::vector<cv::Point2f> corner = {p};
    RefineCorners(grey, expected->reach_px, &corner);
    if (cv::norm(corner[0] - p) > 0.5 * expected->reach_px) continue;
    look.ids.push_back(static_cast<int>(id));
    look.corners_px.push_back(corner[0]);
    look.corners_mm.push_back(charuco->chessboardCorners[id]);
  }
  if (look.ids.size() < kFewestCorners) {
    return absl::FailedPreconditionError(absl::StrCat(
        "only ", look.ids.size(), " of ", charuco->chessboardCorners.size(),
        " corners of the board are clear: show more of it, nearer, and without glare or fingers "
        "on it"));
  }
  return look;
}

}  // namespace tilewarden::calibration
