// The project's own score track: fifty fields in a ring, a table to mark the
// rounds in, and four marks that a camera finds it by. Printed, and painted for
// the finder to look for: both from the one geometry here.
//
// Track frame: millimetres on the paper, x right, y down as one reads it, origin
// at the outer corner of field 0, which is its upper left one. Pure functions,
// safe from any thread.
#pragma once

#include <filesystem>
#include <vector>

#include "absl/status/status.h"
#include "calibration/print/printed_targets.h"
#include "calibration/print/sheet_pdf.h"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {

struct ScoreTrack {
  static constexpr int kFields = 50;  // 0 to 49, clockwise
  static constexpr int kColumns = 12, kRows = 15;
  static constexpr double kField_mm = 15.5;  // side of a field
  static constexpr double kWidth_mm = kColumns * kField_mm, kHeight_mm = kRows * kField_mm;
  // The marks lie in the corners within the ring, clockwise from the upper left. Boards
  // have the markers up to 39, and older printed sheets 40 to 43.
  static constexpr int kMarks = 4;
  static constexpr int kFirstMarker = 44;
  static constexpr double kMark_mm = 30;  // side of a mark
};

cv::Rect2d Field_mm(int field);
// Corners of a mark, clockwise from its upper left.
std::vector<cv::Point2f> Mark_mm(int mark);

// Errors as for all sheets (printable_sheets.h).
absl::Status PrintScoreTrack(const std::filesystem::path& file, Paper paper);

// The sheet as it comes from the printer (8-bit BGR), and where the track lies on it.
cv::Mat PaintScoreTrack(Paper paper, double px_per_mm);
cv::Rect2d TrackOnPage_mm(Paper paper);

}  // namespace tilewarden::calibration
