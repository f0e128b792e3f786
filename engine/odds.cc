#include "engine/odds.h"

#include <algorithm>

namespace tilewarden::engine {

std::vector<FittingTile> TilesThatFit(const Game& game, Cell cell) {
  std::vector<FittingTile> out;
  for (int tile = 0; tile < static_cast<int>(game.tile_set().types().size()); ++tile) {
    FittingTile fitting;
    fitting.tile = tile;
    fitting.left = game.TilesLeft(tile);
    if (fitting.left <= 0) continue;
    for (const Placement& at : game.LegalPlacements(tile)) {
      if (at.cell == cell) fitting.rotations.push_back(at.rotation);
    }
    if (!fitting.rotations.empty()) out.push_back(std::move(fitting));
  }
  return out;
}

std::vector<Cell> OpenCellsOf(const Game& game, Cell cell, int segment) {
  std::vector<Cell> out;
  const Game::Feature feature = game.FeatureAt(cell, segment);
  const bool plot = feature.kind == SegmentKind::kMonastery || feature.kind == SegmentKind::kGarden;
  if (plot || feature.kind == SegmentKind::kTemple) {
    for (int dx = -1; dx <= 1 && !feature.cells.empty(); ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        const Cell next = {cell.x + dx, cell.y + dy};
        if ((plot || dx == 0 || dy == 0) && game.TileAt(next) == nullptr) out.push_back(next);
      }
    }
  }
  for (const Place& place : feature.places) {
    const PlacedTile& tile = *game.TileAt(place.cell);
    const Segment& part = game.tile_set()
                              .types()[static_cast<std::size_t>(tile.tile)]
                              .segments[static_cast<std::size_t>(place.segment)];
    for (const Side side : kSides) {
      const auto canonical = static_cast<int>(Rotated(side, -tile.rotation));
      const bool touches = part.sides >> canonical & 1 || part.half_edges >> (2 * canonical) & 3;
      const Cell next = Neighbour(place.cell, side);
      if (touches && game.TileAt(next) == nullptr) out.push_back(next);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

double ChanceToDraw(int wanted, int left, int draws) {
  if (wanted <= 0 || left <= 0 || draws <= 0) return 0;
  double none = 1;
  for (int i = 0; i < std::min(draws, left); ++i) {
    none *= static_cast<double>(std::max(left - wanted - i, 0)) / (left - i);
  }
  return 1 - none;
}

double ChanceToFill(const Game& game, Cell cell, int draws) {
  int left = 0, wanted = 0;
  for (int tile = 0; tile < static_cast<int>(game.tile_set().types().size()); ++tile) {
    left += std::max(game.TilesLeft(tile), 0);
  }
  for (const FittingTile& fitting : TilesThatFit(game, cell)) wanted += fitting.left;
  return ChanceToDraw(wanted, left, draws);
}

}  // namespace tilewarden::engine
