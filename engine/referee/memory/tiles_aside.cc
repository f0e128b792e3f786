#include "engine/referee/memory/tiles_aside.h"

namespace tilewarden::engine {

std::optional<std::size_t> TilesAside::CameAfter(Cell cell, std::size_t turns, bool several_turns) {
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
