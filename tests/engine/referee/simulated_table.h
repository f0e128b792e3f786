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
  // Share of looks at a thing that nobody touches which repeat the look before:
  // readers read again only what changed. Until the lattice moves.
  double held = 0;

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
  };

  SimulatedTable(std::shared_ptr<const TileSet> tiles, CameraErrors errors, unsigned seed);

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
  // A figure as it is seen; nothing: missed.
  std::optional<SightedFigure> See(const Figure& figure);
  // Whether this look repeats the one before.
  bool Held() { return errors_.held > 0 && Chance() < errors_.held; }

  std::shared_ptr<const TileSet> set_;
  std::vector<TileLayout> layouts_;
  CameraErrors errors_;
  std::mt19937 random_;
  std::normal_distribution<double> foot_error_;
  std::uint64_t sequence_ = 0;
  std::int64_t time_ms_ = 0;
  // What was seen of untouched things, without the lattice's origin.
  struct HeldTile {
    int tile = 0, rotation = 0;
    SightedTile seen;
  };
  std::map<Cell, HeldTile> held_tiles_;
  struct HeldFigure {
    Cell cell;
    Point foot;
    std::string colour;
    std::optional<SightedFigure> seen;
  };
  std::vector<HeldFigure> held_figures_;
  // How the lattice of this sighting lies.
  int turn_ = 0;
  Cell shift_;
  Cell InLattice(Cell cell) const;
};

}  // namespace tilewarden::engine
