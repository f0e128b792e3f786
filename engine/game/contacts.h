// Where a tile touches what lies around it: shared by laying and checking.
// Internal to Position.
#pragma once

#include "engine/game/position.h"

namespace tilewarden::engine {

template <typename Visit>
void Position::ForEachContact(const CompiledTile& tile, const Placement& at, Visit visit) const {
  for (int side = 0; side < 4; ++side) {
    const int number = board_.At(Neighbour(at.cell, static_cast<Side>(side)));
    if (number < 0) continue;
    const CompiledTile& other = TileOf(number);
    const int turn = laid_[static_cast<std::size_t>(number)].rotation;
    const int first = first_node_[static_cast<std::size_t>(number)];
    const int own_segment = tile.side_segment[static_cast<std::size_t>((side - at.rotation) & 3)];
    if (own_segment >= 0) {
      const int segment = other.side_segment[static_cast<std::size_t>((side + 2 - turn) & 3)];
      if (segment >= 0) visit(own_segment, first + segment, 2);
    }
    for (int half = 2 * side; half < 2 * side + 2; ++half) {
      const int own_field = tile.field[static_cast<std::size_t>((half - 2 * at.rotation) & 7)];
      if (own_field < 0) continue;
      const int field =
          other.field[static_cast<std::size_t>((FacingHalfEdge(half) - 2 * turn) & 7)];
      if (field >= 0) visit(own_field, first + field, 0);
    }
  }
}

template <typename Visit>
void Position::ForEachPlotAround(Cell cell, Visit visit) const {
  const int own = board_.At(cell);
  const auto visit_plots = [&](int of, bool orthogonal) {
    const CompiledTile& tile = TileOf(of);
    for (const std::int8_t plot : tile.plots) {
      const bool temple = tile.parts[static_cast<std::size_t>(plot)].kind == SegmentKind::kTemple;
      if (orthogonal || !temple) visit(NodeAt(of, plot));
    }
  };
  // Each is a neighbour of this tile's plots, and this tile of its plots.
  const bool has_plot = !TileOf(own).plots.empty();
  board_.ForEachAround(cell, has_plot, [&](int number, int dx, int dy) {
    const bool orthogonal = dx == 0 || dy == 0;
    if (has_plot) visit_plots(own, orthogonal);
    visit_plots(number, orthogonal);
  });
}

}  // namespace tilewarden::engine
