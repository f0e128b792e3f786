// What one look at the table showed, as the referee takes it: the engine's own
// form of tilewarden.v1.Sighting (field by field the same; see there).
// Probabilities of what was seen, never what should be there.
//
// Lattice: x right, y down in the camera's top view. Its origin and quarter
// turn are arbitrary and may differ from sighting to sighting; the referee
// finds how it lies on the board.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/game/figure_kind.h"
#include "engine/tiles/grid.h"

namespace tilewarden::engine {

enum class Pose : std::uint8_t { kStanding, kLying };

struct TileCandidate {
  std::string tile;  // type id; empty: like no tile of the set
  int rotation = 0;  // quarter turns clockwise in the lattice
  double probability = 0;
};

struct SightedTile {
  Cell cell;
  std::vector<TileCandidate> candidates;  // most likely first
  // Types that the camera was not told to expect: how likely each is if it may lie there, too.
  std::vector<TileCandidate> unexpected{};
  Point offset;        // off the cell's centre, tile sizes
  double yaw_rad = 0;  // clockwise against the lattice
  double hidden = 0;   // share that something covers
};

struct ColourProbability {
  std::string colour;
  double probability = 0;
};

struct KindProbability {
  FigureKind kind = FigureKind::kFollower;
  double probability = 0;
};

struct SightedFigure {
  std::optional<Cell> cell;  // absent: beside the board
  Point foot;                // on the tile as it lies in the lattice
  double foot_sigma = 0.05;  // standard deviation, tile sizes
  FigureKind kind = FigureKind::kFollower;
  std::vector<KindProbability> kinds;      // most likely first; empty: only `kind` is told
  std::vector<ColourProbability> colours;  // most likely first
  double standing_probability = 0.5;
  double probability = 0;  // that there is a figure at all
  // Clearly of a kind that the camera was not told to expect; `kind` is then the likeliest of those
  // that it was told.
  std::optional<KindProbability> unexpected;
};

struct FieldProbability {
  int field = 0;  // of the score track, 0 to 49
  double probability = 0;
};

// A figure on the score track.
struct SightedMarker {
  std::vector<FieldProbability> fields;    // most likely first
  std::vector<ColourProbability> colours;  // most likely first
  double standing_probability = 0.5;
  double probability = 0;  // that there is a figure at all
};

struct SightedScoreTrack {
  std::vector<int> hidden_fields;  // where a marker would not be seen
  std::vector<SightedMarker> markers;
};

// How much of the bare table beside the board looks like figures of this colour.
struct ClothColour {
  std::string colour;
  double share = 0;
};

struct Sighting {
  std::uint64_t sequence = 0;
  std::int64_t time_ms = 0;
  bool settled = false;  // nothing moved, no hand
  bool hand = false;     // a hand or arm was over the table
  std::vector<Cell> hidden_cells;
  std::vector<SightedTile> tiles;
  std::vector<SightedFigure> figures;
  std::optional<SightedScoreTrack> score_track;  // absent: none is in view
  std::vector<ClothColour> cloth{};              // empty: not told
};

// How a sighting's lattice lies on the board: turned clockwise by `turn` quarter
// turns about the lattice's origin, then shifted.
struct BoardFromLattice {
  int turn = 0;
  Cell shift;

  Cell operator()(Cell in_lattice) const;
  friend bool operator==(const BoardFromLattice&, const BoardFromLattice&) = default;
};

}  // namespace tilewarden::engine
