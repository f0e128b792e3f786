#include "engine/game/odds.h"

#include <algorithm>
#include <set>

#include "engine/game/stack.h"

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

std::vector<std::vector<int>> PilesLeft(const Game& game) {
  std::vector<std::vector<int>> piles = DrawPiles(game.tile_set(), game.rules());
  std::vector<int> left;
  for (int tile = 0; tile < static_cast<int>(game.tile_set().types().size()); ++tile) {
    left.push_back(game.TilesLeft(tile));
  }
  // The last piles are drawn last, so what is left is there.
  for (auto pile = piles.rbegin(); pile != piles.rend(); ++pile) {
    pile->erase(
        std::remove_if(pile->begin(), pile->end(),
                       [&](int tile) { return left[static_cast<std::size_t>(tile)]-- <= 0; }),
        pile->end());
  }
  piles.erase(std::remove_if(piles.begin(), piles.end(),
                             [](const std::vector<int>& pile) { return pile.empty(); }),
              piles.end());
  return piles;
}

double ChanceToFill(const Game& game, Cell cell, int draws) {
  std::vector<bool> fits(game.tile_set().types().size());
  for (const FittingTile& fitting : TilesThatFit(game, cell)) {
    fits[static_cast<std::size_t>(fitting.tile)] = true;
  }
  double none = 1;
  for (const std::vector<int>& pile : PilesLeft(game)) {
    const auto wanted = std::count_if(
        pile.begin(), pile.end(), [&](int tile) { return fits[static_cast<std::size_t>(tile)]; });
    const int size = static_cast<int>(pile.size());
    none *= 1 - ChanceToDraw(static_cast<int>(wanted), size, draws);
    draws = std::max(0, draws - size);
  }
  return 1 - none;
}

std::vector<Misfit> ProofThatNothingFits(const Game& game, int tile) {
  std::vector<Misfit> proof;
  if (!game.LegalPlacements(tile).empty()) return proof;
  std::set<Cell> cells;
  for (const PlacedTile& laid : game.PlacedTiles()) {
    for (const Side side : kSides) {
      const Cell cell = Neighbour(laid.cell, side);
      if (game.TileAt(cell) == nullptr) cells.insert(cell);
    }
  }
  for (const Cell& cell : cells) {
    for (int rotation = 0; rotation < 4; ++rotation) {
      Turn turn;
      turn.player = -1;
      turn.tile = tile;
      turn.cell = cell;
      turn.rotation = rotation;
      if (std::optional<Refusal> why = game.Check(turn)) {
        proof.push_back({{cell, rotation}, *std::move(why)});
      }
    }
  }
  return proof;
}

}  // namespace tilewarden::engine
