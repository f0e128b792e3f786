// Paper figures to cut out, fold and glue: of every kind that the boxes have, as large as the
// wooden ones. Errors as in printable_sheets.h. Blocks while it draws.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "absl/status/status.h"
#include "calibration/print/sheet_pdf.h"

namespace tilewarden::calibration {

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

// What is printed beside the followers.
enum class SpecialStandee {
  kAbbot,
  kProphet,
  kArk,
  kGingerbreadMan,
  kLargeFollower,
  kBuilder,
  kPig
};

// Followers of six colours: eight of each, one for the score track. Then a page with the special
// figures, if any: of what players own one of each colour, else a single one.
absl::Status PrintStandees(const std::filesystem::path& file, Paper paper,
                           const std::vector<SpecialStandee>& special = {});

}  // namespace tilewarden::calibration
