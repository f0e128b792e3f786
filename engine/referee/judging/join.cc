// A game that others have begun: it goes on from the board as it lies, and the points
// so far are asked for.
#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "engine/game/stack.h"
#include "engine/referee/board_reading.h"
#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

bool RiverOn(const TileSet& tiles, const Turn& tile, Side side) {
  const auto sides = tiles.compiled()[static_cast<std::size_t>(tile.tile)].river_sides;
  return sides >> ((static_cast<int>(side) - tile.rotation) & 3) & 1;
}

// The tiles in an order in which they may have been laid: the river down from its
// source, the rest around it. By what a river tile hangs on is told by the order.
std::vector<Turn> FromTheStart(std::vector<Turn> tiles, const TileSet& set) {
  std::vector<Turn> order;
  const auto hangs = [&](const Turn& tile, bool by_river) {
    return std::any_of(kSides.begin(), kSides.end(), [&](Side side) {
      return (!by_river || RiverOn(set, tile, side)) &&
             std::any_of(order.begin(), order.end(), [&](const Turn& laid) {
               return laid.cell == Neighbour(tile.cell, side) &&
                      (!by_river || RiverOn(set, laid, Opposite(side)));
             });
    });
  };
  while (!tiles.empty()) {
    auto next = std::find_if(tiles.begin(), tiles.end(),
                             [&](const Turn& tile) { return hangs(tile, true); });
    if (next == tiles.end()) {
      next = std::find_if(tiles.begin(), tiles.end(), [&](const Turn& tile) {
        return order.empty() ? tile.cell == Cell{} : hangs(tile, false);
      });
    }
    if (next == tiles.end()) break;
    order.push_back(*next);
    tiles.erase(next);
  }
  return order;
}

// What lies on the board in this look, as Ledger::found; and the colours of those
// who play: those given, and those of its figures.
BoardFound ReadBoard(const Mind& mind, const Look& look) {
  std::vector<Turn> tiles_seen;
  for (const auto& [cell, view] : look.cells) {
    if (!view.tile || view.hidden || !view.straight || view.readings.empty()) continue;
    Turn& tile = tiles_seen.emplace_back();
    tile.player = -1;
    tile.tile = view.readings.front().tile;
    tile.cell = cell;
    tile.rotation = view.readings.front().rotation;
  }
  BoardFound board;
  board.colours = mind.ledger.colours();
  board.tiles = FromTheStart(std::move(tiles_seen), mind.tiles());
  const Game bare = Game::AsFound(mind.ledger.tiles(), mind.ledger.rules(), {}, board.tiles);
  for (Turn& tile : board.tiles) PutFigure(mind, &tile, look.At(tile.cell), bare, &board.colours);
  return board;
}

Conclusions AskPointsSoFar(Ledger* ledger) {
  Question question;
  question.id = ledger->next_question_id();
  question.text =
      "The camera joined this game part-way: how many points did each player have by then?";
  question.points_so_far = true;
  Turn nobodys;
  nobodys.player = -1;
  question.answers.push_back({"All points have been entered", {}, std::move(nobodys), 1});
  return Conclude(ledger, QuestionAsked{std::move(question)});
}

// The board as one settled sighting shows it; nothing: none is seen.
std::optional<Starting::Board> BoardIn(const Mind& mind, const Sighting& sighting) {
  Sighting weighed = sighting;
  weighed.tiles = WeighTogether(sighting.tiles, mind.tiles());
  const std::vector<StartSeen> starts =
      FindStarts(weighed, mind.tiles(), mind.faces, StartTile(mind.tiles(), mind.ledger.rules()),
                 mind.options.tile_certainty);
  const auto largest = std::max_element(
      starts.begin(), starts.end(), [](const auto& a, const auto& b) { return a.tiles < b.tiles; });
  if (largest == starts.end()) return std::nullopt;
  Starting::Board board;
  board.place = {0, {-largest->cell.x, -largest->cell.y}};
  board.look = Project(weighed, board.place, mind.tiles(), mind.faces);
  board.found = ReadBoard(mind, board.look);
  return board;
}

}  // namespace

Conclusions TryJoin(Mind& mind, const Sighting& sighting) {
  bool sure = !sighting.settled;  // play goes on: from what was seen last
  if (sighting.settled) {
    std::optional<Starting::Board> board = BoardIn(mind, sighting);
    if (!board) return {};
    sure = mind.starting.SawBoard(*std::move(board));
  }
  const std::optional<Starting::Board>& board = mind.starting.board();
  if (!sure || !board) return {};
  Conclusions concluded = Conclude(&mind.ledger, board->found);
  if (!concluded.done) return concluded;
  mind.lattice.Lay(board->place);
  for (const PlacedTile& tile : mind.game().PlacedTiles()) {
    const CellView& view = board->look.At(tile.cell);
    const double share = view.ProbabilityOf(mind.faces, tile.tile, tile.rotation);
    mind.cells[tile.cell].TakenDown(share, !board->look.FigureOn(tile.cell), mind.sightings);
  }
  mind.starting.Begun();
  concluded += AskPointsSoFar(&mind.ledger);
  return concluded;
}

}  // namespace tilewarden::engine
