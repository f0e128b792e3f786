// Which box lies below a camera when nobody said so: its edition, by what the naming network
// reads, and whether it is our own printed one, by its pictures.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "calibration/box/reference_pack.h"
#include "engine/tiles/tile_set.h"
#include "opencv2/core.hpp"
#include "services/boxes/tile_sets.h"
#include "vision/sighting.h"

namespace tilewarden::services {

// Not thread safe. Blocks on the disk, and some seconds where it paints a box.
class TableBox {
 public:
  // `data`: the data folder, with the owner's tiles.
  explicit TableBox(const std::filesystem::path& data);

  // What a picture shows that was read with no pack. Nothing: no tile in it is sure.
  struct Guess {
    std::string tile_set;
    int sure_tiles = 0;
  };
  std::optional<Guess> Look(const vision::Sighting& sighting) const;

  // How to read the tiles of this set: by how published ones look, or as our own printed box.
  // FAILED_PRECONDITION: the box has to be enrolled.
  struct Known {
    std::shared_ptr<const calibration::ReferencePack> pack;
    std::shared_ptr<const engine::TileSet> tiles;
  };
  absl::StatusOr<Known> For(const std::string& tile_set);
  // A look at tiles, read as For says. True: they are of the other box, so ask For again.
  bool IsAnother(const cv::Mat& picture, const vision::Sighting& sighting,
                 const std::string& tile_set);

 private:
  TileSets sets_;
  // Once tiles were seen.
  std::optional<bool> printed_;
  std::map<std::string, Known> known_;
};

}  // namespace tilewarden::services
