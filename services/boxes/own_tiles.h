// The owner's tile file: corrections of what no source tells, and home-made tiles.
// One file in the data folder, in the schema of engine/tilesets/README.md; it may
// also be changed by hand. Read from the disk whenever it is asked for: it is small.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "engine/tiles/tile_set_file.h"
#include "engine/tiles/tile_set_folder.h"

namespace tilewarden::services {

// Thread safe. Methods block on the disk.
class OwnTiles {
 public:
  static constexpr const char* kFile = "own_tiles.toml";
  // Set of the home-made tiles: those that no box has.
  static constexpr const char* kHomeSet = "home";

  // Empty: there is none, and nothing can be kept.
  explicit OwnTiles(std::filesystem::path file) : file_(std::move(file)) {}

  struct Content {
    std::string text;  // empty: there is no file
    engine::TileSetFile file;
  };
  // As it is on the disk now. FAILED_PRECONDITION: it has a mistake; the
  // message names file, line and tile.
  absl::StatusOr<Content> Read() const;

  // Such a text as a file of its own and together with all boxes.
  // INVALID_ARGUMENT: the message names file, line and tile.
  static absl::StatusOr<engine::TileSetFile> Judge(const std::string& text);

  using Edit = std::function<absl::Status(engine::TileSetFile*)>;
  // Changes the file, all or nothing. Errors of Read, Judge and the edit;
  // UNAVAILABLE: it cannot be written.
  absl::StatusOr<Content> Change(const Edit& edit);

 private:
  absl::Status Write(const std::string& text) const;

  const std::filesystem::path file_;
  std::mutex mutex_;
};

// Every box's tiles and sets, with the owner's on top where `own` is not null.
absl::StatusOr<engine::TileSetFolder> AllTileSets(const engine::TileSetFile* own);

// In place of the tile of the same id, or as a new one. A home-made tile has so many
// copies in its set; a box's tile (0) is in none.
void PutTile(const engine::TileType& tile, int copies, engine::TileSetFile* file);
void TakeTile(const std::string& id, engine::TileSetFile* file);

}  // namespace tilewarden::services
