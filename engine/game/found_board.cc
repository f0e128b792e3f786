// A board as somebody finds it, with no turns that led to it.
#include <cstddef>
#include <set>
#include <utility>

#include "engine/game/game.h"
#include "engine/game/stack.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// No table reaches farther than this from the start tile: all tiles of the
// largest set in one row reach less far.
constexpr int kFarthestCell = 250;

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
                   const std::vector<PlacedFigure>& figures, const RuleBook& book) {
  // The halves of a double-sized source are known by having been laid first.
  std::vector<PlacedTile> order;
  if (rules.source_counts_once) order = FindStartTiles(*tiles, StartTile(*tiles, rules), board);
  rules.source_counts_once = !order.empty();
  order.insert(order.end(), board.begin(), board.end());
  Game game(EmptyTable{}, std::move(tiles), std::move(rules), std::move(colours), book, true);
  for (const PlacedTile& tile : order) {
    if (game.position_.board().At(tile.cell) < 0)
      game.Lay(tile.tile, {tile.cell, tile.rotation}, -1);
  }
  for (const PlacedFigure& figure : figures) {
    const int node = game.position_.NodeAt(Place{figure.cell, figure.segment});
    if (node < 0) continue;
    game.position_.Deploy({node, static_cast<std::int8_t>(figure.player), figure.kind});
  }
  return game;
}

Game Game::AsFound(std::shared_ptr<const TileSet> tiles, Rules rules,
                   std::vector<std::string> colours, const std::vector<Turn>& found) {
  std::vector<PlacedTile> board;
  std::vector<PlacedFigure> figures;
  for (const Turn& turn : found) {
    board.push_back({turn.tile, turn.cell, turn.rotation});
    if (!turn.deployment) continue;
    figures.push_back({turn.player, turn.deployment->kind, turn.cell, turn.deployment->segment});
  }
  return AsFound(std::move(tiles), std::move(rules), std::move(colours), board, figures);
}

std::vector<Turn> Game::Found() const {
  std::vector<Turn> found;
  if (!found_) return found;
  for (const PlacedTile& tile : position_.laid()) {
    if (tile.turn > 0) break;
    Turn& turn = found.emplace_back();
    turn.player = -1;
    turn.tile = tile.tile;
    turn.cell = tile.cell;
    turn.rotation = tile.rotation;
  }
  // No turn sets a figure on such a tile: whatever stood there was found.
  const auto put = [&](const Position::Figure& figure) {
    const auto number = static_cast<std::size_t>(position_.features().at(figure.node).tile);
    if (number >= found.size()) return;
    found[number].player = figure.player;
    found[number].deployment = Deployment{figure.kind, position_.SegmentOf(figure.node)};
  };
  for (const Position::Figure& figure : position_.figures()) put(figure);
  for (const Position::Returned& back : position_.returned()) put(back.figure);
  return found;
}

std::string FaultInFound(const TileSet& tiles, std::size_t players,
                         const std::vector<Turn>& found) {
  std::set<Cell> cells;
  for (const Turn& turn : found) {
    const std::string where = Text("the tile at ", turn.cell.x, ",", turn.cell.y);
    if (turn.tile < 0 || static_cast<std::size_t>(turn.tile) >= tiles.types().size()) {
      return Text(where, " is not in the set");
    }
    const auto far = [](int at) { return at < -kFarthestCell || at > kFarthestCell; };
    if (far(turn.cell.x) || far(turn.cell.y)) {
      return Text(where, " is farther away than ", kFarthestCell, " cells");
    }
    if (!cells.insert(turn.cell).second) return Text(where, " is there twice");
    if (turn.rotation < 0 || turn.rotation > 3) return Text(where, " has no such rotation");
    if (!turn.deployment) continue;
    const auto& segments = tiles.types()[static_cast<std::size_t>(turn.tile)].segments;
    const int segment = turn.deployment->segment;
    if (segment < 0 || static_cast<std::size_t>(segment) >= segments.size()) {
      return Text(where, " has no segment ", segment);
    }
    if (turn.player < 0 || static_cast<std::size_t>(turn.player) >= players) {
      return Text(where, " has a figure of somebody who does not play");
    }
  }
  return "";
}

}  // namespace tilewarden::engine
