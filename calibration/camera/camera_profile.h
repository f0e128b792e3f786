// What is known of one camera above one table, as a small file that a person can
// read (TOML). A value; safe to share between threads.
#pragma once

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "calibration/camera/lens.h"
#include "calibration/camera/lens_solver.h"

namespace tilewarden::calibration {

struct CameraProfile {
  static constexpr int kVersion = 1;

  Lens lens;
  // How good the lens is (lens_solver.h).
  int looks = 0;
  double rms_px = 0, halves_px = 0;

  // Of a lens just measured.
  static CameraProfile Of(const LensFit& fit);

  // NOT_FOUND: no such file. INVALID_ARGUMENT: not a profile, another version, or
  // an impossible value; the message names file and line. Blocks on reading.
  static absl::StatusOr<CameraProfile> Load(const std::filesystem::path& file);
  // Writes a new file beside it and renames. PERMISSION_DENIED: it cannot be
  // written.
  absl::Status Save(const std::filesystem::path& file) const;
};

}  // namespace tilewarden::calibration
