// Pictures of what was read, drawn over what it was read from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "absl/status/status.h"
#include "engine/tiles/tile_set.h"
#include "opencv2/core.hpp"
#include "vision/sighting.h"

namespace tilewarden::services {

// Writes `picture` with the tiles and figures of its sighting. INVALID_ARGUMENT:
// the file's ending names no kind of picture, or it cannot be written.
absl::Status WriteAnnotated(const std::filesystem::path& file, const cv::Mat& picture,
                            const vision::Sighting& sighting, const engine::TileSet& tiles);

// A picture for each look at a table that was read anew: look-000001.jpg, ...
// Not thread safe.
class DebugPictures {
 public:
  // Empty folder: writes nothing.
  DebugPictures(std::filesystem::path folder, std::shared_ptr<const engine::TileSet> tiles)
      : folder_(std::move(folder)), tiles_(std::move(tiles)) {}

  // Errors as WriteAnnotated. Looks in which nothing was read are passed over.
  absl::Status Write(const cv::Mat& frame, const vision::Sighting& sighting);

 private:
  const std::filesystem::path folder_;
  const std::shared_ptr<const engine::TileSet> tiles_;
  std::uint64_t written_ = 0;
};

}  // namespace tilewarden::services
