// What is printed to calibrate with, as shapes: the ChArUco board that shows a
// lens. Sheets are drawn from these shapes and pictures are searched for them.
//
// Millimetres on the paper: x right, y down, origin at the upper left corner of
// the board. Pure functions; safe from any thread.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "opencv2/aruco/charuco.hpp"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {

struct BoardLayout {
  int columns = 6, rows = 8;  // squares
  double square_mm = 30;

  cv::Size2d size_mm() const { return {columns * square_mm, rows * square_mm}; }
  std::string ToString() const;  // "6x8"
};

// "6x8": columns and rows, 3 to 9 each: the largest has 40 markers, so that the
// score track's are never among them. INVALID_ARGUMENT otherwise.
absl::StatusOr<BoardLayout> ParseBoard(const std::string& text);

// The markers of boards and score tracks.
const cv::Ptr<cv::aruco::Dictionary>& MarkerDictionary();
cv::Ptr<cv::aruco::CharucoBoard> ToCharuco(const BoardLayout& board);

// What is black.
std::vector<cv::Rect2d> BoardInk(const BoardLayout& board);
// One marker of this side, origin at its upper left corner.
std::vector<cv::Rect2d> MarkerInk(int id, double side_mm);

}  // namespace tilewarden::calibration
