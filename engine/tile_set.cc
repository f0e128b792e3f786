#include "engine/tile_set.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "engine/compiled_tile.h"
#include "engine/text.h"
#include "engine/tile_set_file.h"

namespace tilewarden::engine {
namespace {

absl::StatusOr<std::vector<TileSetFile>> ReadFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".toml") paths.push_back(it->path());
  }
  if (error) {
    return absl::NotFoundError(
        Text("cannot read tile sets in ", folder.string(), ": ", error.message()));
  }
  std::sort(paths.begin(), paths.end());
  std::vector<TileSetFile> files;
  for (const auto& path : paths) {
    absl::StatusOr<TileSetFile> file = ReadTileSetFile(path);
    if (!file.ok()) return file.status();
    files.push_back(*std::move(file));
  }
  return files;
}

// An owner's correction replaces the tile of the same id.
absl::StatusOr<std::map<std::string, TileType>> AllTiles(const std::vector<TileSetFile>& files) {
  std::map<std::string, TileType> tiles;
  std::map<std::string, const TileSetFile*> from;
  for (const TileSetFile& file : files) {
    for (const TileType& tile : file.tiles) {
      const auto known = from.find(tile.id);
      if (known != from.end() && known->second->correction == file.correction) {
        return absl::InvalidArgumentError(Text(file.path.string(), ": tile ", tile.id,
                                               " is defined in ", known->second->path.string(),
                                               " already"));
      }
      if (known != from.end() && known->second->correction) continue;
      tiles[tile.id] = tile;
      from[tile.id] = &file;
    }
  }
  return tiles;
}

}  // namespace

std::string_view ToString(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::kCity:
      return "city";
    case SegmentKind::kRoad:
      return "road";
    case SegmentKind::kField:
      return "field";
    case SegmentKind::kRiver:
      return "river";
    case SegmentKind::kMonastery:
      return "monastery";
    case SegmentKind::kGarden:
      return "garden";
    case SegmentKind::kTemple:
      return "temple";
  }
  return "";
}

bool TileType::HasRiver() const {
  return std::find(edges.begin(), edges.end(), 's') != edges.end();
}

TileSet::TileSet() = default;
TileSet::~TileSet() = default;
TileSet::TileSet(const TileSet&) = default;

int TileSet::Find(std::string_view tile_id) const {
  for (std::size_t i = 0; i < types_.size(); ++i) {
    if (types_[i].id == tile_id) return static_cast<int>(i);
  }
  return -1;
}

int TileSet::total() const { return std::accumulate(counts_.begin(), counts_.end(), 0); }

absl::StatusOr<std::shared_ptr<const TileSet>> TileSet::Create(std::string id, std::string name,
                                                               std::vector<TileType> types,
                                                               std::vector<int> counts,
                                                               int start_tile) {
  if (types.size() != counts.size()) {
    return absl::InvalidArgumentError(Text("set ", id, ": one count per tile type"));
  }
  if (start_tile < 0 || start_tile >= static_cast<int>(types.size())) {
    return absl::InvalidArgumentError(Text("set ", id, ": no such start tile"));
  }
  std::set<std::string> ids;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (absl::Status status = CheckTile(types[i]); !status.ok()) {
      return absl::InvalidArgumentError(
          Text("tile ", types[i].id, ": ", std::string(status.message())));
    }
    if (counts[i] < 0) {
      return absl::InvalidArgumentError(Text("tile ", types[i].id, ": negative count"));
    }
    if (!ids.insert(types[i].id).second) {
      return absl::InvalidArgumentError(Text("tile ", types[i].id, " comes twice"));
    }
  }
  auto set = std::make_shared<TileSet>();
  set->id_ = std::move(id);
  set->name_ = std::move(name);
  for (const TileType& type : types) set->compiled_.push_back(Compile(type));
  set->types_ = std::move(types);
  set->counts_ = std::move(counts);
  set->start_tile_ = start_tile;
  return set;
}

absl::StatusOr<std::shared_ptr<const TileSet>> TileSet::Load(std::string_view id,
                                                             const std::filesystem::path& folder) {
  absl::StatusOr<std::vector<TileSetFile>> files = ReadFolder(folder);
  if (!files.ok()) return files.status();
  absl::StatusOr<std::map<std::string, TileType>> tiles = AllTiles(*files);
  if (!tiles.ok()) return tiles.status();

  std::vector<TileType> types;
  std::vector<int> counts;
  std::vector<std::string> names;
  std::string start;
  bool start_replaced = false;
  for (const std::string& part : SplitText(id, '+')) {
    const TileSetFile::Set* found = nullptr;
    std::vector<std::string> known;
    for (const TileSetFile& file : *files) {
      for (const TileSetFile::Set& set : file.sets) {
        known.push_back(set.id);
        if (set.id == part) found = &set;
      }
    }
    if (found == nullptr) {
      std::sort(known.begin(), known.end());
      return absl::NotFoundError(Text("no tile set \"", part, "\" in ", folder.string(),
                                      "; there are: ", JoinText(known, ", ")));
    }
    names.push_back(found->name);
    if (!found->start.empty() && (start.empty() || (found->replaces_start && !start_replaced))) {
      start = found->start;
      start_replaced = found->replaces_start;
    }
    for (const auto& [tile_id, count] : found->tiles) {
      const auto tile = tiles->find(tile_id);
      if (tile == tiles->end()) {
        return absl::InvalidArgumentError(Text(found->where, ": set ", found->id, " counts tile ",
                                               tile_id, ", which no file defines"));
      }
      const auto same = std::find_if(types.begin(), types.end(),
                                     [&](const TileType& type) { return type.id == tile_id; });
      if (same != types.end()) {
        counts[static_cast<std::size_t>(same - types.begin())] += count;
      } else {
        types.push_back(tile->second);
        counts.push_back(count);
      }
    }
  }
  const auto first = std::find_if(types.begin(), types.end(),
                                  [&](const TileType& type) { return type.id == start; });
  if (first == types.end()) {
    return absl::InvalidArgumentError(
        Text("set ", id,
             " has no start tile of its own: join it to a base set, as in "
             "\"base.c2+river1.c2\""));
  }
  return Create(std::string(id), JoinText(names, " + "), std::move(types), std::move(counts),
                static_cast<int>(first - types.begin()));
}

std::filesystem::path TileSet::DefaultFolder() {
  if (const char* folder = std::getenv("TILEWARDEN_TILESETS"); folder != nullptr && *folder != 0) {
    return folder;
  }
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    const auto installed =
        program.parent_path().parent_path() / "share" / "tilewarden" / "tilesets";
    if (std::filesystem::is_directory(installed, error)) return installed;
  }
  return TILEWARDEN_SOURCE_TILESETS;
}

absl::StatusOr<std::vector<std::string>> TileSet::List(const std::filesystem::path& folder) {
  absl::StatusOr<std::vector<TileSetFile>> files = ReadFolder(folder);
  if (!files.ok()) return files.status();
  std::vector<std::string> ids;
  for (const TileSetFile& file : *files) {
    for (const TileSetFile::Set& set : file.sets) ids.push_back(set.id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace tilewarden::engine
