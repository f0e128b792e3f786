// What was seen before the game began.
#pragma once

#include <optional>

#include "engine/referee/look.h"
#include "engine/referee/referee.h"

namespace tilewarden::engine {

// A value; not thread safe.
class Starting {
 public:
  // A settled look at tiles; how many there were by now.
  int SawTiles() { return ++looks_; }

  // A board that is about to be joined, as one look showed it.
  struct Board {
    BoardFromLattice place;
    Look look;
    BoardFound found;
  };
  // One more look at it. Whether it is sure by now: it lies as in the look before, or there were
  // so many looks that no two will agree.
  bool SawBoard(Board board);
  // As it was seen last.
  const std::optional<Board>& board() const { return board_; }
  void Begun() { board_.reset(); }

 private:
  int looks_ = 0;
  std::optional<Board> board_;
  int board_looks_ = 0;
};

}  // namespace tilewarden::engine
