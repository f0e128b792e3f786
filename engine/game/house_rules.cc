// What people agree on besides the rules: the table's edge and what happens to
// a board that reaches it, tiles that are bought, how a double-sized tile counts.
#include <algorithm>

#include "engine/game/game.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

bool SameSize(const PlayingArea& a, const PlayingArea& b) {
  return a.east - a.west == b.east - b.west && a.south - a.north == b.south - b.north;
}

bool Holds(const PlayingArea& outer, const PlayingArea& inner) {
  return Contains(outer, {inner.west, inner.north}) && Contains(outer, {inner.east, inner.south});
}

}  // namespace

// Whether the board may be shifted, or the table made larger, before this turn.
std::optional<Refusal> Game::CheckTable(const Turn& turn) const {
  const auto refuse = [&](std::string_view why) {
    return Refusal{"board-shifted", Text(why, " (Use of a table)."), {turn.cell}};
  };
  if (!area_) return refuse("This table's edge limits nothing, so nothing needs to be moved");
  if (rules_.table_edge_completes) {
    return refuse("The table's edge completes features, so the board stays where it lies");
  }
  const bool shifted = SameSize(*turn.table, *area_);
  const bool to_middle = rules_.river_to_middle && RiverIsCompleteAndAlone();
  if (shifted && rules_.board_shift != BoardShift::kAllowed && !to_middle) {
    return refuse("The tiles may not be shifted all together");
  }
  const bool larger = !shifted && Holds(*turn.table, *area_);
  if (larger && rules_.board_shift != BoardShift::kSecondTable) {
    return refuse("The table may not be made larger during the game");
  }
  if (!shifted && !larger) return refuse("The table keeps its size and all that lies on it");
  Refusal off{"tiles-off-table",
              "No tile may come to lie beyond the table's edge (Use of a table)."};
  for (const PlacedTile& tile : laid_) {
    if (!Contains(*turn.table, tile.cell)) off.cells.push_back(tile.cell);
  }
  if (off.cells.empty()) return std::nullopt;
  return off;
}

// The table as it was after so many turns.
std::optional<PlayingArea> Game::AreaBefore(std::size_t turns) const {
  while (turns > 0) {
    if (turns_[--turns].table) return turns_[turns].table;
  }
  return rules_.area;
}

// What can be told before the tile lies: who sells, for how much, and that no
// other tile left would do.
std::optional<Refusal> Game::CheckPurchase(const Turn& turn) const {
  const auto refuse = [&](std::string_view code, std::string_view text) {
    return Refusal{std::string(code), std::string(text), {turn.cell}};
  };
  if (!rules_.tile_buying) {
    return refuse("tile-not-for-sale", "Tiles are not bought in this game (option tile_buying).");
  }
  const int players = static_cast<int>(players_.size());
  if (turn.player < 0 || turn.purchase->seller < 0 || turn.purchase->seller >= players ||
      turn.purchase->seller == turn.player) {
    return refuse("no-such-player", "A tile is bought from another player (house rule).");
  }
  if (turn.purchase->points < 1 ||
      turn.purchase->points > players_[static_cast<std::size_t>(turn.player)].score) {
    return refuse("not-enough-points",
                  "The buyer pays at least 1 point and no more than the own score (house rule).");
  }
  PlacementList placements;
  for (int tile = 0; tile < static_cast<int>(left_.size()); ++tile) {
    if (TilesLeft(tile) <= (tile == turn.tile ? 1 : 0)) continue;
    LegalPlacements(tile, &placements);
    bool fits = false;
    placements.ForEach([&](const Placement& at) { fits |= at.cell == turn.cell; });
    if (fits) {
      return refuse("tile-not-for-sale",
                    "Only a tile that alone can complete a feature may be bought: another one "
                    "that is left fits here too (house rule).");
    }
  }
  return std::nullopt;
}

std::optional<Refusal> Game::Pay(const Turn& turn, const Completed& completed) {
  if (completed.count == 0) {
    return Refusal{"tile-not-for-sale",
                   "Only a tile that completes a feature may be bought (house rule).",
                   {turn.cell}};
  }
  const int node = first_node_.back();
  AddItem(node, -turn.purchase->points, turn.player, Cause::kBought, 1);
  AddItem(node, turn.purchase->points, turn.purchase->seller, Cause::kSold, 1);
  return std::nullopt;
}

// Tiles of a double-sized source that a feature counts beyond the first, where
// it counts as one. Plots count the tiles around them.
int Game::SourceHalvesCountedTwice(int root) const {
  const std::size_t halves = 1 + tiles_->more_start_tiles().size();
  if (!rules_.source_counts_once || halves == 1) return 0;
  const SegmentKind kind = features_.at(root).kind;
  const bool plot = kind == SegmentKind::kMonastery || kind == SegmentKind::kGarden;
  int counted = 0;
  for (std::size_t number = 0; number < halves; ++number) {
    bool counts = false;
    if (plot) {
      const Cell own = CellOf(root), cell = laid_[number].cell;
      counts = std::abs(own.x - cell.x) <= 1 && std::abs(own.y - cell.y) <= 1;
    } else {
      features_.ForEach(root, [&](int node) {
        counts |= features_.at(node).tile == static_cast<std::int32_t>(number);
      });
    }
    counted += counts ? 1 : 0;
  }
  return std::max(0, counted - 1);
}

}  // namespace tilewarden::engine
