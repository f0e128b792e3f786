// One tile set data file (engine/tilesets/*.toml) as values: what TileSet::Load
// joins into a set. Schema in engine/tilesets/README.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

struct TileSetFile {
  struct Set {
    std::string id;
    std::string name;
    std::string start;  // empty: the set is joined to one that has a start tile
    bool replaces_start = false;
    // Tiles beside the start tile: id, cell and rotation.
    struct Beside {
      std::string tile;
      Cell cell;
      int rotation = 0;
    };
    std::vector<Beside> beside_start;
    std::string second;
    std::vector<std::string> last;
    // Tiles whose crossings this printing draws as bushes, not as villages.
    std::vector<std::string> bushes;
    std::vector<std::pair<std::string, int>> tiles;
    std::string where;  // "base.toml:6", for messages

    int Total() const;
  };
  std::filesystem::path path;
  // An owner's corrections: its tiles replace those of other files.
  bool correction = false;
  std::vector<Set> sets;
  std::vector<TileType> tiles;
};

// INVALID_ARGUMENT: the message names file, line and tile. NOT_FOUND: no such
// file. Blocks on reading it.
absl::StatusOr<TileSetFile> ReadTileSetFile(const std::filesystem::path& path);
// The same from text; `path` is only for messages.
absl::StatusOr<TileSetFile> ParseTileSetFile(std::string_view text,
                                             const std::filesystem::path& path);
// The same file as text: reading it again gives equal values. Of the set's
// `where` nothing is written.
std::string ToText(const TileSetFile& file);

}  // namespace tilewarden::engine
