// Figures that looks take for a kind that the game is not played with, by the tile that they stand
// on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/game/figure_kind.h"
#include "engine/tiles/grid.h"

namespace tilewarden::engine {

struct UnexpectedFigure {
  FigureKind kind = FigureKind::kFollower;
  std::string colour;
  int segment = 0;  // of the tile, that it rather stands on
};

// A value; not thread safe.
class UnexpectedFigures {
 public:
  // One more look took the figure on this tile for this one. `turn`: that the look came after.
  void Saw(Cell cell, const UnexpectedFigure& figure, int turn);
  // It took the figure there for one of those that the game has.
  void SawOther(Cell cell);
  // Nothing stands there any more.
  void Gone(Cell cell) { seen_.erase(cell); }

  // What the looks so far took it for; null: for nothing out of the ordinary.
  const UnexpectedFigure* On(Cell cell) const;
  // The tiles with a figure of this kind that looks enough agree on.
  std::vector<Cell> Sure(FigureKind kind) const;

 private:
  struct Seen {
    UnexpectedFigure figure;
    int told = 0, looks = 0;
    int first_turn = 0, last_turn = 0;
  };
  std::map<Cell, Seen> seen_;
};

}  // namespace tilewarden::engine
