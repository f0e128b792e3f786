// One sighting as it lies on the board: what the lattice showed, cell by cell,
// in the board's own frame. Also finds how the lattice lies on the board.
//
// Alignment: every sighted tile votes, with its candidates' probabilities, for
// the transforms that bring it onto a board tile of that type and rotation; rare
// types weigh more. The best few are then scored whole: tiles that match, that
// contradict, that are missing or extra, and figures. Misread tiles only lose
// votes, so neither a bumped camera nor a restart of the vision matters.
//
// Values; pure functions.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/game/game.h"
#include "engine/referee/sighting.h"
#include "engine/tiles/grid.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

// Rotations of a tile type that no rule can tell apart count as one; and types that none can
// tell apart, as straight rivers in other art, are twins.
class TileFaces {
 public:
  explicit TileFaces(const TileSet& tiles);
  bool Same(int tile, int rotation_a, int rotation_b) const {
    return (rotation_a - rotation_b) % periods_[static_cast<std::size_t>(tile)] == 0;
  }
  bool Twins(int a, int b) const {
    return twins_[static_cast<std::size_t>(a)] == twins_[static_cast<std::size_t>(b)];
  }
  // As they lie, the two differ at most in what a figure can cover: a coat of arms, a garden.
  bool SameButSmall(int tile_a, int rotation_a, int tile_b, int rotation_b) const {
    return shapes_[static_cast<std::size_t>(tile_a)][static_cast<std::size_t>(rotation_a & 3)] ==
           shapes_[static_cast<std::size_t>(tile_b)][static_cast<std::size_t>(rotation_b & 3)];
  }

 private:
  std::vector<int> periods_;  // quarter turns after which the facts repeat
  std::vector<int> twins_;    // the first type with the same facts
  // By type and rotation: equal where all but small things is the same.
  std::vector<std::array<int, 4>> shapes_;
};

// A reading of a tile by the game's own indices.
struct TileReading {
  int tile = 0;
  int rotation = 0;  // on the board
  double probability = 0;
};

struct FigureView {
  SightedFigure seen;
  Point foot;  // on the tile as it lies on the board
};

struct CellView {
  bool tile = false;                  // something lies there that could be a tile
  bool hidden = false;                // too much is covered to conclude anything
  bool covered = false;               // something is over part of it
  bool straight = true;               // lies in the cell, not across it
  std::vector<TileReading> readings;  // most likely first, equal faces as one
  std::vector<FigureView> figures;

  // Share of the reading that shows this tile, or a twin of it.
  double ProbabilityOf(const TileFaces& faces, int tile, int rotation) const;
  // Without its twins.
  double ProbabilityOfType(const TileFaces& faces, int tile, int rotation) const;
};

// A whole sighting on the board.
struct Look {
  bool settled = false;
  bool hand = false;
  std::int64_t time_ms = 0;
  std::map<Cell, CellView> cells;
  // Figures that belong to nobody, with their cells.
  std::vector<std::pair<Cell, FigureView>> neutral;
  // Figures of players beside the board.
  std::vector<SightedFigure> beside;
  std::optional<SightedScoreTrack> score_track;

  // A cell that was not mentioned is seen and empty.
  const CellView& At(Cell cell) const;
  // A figure, of a player or of nobody, covers part of the tile.
  bool FigureOn(Cell cell) const;
};

// What lies on the table as far as the referee knows, for the alignment.
struct KnownTile {
  Cell cell;
  int tile = 0;
  int rotation = 0;
};
struct KnownFigure {
  Cell cell;
  std::string colour;
};
struct KnownBoard {
  std::vector<KnownTile> tiles;
  std::vector<KnownFigure> figures;
};

// Nothing when the sighting shows too little of the board, or contradicts it.
// `before`: how the lattice lay last time; decides only between equals.
std::optional<BoardFromLattice> Align(const Sighting& sighting, const KnownBoard& board,
                                      const Game& game, const TileFaces& faces,
                                      const std::optional<BoardFromLattice>& before);

Look Project(const Sighting& sighting, const BoardFromLattice& board_from_lattice,
             const TileSet& tiles, const TileFaces& faces);

}  // namespace tilewarden::engine
