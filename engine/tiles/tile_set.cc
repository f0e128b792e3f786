#include "engine/tiles/tile_set.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "engine/tiles/compiled_tile.h"
#include "engine/tiles/text.h"
#include "engine/tiles/tile_set_file.h"
#include "engine/tiles/tile_set_folder.h"

namespace tilewarden::engine {
namespace {

absl::StatusOr<const TileSetFile::Set*> FindSet(const TileSetFolder& folder, std::string_view id) {
  if (const TileSetFile::Set* set = folder.Find(id)) return set;
  return absl::NotFoundError(Text("no tile set \"", id, "\" in ", folder.path.string(),
                                  "; there are: ", JoinText(folder.SetIds(), ", ")));
}

// Whether two rivers make one: The River and The River II, whose fork comes with it
// (The River, preparation: "select the river expansion you want and discard the others").
bool Combine(const TileSetFile::Set& a, const TileSetFile::Set& b) {
  return a.second.empty() != b.second.empty() && a.beside_start.empty() && b.beside_start.empty();
}

bool HasSource(const TileType& type) {
  return std::any_of(type.segments.begin(), type.segments.end(), [](const Segment& segment) {
    return segment.river_role == RiverRole::kSource;
  });
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

std::string_view ToString(Goods goods) {
  switch (goods) {
    case Goods::kWine:
      return "wine";
    case Goods::kGrain:
      return "grain";
    case Goods::kCloth:
      return "cloth";
    case Goods::kNone:
      break;
  }
  return "";
}

bool TileType::HasRiver() const {
  return std::find(edges.begin(), edges.end(), 's') != edges.end();
}

TileSet::TileSet() = default;
TileSet::~TileSet() = default;

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
  auto set = std::make_shared<TileSet>();
  set->id_ = std::move(id);
  set->name_ = std::move(name);
  set->types_ = std::move(types);
  set->counts_ = std::move(counts);
  set->start_tile_ = start_tile;
  return Finish(std::move(set));
}

absl::StatusOr<std::shared_ptr<const TileSet>> TileSet::Finish(std::shared_ptr<TileSet> set) {
  if (set->types_.size() != set->counts_.size()) {
    return absl::InvalidArgumentError(Text("set ", set->id_, ": one count per tile type"));
  }
  if (set->start_tile_ < 0 || set->start_tile_ >= static_cast<int>(set->types_.size())) {
    return absl::InvalidArgumentError(Text("set ", set->id_, ": no such start tile"));
  }
  std::set<std::string> ids;
  for (std::size_t i = 0; i < set->types_.size(); ++i) {
    const TileType& type = set->types_[i];
    if (absl::Status status = CheckTile(type); !status.ok()) {
      return absl::InvalidArgumentError(
          Text("tile ", type.id, ": ", std::string(status.message())));
    }
    if (set->counts_[i] < 0) {
      return absl::InvalidArgumentError(Text("tile ", type.id, ": negative count"));
    }
    if (!ids.insert(type.id).second) {
      return absl::InvalidArgumentError(Text("tile ", type.id, " comes twice"));
    }
    set->compiled_.push_back(Compile(type));
  }
  return std::shared_ptr<const TileSet>(std::move(set));
}

absl::StatusOr<std::shared_ptr<const TileSet>> TileSet::Load(std::string_view id,
                                                             const std::filesystem::path& folder,
                                                             const TileSetFile* own) {
  const absl::StatusOr<TileSetFolder> read = TileSetFolder::Read(folder, own);
  if (!read.ok()) return read.status();

  auto set = std::make_shared<TileSet>();
  std::vector<std::string> names;
  const TileSetFile::Set* start = nullptr;
  const TileSetFile::Set* replaced = nullptr;
  const auto index_of = [&](const std::string& tile_id) { return set->Find(tile_id); };
  const auto take_out = [&](const std::string& tile_id) {
    --set->counts_[static_cast<std::size_t>(index_of(tile_id))];
  };
  for (const std::string& part : SplitText(id, '+')) {
    absl::StatusOr<const TileSetFile::Set*> found = FindSet(*read, part);
    if (!found.ok()) return found.status();
    const TileSetFile::Set& box = **found;
    names.push_back(box.name);
    for (const auto& [tile_id, count] : box.tiles) {
      const auto tile = read->tiles.find(tile_id);
      if (tile == read->tiles.end()) {
        return absl::InvalidArgumentError(
            Text(box.where, ": set ", box.id, " counts tile ", tile_id, ", which no file defines"));
      }
      if (const int known = index_of(tile_id); known >= 0) {
        set->counts_[static_cast<std::size_t>(known)] += count;
      } else {
        set->types_.push_back(tile->second);
        set->counts_.push_back(count);
      }
    }
    for (const std::string& tile_id : box.bushes) {
      for (Segment& s : set->types_[static_cast<std::size_t>(index_of(tile_id))].segments) {
        if (s.road_end == RoadEnd::kVillage) s.road_end = RoadEnd::kBushes;
      }
    }
    if (box.start.empty()) continue;
    if (start == nullptr) {
      start = &box;
    } else if (box.replaces_start && !start->replaces_start) {
      replaced = start;
      start = &box;
    } else if (box.replaces_start) {
      if (!Combine(*start, box)) {
        return absl::InvalidArgumentError(Text(
            "set ", id, ": ", start->name, " and ", box.name,
            " do not join; of two rivers only The River and The River II do, so leave one out"));
      }
      // Two rivers together keep one source and the later one's lake.
      take_out(box.start);
      set->spare_source_ = index_of(box.start);
      for (const int lake : set->last_) --set->counts_[static_cast<std::size_t>(lake)];
      set->last_.clear();
    } else if (start->replaces_start) {
      replaced = &box;
    }
    if (!box.second.empty()) set->second_ = index_of(box.second);
    for (const std::string& lake : box.last) set->last_.push_back(index_of(lake));
  }
  if (start == nullptr) {
    return absl::InvalidArgumentError(
        Text("set ", id,
             " has no start tile of its own: join it to a base set, as in "
             "\"base.c2+river1.c2\""));
  }
  if (replaced != nullptr) {
    set->replaced_start_ = index_of(replaced->start);
    take_out(replaced->start);
  }
  set->LeaveOutRiverWithoutSource();
  set->id_ = std::string(id);
  set->name_ = JoinText(names, " + ");
  set->start_tile_ = set->Find(start->start);
  for (const TileSetFile::Set::Beside& beside : start->beside_start) {
    set->more_start_tiles_.push_back({set->Find(beside.tile), beside.cell, beside.rotation});
  }
  return Finish(std::move(set));
}

// River tiles that are made to be added to a river stay in the box where there is none.
void TileSet::LeaveOutRiverWithoutSource() {
  if (std::any_of(types_.begin(), types_.end(), HasSource)) return;
  for (std::size_t i = types_.size(); i-- > 0;) {
    if (!types_[i].HasRiver()) continue;
    types_.erase(types_.begin() + static_cast<std::ptrdiff_t>(i));
    counts_.erase(counts_.begin() + static_cast<std::ptrdiff_t>(i));
  }
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

absl::StatusOr<std::vector<std::string>> TileSet::List(const std::filesystem::path& folder,
                                                       const TileSetFile* own) {
  const absl::StatusOr<TileSetFolder> read = TileSetFolder::Read(folder, own);
  if (!read.ok()) return read.status();
  return read->SetIds();
}

}  // namespace tilewarden::engine
