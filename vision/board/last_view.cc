#include "vision/board/last_view.h"

#include <algorithm>
#include <array>
#include <vector>

#include "calibration/common/quad_finder.h"
#include "opencv2/imgproc.hpp"
#include "vision/board/board_reader.h"
#include "vision/board/view_shift.h"

namespace tilewarden::vision {

void LastView::Remember(const cv::Mat& picture, const PicturePyramid& pyramid,
                        const BoardPlaces& places) {
  cv::cvtColor(picture, seen_, cv::COLOR_BGR2GRAY);
  places_ = places;
  watch_.Remember(pyramid, places);
  camera_moved_ = false;
}

void LastView::Forget() {
  places_ = {};
  camera_moved_ = false;
}

CellWatch::Change LastView::ChangedCells(const PicturePyramid& pyramid,
                                         const std::set<LatticeCell>& hidden) const {
  return watch_.Changed(pyramid, hidden);
}

bool LastView::ChangedSomewhere(const cv::Mat& picture) const {
  constexpr int kWidth_px = 240;  // of the small pictures that are compared
  // Beyond the common change of the light. Less is noise; more would miss a tile on a table as
  // light as it is.
  constexpr double kChange = 16;  // levels
  constexpr int kLeast_px = 20;   // a tile of 1/40 of the picture's width covers 36
  const cv::Size small(kWidth_px, std::max(1, picture.rows * kWidth_px / picture.cols));
  cv::Mat grey, now, before, difference;
  cv::cvtColor(picture, grey, cv::COLOR_BGR2GRAY);
  cv::resize(grey, now, small, 0, 0, cv::INTER_AREA);
  cv::resize(seen_, before, small, 0, 0, cv::INTER_AREA);
  cv::absdiff(before, now, difference);
  return cv::countNonZero(difference > kChange + cv::mean(difference)[0]) >= kLeast_px;
}

std::optional<cv::Matx33d> LastView::Shift(const cv::Mat& picture) const {
  cv::Mat lay(seen_.size(), CV_8U, cv::Scalar(0)), now;
  for (const auto& [cell, tile] : places_.tiles) {
    std::vector<cv::Point> outline;
    for (const cv::Point2f& corner : CornersOf(tile.px_from_tile)) outline.emplace_back(corner);
    cv::fillConvexPoly(lay, outline, cv::Scalar(255));
  }
  cv::cvtColor(picture, now, cv::COLOR_BGR2GRAY);
  return ShiftOfView(seen_, lay, now);
}

std::optional<cv::Matx33d> LastView::ShiftOfAll(const cv::Mat& picture) const {
  // In tile sides: more than a tile moves when one is laid beside it.
  constexpr double kLeast = 0.1;
  const std::optional<cv::Matx33d> shift = Shift(picture);
  if (!shift) return std::nullopt;
  for (const auto& [cell, tile] : places_.tiles) {
    const std::array<cv::Point2f, 4> corners = CornersOf(tile.px_from_tile);
    const std::array<cv::Point2f, 4> now = CornersOf(Carried(*shift, tile.px_from_tile));
    if (cv::norm(now[0] - corners[0]) < kLeast * calibration::SideOf(corners)) return std::nullopt;
  }
  return shift;
}

}  // namespace tilewarden::vision
