// A board as somebody finds it, with no turns that led to it.
#include <cstddef>
#include <utility>

#include "engine/game.h"
#include "engine/stack.h"

namespace tilewarden::engine {
namespace {

// Where the start tiles of a set lie on a board, the first one first; empty: not as
// the set joins them.
std::vector<PlacedTile> FindStartTiles(const TileSet& tiles, int start,
                                       const std::vector<PlacedTile>& board) {
  for (const PlacedTile& first : board) {
    if (first.tile != start) continue;
    std::vector<PlacedTile> found = {first};
    for (const TileSet::StartTile& more : tiles.more_start_tiles()) {
      Cell step = more.cell;
      for (int i = 0; i < first.rotation; ++i) step = {-step.y, step.x};
      const Cell cell = {first.cell.x + step.x, first.cell.y + step.y};
      for (const PlacedTile& tile : board) {
        if (tile.cell == cell && tile.tile == more.tile) found.push_back(tile);
      }
    }
    if (found.size() == 1 + tiles.more_start_tiles().size()) return found;
  }
  return {};
}

}  // namespace

Game Game::AsFound(std::shared_ptr<const TileSet> tiles, Rules rules,
                   std::vector<std::string> colours, const std::vector<PlacedTile>& board,
                   const std::vector<PlacedFigure>& figures) {
  // The halves of a double-sized source are known by having been laid first.
  std::vector<PlacedTile> order;
  if (rules.source_counts_once) order = FindStartTiles(*tiles, StartTile(*tiles, rules), board);
  rules.source_counts_once = !order.empty();
  order.insert(order.end(), board.begin(), board.end());
  Game game(EmptyTable{}, std::move(tiles), std::move(rules), std::move(colours));
  for (const PlacedTile& tile : order) {
    if (game.board_.At(tile.cell) < 0) game.Lay(tile.tile, {tile.cell, tile.rotation}, -1);
  }
  for (const PlacedFigure& figure : figures) {
    const int node = game.NodeAt(Place{figure.cell, figure.segment});
    if (node < 0) continue;
    game.Deploy({node, static_cast<std::int8_t>(figure.player), figure.kind});
  }
  return game;
}

}  // namespace tilewarden::engine
