// The sheets that anyone can print: boards to calibrate with, and a whole game of
// the project's own tiles; the score track and figures have files of their own
// (score_track.h, standees.h). Every sheet is a PDF true to scale (sheet_pdf.h).
//
// Errors: PERMISSION_DENIED where a file cannot be written. Block while they
// draw.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "calibration/print/printed_targets.h"
#include "calibration/print/sheet_pdf.h"
#include "calibration/print/tile_painter.h"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {

inline constexpr double kPrintedTile_mm = 45;

struct PrintableTile {
  cv::Mat face;  // square, 8-bit BGR
  Back back = Back::kTile;
};

// With smaller squares where the board would not fit the paper: a lens shows
// itself on squares of any size.
absl::Status PrintBoard(const std::filesystem::path& file, Paper paper, BoardLayout board);

// Pages of faces, each followed by the page of their backs: printed on both
// sides and turned over the long edge, each back lies behind its face. The
// pictures go on a little beyond the cutting lines.
absl::Status PrintTiles(const std::filesystem::path& file, Paper paper, const std::string& title,
                        const std::vector<PrintableTile>& tiles);

}  // namespace tilewarden::calibration
