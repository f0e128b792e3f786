// What a player does in a turn, why it may be refused, and what it led to.
// Values.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/game/figure_kind.h"
#include "engine/game/rules.h"
#include "engine/tiles/grid.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

// What a player does besides laying the tile.
struct Deployment {
  FigureKind kind = FigureKind::kFollower;
  int segment = 0;
  friend bool operator==(const Deployment&, const Deployment&) = default;
};

// A segment of a laid tile.
struct Place {
  Cell cell;
  int segment = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

// House rule: the tile was drawn by another player, who sold it.
struct Purchase {
  int seller = 0;  // index in Game::players()
  int points = 0;  // that the buyer, who lays the tile, gives the seller
  friend bool operator==(const Purchase&, const Purchase&) = default;
};

// One whole turn: a tile laid, at most one action with a figure, and where
// neutral figures go that this turn moves.
struct Turn {
  // Index in Game::players(). -1: nobody (a tile laid to set up a board, or by
  // a player who is not known yet); such a turn has no figure of a player, and
  // what it pays whoever takes it is paid once that is known.
  int player = 0;
  int tile = 0;  // index in TileSet::types()
  Cell cell;
  int rotation = 0;
  std::optional<Deployment> deployment;
  // Instead of a deployment: the player's abbot comes home from this cell.
  std::optional<Cell> recall;
  // Instead of a deployment: the tiles that the Ark moves to, one after another.
  std::vector<Cell> ark_path;
  // The tile on which the Ark enters, when this turn completes the first city.
  std::optional<Cell> ark_landing;
  // Where the Gingerbread Man goes, each time that he must move.
  std::vector<Place> gingerbread;
  // Before the tile is laid, the whole board is shifted or the table made
  // larger: from now on these cells lie on the table.
  std::optional<PlayingArea> table;
  // The tile is bought from the player who drew it.
  std::optional<Purchase> purchase;
  // The tile fits nowhere and is set aside: cell, rotation and all actions are
  // without meaning.
  bool set_aside = false;
  friend bool operator==(const Turn&, const Turn&) = default;
};

// Whether it does nothing but lay a tile and deploy a figure.
inline bool IsPlain(const Turn& turn) {
  return !turn.recall && turn.ark_path.empty() && !turn.ark_landing && turn.gingerbread.empty() &&
         !turn.table && !turn.purchase;
}

// Why a turn is not legal: a stable code ("edge-mismatch", see
// engine/RULES.md), one sentence that cites the rule, and where: the cells,
// and the segments of laid tiles that are in the way.
struct Refusal {
  std::string code;
  std::string text;
  std::vector<Cell> cells = {};
  std::vector<Place> places = {};
};

// One reason for points.
struct ScoreItem {
  int player = 0;
  int points = 0;  // below 0 only for a tile that was bought
  // city, road, monastery, garden, temple and their .incomplete and .recall;
  // field, gingerbread, ark, ark.first, ark.temple, goods, tile.bought, tile.sold
  std::string kind;
  std::string reason;  // "completed city: 4 tiles and 1 coat of arms"
  std::vector<Cell> cells;
  int turn = 0;  // that caused it, from 1; 0: final scoring
};

// Tokens that a player has taken from cities (Traders & Builders).
using GoodsTokens = std::map<Goods, int>;

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
  // The same player takes another turn (volcano lake; house rule on holes), or may take
  // one (the builder's double turn).
  bool extra_turn = false;
};

struct PlayerState {
  std::string colour;
  int score = 0;
  // At home, by kind; below 0 on a board that was found with more than there are.
  std::array<std::int16_t, kMostFigureKinds> supply{};
  std::int16_t& Supply(FigureKind kind) { return supply[static_cast<std::size_t>(kind)]; }
  int Supply(FigureKind kind) const { return supply[static_cast<std::size_t>(kind)]; }
  int followers() const { return Supply(FigureKind::kFollower); }
  int abbots() const { return Supply(FigureKind::kAbbot); }
  int prophets() const { return Supply(FigureKind::kProphet); }
  friend bool operator==(const PlayerState&, const PlayerState&) = default;
};

struct Placement {
  Cell cell;
  int rotation = 0;
  friend auto operator<=>(const Placement&, const Placement&) = default;
};

}  // namespace tilewarden::engine
