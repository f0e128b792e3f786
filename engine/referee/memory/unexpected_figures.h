// Figures that looks take for a kind that the game is not played with: players' by the tile that
// they stand on, nobody's by the turn after which they stood there.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/game/figure_kind.h"
#include "engine/game/turn.h"
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
  // The same of one that belongs to nobody, of which there is one in a game. `taken_for`: the
  // colour of a player whose figure it would be.
  void SawNobodys(FigureKind kind, const Place& place, const std::string& taken_for, int turn);
  // A look showed it elsewhere, and a figure of this colour there.
  void SawPlayers(FigureKind kind, Cell cell, const std::string& colour);
  // A look took the figure there for one of those that the game has.
  void SawOther(Cell cell);
  // The same of what stands where nobody's figure of this kind stood last.
  void SawOther(FigureKind kind);
  // Nothing stands there any more: it went home.
  void Gone(Cell cell);

  // What the looks so far took it for; null: for nothing out of the ordinary.
  const UnexpectedFigure* On(Cell cell) const;
  // What most looks took the figure there for, also of one that went home since; null: likewise. It
  // is enough once people have said that the game has its kind.
  const UnexpectedFigure* Was(Cell cell) const;
  // The tiles with a figure of this kind that looks enough agree on.
  std::vector<Cell> Sure(FigureKind kind) const;

  // Where nobody's figure of this kind stood last, if most looks agree that it is one.
  std::optional<Place> StandsOn(FigureKind kind) const;
  // Where it stood after the turns with these numbers, as the last look after each showed it. Of
  // turns that were taken back since, what comes in their place is told.
  std::map<int, Place> PlacesOf(FigureKind kind) const;
  // The colour that it was taken for on this tile; empty: it never stood there.
  std::string TakenFor(FigureKind kind, Cell cell) const;

 private:
  struct Looks {
    int told = 0, looks = 0;
    int first_turn = 0, last_turn = 0;

    void Tell(int turn);
    bool Agree() const;
    bool Suffice() const;
  };
  struct Seen {
    UnexpectedFigure figure;
    Looks looks;
  };
  struct Nobodys {
    Looks looks;
    std::map<int, Place> places;  // by turn
    std::map<Cell, std::string> taken_for;
  };
  std::map<Cell, Seen> seen_;
  std::map<Cell, UnexpectedFigure> gone_;
  std::map<FigureKind, Nobodys> nobodys_;
};

}  // namespace tilewarden::engine
