// What is remembered of the board's cells between conclusions. Times are numbers of
// sightings; 0: never.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "engine/referee/look.h"
#include "engine/referee/memory/hand_visits.h"
#include "engine/referee/memory/tile_evidence.h"

namespace tilewarden::engine {

// What is remembered of one cell. A value; not thread safe.
class CellMemory {
 public:
  // --- What sightings showed
  void Covered(std::uint64_t sighting);
  // A tile was to be seen there; on a still table.
  void ShowedTile(std::uint64_t sighting);
  void ShowedTileStill(std::uint64_t sighting);
  // A settled look at the tile that lies there in the game: the share of what was read that is
  // this tile, or that there was none. `bare`: no figure stands on it, seen or not.
  void ShowedKnown(double share, const CellView& view, bool bare, const TileFaces& faces,
                   std::uint64_t sighting);
  void ShowedNone() { ++absent_looks_; }
  // It showed no figures there but those of the game.
  void ShowedNoOthers(std::uint64_t sighting) { last_without_others_ = sighting; }
  // A settled look at a new tile that is not sure what it is.
  void Unsure(std::uint64_t sighting);
  // The turn is taken down from what this look shows here.
  void TakenDown(double share, bool bare, std::uint64_t sighting);

  // A figure that no look showed stood on it all along: none has shown it bare.
  void HadFigure() {
    clearest_bare_ = 0;
    bare_evidence_ = TileEvidence();
  }

  // What is left once the tile here has been read anew though nobody touched it: the looks before
  // showed this tile too, and were read wrongly.
  CellMemory ReadAnew(double share, std::uint64_t sighting) const;
  // What is left of a cell that is empty, but which a hand has visited: that.
  CellMemory OnlyCovered() const;

  // --- Questions
  std::uint64_t FirstSeen() const { return first_seen_; }
  std::uint64_t FirstSettled() const { return first_settled_; }
  std::uint64_t FirstCovered() const { return first_covered_; }
  std::uint64_t LastCovered() const { return last_covered_; }
  // The known tile was seen last.
  std::uint64_t LastRight() const { return last_right_; }
  // A look last showed it with no figures on it but those of the game.
  std::uint64_t LastWithoutOthers() const { return last_without_others_; }
  // Settled looks in a row without the known tile.
  int AbsentLooks() const { return absent_looks_; }
  // A few looks read it, none clearly, and more in a row since show none: it was no tile.
  bool NeverLay() const;
  // The referee took the turn from what it saw here: only then can the reading have been wrong
  // from the start.
  bool TakenBySight() const { return taken_by_sight_; }
  // The known tile was read so clearly once that it was no misreading.
  bool OnceClear() const;
  // It was, with no figure on it that could have covered something.
  bool OnceClearBare() const;
  // Some look was sure of the known tile.
  bool OnceRead() const;
  // Looks in a row, with no hand over it since, that were not sure what a new tile is.
  int UnsureLooks() const { return unsure_looks_; }
  // The last of them is this one.
  bool UnsureNow(std::uint64_t sighting) const { return last_unsure_ == sighting; }

  TileEvidence& evidence() { return evidence_; }
  const TileEvidence& evidence() const { return evidence_; }
  // What the looks without a figure on the tile say.
  const TileEvidence& bare_evidence() const { return bare_evidence_; }
  HandVisits& visits() { return visits_; }
  const HandVisits& visits() const { return visits_; }

 private:
  TileEvidence evidence_, bare_evidence_;
  HandVisits visits_;
  // The best that the present reading ever was, and with no figure on the tile.
  double clearest_ = 0, clearest_bare_ = 0;
  int known_looks_ = 0, absent_looks_ = 0, unsure_looks_ = 0;
  std::uint64_t last_unsure_ = 0;
  bool taken_by_sight_ = false;
  std::uint64_t last_right_ = 0, last_without_others_ = 0;
  std::uint64_t first_covered_ = 0, last_covered_ = 0;
  std::uint64_t first_seen_ = 0, first_settled_ = 0;
};

// All of them. A value; not thread safe.
class Cells {
 public:
  // Begins to remember the cell where nothing is known of it.
  CellMemory& operator[](Cell cell) { return cells_[cell]; }
  // Null: nothing is known of it.
  const CellMemory* Find(Cell cell) const;
  void Forget(Cell cell) { cells_.erase(cell); }

  // When something was last over the cell; over it or a cell beside it.
  std::uint64_t LastCovered(Cell cell) const;
  std::uint64_t LastCoveredAround(Cell cell) const;
  // The hand of this view of the cell was rather over another new tile's place, and that tile was
  // not laid yet: it was there to lay that one.
  bool RatherElsewhere(Cell cell, const HandVisits::View& view) const;

  // Ends a settled look: what was under hands is used up where the table can be seen again.
  // `last_settled`: the number of the look before.
  void EndLook(const Look& look, const std::function<bool(Cell)>& on_board,
               std::uint64_t last_settled);

 private:
  std::map<Cell, CellMemory> cells_;
};

}  // namespace tilewarden::engine
