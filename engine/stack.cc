#include "engine/stack.h"

#include <algorithm>
#include <cstddef>

namespace tilewarden::engine {

std::vector<std::vector<int>> DrawPiles(const TileSet& tiles, const Rules& rules) {
  std::vector<int> left = tiles.counts();
  const auto take = [&](int tile) {
    int& count = left[static_cast<std::size_t>(tile)];
    if (count == 0) return false;
    --count;
    return true;
  };
  take(tiles.start_tile());
  for (const TileSet::StartTile& more : tiles.more_start_tiles()) take(more.tile);

  std::vector<int> second, last, river, land;
  if (!rules.river_shuffled) {
    if (tiles.second() >= 0 && take(tiles.second())) second.push_back(tiles.second());
    for (const int lake : tiles.last()) {
      if (take(lake)) last.push_back(lake);
    }
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::vector<int>& pile = tiles.types()[i].HasRiver() ? river : land;
    pile.insert(pile.end(), static_cast<std::size_t>(left[i]), static_cast<int>(i));
  }
  // The river's source replaces the start tile, which stays in the box; house
  // rules draw it like any other.
  if (rules.start_tile_mixed && tiles.replaced_start() >= 0) {
    (river.empty() ? land : river).push_back(tiles.replaced_start());
  }
  std::vector<std::vector<int>> piles;
  for (std::vector<int>* pile : {&second, &river, &last, &land}) {
    if (!pile->empty()) piles.push_back(std::move(*pile));
  }
  return piles;
}

}  // namespace tilewarden::engine
