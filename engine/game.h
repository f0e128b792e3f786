// A game by the rules: applies turns, tracks features, scores, undoes. Pure
// rules: no clock, no chance, no I/O. A value: copies are independent. Not
// thread safe; share between threads only const.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/grid.h"
#include "engine/rules.h"
#include "engine/sighting.h"
#include "engine/tile_set.h"

namespace tilewarden::engine {

// What a player does besides laying the tile.
struct Deployment {
  FigureKind kind = FigureKind::kFollower;
  int segment = 0;
  friend bool operator==(const Deployment&, const Deployment&) = default;
};

// One whole turn: a tile laid, and at most one figure deployed.
struct Turn {
  int player = 0;  // index in Game::players()
  int tile = 0;    // index in TileSet::types()
  Cell cell;
  int rotation = 0;
  std::optional<Deployment> deployment;
  friend bool operator==(const Turn&, const Turn&) = default;
};

// Why a turn is not legal: a stable code ("edge-mismatch", see
// engine/README.md), where, and one sentence that cites the rule.
struct Refusal {
  std::string code;
  std::string text;
  std::vector<Cell> cells;
};

// One reason for points.
struct ScoreItem {
  int player = 0;
  int points = 0;
  std::string kind;    // city, road, monastery, field, ... and .incomplete, .recall
  std::string reason;  // "completed city: 4 tiles and 1 coat of arms"
  std::vector<Cell> cells;
  int turn = 0;  // that caused it, from 1; 0: final scoring
};

// A figure on the board.
struct PlacedFigure {
  int player = 0;
  FigureKind kind = FigureKind::kFollower;
  Cell cell;
  int segment = 0;
  friend bool operator==(const PlacedFigure&, const PlacedFigure&) = default;
};

struct PlacedTile {
  int tile = 0;
  Cell cell;
  int rotation = 0;
  int turn = 0;     // 0: the start tile
  int player = -1;  // -1: the start tile
};

// What a turn changed.
struct Outcome {
  std::vector<ScoreItem> items;
  std::vector<PlacedFigure> returned;
};

struct PlayerState {
  std::string colour;
  int score = 0;
  int followers = 7;  // in the supply
};

struct Placement {
  Cell cell;
  int rotation = 0;
  friend auto operator<=>(const Placement&, const Placement&) = default;
};

class Game {
 public:
  // With the start tile at (0, 0) in this rotation. Players may be none: they
  // can join later, as their colours appear.
  Game(std::shared_ptr<const TileSet> tiles, Rules rules, std::vector<std::string> colours,
       int start_rotation = 0);

  // Adds a player at this place in the turn order; no effect on the board.
  // INVALID_ARGUMENT: the colour plays already, or there are six.
  absl::Status AddPlayer(std::string colour, int position);

  // Whether the turn is legal now. Whose turn it is, is not checked here.
  std::optional<Refusal> Check(const Turn& turn) const;
  // Applies a legal turn; on refusal the state is untouched.
  // FAILED_PRECONDITION never: refusals come as values through `refusal`.
  std::optional<Outcome> Apply(const Turn& turn, Refusal* refusal = nullptr);
  // Takes back the last turn exactly. False: nothing to undo.
  bool Undo();

  // All legal placements of a tile type, sorted.
  std::vector<Placement> LegalPlacements(int tile) const;
  // Legal deployments after this tile is laid there by this player.
  std::vector<Deployment> LegalDeployments(int player, int tile, const Placement& at) const;

  // Final scoring, or what it would be now; nothing changes.
  std::vector<ScoreItem> ScoreIfEndedNow() const;

  const TileSet& tile_set() const { return *tiles_; }
  const std::shared_ptr<const TileSet>& shared_tile_set() const { return tiles_; }
  const Rules& rules() const { return rules_; }
  const std::vector<PlayerState>& players() const;
  // Null where no tile lies.
  const PlacedTile* TileAt(Cell cell) const;
  // In the order laid, the start tile first.
  std::vector<PlacedTile> PlacedTiles() const;
  std::vector<PlacedFigure> Figures() const;
  // Turns applied, oldest first.
  const std::vector<Turn>& turns() const;
  // Every point scored so far, oldest first.
  const std::vector<ScoreItem>& score_items() const;
  // Copies of a type not yet laid.
  int TilesLeft(int tile) const;

  // The feature that a segment of a laid tile belongs to.
  struct Feature {
    SegmentKind kind = SegmentKind::kField;
    bool complete = false;
    int open_edges = 0;
    std::vector<Cell> cells;
    std::vector<PlacedFigure> figures;
    int worth_now = 0;       // if the game ended now
    int worth_complete = 0;  // were it completed as it is
  };
  Feature FeatureAt(Cell cell, int segment) const;

 private:
  std::shared_ptr<const TileSet> tiles_;
  Rules rules_;
};

}  // namespace tilewarden::engine
