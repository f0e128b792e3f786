// A second scorer, slow and obvious: keeps nothing but where tiles and figures
// lie, and works everything out from that by walking from tile to tile, as a
// person at the table does. Written from the rule documents, sharing no code
// with the engine but the tile facts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/game/game.h"

namespace tilewarden::engine {

class SlowScorer {
 public:
  // A segment of a laid tile.
  using Place = engine::Place;
  // (player, points, kind)
  using Event = std::tuple<int, int, std::string>;

  SlowScorer(std::shared_ptr<const TileSet> tiles, Rules rules, int players, int start_rotation);

  // Plays a turn that is known to be legal; the points it brought, sorted.
  std::vector<Event> Play(const Turn& turn);
  // Points at the end, were it now, sorted.
  std::vector<Event> Final() const;

  const std::vector<int>& scores() const { return scores_; }
  const std::optional<Place>& gingerbread_man() const { return gingerbread_; }
  const std::optional<Cell>& ark() const { return ark_; }
  const std::vector<PlacedFigure>& figures() const { return figures_; }
  // Whether the last turn gave its player the second part of a double turn.
  bool double_turn() const { return double_turn_; }
  // Goods that a player has taken.
  GoodsTokens TokensOf(int player) const;

  // Everything that hangs together with this place, by walking.
  std::set<Place> FeatureOf(Place from) const;
  bool Complete(const std::set<Place>& feature) const;
  // Where the tile fits: tries every cell around and every turn.
  std::set<Placement> Fits(int tile) const;

 private:
  const TileType& TypeAt(Cell cell) const;
  const Segment& At(Place place) const;
  // The segment of the tile on this cell that touches this side (and, for
  // fields, this half) as the tile lies; -1.
  int Touching(Cell cell, Side side, int half, bool field) const;
  // Whether a tile lies there, or by a house rule the table's edge stands for one.
  bool Filled(Cell cell) const;
  int NeighboursOf(Cell cell, bool diagonal = true) const;
  bool OnTable(Cell cell) const;
  int FirstTile() const;
  // Halves of a double-sized source among these cells that count with another.
  int HalvesTooMany(const std::set<Cell>& cells) const;
  bool RiverGoesOn(int tile, const Placement& at) const;
  std::set<Cell> Within(const std::set<Place>& city) const;
  std::vector<int> AroundTemple(Cell temple) const;
  std::vector<Event> ScoreAll(SegmentKind kind, const std::set<std::set<Place>>& complete);
  void Gain(int player, int points, const std::string& kind, std::vector<Event>* events);
  void PayKnights(std::vector<Event>* events);
  bool HasOtherOpenCity(const std::set<Place>& not_this) const;
  int Points(const std::set<Place>& feature, bool complete) const;
  std::set<std::set<Place>> CitiesBeside(const std::set<Place>& field) const;
  std::vector<int> Majority(const std::map<int, int>& counts) const;
  std::map<int, int> CountsOn(const std::set<Place>& feature) const;
  bool Stands(FigureKind kind, int player, const std::set<Place>& feature) const;
  std::string KindOf(const std::set<Place>& feature) const;

  std::shared_ptr<const TileSet> tiles_;
  Rules rules_;
  std::vector<int> scores_;
  std::map<Cell, std::pair<int, int>> board_;  // tile, rotation
  std::optional<PlayingArea> table_;
  std::vector<PlacedFigure> figures_;
  std::optional<Place> gingerbread_;
  std::optional<Cell> ark_;
  bool reached_temple_ = false;
  bool double_turn_ = false;
  int last_mover_ = -1;
  std::map<int, GoodsTokens> tokens_;  // by player
};

}  // namespace tilewarden::engine
