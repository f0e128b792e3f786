// The whole story of reading a table: frame in, Sighting out.
//
//   frame -> board lattice -> tiles refined one by one -> names -> figures
//
// No markers, no calibration: plane and scale come from the tiles themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "calibration/reference_pack.h"
#include "opencv2/core.hpp"
#include "vision/options.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Reads one picture (8-bit BGR) from nothing. A picture of nothing is a
// Sighting without tiles, not an error. With a pack of descriptors alone it reads
// as below. INVALID_ARGUMENT: an empty picture or
// not 8-bit BGR; NOT_FOUND or DATA_LOSS: a network is not installed
// or damaged; FAILED_PRECONDITION: descriptors of another network. Pure; blocks for
// the time of the reading (see README).
absl::StatusOr<Sighting> ReadTable(const cv::Mat& picture, const calibration::ReferencePack& pack,
                                   const Options& options = {});

// The same without any pictures of the tiles, for the published editions: tiles
// named by the naming network, and figures found by theirs. `types`: codes that may lie there;
// empty: all that the network knows. Errors as above, and INVALID_ARGUMENT for a type it does not
// know.
absl::StatusOr<Sighting> ReadTableWithoutPack(const cv::Mat& picture,
                                              const std::vector<std::string>& types = {},
                                              const Options& options = {});

// How unlike the tiles of a reading are to the pack's pictures of what they were
// named: 0 the same, 1 nothing alike. Of the third that is most like them, the
// worst, as other copies of a type differ and figures hide tiles; 1 for none.
double HowUnlike(const cv::Mat& picture, const Sighting& sighting,
                 const calibration::ReferencePack& pack);

// Reads the frames of one camera in order: keeps the lattice, the empty table's
// look and what has been named, so that only what changed is read again, and
// tells settled frames from those with a hand in view. Not thread safe.
class TableReader {
 public:
  // `pack`: with pictures; descriptors alone do not do.
  TableReader(std::shared_ptr<const calibration::ReferencePack> pack, Options options = {});
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
