#include "services/tile_sets.h"

#include <utility>

namespace tilewarden::services {

absl::StatusOr<engine::Rules> RulesFor(const engine::TileSet& tiles, const std::string& preset) {
  if (!preset.empty()) return engine::Rules::Preset(preset);
  const std::string first = tiles.id().substr(0, tiles.id().find('+'));
  const auto dot = first.rfind('.');
  return engine::Rules::Preset(dot == std::string::npos ? first : first.substr(dot + 1));
}

absl::StatusOr<std::shared_ptr<const TileArt>> TileSets::Get(const std::string& id) {
  const std::lock_guard lock(mutex_);
  auto& slot = loaded_[id.empty() ? kDefault : id];
  if (slot == nullptr) {
    auto set = engine::TileSet::Load(id.empty() ? kDefault : id);
    if (!set.ok()) return set.status();
    auto art = std::make_shared<TileArt>();
    art->set = *std::move(set);
    for (const engine::TileType& type : art->set->types()) {
      art->layouts.push_back(engine::LayOut(type));
    }
    slot = std::move(art);
  }
  return slot;
}

}  // namespace tilewarden::services
