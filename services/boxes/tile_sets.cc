#include "services/boxes/tile_sets.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tilewarden::services {
namespace {

constexpr std::size_t kMostLoaded = 64;

// Whether the set has a tile of the owner's file, or is one of its sets.
bool HasOf(const engine::TileSetFile& own, const engine::TileSet& set) {
  const std::string parts = absl::StrCat("+", set.id(), "+");
  return std::any_of(own.tiles.begin(), own.tiles.end(),
                     [&](const auto& tile) { return set.Find(tile.id) >= 0; }) ||
         std::any_of(own.sets.begin(), own.sets.end(), [&](const auto& part) {
           return parts.find(absl::StrCat("+", part.id, "+")) != std::string::npos;
         });
}

}  // namespace

absl::StatusOr<std::shared_ptr<const TileArt>> TileSets::Get(const std::string& id) {
  const auto own = own_.Read();
  if (!own.ok()) return own.status();
  return Get(id, own->text);
}

absl::StatusOr<std::shared_ptr<const TileArt>> TileSets::Get(const std::string& id,
                                                             const std::string& own) {
  const std::lock_guard lock(mutex_);
  // Those of files that have changed since, and of which no game is left.
  if (loaded_.size() >= kMostLoaded) {
    std::erase_if(loaded_, [](const auto& slot) { return slot.second.use_count() <= 1; });
  }
  auto& slot = loaded_[{id.empty() ? kDefault : id, own}];
  if (slot != nullptr) return slot;
  auto file = engine::ParseTileSetFile(own.empty() ? "format = 1\n" : own, OwnTiles::kFile);
  if (!file.ok()) return file.status();
  auto set =
      engine::TileSet::Load(id.empty() ? kDefault : id, engine::TileSet::DefaultFolder(), &*file);
  if (!set.ok()) return set.status();
  auto art = std::make_shared<TileArt>();
  art->set = *std::move(set);
  for (const engine::TileType& type : art->set->types()) {
    art->layouts.push_back(engine::LayOut(type));
  }
  if (HasOf(*file, *art->set)) {
    art->own = own;
    art->edition = absl::StrCat(absl::Hex(std::hash<std::string>()(own)));
  }
  slot = std::move(art);
  return slot;
}

}  // namespace tilewarden::services
