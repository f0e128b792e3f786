// What lies on the table and what was scored: tiles, the features they form,
// figures, supplies and points. It knows how tiles join and how it is taken back,
// nothing of turns and of expansions: the game and its parts play on it. Their
// views: a part reads all of it and changes it by the functions below. A value;
// not thread safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/game/board.h"
#include "engine/game/features.h"
#include "engine/game/figure_kind.h"
#include "engine/game/rules.h"
#include "engine/game/turn.h"
#include "engine/tiles/compiled_tile.h"
#include "engine/tiles/grid.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

class Position {
 public:
  // Points, in few bytes: the words are made when asked for.
  struct Item {
    std::int32_t node = 0;
    std::int16_t points = 0;
    std::int16_t turn = 0;  // from 1; 0: final scoring
    std::int8_t player = 0;
    std::uint8_t cause = 0;    // of the part that pays
    std::uint8_t part = 0;     // its number; 0: the base game
    bool doubled = false;      // by what the base game does not know
    std::uint16_t tiles = 0;   // or neighbours, cities or sheep of a field, knights
    std::uint16_t extras = 0;  // coats of arms, scrolls, oases
  };
  struct Figure {
    std::int32_t node = 0;
    std::int8_t player = 0;
    FigureKind kind = FigureKind::kFollower;
  };
  struct Returned {
    Figure figure;
    std::int32_t place = 0;  // in figures()
  };
  // Features that the tile just laid completed, each once.
  struct Completed {
    std::array<int, 32> roots;  // own segments and plots around: under 20; filled cities
    std::size_t count = 0;
    bool Has(int root) const {
      return std::find(roots.begin(), roots.begin() + count, root) != roots.begin() + count;
    }
  };

  // `kinds` must outlive the position and its copies.
  Position(std::shared_ptr<const TileSet> tiles, Rules rules,
           std::span<const FigureKindEntry> kinds);

  const TileSet& tile_set() const { return *tiles_; }
  const std::shared_ptr<const TileSet>& shared_tile_set() const { return tiles_; }
  const Rules& rules() const { return rules_; }
  const std::vector<PlayerState>& players() const { return players_; }
  const PlayerState& player(int player) const { return players_[Index(player)]; }
  const std::vector<PlacedTile>& laid() const { return laid_; }
  const PlacedTile& Laid(int number) const { return laid_[Index(number)]; }
  const Board& board() const { return board_; }
  const Features& features() const { return features_; }
  // In the order deployed.
  const std::vector<Figure>& figures() const { return figures_; }
  // Figures that came home, oldest first.
  const std::vector<Returned>& returned() const { return returned_; }
  // Points, oldest first.
  const std::vector<Item>& items() const { return items_; }
  // The cells that lie on the table now; empty: its edge limits nothing.
  const std::optional<PlayingArea>& area() const { return area_; }
  bool InArea(Cell cell) const { return !area_ || Contains(*area_, cell); }
  // Number of the turn that is being played, from 1; 0: before the first.
  int turn() const { return turn_; }
  int types() const { return static_cast<int>(left_.size()); }
  // Copies of a type neither laid nor out of the game.
  int TilesLeft(int tile) const { return tile < 0 || tile >= types() ? 0 : left_[Index(tile)]; }

  const CompiledTile& Type(int tile) const { return tiles_->compiled()[Index(tile)]; }
  const CompiledTile& TileOf(int number) const { return Type(Laid(number).tile); }
  // The number of the tile laid last.
  int LastTile() const { return static_cast<int>(laid_.size()) - 1; }
  int NodeAt(int number, int segment) const { return first_node_[Index(number)] + segment; }
  // The node of a segment of a laid tile, or -1.
  int NodeAt(const Place& place) const;
  int SegmentOf(int node) const { return node - first_node_[Index(features_.at(node).tile)]; }
  Cell CellOf(int node) const { return Laid(features_.at(node).tile).cell; }
  Place PlaceOf(int node) const { return {CellOf(node), SegmentOf(node)}; }
  const Segment& SegmentAt(int node) const {
    return tiles_->types()[Index(Laid(features_.at(node).tile).tile)]
        .segments[Index(SegmentOf(node))];
  }
  // The segment on a side of a tile that lies so; of two fields beside a road, the road.
  Place SegmentAtEdge(int tile, Cell cell, int rotation, int side) const;
  // Of the feature that a node belongs to, sorted.
  std::vector<Cell> CellsOf(int node) const;
  bool IsComplete(int root) const;
  // Empty cells that a city's tiles enclose.
  std::vector<Cell> GapsIn(int city) const;
  // What the tile just laid completed, with or without figures.
  Completed FindCompleted() const;
  // Bit i: segment i would belong to a feature on which a figure claims something; of
  // this player, if one is named.
  std::uint32_t OccupiedSegments(int tile, const Placement& at, int player = -1) const;
  // What a kind counts for where the majority decides.
  std::uint64_t StrengthOf(FigureKind kind) const {
    return strength_[static_cast<std::size_t>(kind)];
  }
  // Whether a kind may be put on such a segment, whoever stands there.
  bool MayClaim(FigureKind kind, SegmentKind segment) const {
    return claims_[static_cast<std::size_t>(kind)] >> static_cast<int>(segment) & 1;
  }
  std::span<const FigureKindEntry> kinds() const { return kinds_; }
  // Null: there is no such kind.
  const FigureKindEntry* Find(FigureKind kind) const;

  // What the rules and the parts change in a turn. Undo takes back all of it but the
  // area and AddOpen.
  void Deploy(const Figure& figure);
  void ReturnFigure(std::size_t place);
  void ReturnFigures(int root);
  // Its turn is the present one.
  void AddItem(Item item);
  void SetArea(const std::optional<PlayingArea>& area) { area_ = area; }
  void AddOpen(int node, int change) { features_.AddOpen(features_.Find(node), change); }
  // From now on these segments of a type are one feature wherever it is laid. Bit i: segment i.
  void JoinOnTile(int tile, std::uint16_t segments);

  // For the game alone.
  // INVALID_ARGUMENT: the colour plays already, or all that may play do, or there is no
  // such place.
  absl::Status AddPlayer(std::string colour, int position);
  // On an empty board: its middle is a cell that a tile may lie on.
  void OpenMiddle() { board_.OpenMiddle(); }
  void Lay(int tile, const Placement& at, int player);
  void SetAside(int tile) { --left_[Index(tile)]; }
  void PutBack(int tile) { ++left_[Index(tile)]; }
  // What a turn changes and cannot be worked out from what is there after it.
  struct Mark {
    std::uint32_t joins = 0, items = 0, returned = 0, figures = 0;
  };
  Mark BeginTurn();
  // In this order: points and figures, then the tile, if one was laid.
  void TakeBack(const Mark& mark);
  void TakeUp(const Mark& mark);
  void EndOfUndo() { --turn_; }
  std::size_t MemoryUsed() const;

 private:
  template <typename Number>
  static std::size_t Index(Number number) {
    return static_cast<std::size_t>(number);
  }
  // Calls visit(own segment, node of the neighbour, closes) for every contact.
  template <typename Visit>
  void ForEachContact(const CompiledTile& tile, const Placement& at, Visit visit) const;
  // Calls visit(plot) for every pair of a plot and a neighbour of which this
  // laid tile is one.
  template <typename Visit>
  void ForEachPlotAround(Cell cell, Visit visit) const;
  std::vector<Cell> CellsWithin(int city) const;
  PlayerState NewPlayer(std::string colour) const;
  std::int16_t& SupplyOf(const Figure& figure) {
    return players_[Index(figure.player)].Supply(figure.kind);
  }
  void CountFigure(const Figure& figure) {
    features_.AddFigure(features_.Find(figure.node), figure.player, StrengthOf(figure.kind));
  }
  void DiscountFigure(const Figure& figure) {
    features_.RemoveFigure(features_.Find(figure.node), figure.player, StrengthOf(figure.kind));
  }
  bool UsedOnce(FigureKind kind) const { return used_once_ >> static_cast<int>(kind) & 1; }
  std::uint16_t JoinedOn(int tile) const { return joined_.empty() ? 0 : joined_[Index(tile)]; }
  void MakeRoom();

  std::shared_ptr<const TileSet> tiles_;
  Rules rules_;
  std::span<const FigureKindEntry> kinds_;
  // By kind, bit i: segment kind i.
  std::array<std::uint8_t, kMostFigureKinds> claims_{};
  std::array<std::uint8_t, kMostFigureKinds> strength_{};
  std::uint16_t used_once_ = 0;  // bit i: kind i
  std::int16_t turn_ = 0;
  std::vector<PlayerState> players_;
  Board board_;
  Features features_;
  std::vector<PlacedTile> laid_;
  std::vector<std::int32_t> first_node_;  // as laid_
  std::vector<std::int16_t> left_;        // by type
  std::vector<std::uint16_t> joined_;     // by type; empty: none
  std::optional<PlayingArea> area_;
  std::vector<Figure> figures_;
  std::vector<Item> items_;
  std::vector<Returned> returned_;
};

}  // namespace tilewarden::engine
