// A simulated table: people play a random game on it, sometimes against the
// rules, and a camera with known error rates looks on. What it sees goes to the
// referee; what really happened stays here, to compare. Deterministic by seed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/game/game.h"
#include "engine/referee/look.h"
#include "engine/referee/sighting.h"
#include "engine/tiles/tile_layout.h"

namespace tilewarden::engine {

// Errors that persist: the same figure is missed in every look until something moves. Drawn anew
// when a tile comes beside it or the lattice moves. All 0: there are none.
struct HeldErrors {
  double figure = 0;     // one that stands in plain view
  double edge = 0;       // near bare cloth
  double own_cloth = 0;  // near bare cloth of its own colour
  double dark_roof = 0;  // a black one on a city
  double coat = 0;       // a coat of arms under the follower who stands on its city is not seen

  HeldErrors Times(double factor) const;
};

// As measured on the three rendered tables of other people (sequence, sequence_scoring and
// sequence_cloth, each enrolled from its own sheet), which nothing was trained on: of 28 figures in
// plain view none was missed when it was set, of 15 within a fifth of a tile of bare cloth none, of
// 1 there on cloth of its colour 1 (and 1 more on a table of a second edition); the one black
// follower on a city was seen; of 4 coats of arms under a follower 1 was not. Where none or all of
// few were missed, the middle of what that leaves possible.
inline HeldErrors MeasuredHeldErrors() {
  return {.figure = 0.01, .edge = 0.03, .own_cloth = 0.75, .dark_roof = 0.05, .coat = 0.25};
}

// Figures beside the board, where supplies are in view. Set by judgement, after eight games of the
// virtual table: most colours were counted alike in nearly every look; of the others now one more
// was missing and now one less.
struct SupplyErrors {
  double out_of_view = 0.25;  // of the colours
  double wavering = 0.4;      // of those in view
  double wavers = 0.03;       // that another number is missing from one look to the next
  double wrong = 0.01;        // a single look counts one more or less
};

// Rates are per tile or figure and sighting. They are set at or above what the real
// readers showed on the two rendered games (47 settled frames): scripts/evaluate-sequences
// 582 of 582 tiles right; scripts/evaluate-figures 338 of 338 figures found, 338 in the
// right colour, 337 in the right pose, feet off by at most 2.9 mm (0.06 tiles) in 95 of
// 100. None wrong among 338 leaves up to 0.9 % possible; on single hard pictures readers
// are far worse (there, 2 of 14 figures missed and 5 of 12 colours wrong).
struct CameraErrors {
  double clear_tile = 0.9;      // least probability of a clear reading
  double doubtful_tile = 0.03;  // right, but at 55 to 85 %
  double misread_tile = 0.003;  // a wrong reading first, the right one second
  double missed_tile = 0.0005;
  double missed_figure = 0.002;
  double foot = 0.03;           // standard deviation, tile sizes
  double wrong_colour = 0.001;  // another colour first
  double glimpse = 0.8;         // that a tile under a hand is seen in part
  double new_lattice = 0.05;    // that the lattice has moved since the last sighting
  SupplyErrors supply;
  HeldErrors held;

  CameraErrors Times(double factor) const;
};

// A camera that sees everything as it is.
inline CameraErrors NoErrors() {
  CameraErrors errors = CameraErrors().Times(0);
  errors.clear_tile = 0.98;
  errors.foot = 0;
  errors.new_lattice = 0;
  return errors;
}

class SimulatedTable {
 public:
  struct Tile {
    Cell cell;
    int tile = 0;
    int rotation = 0;
  };
  struct Figure {
    Cell cell;
    int segment = 0;     // of the tile on that cell
    std::string colour;  // empty: belongs to nobody
    Point foot;          // on the tile as it lies
    bool lying = false;
    FigureKind kind = FigureKind::kFollower;
    bool unseen = false;  // the camera sees nothing of it
    // How likely looks find each kind; empty: they say only which it is.
    std::vector<KindProbability> kinds = {};
  };

  SimulatedTable(std::shared_ptr<const TileSet> tiles, CameraErrors errors, unsigned seed);

  // How many figures each colour has whose figures lie in view beside the board, but for those on
  // it.
  std::map<std::string, int> supplies;
  // The colour of the cloth, where that is a player's.
  std::string cloth;
  // Kinds that the camera is not told to expect, and how sure it is of them: it takes them for
  // followers, and says so besides.
  std::map<FigureKind, double> unexpected;
  // The camera stands as the table's edge was agreed on: the first lattice is not
  // turned.
  bool level = false;
  // What really lies there; change it freely.
  std::vector<Tile> tiles;
  std::vector<Figure> figures;

  void Lay(const std::string& tile, Cell cell, int rotation);
  void Lay(const Turn& turn);
  void Set(const std::string& colour, Cell cell, int segment,
           FigureKind kind = FigureKind::kFollower);
  bool Take(const std::string& colour, Cell cell);
  // The figure of nobody goes there; absent: off the table.
  void MoveNeutral(FigureKind kind, std::optional<Place> to);
  Tile* TileAt(Cell cell);
  // Where figures stand on this segment.
  Point SpotOf(int tile, int segment) const;

  // One look. With a hand over a cell: its neighbourhood is hidden, and the
  // cell itself may be glimpsed.
  Sighting Look(std::optional<Cell> hand = std::nullopt);

  double Chance() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  int Pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

 private:
  SightedTile See(const Tile& tile, bool under_hand);
  // What is seen of so many figures of a colour, but for those on the board.
  void SeeSupply(const std::string& colour, int figures, Sighting* s);
  // A figure as it is seen; nothing: missed.
  std::optional<SightedFigure> See(const Figure& figure);
  // held_errors.cc: whether the figure is missed until something moves; as which type the tile
  // reads until then.
  bool HeldMissed(const Figure& figure);
  int HeldType(const Tile& tile);
  double HeldRate(const Figure& figure);
  // Something moved beside the cell when this has changed.
  int TilesAround(Cell cell);

  std::shared_ptr<const TileSet> set_;
  TileFaces faces_;
  std::vector<TileLayout> layouts_;
  CameraErrors errors_;
  std::mt19937 random_;
  std::normal_distribution<double> foot_error_;
  std::uint64_t sequence_ = 0;
  std::int64_t time_ms_ = 0;
  // Errors that persist.
  struct HeldFigure {
    Cell cell;
    Point foot;
    std::string colour;
    int tiles_around = 0;
    bool missed = false;
  };
  std::vector<HeldFigure> held_figures_;
  std::map<Cell, int> held_types_;  // under followers
  struct SeenSupply {
    bool in_view = true, wavering = false;
    int off = 0;  // so many more are counted
  };
  std::map<std::string, SeenSupply> seen_supplies_;
  // How the lattice of this sighting lies.
  int turn_ = 0;
  Cell shift_;
  Cell InLattice(Cell cell) const;
};

}  // namespace tilewarden::engine
