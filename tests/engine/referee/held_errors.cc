// Errors of the simulated camera that persist until something moves.
#include <algorithm>
#include <cmath>

#include "engine/tiles/index.h"
#include "tests/engine/referee/simulated_table.h"

namespace tilewarden::engine {
namespace {

// A figure whose foot is this near to bare cloth (tile sizes) hangs over the tile's edge.
constexpr double kNearCloth = 0.2;
// However bad a place is, some figure is seen there.
constexpr double kMostHeld = 0.95;

int CoatsOn(const TileType& type) {
  int coats = 0;
  for (const Segment& segment : type.segments) coats += segment.coats_of_arms;
  return coats;
}

}  // namespace

HeldErrors HeldErrors::Times(double factor) const {
  const auto times = [&](double rate) { return std::min(kMostHeld, rate * factor); };
  return {times(figure), times(edge), times(own_cloth), times(dark_roof), times(coat)};
}

int SimulatedTable::TilesAround(Cell cell) {
  int tiles_around = 0;
  for (const Cell near : Around(cell)) tiles_around += TileAt(near) != nullptr ? 1 : 0;
  return tiles_around;
}

double SimulatedTable::HeldRate(const Figure& figure) {
  const HeldErrors& held = errors_.held;
  for (const Side side : kSides) {
    const Cell next = Neighbour(figure.cell, side);
    if (TileAt(next) != nullptr) continue;
    const int dx = next.x - figure.cell.x, dy = next.y - figure.cell.y;
    const double to_edge = 0.5 - dx * (figure.foot.x - 0.5) - dy * (figure.foot.y - 0.5);
    if (to_edge <= kNearCloth) return figure.colour == cloth ? held.own_cloth : held.edge;
  }
  const Tile* tile = TileAt(figure.cell);
  const bool roof =
      tile != nullptr &&
      set_->types()[At(tile->tile)].segments[At(figure.segment)].kind == SegmentKind::kCity;
  return roof && figure.colour == "black" ? held.dark_roof : held.figure;
}

bool SimulatedTable::HeldMissed(const Figure& figure) {
  if (errors_.held.figure <= 0 || figure.colour.empty()) return false;
  const int tiles_around = TilesAround(figure.cell);
  auto held = std::find_if(held_figures_.begin(), held_figures_.end(), [&](const HeldFigure& f) {
    return f.cell == figure.cell && f.colour == figure.colour && f.foot.x == figure.foot.x &&
           f.foot.y == figure.foot.y;
  });
  if (held == held_figures_.end()) {
    held = held_figures_.insert(held, {figure.cell, figure.foot, figure.colour, -1, false});
  }
  if (held->tiles_around != tiles_around) {
    held->tiles_around = tiles_around;
    held->missed = Chance() < HeldRate(figure);
  }
  return held->missed;
}

int SimulatedTable::HeldType(const Tile& tile) {
  const TileType& type = set_->types()[At(tile.tile)];
  if (errors_.held.coat <= 0 || CoatsOn(type) == 0) return tile.tile;
  const bool covered = std::any_of(figures.begin(), figures.end(), [&](const Figure& figure) {
    return figure.cell == tile.cell && type.segments[At(figure.segment)].coats_of_arms > 0;
  });
  if (!covered) {
    held_types_.erase(tile.cell);
    return tile.tile;
  }
  const auto [held, first] = held_types_.try_emplace(tile.cell, tile.tile);
  if (first && Chance() < errors_.held.coat) {
    for (int other = 0; other < static_cast<int>(set_->types().size()); ++other) {
      if (CoatsOn(set_->types()[At(other)]) == 0 && faces_.SameButSmall(tile.tile, 0, other, 0)) {
        held->second = other;
      }
    }
  }
  return held->second;
}

}  // namespace tilewarden::engine
