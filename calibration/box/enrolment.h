// Enrolment: from pictures of a box's tiles to a reference pack.
//
// Pure functions of their input; results are values. Blocks while it works.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "calibration/box/reference_pack.h"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {

// A type as it is laid out: its code, and the quarter turns clockwise from its
// canonical orientation to the way it lies upright.
struct TypeToEnrol {
  std::string tile;
  int upright = 0;
};

// From one picture (8-bit BGR) that shows the types face up in rows with gaps
// between them, the rows from top to bottom and each from left to right in the
// order of `types`. Other things may lie around them. INVALID_ARGUMENT: that many
// tiles were not found; the message says how many were and what to do.
absl::StatusOr<ReferencePack> EnrolPicture(const cv::Mat& picture,
                                           const std::vector<TypeToEnrol>& types);

// From a folder of tile pictures, each cut out along the tile's edge and named
// CODE[-COPY][@TURNS].EXT: "B.A.png" shows tile B.A in canonical orientation,
// "B.A-2.jpg" another copy of it, "B.A-3@1.png" one that is turned a quarter
// clockwise from canonical. Codes that are not in `known` are refused (none
// known: any goes). Errors name the file.
absl::StatusOr<ReferencePack> EnrolFolder(const std::filesystem::path& folder,
                                          const std::vector<std::string>& known);

// Leaves out pictures that show the same print as an earlier one of their type, in
// whichever turn: copies that differ stay as variants.
void KeepVariants(ReferencePack* pack);

// The picture turned by quarter turns clockwise (negative: the other way).
cv::Mat Turned(const cv::Mat& picture, int quarter_turns);

}  // namespace tilewarden::calibration
