#include "calibration/print/printed_targets.h"

#include <cstdio>

#include "absl/strings/str_cat.h"

namespace tilewarden::calibration {
namespace {

// Share of a square that its marker takes: large enough to be read, and far
// enough from the corners of the squares to be out of their way.
constexpr double kMarkerShare = 0.72;
// Modules along a side of a marker, its border among them.
constexpr int kModules = 6;

// Neighbours in a row are one rectangle, so that no seam shows between them.
void AddMarker(int id, cv::Rect2d place, std::vector<cv::Rect2d>* ink) {
  cv::Mat modules;
  MarkerDictionary()->drawMarker(id, kModules, modules, 1);
  const double side = place.width / kModules;
  for (int y = 0; y < kModules; ++y) {
    for (int x = 0; x < kModules; ++x) {
      const int from = x;
      while (x < kModules && modules.at<uchar>(y, x) == 0) ++x;
      if (x == from) continue;
      ink->emplace_back(place.x + from * side, place.y + y * side, (x - from) * side, side);
    }
  }
}

}  // namespace

std::string BoardLayout::ToString() const { return absl::StrCat(columns, "x", rows); }

absl::StatusOr<BoardLayout> ParseBoard(const std::string& text) {
  BoardLayout board;
  int end = 0;
  const bool read = std::sscanf(text.c_str(), "%dx%d%n", &board.columns, &board.rows, &end) == 2 &&
                    end == static_cast<int>(text.size());
  const auto fits = [](int n) { return n >= 3 && n <= 9; };
  if (!read || !fits(board.columns) || !fits(board.rows)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", text, "' is not a board: give its squares across and down, 3 to 9 each, as in 6x8"));
  }
  return board;
}

const cv::Ptr<cv::aruco::Dictionary>& MarkerDictionary() {
  static const cv::Ptr<cv::aruco::Dictionary> dictionary =
      cv::aruco::getPredefinedDictionary(cv::aruco::DICT_4X4_50);
  return dictionary;
}

cv::Ptr<cv::aruco::CharucoBoard> ToCharuco(const BoardLayout& board) {
  const auto square = static_cast<float>(board.square_mm);
  return cv::aruco::CharucoBoard::create(board.columns, board.rows, square,
                                         square * static_cast<float>(kMarkerShare),
                                         MarkerDictionary());
}

std::vector<cv::Rect2d> BoardInk(const BoardLayout& board) {
  std::vector<cv::Rect2d> ink;
  const double s = board.square_mm;
  const auto charuco = ToCharuco(board);
  for (int y = 0; y < board.rows; ++y) {
    for (int x = 0; x < board.columns; ++x) {
      if (y % 2 == x % 2) ink.emplace_back(x * s, y * s, s, s);
    }
  }
  for (std::size_t i = 0; i < charuco->ids.size(); ++i) {
    const cv::Point3f corner = charuco->objPoints[i][0];
    const double side = kMarkerShare * s;
    AddMarker(charuco->ids[i], {corner.x, corner.y, side, side}, &ink);
  }
  return ink;
}

std::vector<cv::Rect2d> MarkerInk(int id, double side_mm) {
  std::vector<cv::Rect2d> ink;
  AddMarker(id, {0, 0, side_mm, side_mm}, &ink);
  return ink;
}

}  // namespace tilewarden::calibration
