// The tile sets in use, each loaded once, with the layout of its tiles.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tiles/tile_layout.h"
#include "engine/tiles/tile_set.h"
#include "services/boxes/own_tiles.h"

namespace tilewarden::services {

// A tile set and, by index of its types, where the segments lie. Immutable.
struct TileArt {
  std::shared_ptr<const engine::TileSet> set;
  std::vector<engine::TileLayout> layouts;
  // The owner's tile file that it was made with; empty: it has no tile of it.
  std::string own;
  // Tells such files apart; empty as `own`.
  std::string edition;
};

// Thread safe. Blocks on reading files and working out layouts the first time.
class TileSets {
 public:
  // `own`: the owner's tile file; empty: none.
  explicit TileSets(std::filesystem::path own = {}) : own_(std::move(own)) {}

  // What games are played with by default.
  static constexpr const char* kDefault = "base.c1";

  // As a game that begins now has it; empty takes the default. Errors as
  // TileSet::Load and OwnTiles::Read.
  absl::StatusOr<std::shared_ptr<const TileArt>> Get(const std::string& id);
  // With the owner's tile file as it was once.
  absl::StatusOr<std::shared_ptr<const TileArt>> Get(const std::string& id, const std::string& own);
  OwnTiles& own() { return own_; }

 private:
  OwnTiles own_;
  std::mutex mutex_;
  // By id and the owner's file.
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const TileArt>> loaded_;
};

}  // namespace tilewarden::services
