#include "engine/referee/memory/tiles_aside.h"

#include <utility>

namespace tilewarden::engine {

std::optional<std::size_t> TilesAside::CameAfter(Cell cell, std::size_t turns, bool several_turns,
                                                 const std::function<bool(Cell)>& free) {
  for (const Cell near : Around(cell)) {
    if (furniture_.contains(cell) || came_after_.contains(cell)) break;
    if (!free(near)) continue;
    if (furniture_.erase(near) > 0) {
      furniture_.insert(cell);
    } else if (auto came = came_after_.extract(near)) {
      came.key() = cell;
      came_after_.insert(std::move(came));
    }
  }
  if (first_look_ || (several_turns && !came_after_.contains(cell))) furniture_.insert(cell);
  if (furniture_.contains(cell)) return std::nullopt;
  return came_after_.try_emplace(cell, turns).first->second;
}

void TilesAside::EndLook(const std::function<bool(Cell)>& free,
                         const std::function<bool(Cell)>& on_board) {
  first_look_ = false;
  std::erase_if(furniture_, free);
  std::erase_if(came_after_,
                [&](const auto& entry) { return free(entry.first) || on_board(entry.first); });
}

}  // namespace tilewarden::engine
