// Reads the frames of one camera: frame in, Sighting out.
//
//   frame -> settled? -> score track -> what changed? -> that is read again -> what lies aside?
//
// It needs no markers and no calibration: plane and scale come from the tiles themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "calibration/box/reference_pack.h"
#include "opencv2/core.hpp"
#include "vision/options.h"
#include "vision/reader/networks.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Reads the frames of one camera in order: keeps what is known of the board and how
// it looked, so that only what changed is read again, and tells settled frames from
// those with a hand in view. Not thread safe.
class TableReader {
 public:
  // `networks`: outlive this. `pack`: one without pictures reads as ReadTableWithoutPack does;
  // `types` as there, used then alone.
  TableReader(const Networks& networks, std::shared_ptr<const calibration::ReferencePack> pack,
              Options options = {}, std::vector<std::string> types = {});
  TableReader(TableReader&&) noexcept;
  TableReader& operator=(TableReader&&) noexcept;
  ~TableReader();

  // time_ms: by the camera's clock. Errors as ReadTable; what is no picture changes
  // nothing. Blocks for the time of the reading (see README).
  absl::StatusOr<Sighting> Read(const cv::Mat& frame, std::int64_t time_ms);
  // Only whether a hand is there and the table rests: for pictures that were enlarged from small
  // ones. Settled, with what is known, where the table was read since it came to rest; else a sharp
  // one is wanted once it rests. Blocks for some milliseconds.
  absl::StatusOr<Sighting> Glance(const cv::Mat& frame, std::int64_t time_ms);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tilewarden::vision
