// What one look at the table showed. No cv:: types: this is what leaves the
// vision folder. Tiles are named by the codes of the reference pack; what they
// mean to the rules is not known here.
//
// Lattice: the grid that the board lies on, x right and y down in the picture's
// top view. Corners: pixel centres at integers, in the picture as decoded with
// its EXIF orientation applied, clockwise from the corner that is north-west
// in the lattice. Values.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewarden::vision {

struct Point {
  double x = 0;
  double y = 0;
};

struct LatticeCell {
  int x = 0;
  int y = 0;
  friend auto operator<=>(const LatticeCell&, const LatticeCell&) = default;
};

struct TileCandidate {
  std::string tile;  // code in the pack; empty: like nothing in it
  int rotation = 0;  // quarter turns clockwise of canonical, in the lattice
  double probability = 0;
};

struct SightedTile {
  LatticeCell cell;
  std::vector<TileCandidate> candidates;  // most likely first
  Point offset;                           // off the cell's centre, tile sizes
  double yaw_rad = 0;                     // clockwise against the lattice
  std::array<Point, 4> corners_px{};      // of the top face
  double hidden = 0;                      // share that something covers, 0 to 1
  // Clearly of types that the game is not said to have: how likely each is if it may lie there,
  // too.
  std::vector<TileCandidate> unexpected{};
};

enum class FigureKind { kFollower, kAbbot, kProphet, kArk, kGingerbreadMan, kLargeFollower };

struct ColourProbability {
  std::string colour;
  double probability = 0;
};

struct KindProbability {
  FigureKind kind = FigureKind::kFollower;
  double probability = 0;
};

struct SightedFigure {
  std::optional<LatticeCell> cell;  // absent: beside the board
  Point foot;                       // on the tile as it lies in the lattice, [0, 1] x [0, 1]
  double foot_sigma = 0.05;         // standard deviation, tile sizes
  Point foot_px;                    // in the picture
  FigureKind kind = FigureKind::kFollower;
  // How likely it is of each kind that the game is said to have, most likely first; empty: only
  // `kind` is told.
  std::vector<KindProbability> kinds;
  std::vector<ColourProbability> colours;  // most likely first
  double standing_probability = 0.5;
  double probability = 0;  // that there is a figure at all
  // Clearly of a special kind that the game is not said to have; `kind` does not depend on it.
  std::optional<KindProbability> unexpected;
};

struct FieldProbability {
  int field = 0;
  double probability = 0;
};

// A figure on the score track.
struct SightedMarker {
  std::vector<FieldProbability> fields;    // that its foot is on, most likely first
  Point foot_px;                           // in the picture
  std::vector<ColourProbability> colours;  // most likely first
  double standing_probability = 0.5;
  double probability = 0;  // that there is a figure at all
};

// The project's own score track (calibration/print/score_track.h), fields 0 to 49.
struct SightedScoreTrack {
  std::array<Point, 4> corners_px{};  // clockwise from the outer corner of field 0
  std::vector<int> hidden_fields;     // where a marker would not be seen, in order
  std::vector<SightedMarker> markers;
};

// How much of the bare table next to the tiles looks like figures of this colour.
struct ClothColour {
  std::string colour;
  double share = 0;  // 0 to 1
};

enum class NotReadWhy {
  kCutByBorder,  // a tile of the board that the picture's border cuts
  kUnreadable,   // a tile seems to lie beside the board that could not be read
  kOutside,      // a tile that lies in no cell of the board
};

// A part of the board that was seen, and not read.
struct NotRead {
  NotReadWhy why = NotReadWhy::kUnreadable;
  LatticeCell cell;                   // where it lies, or nearest to
  std::array<Point, 4> corners_px{};  // may lie outside the picture
};

struct Sighting {
  std::uint64_t sequence = 0;
  std::int64_t time_ms = 0;
  int width_px = 0, height_px = 0;
  bool settled = false;  // nothing moved, no hand
  bool hand = false;     // a hand or arm is over the table
  // It was a picture for the gate, and the table rests or is about to, unread: a sharp one can be
  // read.
  bool wants_sharp = false;
  // Since the settled look before, the whole board came to lie elsewhere in the
  // picture, by more than 1.25 mm on the table: the camera was moved.
  bool camera_moved = false;
  std::vector<LatticeCell> hidden_cells;
  // The board's; after them those that a camera's frames show away from it, set aside.
  std::vector<SightedTile> tiles;
  std::vector<SightedFigure> figures;
  // Empty: as far as can be told, the tiles are the whole board.
  std::vector<NotRead> not_read;
  std::optional<SightedScoreTrack> score_track;  // absent: none is in view
  // Of each colour that figures may have; empty: the table was not looked at.
  std::vector<ClothColour> cloth;
  // Time spent by stage (gate, watch, find, classify, figures, ...).
  std::map<std::string, double> stage_ms;
};

}  // namespace tilewarden::vision
