// A reference pack: what the tiles of one box look like, so that the vision
// folder can name them. One file, checksummed; made by enrolment. Where pictures
// may not be given away it holds descriptors instead.
//
// Values; safe to share between threads once made.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {

// One picture of a tile type: 8-bit BGR, square, in canonical orientation.
struct ReferencePicture {
  std::string tile;  // code, as the tile set names it: "B.A"
  cv::Mat picture;
};

// What the naming network makes of a tile in canonical orientation: numbers by
// which it is known again, but from which no picture of it can be drawn.
struct ReferenceDescriptor {
  std::string tile;
  std::vector<float> values;  // of length 1
};

class ReferencePack {
 public:
  // Side of the stored pictures.
  static constexpr int kSide_px = 128;

  // NOT_FOUND: no such file. DATA_LOSS: torn or altered; the message says what
  // to do. Blocks on reading.
  static absl::StatusOr<ReferencePack> Load(const std::filesystem::path& path);
  // Writes a new file beside it and renames, so that a pack is whole or absent.
  // INVALID_ARGUMENT: a picture of another size or without a code, or neither
  // pictures nor descriptors.
  // PERMISSION_DENIED: cannot be written.
  absl::Status Save(const std::filesystem::path& path) const;

  // Tile set these pictures belong to ("base.c1").
  std::string tile_set;
  // For people: where the pictures come from, and what may be done with them.
  std::string title;
  std::string licence;
  std::vector<ReferencePicture> pictures;
  // Good for one network alone, told by its checksum.
  std::vector<ReferenceDescriptor> descriptors;
  std::string descriptor_network;
};

}  // namespace tilewarden::calibration
