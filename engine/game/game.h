// A game by the rules: applies turns, tracks features, scores, undoes. What lies on
// the table is a Position, what expansions and house rules say are its Parts. Pure rules: no clock,
// no chance, no I/O. A value: copies are independent. Not thread safe; share between threads only
// const.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/game/figure_kind.h"
#include "engine/game/part.h"
#include "engine/game/placement_list.h"
#include "engine/game/position.h"
#include "engine/game/rule_book.h"
#include "engine/game/rules.h"
#include "engine/game/scoring.h"
#include "engine/game/turn.h"
#include "engine/tiles/grid.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

class Game {
 public:
  static constexpr int kMaxPlayers = engine::kMaxPlayers;

  // With the start tile at (0, 0) in this rotation, or none where house rules
  // let the first tile drawn begin. Players may be none: they can join later, as
  // their colours appear. More than the rules allow are ignored. `book`: what can be
  // played with at all; it must outlive the game and its copies.
  Game(std::shared_ptr<const TileSet> tiles, Rules rules, std::vector<std::string> colours,
       int start_rotation = 0, const RuleBook& book = RuleBook::Standard());

  // A board as it was found, for example in one picture: in which order it grew
  // and what was scored, nobody knows. Tiles and figures are taken whether or not
  // the rules allow them (of two on one cell the first), parts of the board need not
  // touch, segments of two kinds that meet join nothing, and supplies may be below
  // 0. Neutral figures are beside the board. `turn` and `player` of tiles are not
  // looked at; tiles, players and segments must be of the set and the colours.
  static Game AsFound(std::shared_ptr<const TileSet> tiles, Rules rules,
                      std::vector<std::string> colours, const std::vector<PlacedTile>& board,
                      const std::vector<PlacedFigure>& figures,
                      const RuleBook& book = RuleBook::Standard());
  // The same from turns that would each have laid one of the tiles and placed the figure
  // that stands on it: what a game that was joined part-way starts from.
  static Game AsFound(std::shared_ptr<const TileSet> tiles, Rules rules,
                      std::vector<std::string> colours, const std::vector<Turn>& found);
  // The board that this game starts from, as such turns; empty: it began with its
  // start tile.
  std::vector<Turn> Found() const;

  // Adds a player at this place in the turn order; no effect on the board.
  // INVALID_ARGUMENT: the colour plays already, or all that may play do, or
  // there is no such place.
  absl::Status AddPlayer(std::string colour, int position);

  // Whether the turn is legal now. It does not check whose turn it is.
  std::optional<Refusal> Check(const Turn& turn) const;
  // Applies a legal turn; on refusal the state is untouched, the result is
  // empty and `refusal`, if given, says why.
  std::optional<Outcome> Apply(const Turn& turn, Refusal* refusal = nullptr);
  // Takes back the last turn exactly. False: nothing to undo.
  bool Undo();

  // All legal placements of a tile type, sorted. None: it fits nowhere. Two
  // rotations that look the same are both listed.
  std::vector<Placement> LegalPlacements(int tile) const;
  // The same without listing each one, at a cost that does not grow with the board.
  void LegalPlacements(int tile, PlacementList* out) const;
  // Legal deployments after this tile is laid there by this player, by segment.
  std::vector<Deployment> LegalDeployments(int player, int tile, const Placement& at) const;
  void LegalDeployments(int player, int tile, const Placement& at,
                        std::vector<Deployment>* out) const;
  // Cells from which this player may recall the abbot after this tile is laid.
  std::vector<Cell> LegalRecalls(int player, const Placement& at) const;

  // Whether a legal turn with this tile there must move the Gingerbread Man,
  // and where he may go then; empty: he stays, or is not played with.
  std::vector<Place> GingerbreadTargets(int tile, const Placement& at) const;
  // The ways in which a legal turn like this one may move him, each as Turn::gingerbread, whatever
  // the turn says there; empty: he stays, or the turn is not legal.
  std::vector<std::vector<Place>> GingerbreadWays(Turn turn) const;
  // Where he stands; empty: beside the board, or not played with.
  std::optional<Place> gingerbread_man() const { return Standing(FigureKind::kGingerbreadMan); }
  // The tile with the Ark; empty: it has not entered yet, or is not played with.
  std::optional<Cell> ark() const {
    const std::optional<Place> place = Standing(FigureKind::kArk);
    return place ? std::optional<Cell>(place->cell) : std::nullopt;
  }
  // Where a neutral figure stands.
  std::optional<Place> Standing(FigureKind kind) const { return parts_.Standing(position_, kind); }
  // Goods that a player has taken, by kind; empty: none, or not played with.
  GoodsTokens TokensOf(int player) const;
  // The cells that lie on the table now; empty: its edge does not limit the board.
  const std::optional<PlayingArea>& area() const { return position_.area(); }
  // Whether the rules end the game here: no tile is left, or none that is left
  // can be laid.
  bool IsOver() const;
  // Tiles on which the Ark would have to enter if this tile were laid there.
  std::vector<Cell> ArkLandings(int tile, const Placement& at) const;

  // Final scoring, or what it would be now; nothing changes. A complete feature from
  // which the figures were not taken home counts as complete.
  std::vector<ScoreItem> ScoreIfEndedNow() const;

  const TileSet& tile_set() const { return position_.tile_set(); }
  const std::shared_ptr<const TileSet>& shared_tile_set() const {
    return position_.shared_tile_set();
  }
  const Rules& rules() const { return position_.rules(); }
  const std::vector<PlayerState>& players() const { return position_.players(); }
  // Null where no tile lies. Valid until the game changes.
  const PlacedTile* TileAt(Cell cell) const;
  // In the order laid, the start tile (if there is one) first.
  const std::vector<PlacedTile>& PlacedTiles() const { return position_.laid(); }
  // In the order deployed.
  std::vector<PlacedFigure> Figures() const;
  // Turns applied, oldest first.
  const std::vector<Turn>& turns() const { return turns_; }
  // Every point scored so far, oldest first.
  std::vector<ScoreItem> score_items() const;
  // Copies of a type not yet laid; below 0 where copies are not enforced.
  int TilesLeft(int tile) const { return position_.TilesLeft(tile); }

  // The feature that a segment of a laid tile belongs to. Never throws: a
  // cell without a tile or a segment that does not exist gives an empty feature.
  struct Feature {
    SegmentKind kind = SegmentKind::kField;
    bool complete = false;
    // Edges still open (cities, roads, rivers), half-edges that meet no tile
    // (fields), or neighbours missing (monasteries, gardens, temples).
    int open_edges = 0;
    std::vector<Cell> cells;    // sorted
    std::vector<Place> places;  // every segment of it, sorted
    std::vector<PlacedFigure> figures;
    std::vector<int> owners;  // players who would score it: the majority
    int worth_now = 0;        // if the game ended now, to whichever owner it pays most
    // Points if one plain tile on each open cell completed it.
    int worth_complete = 0;
    int completed_cities = 0;  // beside it (fields)
    std::vector<Cell> gaps;    // empty cells that it goes around (cities without an open edge)
  };
  Feature FeatureAt(Cell cell, int segment) const;
  // Each feature once: the first laid tile and segment of each.
  std::vector<std::pair<Cell, int>> AllFeatures() const;

  // Bytes that this game holds, without the tile set that games share.
  std::size_t MemoryUsed() const;

 private:
  struct EmptyTable {};
  Game(EmptyTable, std::shared_ptr<const TileSet> tiles, Rules rules,
       std::vector<std::string> colours, const RuleBook& book, bool found);

  // game_check.cc
  std::optional<Refusal> CheckBasics(const Turn& turn) const;
  std::optional<Refusal> CheckPlacement(const Turn& turn) const;
  std::optional<Refusal> CheckActions(const Turn& turn) const;
  std::optional<Refusal> CheckDeployment(const Turn& turn) const;
  std::optional<Refusal> CheckSetAside(const Turn& turn) const;
  std::vector<Place> FiguresInTheWay(const Turn& turn) const;
  Refusal ExplainMismatch(const Turn& turn) const;

  // legal_moves.cc
  Fault DeployingFault(int tile, const Placement& at) const;
  // The game with this tile laid there, in a turn that does nothing else; empty: it may
  // not lie there.
  std::optional<Game> Laid(int tile, const Placement& at) const;
  // Where a neutral figure would have to go then.
  std::vector<Place> Targets(FigureKind kind, int tile, const Placement& at) const;

  // game.cc
  std::optional<Refusal> Play(const Turn& turn);
  std::optional<Refusal> PlayOnTable(const Turn& turn);
  void Lay(int tile, const Placement& at, int player);
  void ScoreCompleted(const Position::Completed& completed);

  Scoring scoring() const { return Scoring(position_, parts_); }
  GameView view() const { return {position_, parts_}; }
  PlacedFigure Describe(const Position::Figure& figure) const;

  const RuleBook* book_;
  Position position_;
  Parts parts_;
  bool found_ = false;  // the tiles of turn 0 are a board that was found
  std::vector<Turn> turns_;
  std::vector<Position::Mark> marks_;  // as turns_
};

// Why this cannot be a board that was found: a cell, a tile, a player or a segment is
// none, or two tiles lie on one cell. Empty: it can. `players`: so many play.
std::string FaultInFound(const TileSet& tiles, std::size_t players, const std::vector<Turn>& found);

}  // namespace tilewarden::engine
