#include "engine/referee/memory/starting.h"

#include <utility>

#include "engine/referee/model.h"

namespace tilewarden::engine {

bool Starting::SawBoard(Board board) {
  const bool same = board_ && board_->found.tiles == board.found.tiles &&
                    board_->found.colours == board.found.colours;
  board_ = std::move(board);
  return ++board_looks_ >= kJoiningLooks || same;
}

}  // namespace tilewarden::engine
