// What the texts of a replay share.
#pragma once

#include <string>

#include "engine/game/game.h"

namespace tilewarden::services {

inline std::string Padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

inline const engine::TileType& TypeOf(const engine::Game& game, int tile) {
  return game.tile_set().types()[static_cast<std::size_t>(tile)];
}

inline const engine::Segment& SegmentAt(const engine::Game& game, engine::Cell cell, int segment) {
  return TypeOf(game, game.TileAt(cell)->tile).segments[static_cast<std::size_t>(segment)];
}

}  // namespace tilewarden::services
