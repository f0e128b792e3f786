#include "engine/expansions/house_rules.h"

#include <algorithm>
#include <cstdlib>

namespace tilewarden::engine {
namespace {

// A road goes on through bushes, to every other road that ends there.
class Bushes final : public PartWithoutState<Bushes> {
 public:
  void SetTable(Position& position) override {
    for (int tile = 0; tile < position.types(); ++tile) {
      position.JoinOnTile(tile, position.Type(tile).bushes);
    }
  }
};

class FilledHole final : public PartWithoutState<FilledHole> {
 public:
  bool GivesExtraTurn(const Position& position, const Turn& turn) const override {
    return std::all_of(kSides.begin(), kSides.end(), [&](Side side) {
      return position.board().At(Neighbour(turn.cell, side)) >= 0;
    });
  }
};

class DoubleSource final : public PartWithoutState<DoubleSource> {
 public:
  // Tiles of a double-sized source that a feature counts beyond the first, where
  // it counts as one. Plots count the tiles around them.
  int TilesNotCounted(const Position& position, int root) const override {
    const int halves = static_cast<int>(1 + position.tile_set().more_start_tiles().size());
    const SegmentKind kind = position.features().at(root).kind;
    const bool plot = kind == SegmentKind::kMonastery || kind == SegmentKind::kGarden;
    int counted = 0;
    for (int number = 0; number < halves; ++number) {
      bool counts = false;
      if (plot) {
        const Cell own = position.CellOf(root), cell = position.Laid(number).cell;
        counts = std::abs(own.x - cell.x) <= 1 && std::abs(own.y - cell.y) <= 1;
      } else {
        position.features().ForEach(
            root, [&](int node) { counts |= position.features().at(node).tile == number; });
      }
      counted += counts ? 1 : 0;
    }
    return std::max(0, counted - 1);
  }
};

}  // namespace

const PartEntry kBushesPart = {
    "Roads through bushes",
    [](const TileSet&, const Rules& rules, bool) { return !rules.bushes_end_roads; },
    MakePart<Bushes>, nullptr};

const PartEntry kFilledHolePart = {
    "A turn more for a filled hole",
    [](const TileSet&, const Rules& rules, bool) { return rules.hole_extra_turn; },
    MakePart<FilledHole>, nullptr};

const PartEntry kDoubleSourcePart = {"A double-sized source counts once",
                                     [](const TileSet& tiles, const Rules& rules, bool) {
                                       return rules.source_counts_once &&
                                              !tiles.more_start_tiles().empty();
                                     },
                                     MakePart<DoubleSource>, nullptr};

}  // namespace tilewarden::engine
