// A game by the rules: applies turns, tracks features, scores, undoes. Pure
// rules: no clock, no chance, no I/O. A value: copies are independent. Not
// thread safe; share between threads only const.
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
#include "engine/game/board.h"
#include "engine/game/features.h"
#include "engine/game/figure_kind.h"
#include "engine/game/placement_list.h"
#include "engine/game/rules.h"
#include "engine/game/turn.h"
#include "engine/tiles/grid.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

class Game {
 public:
  static constexpr int kMaxPlayers = engine::kMaxPlayers;

  // With the start tile at (0, 0) in this rotation, or none where house rules
  // let the first tile drawn begin. Players may be none: they can join later, as
  // their colours appear. More than the rules allow are ignored.
  Game(std::shared_ptr<const TileSet> tiles, Rules rules, std::vector<std::string> colours,
       int start_rotation = 0);

  // A board that was found as it lies, as in one picture: in which order it grew
  // and what was scored nobody knows. Tiles and figures are taken whether or not
  // the rules allow them (of two on one cell the first), parts of the board need not
  // touch, segments of two kinds that meet join nothing, and supplies may be below
  // 0. Neutral figures are beside the board. `turn` and `player` of tiles are not
  // looked at; tiles, players and segments must be of the set and the colours.
  static Game AsFound(std::shared_ptr<const TileSet> tiles, Rules rules,
                      std::vector<std::string> colours, const std::vector<PlacedTile>& board,
                      const std::vector<PlacedFigure>& figures);
  // The same of turns that would each have laid one of the tiles and set the figure
  // that stands on it: what a game that was joined in the middle goes on from.
  static Game AsFound(std::shared_ptr<const TileSet> tiles, Rules rules,
                      std::vector<std::string> colours, const std::vector<Turn>& found);
  // The board that this game goes on from, as such turns; empty: it began with its
  // start tile.
  std::vector<Turn> Found() const;

  // Adds a player at this place in the turn order; no effect on the board.
  // INVALID_ARGUMENT: the colour plays already, or all that may play do, or
  // there is no such place.
  absl::Status AddPlayer(std::string colour, int position);

  // Whether the turn is legal now. Whose turn it is, is not checked here.
  std::optional<Refusal> Check(const Turn& turn) const;
  // Applies a legal turn; on refusal the state is untouched, the result is
  // empty and `refusal`, if given, says why.
  std::optional<Outcome> Apply(const Turn& turn, Refusal* refusal = nullptr);
  // Takes back the last turn exactly. False: nothing to undo.
  bool Undo();

  // All legal placements of a tile type, sorted. None: it fits nowhere. Two
  // rotations that look the same are both listed.
  std::vector<Placement> LegalPlacements(int tile) const;
  // The same without writing each out, at a cost that does not grow with the board.
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
  // Where he stands; empty: beside the board, or not played with.
  std::optional<Place> gingerbread_man() const;
  // The tile with the Ark; empty: it has not entered yet, or is not played with.
  std::optional<Cell> ark() const { return ark_; }
  // The cells that lie on the table now; empty: its edge limits nothing.
  const std::optional<PlayingArea>& area() const { return area_; }
  // Whether the rules end the game here: no tile is left, or none that is left
  // can be laid.
  bool IsOver() const;
  // Tiles on which the Ark would have to enter if this tile were laid there.
  std::vector<Cell> ArkLandings(int tile, const Placement& at) const;

  // Final scoring, or what it would be now; nothing changes. A complete feature from
  // which the figures were not taken home counts as complete.
  std::vector<ScoreItem> ScoreIfEndedNow() const;

  const TileSet& tile_set() const { return *tiles_; }
  const std::shared_ptr<const TileSet>& shared_tile_set() const { return tiles_; }
  const Rules& rules() const { return rules_; }
  const std::vector<PlayerState>& players() const { return players_; }
  // Null where no tile lies. Valid until the game changes.
  const PlacedTile* TileAt(Cell cell) const;
  // In the order laid, the start tile (if there is one) first.
  const std::vector<PlacedTile>& PlacedTiles() const { return laid_; }
  // In the order deployed.
  std::vector<PlacedFigure> Figures() const;
  // Turns applied, oldest first.
  const std::vector<Turn>& turns() const { return turns_; }
  // Every point scored so far, oldest first.
  std::vector<ScoreItem> score_items() const;
  // Copies of a type not yet laid; below 0 where copies are not enforced.
  int TilesLeft(int tile) const;

  // The feature that a segment of a laid tile belongs to. Throws nothing: a
  // cell without a tile or a segment that is none gives an empty feature.
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
    int worth_now = 0;        // if the game ended now
    // Were it completed with no more than a tile on each open cell, none with an extra of its own.
    int worth_complete = 0;
    int completed_cities = 0;  // beside it (fields)
  };
  Feature FeatureAt(Cell cell, int segment) const;
  // Each feature once: the first laid tile and segment of each.
  std::vector<std::pair<Cell, int>> AllFeatures() const;

  // Bytes that this game holds, without the tile set that games share.
  std::size_t MemoryUsed() const;

 private:
  // Why points were scored, in few bytes: the text is made when asked for.
  enum class Cause : std::uint8_t {
    kCompleted,
    kIncomplete,
    kRecall,
    kFarm,
    kGingerbread,
    kArk,
    kArkFirst,
    kArkTemple,
    kBought,
    kSold
  };
  struct Item {
    std::int32_t node;
    std::int16_t points;
    std::int16_t turn;
    std::int8_t player;
    Cause cause;
    bool doubled;          // by the player's prophet, or the Ark on the temple
    std::uint16_t tiles;   // or neighbours, cities or sheep of a field, knights
    std::uint16_t extras;  // coats of arms, scrolls, oases
  };
  struct Figure {
    std::int32_t node;
    std::int8_t player;
    FigureKind kind;
  };
  // What was before a turn and cannot be told from what is after it.
  struct Step {
    std::uint32_t joins, items, returned;
    std::int32_t gingerbread;
    std::optional<Cell> ark;
    bool ark_reached_temple;
  };
  struct Returned {
    Figure figure;
    std::int32_t place;  // in figures_
  };
  struct Worth {
    int points = 0, tiles = 0, extras = 0;
  };
  // Features that the tile just laid completed, each once.
  struct Completed {
    std::array<int, 32> roots;
    std::size_t count = 0;
    bool Has(int root) const {
      return std::find(roots.begin(), roots.begin() + count, root) != roots.begin() + count;
    }
  };

  const CompiledTile& TileOf(int number) const {
    const int tile = laid_[static_cast<std::size_t>(number)].tile;
    return tiles_->compiled()[static_cast<std::size_t>(tile)];
  }
  int NodeAt(int number, int segment) const {
    return first_node_[static_cast<std::size_t>(number)] + segment;
  }
  // The node of a segment of a laid tile, or -1.
  int NodeAt(const Place& place) const;
  int SegmentOf(int node) const {
    return node - first_node_[static_cast<std::size_t>(features_.at(node).tile)];
  }
  Cell CellOf(int node) const {
    return laid_[static_cast<std::size_t>(features_.at(node).tile)].cell;
  }
  const Segment& SegmentAt(int node) const;
  bool InArea(Cell cell) const;

  struct EmptyTable {};
  Game(EmptyTable, std::shared_ptr<const TileSet> tiles, Rules rules,
       std::vector<std::string> colours);

  // game_check.cc and legal_moves.cc
  std::optional<Refusal> CheckBasics(const Turn& turn) const;
  std::optional<Refusal> CheckPlacement(const Turn& turn) const;
  std::optional<Refusal> CheckDeployment(const Turn& turn) const;
  std::optional<Refusal> CheckRecall(const Turn& turn) const;
  std::optional<Refusal> CheckSetAside(const Turn& turn) const;
  std::vector<Place> FiguresInTheWay(const Turn& turn) const;
  Place SegmentAtEdge(int tile, Cell cell, int rotation, int side) const;
  Refusal ExplainMismatch(const Turn& turn) const;
  bool RefusesMeeples(int tile, const Placement& at) const;
  // Bit i: segment i would belong to a feature with a figure on it.
  std::uint32_t OccupiedSegments(int tile, const Placement& at) const;
  // Calls visit(own segment, node of the neighbour, closes) for every contact.
  template <typename Visit>
  void ForEachContact(const CompiledTile& tile, const Placement& at, Visit visit) const;
  // Calls visit(plot) for every pair of a plot and a neighbour of which this
  // laid tile is one.
  template <typename Visit>
  void ForEachPlotAround(Cell cell, Visit visit) const;

  // house_rules.cc
  std::optional<Refusal> CheckTable(const Turn& turn) const;
  std::optional<Refusal> CheckPurchase(const Turn& turn) const;
  std::optional<Refusal> Pay(const Turn& turn, const Completed& completed);
  std::optional<PlayingArea> AreaBefore(std::size_t turns) const;
  int SourceHalvesCountedTwice(int root) const;

  // river.cc
  struct RiverFault {
    const char* code = nullptr;  // null: legal
    const char* text = nullptr;
  };
  Refusal ExplainRiver(const Turn& turn, const RiverFault& fault) const;
  RiverFault FindRiverFault(int tile, const Placement& at) const;
  int RiverEntry(int tile, const Placement& at) const;
  int RiverFrom(int number, int leave) const;
  int OpenRiverEnds(int tile, const Placement& at) const;
  bool RiverIsCompleteAndAlone() const;

  // completion.cc
  Completed FindCompleted(Cell cell) const;
  bool IsComplete(int root) const;
  std::vector<Cell> CellsWithin(int city) const;
  void CloseAtTheTablesEdge(int sign);

  // game.cc
  std::optional<Refusal> Play(const Turn& turn);
  void MakeRoom();
  void Lay(int tile, const Placement& at, int player);
  void JoinThroughBushes(std::uint16_t bushes, int first);
  void TakeUp();
  void Deploy(const Figure& figure);
  void Recall(const Turn& turn);
  void AddItem(int node, int points, int player, Cause cause, int tiles, int extras = 0,
               bool doubled = false);
  bool GivesExtraTurn(const Turn& turn) const;
  void ScoreCompleted(const Completed& completed);
  void ReturnFigures(int root);
  void ReturnFigure(std::size_t place);
  std::int16_t TurnNumber() const { return static_cast<std::int16_t>(turns_.size()); }

  // gingerbread.cc
  bool MayBeHisTarget(int root, int from) const;
  std::vector<Place> OpenCities(int from) const;
  void PayKnights();
  std::optional<Refusal> MoveGingerbreadMan(const Turn& turn, const Completed& completed);

  // ark.cc
  std::optional<Refusal> CheckArkMove(const Turn& turn) const;
  void MoveArk(const Turn& turn);
  std::optional<Refusal> LandArk(const Turn& turn, const Completed& completed);
  bool HasTemple(Cell cell) const;
  std::uint64_t FiguresAroundTemple(int temple) const;
  bool HasProphet(int root, int player) const;

  // scoring.cc
  void ScoreFeature(int root, Cause cause, std::vector<Item>* items) const;
  void ScoreTemple(int temple, bool complete, std::vector<Item>* items) const;
  void ScoreFields(std::vector<Item>* items) const;
  // `more`: tiles that it would have besides (cities, roads).
  Worth WorthOf(int root, bool complete, int more = 0) const;
  // Empty cells that a city or road goes on to.
  int OpenCellsOf(int root) const;
  int FarmPoints(int root, int cities) const;
  // Completed cities beside a field, by root, each once.
  std::vector<int> CompletedCitiesBeside(int root) const;
  ScoreItem Describe(const Item& item) const;
  PlacedFigure Describe(const Figure& figure) const;
  std::vector<Cell> CellsOf(int node) const;
  std::int16_t& SupplyOf(const Figure& figure) {
    return players_[static_cast<std::size_t>(figure.player)].Supply(figure.kind);
  }
  PlayerState NewPlayer(std::string colour) const;

  std::shared_ptr<const TileSet> tiles_;
  Rules rules_;
  std::vector<PlayerState> players_;
  Board board_;
  Features features_;
  bool found_ = false;  // the tiles of turn 0 are a board that was found
  std::vector<PlacedTile> laid_;
  std::vector<std::int32_t> first_node_;  // as laid_
  std::vector<std::int8_t> river_entry_;  // as laid_: side towards the source, or -1
  std::vector<std::int16_t> left_;        // by type: neither laid nor out of the game
  std::optional<PlayingArea> area_;
  std::vector<Figure> figures_;
  std::optional<Cell> ark_;
  bool ark_reached_temple_ = false;
  std::int32_t gingerbread_ = -1;  // node, or -1: beside the board
  std::vector<Item> items_;
  std::vector<Returned> returned_;
  std::vector<Turn> turns_;
  std::vector<Step> steps_;  // as turns_
};

// Why this cannot be a board that was found: a cell, a tile, a player or a segment is
// none, or two tiles lie on one cell. Empty: it can. `players`: so many play.
std::string FaultInFound(const TileSet& tiles, std::size_t players, const std::vector<Turn>& found);

}  // namespace tilewarden::engine
