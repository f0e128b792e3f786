#include "engine/expansions/table_edge.h"

#include "engine/expansions/river.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

bool SameSize(const PlayingArea& a, const PlayingArea& b) {
  return a.east - a.west == b.east - b.west && a.south - a.north == b.south - b.north;
}

bool Holds(const PlayingArea& outer, const PlayingArea& inner) {
  return Contains(outer, {inner.west, inner.north}) && Contains(outer, {inner.east, inner.south});
}

Refusal Shifted(const Turn& turn, std::string_view why) {
  return {"board-shifted", Text(why, " (Use of a table)."), {turn.cell}};
}

// Its state: the cells that lay on the table before the turn.
class TableEdge final : public PartWithState<TableEdge, PlayingArea> {
 public:
  void SetTable(Position& position) override {
    state_ = *position.rules().area;
    position.SetArea(state_);
  }

  // Whether the board may be shifted, or the table made larger, before this turn.
  std::optional<Refusal> CheckBefore(const GameView& view, const Turn& turn) const override {
    if (!turn.table) return std::nullopt;
    const Position& position = view.position;
    const Rules& rules = position.rules();
    const PlayingArea& area = *position.area();
    const auto refuse = [&](std::string_view why) { return Shifted(turn, why); };
    if (rules.table_edge_completes) {
      return refuse("The table's edge completes features, so the board stays where it is");
    }
    const bool shifted = SameSize(*turn.table, area);
    const bool to_middle = rules.river_to_middle && RiverIsCompleteAndAlone(position);
    if (shifted && rules.board_shift != BoardShift::kAllowed && !to_middle) {
      return refuse("The tiles may not all be shifted together");
    }
    const bool larger = !shifted && Holds(*turn.table, area);
    if (larger && rules.board_shift != BoardShift::kSecondTable) {
      return refuse("The table may not be made larger during the game");
    }
    if (!shifted && !larger) return refuse("The table keeps its size and everything on it");
    Refusal off{"tiles-off-table", "No tile may end up beyond the table's edge (Use of a table)."};
    for (const PlacedTile& tile : position.laid()) {
      if (!Contains(*turn.table, tile.cell)) off.cells.push_back(tile.cell);
    }
    if (off.cells.empty()) return std::nullopt;
    return off;
  }

  void Begin(Position& position, const Turn& turn) override {
    PartWithState::Begin(position, turn);
    if (!turn.table || turn.set_aside) return;
    state_ = *turn.table;
    position.SetArea(state_);
  }
  void Laid(Position& position) override {
    if (position.rules().table_edge_completes) Close(position, 1);
  }
  void Undo(Position& position, const Turn& turn) override {
    if (position.rules().table_edge_completes && !turn.set_aside) Close(position, -1);
    PartWithState::Undo(position, turn);
    position.SetArea(state_);
  }

 private:
  // The table's edge closes what runs into it. `sign` -1 undoes.
  static void Close(Position& position, int sign) {
    const int number = position.LastTile();
    const PlacedTile& tile = position.laid().back();
    const CompiledTile& type = position.TileOf(number);
    for (const Side side : kSides) {
      if (position.InArea(Neighbour(tile.cell, side))) continue;
      const int segment =
          type.side_segment[static_cast<std::size_t>(Rotated(side, -tile.rotation))];
      if (segment >= 0) position.AddOpen(position.NodeAt(number, segment), -sign);
    }
    for (const std::int8_t plot : type.plots) {
      const bool temple = type.parts[static_cast<std::size_t>(plot)].kind == SegmentKind::kTemple;
      for (int dx = -1; dx <= 1; ++dx) {
        for (int dy = -1; dy <= 1; ++dy) {
          if ((temple && dx != 0 && dy != 0) ||
              position.InArea({tile.cell.x + dx, tile.cell.y + dy})) {
            continue;
          }
          position.AddOpen(position.NodeAt(number, plot), -sign);
        }
      }
    }
  }
};

}  // namespace

const PartEntry kTableEdgePart = {
    "Use of a table",
    [](const TileSet&, const Rules& rules, bool) { return rules.area.has_value(); },
    MakePart<TableEdge>,
    [](const Turn& turn) -> std::optional<Refusal> {
      if (!turn.table) return std::nullopt;
      return Shifted(turn,
                     "This table has no edge that limits the board, so nothing needs to be moved");
    }};

}  // namespace tilewarden::engine
