// The tile sets in use, each loaded once, with the layout of its tiles.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/rules.h"
#include "engine/tile_layout.h"
#include "engine/tile_set.h"

namespace tilewarden::services {

// A tile set and, by index of its types, where the segments lie. Immutable.
struct TileArt {
  std::shared_ptr<const engine::TileSet> set;
  std::vector<engine::TileLayout> layouts;
};

// The rules of a preset; empty takes the tile set's own: "base.c1" and
// "base.c1+river1.c1" are played by the rules "c1". INVALID_ARGUMENT: unknown.
absl::StatusOr<engine::Rules> RulesFor(const engine::TileSet& tiles, const std::string& preset);

// Thread safe. Blocks on reading files and working out layouts the first time.
class TileSets {
 public:
  // What games are played with when nobody says.
  static constexpr const char* kDefault = "base.c1";

  // Empty takes the default. Errors as TileSet::Load.
  absl::StatusOr<std::shared_ptr<const TileArt>> Get(const std::string& id);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const TileArt>> loaded_;
};

}  // namespace tilewarden::services
