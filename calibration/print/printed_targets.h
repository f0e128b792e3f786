// What is printed to calibrate with, as shapes: the ChArUco board that shows a
// lens, and the cards that mark the corners of a table. Sheets are drawn from
// these shapes and pictures are searched for them.
//
// Millimetres on the paper: x right, y down, origin at the upper left corner of
// the board or the middle of the card. Pure functions; safe from any thread.
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
// cards' are never among them. INVALID_ARGUMENT otherwise.
absl::StatusOr<BoardLayout> ParseBoard(const std::string& text);

// The markers of boards and cards.
const cv::Ptr<cv::aruco::Dictionary>& MarkerDictionary();
cv::Ptr<cv::aruco::CharucoBoard> ToCharuco(const BoardLayout& board);

// A card: a marker in the middle, and around it four points where two black
// squares meet: those can be measured without error from blur and light.
struct CornerCard {
  static constexpr int kCount = 4;
  static constexpr int kFirstMarker = 40;   // the cards' markers are 40 to 43
  static constexpr double kSide_mm = 90;    // to be cut out
  static constexpr double kMarker_mm = 42;  // side of the marker
  static constexpr double kPoint_mm = 36;   // the points lie at (+-36, +-36)
  static constexpr double kSquare_mm = 8;   // side of a point's squares
};
// Corners of a card's marker and its points, clockwise from the upper left.
std::vector<cv::Point2f> CardMarker_mm();
std::vector<cv::Point2f> CardPoints_mm();

// What is black.
std::vector<cv::Rect2d> BoardInk(const BoardLayout& board);
std::vector<cv::Rect2d> CardInk(int card);
// One marker of this side, origin at its upper left corner.
std::vector<cv::Rect2d> MarkerInk(int id, double side_mm);

}  // namespace tilewarden::calibration
