// Tile sets that stay loaded from one input of a fuzzer to the next: reading
// their files takes longer than everything that is done with them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "engine/notation/notation.h"

namespace tilewarden {

inline absl::StatusOr<std::shared_ptr<const engine::TileSet>> LoadedSet(std::string_view id) {
  using Loaded = absl::StatusOr<std::shared_ptr<const engine::TileSet>>;
  static auto* const kLoaded = new std::map<std::string, Loaded, std::less<>>;
  const auto found = kLoaded->find(id);
  if (found != kLoaded->end()) return found->second;
  if (kLoaded->size() >= 256) kLoaded->clear();
  return kLoaded->emplace(id, engine::LoadTileSet(id)).first->second;
}

}  // namespace tilewarden
