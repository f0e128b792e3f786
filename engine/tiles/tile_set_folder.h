// All tile set files that count together: those of a folder and, on top,
// the owner's. A value; safe to share between threads.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tiles/tile_set_file.h"

namespace tilewarden::engine {

struct TileSetFolder {
  std::filesystem::path path;
  // Sorted by name; the owner's last.
  std::vector<TileSetFile> files;
  // By id, corrections in place of what they correct.
  std::map<std::string, TileType, std::less<>> tiles;

  // Null: no such set.
  const TileSetFile::Set* Find(std::string_view set_id) const;
  // Ids of all sets, sorted.
  std::vector<std::string> SetIds() const;

  // `own`: the owner's file, which lies elsewhere; null: there is none.
  // NOT_FOUND: the folder cannot be read. INVALID_ARGUMENT: a file is wrong, or
  // two define the same tile; the message names file, line and tile. Blocks on
  // reading files.
  static absl::StatusOr<TileSetFolder> Read(const std::filesystem::path& path,
                                            const TileSetFile* own = nullptr);
};

}  // namespace tilewarden::engine
