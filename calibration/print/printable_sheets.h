// The sheets that anyone can print: boards to calibrate with, and a whole game of
// the project's own tiles; the score track has a file of its own
// (score_track.h). Every sheet is a PDF true to scale (sheet_pdf.h).
//
// Errors: PERMISSION_DENIED where a file cannot be written. Block while they
// draw.
#pragma once

#include <array>
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

// The colours of what is printed to be played with.
struct StandeeColour {
  const char* name;
  Ink ink;
};
inline constexpr std::array<StandeeColour, 6> kStandeeColours = {{{"red", {0.80, 0.10, 0.10}},
                                                                  {"blue", {0.10, 0.25, 0.70}},
                                                                  {"yellow", {0.95, 0.80, 0.10}},
                                                                  {"green", {0.10, 0.50, 0.20}},
                                                                  {"black", {0.10, 0.10, 0.10}},
                                                                  {"pink", {0.90, 0.45, 0.65}}}};

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

// Followers of six colours to fold: eight of each, one for the score track.
absl::Status PrintStandees(const std::filesystem::path& file, Paper paper);

}  // namespace tilewarden::calibration
