// All that one referee knows and remembers: the ledger (what the log says) and the
// memories (what the camera showed and no conclusion has used up yet). Each owns its
// data and answers for it; the steps of judging ask them. What is remembered is lost on
// a restart, and soon seen again.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "engine/referee/ledger.h"
#include "engine/referee/look.h"
#include "engine/referee/memory/batches.h"
#include "engine/referee/memory/camera_habits.h"
#include "engine/referee/memory/cells.h"
#include "engine/referee/memory/claim_memory.h"
#include "engine/referee/memory/cleared_table.h"
#include "engine/referee/memory/differences.h"
#include "engine/referee/memory/figure_memory.h"
#include "engine/referee/memory/hand_looks.h"
#include "engine/referee/memory/hands.h"
#include "engine/referee/memory/lattice.h"
#include "engine/referee/memory/recent_sightings.h"
#include "engine/referee/memory/score_track.h"
#include "engine/referee/memory/segment_reader.h"
#include "engine/referee/memory/starting.h"
#include "engine/referee/memory/supplies.h"
#include "engine/referee/memory/suspicions.h"
#include "engine/referee/memory/tiles_aside.h"
#include "engine/referee/memory/unexpected_figures.h"
#include "engine/referee/memory/unexpected_river.h"
#include "engine/referee/referee.h"

namespace tilewarden::engine {

struct Mind {
  Mind(Ledger book, RefereeOptions tunables)
      : ledger(std::move(book)),
        options(tunables),
        faces(*ledger.tiles()),
        segments(ledger.tiles()) {}

  // Once there is a game.
  const Game& game() const { return *ledger.game(); }
  const TileSet& tiles() const { return *ledger.tiles(); }

  Ledger ledger;
  RefereeOptions options;
  TileFaces faces;
  SegmentReader segments;

  std::uint64_t sightings = 0;  // so far: the number of the present one
  RecentSightings recent;
  Lattice lattice;
  Starting starting;
  Hands hands;
  Cells cells;
  FigureMemory figures;
  ClaimMemory claims;
  CameraHabits habits;
  Supplies supplies;
  HandLooks ark_hands;                // since the Ark was seen
  std::optional<int> ark_seen_after;  // the turn after which a look last showed the Ark
  HandLooks last_hands;               // since the table was still
  std::set<Cell> man_seen_after;  // turns, by their tiles, whose move of the Gingerbread Man showed
  TilesAside aside;
  Batches batches;
  ScoreTrackMemory score_track;
  Differences differences;
  Suspicions suspicions;
  ClearedTable cleared;
  UnexpectedFigures unexpected;
  UnexpectedRiver river;
  std::set<FigureKind> seen_in_place;  // of nobody's: a look showed it where the game has it

  // What the last judged look showed as a whole.
  struct {
    bool several_new = false;  // more than one new tile
    bool undecided = false;    // one that could not be read yet
    bool ark_moved = false;    // the Ark stands elsewhere than in the game
    std::set<Cell> figures;    // tiles with a figure of a player
    std::set<Cell> differing;  // all that it shows otherwise than the game, believed or not
    bool doubted = false;      // so much at once that the look was not believed
  } shown;
  // The last tile may still be taken up again: its turn is not over.
  bool may_take_back = false;
};

}  // namespace tilewarden::engine
