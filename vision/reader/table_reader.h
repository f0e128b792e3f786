// Reads the frames of one camera: frame in, Sighting out.
//
//   frame -> gate -> board lattice -> tiles refined one by one -> names -> figures
//
// No markers, no calibration: plane and scale come from the tiles themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "calibration/box/reference_pack.h"
#include "opencv2/core.hpp"
#include "vision/options.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Reads the frames of one camera in order: keeps the lattice, the empty table's
// look and what has been named, so that only what changed is read again, and
// tells settled frames from those with a hand in view. Not thread safe.
class TableReader {
 public:
  // `pack`: one without pictures reads as ReadTableWithoutPack does; `types` as there, used then
  // alone.
  explicit TableReader(std::shared_ptr<const calibration::ReferencePack> pack, Options options = {},
                       std::vector<std::string> types = {});
  TableReader(TableReader&&) noexcept;
  TableReader& operator=(TableReader&&) noexcept;
  ~TableReader();

  // time_ms: by the camera's clock. Errors as ReadTable; a bad frame changes
  // nothing.
  absl::StatusOr<Sighting> Read(const cv::Mat& frame, std::int64_t time_ms);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tilewarden::vision
