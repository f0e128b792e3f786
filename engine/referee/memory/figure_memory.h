// What is remembered of figures, by the cell that they stand on.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/referee/look.h"
#include "engine/referee/memory/figure_track.h"

namespace tilewarden::engine {

// A value; not thread safe.
class FigureMemory {
 public:
  // --- Figures of the game
  // Begins to track one where nothing is known of it.
  FigureTrack& Track(Cell cell) { return tracks_[cell]; }
  // Null: nothing is known of it.
  const FigureTrack* FindTrack(Cell cell) const;
  void Forget(Cell cell) { tracks_.erase(cell); }
  // The game has other kinds now: of which kind figures are, the next looks tell.
  void ForgetKinds();

  // --- Figures on a tile of the last turns that the game has not taken, in a colour that nobody
  // plays or where none may stand
  FigureTrack& Unplaced(Cell cell) { return unplaced_[cell]; }
  const FigureTrack* FindUnplaced(Cell cell) const;
  // The game has taken it.
  void Place(Cell cell) { tracks_[cell] = unplaced_.at(cell); }
  // The game has it elsewhere on its tile: what is known of it, from now on.
  void Unplace(Cell cell, FigureTrack known);

  // --- Figures that scored
  // It still stands there: since when nobody touches the table, by the first look that showed that.
  // `hand_came`: since the look before.
  std::int64_t Linger(Cell cell, const std::string& colour, std::int64_t now_ms, bool hand_came);
  // A look showed the tile without the figure that this turn sent home.
  void SawGone(Cell cell, int turn) { ++seen_gone_[{cell, turn}]; }
  int LooksGone(Cell cell, int turn) const;

  // Ends a look: nothing is remembered of figures that are gone for good. `in_game`: the cells of
  // the game's figures.
  void EndLook(const Look& look, const std::set<Cell>& in_game);

 private:
  std::map<Cell, FigureTrack> tracks_, unplaced_;
  std::map<std::pair<Cell, std::string>, std::int64_t> lingering_;  // since when, in ms
  std::map<std::pair<Cell, int>, int> seen_gone_;                   // looks
};

}  // namespace tilewarden::engine
