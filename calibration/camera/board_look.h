// The calibration board in one picture.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "calibration/print/printed_targets.h"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {

// With fewer, a look says little, and two of its corners may be wrong unnoticed.
inline constexpr std::size_t kFewestCorners = 10;

struct BoardLook {
  cv::Size size_px;
  // Corners where squares meet: their numbers, where they are in the picture
  // (pixel centres at integers), and on the board (z = 0).
  std::vector<int> ids;
  std::vector<cv::Point2f> corners_px;
  std::vector<cv::Point3f> corners_mm;
};

// Finds the board in a picture (8-bit BGR or grey). Every error says what to do:
// NOT_FOUND: no board. INVALID_ARGUMENT: another board than this one.
// FAILED_PRECONDITION: blurred, or too few of its corners are clear. Pure;
// blocks for about 40 ms at 1080p.
absl::StatusOr<BoardLook> FindBoard(const cv::Mat& picture, const BoardLayout& board);

// Moves points onto the corners of squares that they are near to. `reach_px`:
// how far around a point nothing but the two black squares lies. Points outside of the picture
// stay where they are.
void RefineCorners(const cv::Mat& grey, double reach_px, std::vector<cv::Point2f>* points_px);

}  // namespace tilewarden::calibration
