#include "calibration/board_look.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "calibration/sharpness.h"
#include "opencv2/aruco.hpp"
#include "opencv2/calib3d.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

using Outline = std::vector<cv::Point2f>;

// Corners of blurred squares wander; sharp pictures have 0.5 to 0.9.
constexpr double kBlurred_px = 1.7;
// Of the way from a corner to the nearest marker.
constexpr double kReach = 0.9, kSmallestReach_px = 3;
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
  for (std::size_t n = 0; n < board.nearestMarkerIdx[corner].size(); ++n) {
    const int id = board.ids[static_cast<std::size_t>(board.nearestMarkerIdx[corner][n])];
    const auto found = std::find(ids.begin(), ids.end(), id);
    if (found == ids.end()) return std::nullopt;
    beside.push_back(markers[static_cast<std::size_t>(found - ids.begin())]
                            [static_cast<std::size_t>(board.nearestMarkerCorners[corner][n])]);
  }
  if (beside.size() != 2) return std::nullopt;
  const cv::Point2f apart = (beside[1] - beside[0]) / 2;
  return ExpectedCorner{(beside[0] + beside[1]) / 2,
                        kReach * std::max(std::abs(apart.x), std::abs(apart.y))};
}

// The part of the picture that the board is in.
cv::Rect PlaceOf(const std::vector<Outline>& markers, cv::Size picture) {
  Outline all;
  for (const auto& marker : markers) all.insert(all.end(), marker.begin(), marker.end());
  return cv::boundingRect(all) & cv::Rect({}, picture);
}

}  // namespace

void RefineCorners(const cv::Mat& grey, double reach_px, std::vector<cv::Point2f>* points_px) {
  if (points_px->empty()) return;
  const int reach = std::clamp(static_cast<int>(reach_px), 2, 15);
  cv::cornerSubPix(grey, *points_px, {reach, reach}, {-1, -1},
                   {cv::TermCriteria::MAX_ITER + cv::TermCriteria::EPS, 60, 1e-3});
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
        "no board in the picture: hold the printed board into it, well lit and not too far away");
  }
  if (!Fits(markers, ids, *charuco)) {
    return absl::InvalidArgumentError(
        absl::StrCat("this is not a board of ", board.ToString(),
                     " squares: give its squares across and down with --board, as the sheet says"));
  }
  const auto spread = EdgeSpread_px(grey(PlaceOf(markers, grey.size())));
  if (spread && *spread > kBlurred_px) {
    return absl::FailedPreconditionError(
        "the picture is blurred: hold the board still, give it more light, and let the camera "
        "focus");
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
