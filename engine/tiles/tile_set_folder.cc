#include "engine/tiles/tile_set_folder.h"

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "engine/tiles/text.h"
#include "engine/tiles/tile_set_overlay.h"

namespace tilewarden::engine {
namespace {

// An owner's correction replaces the tile of the same id.
absl::Status GatherTiles(TileSetFolder* folder) {
  std::map<std::string, const TileSetFile*> from;
  for (const TileSetFile& file : folder->files) {
    for (const TileType& tile : file.tiles) {
      const auto known = from.find(tile.id);
      if (known != from.end() && known->second->correction == file.correction) {
        return absl::InvalidArgumentError(Text(file.path.string(), ": tile ", tile.id,
                                               " is defined in ", known->second->path.string(),
                                               " already"));
      }
      if (known != from.end() && known->second->correction) continue;
      folder->tiles[tile.id] = tile;
      from[tile.id] = &file;
    }
  }
  return absl::OkStatus();
}

}  // namespace

const TileSetFile::Set* TileSetFolder::Find(std::string_view set_id) const {
  for (const TileSetFile& file : files) {
    for (const TileSetFile::Set& set : file.sets) {
      if (set.id == set_id) return &set;
    }
  }
  return nullptr;
}

std::vector<std::string> TileSetFolder::SetIds() const {
  std::vector<std::string> ids;
  for (const TileSetFile& file : files) {
    for (const TileSetFile::Set& set : file.sets) ids.push_back(set.id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

absl::StatusOr<TileSetFolder> TileSetFolder::Read(const std::filesystem::path& path,
                                                  const TileSetFile* own) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".toml") paths.push_back(it->path());
  }
  if (error) {
    return absl::NotFoundError(
        Text("cannot read tile sets in ", path.string(), ": ", error.message()));
  }
  std::sort(paths.begin(), paths.end());
  TileSetFolder folder;
  folder.path = path;
  for (const auto& file_path : paths) {
    absl::StatusOr<TileSetFile> file = ReadTileSetFile(file_path);
    if (!file.ok()) return file.status();
    folder.files.push_back(*std::move(file));
  }
  if (own != nullptr) return Overlaid(folder, *own);
  if (absl::Status status = GatherTiles(&folder); !status.ok()) return status;
  return folder;
}

absl::StatusOr<TileSetFolder> Overlaid(const TileSetFolder& boxes, const TileSetFile& own) {
  TileSetFolder folder{boxes.path, boxes.files, {}};
  folder.files.push_back(own);
  if (absl::Status status = GatherTiles(&folder); !status.ok()) return status;
  return folder;
}

}  // namespace tilewarden::engine
