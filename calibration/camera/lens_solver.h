// From looks at the calibration board to the camera's lens, with an honest statement
// on how good it is.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "calibration/camera/board_look.h"
#include "calibration/camera/lens.h"

namespace tilewarden::calibration {

enum class Verdict { kGood, kUsable, kPoor };

struct LensFit {
  Lens lens;
  int looks = 0;
  // Root mean square distance between corners as seen and as the lens has them.
  double rms_px = 0;
  // Between lenses from one half of the looks and from the other.
  LensDifference halves;

  Verdict verdict() const;
  // One plain sentence: what the figures mean, and what to do if they are poor.
  std::string Describe() const;
};

inline constexpr int kFewestLooks = 8;

// INVALID_ARGUMENT: looks of different sizes. FAILED_PRECONDITION: fewer than
// kFewestLooks, or no lens fits them. Pure; blocks for about a second.
absl::StatusOr<LensFit> SolveLens(const std::vector<BoardLook>& taken);

}  // namespace tilewarden::calibration
