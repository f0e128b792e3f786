// Reads one picture of a table from nothing: picture in, Sighting out.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "calibration/box/reference_pack.h"
#include "opencv2/core.hpp"
#include "vision/options.h"
#include "vision/reader/networks.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Reads one picture (8-bit BGR) from nothing. A picture of nothing is a
// Sighting without tiles, not an error. With a pack of descriptors alone it reads
// as below. INVALID_ARGUMENT: an empty picture or not 8-bit BGR;
// FAILED_PRECONDITION: descriptors of another network. The answer depends on the
// arguments alone; blocks for the time of the reading (MEASURED.md).
absl::StatusOr<Sighting> ReadTable(const Networks& networks, const cv::Mat& picture,
                                   const calibration::ReferencePack& pack,
                                   const Options& options = {});

// The same without any pictures of the tiles, for the published editions: tiles
// named by the naming network, and figures found by theirs. `types`: codes that may lie there;
// empty: all that the network knows. Errors as above, and INVALID_ARGUMENT for a type it does not
// know.
absl::StatusOr<Sighting> ReadTableWithoutPack(const Networks& networks, const cv::Mat& picture,
                                              const std::vector<std::string>& types = {},
                                              const Options& options = {});

// How unlike the tiles of a reading are to the pack's pictures of what they were
// named: 0 the same, 1 nothing alike. Of the third that is most like them, the
// worst, as other copies of a type differ and figures hide tiles; 1 for none.
double HowUnlike(const cv::Mat& picture, const Sighting& sighting,
                 const calibration::ReferencePack& pack);

// INVALID_ARGUMENT: no picture, or not 8-bit BGR.
absl::Status CheckPicture(const cv::Mat& picture);

// Too small to hold a tile that could be read.
bool TooSmallForATile(const cv::Mat& picture);

}  // namespace tilewarden::vision
