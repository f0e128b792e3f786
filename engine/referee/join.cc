// A game that others have begun: it goes on from the board as it lies, and the points
// so far are asked for.
#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "engine/game/stack.h"
#include "engine/referee/board_reading.h"
#include "engine/referee/model.h"
#include "engine/referee/state.h"
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

bool MayStand(SegmentKind kind, FigureKind figure, const Rules& rules) {
  switch (kind) {
    case SegmentKind::kRiver:
      return false;
    case SegmentKind::kField:
      return rules.farmers && figure == FigureKind::kFollower;
    case SegmentKind::kGarden:
      return figure == FigureKind::kAbbot;
    case SegmentKind::kMonastery:
      return true;
    default:
      return figure != FigureKind::kAbbot;
  }
}

std::vector<std::string> ColoursOf(const Game& game) {
  std::vector<std::string> colours;
  for (const PlayerState& player : game.players()) colours.push_back(player.colour);
  return colours;
}

const FigureView* Clearest(const CellView& view, double certainty) {
  const FigureView* clearest = nullptr;
  for (const FigureView& figure : view.figures) {
    if (figure.seen.probability < certainty || figure.seen.colours.empty()) continue;
    if (clearest == nullptr || figure.seen.probability > clearest->seen.probability) {
      clearest = &figure;
    }
  }
  return clearest;
}

}  // namespace

bool Referee::State::TryJoin(const Sighting& sighting) {
  bool sure = !sighting.settled;  // play goes on: from what was seen last
  if (sighting.settled) {
    Sighting weighed = sighting;
    weighed.tiles = WeighTogether(sighting.tiles, tiles());
    const std::vector<StartSeen> starts =
        FindStarts(weighed, tiles(), StartTile(tiles(), ledger.rules()), options.tile_certainty);
    const auto largest =
        std::max_element(starts.begin(), starts.end(),
                         [](const auto& a, const auto& b) { return a.tiles < b.tiles; });
    if (largest == starts.end()) return false;
    ToJoin seen;
    seen.alignment = {0, {-largest->cell.x, -largest->cell.y}};
    seen.look = Project(weighed, seen.alignment, tiles(), faces);
    seen.board = ReadBoard(seen.look);
    seen.looks = to_join ? to_join->looks + 1 : 1;
    sure = seen.looks >= kJoiningLooks || (to_join && to_join->board.tiles == seen.board.tiles &&
                                           to_join->board.colours == seen.board.colours);
    to_join = std::move(seen);
  }
  if (!sure || !to_join || !Emit(to_join->board)) return false;
  alignment = to_join->alignment;
  for (const PlacedTile& tile : game().PlacedTiles()) {
    CellMemory& seen = MemoryOf(tile.cell);
    seen.taken_by_sight = true;
    seen.clearest = to_join->look.At(tile.cell).ProbabilityOf(faces, tile.tile, tile.rotation);
    seen.last_right = sightings;
  }
  to_join.reset();
  AskPointsSoFar();
  return true;
}

BoardFound Referee::State::ReadBoard(const Look& look) const {
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
  board.colours = ledger.colours();
  board.tiles = FromTheStart(std::move(tiles_seen), tiles());
  const Game bare = Game::AsFound(ledger.tiles(), ledger.rules(), {}, board.tiles);
  for (Turn& tile : board.tiles) PutFigure(&tile, look.At(tile.cell), bare, &board.colours);
  return board;
}

void Referee::State::PutFigure(Turn* tile, const CellView& view, const Game& board,
                               std::vector<std::string>* colours) const {
  const FigureView* figure = Clearest(view, options.figure_certainty);
  if (figure == nullptr) return;
  auto player = colours->end();
  for (const ColourProbability& c : figure->seen.colours) {
    if (player != colours->end() || c.probability < kColourPossible) break;
    player = std::find(colours->begin(), colours->end(), c.colour);
    if (!ledger.players_given()) break;  // the likeliest, whether or not it was seen before
  }
  const auto most = static_cast<std::size_t>(std::min(ledger.rules().max_players, kMaxPlayers));
  const bool joins = player == colours->end();
  if (joins && (ledger.players_given() || colours->size() >= most)) return;

  const TileType& type = tiles().types()[static_cast<std::size_t>(tile->tile)];
  const std::vector<double> shares = SegmentLikelihoods(*figure, tile->tile, tile->rotation);
  double best = 0;
  std::optional<int> segment;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (!MayStand(type.segments[s].kind, figure->seen.kind, ledger.rules())) continue;
    const bool scored = board.FeatureAt(tile->cell, static_cast<int>(s)).complete;
    const double weight = shares[s] * (scored ? kForgottenFigureRate : 1);
    if (weight <= best) continue;
    best = weight;
    segment = scored ? std::nullopt : std::optional(static_cast<int>(s));
  }
  if (!segment) return;
  tile->player = static_cast<int>(player - colours->begin());
  tile->deployment = Deployment{figure->seen.kind, *segment};
  if (joins) colours->push_back(figure->seen.colours.front().colour);
}

void Referee::State::AskPointsSoFar() {
  Question question;
  question.id = ledger.next_question_id();
  question.text = "The game was joined in the middle: how many points had each player by then?";
  question.points_so_far = true;
  Turn nobodys;
  nobodys.player = -1;
  question.answers.push_back({"All points are entered", {}, std::move(nobodys), 1});
  Emit(QuestionAsked{std::move(question)});
}

Turn Referee::State::FoundOn(Cell cell) const {
  for (const Turn& tile : ledger.found()) {
    if (tile.cell == cell) return tile;
  }
  Turn none;
  none.tile = -1;
  none.cell = cell;
  return none;
}

BoardFound Referee::State::FoundWith(const Turn& tile, std::string reason,
                                     RevisionCause cause) const {
  BoardFound board{ColoursOf(game()), ledger.found(), std::move(reason), cause};
  for (Turn& was : board.tiles) {
    if (was.cell == tile.cell) was = tile;
  }
  return board;
}

bool Referee::State::SetFound(const Turn& tile, std::string reason) {
  if (FoundOn(tile.cell) == tile) return false;
  return Emit(FoundWith(tile, std::move(reason)));
}

bool Referee::State::ReadFoundAgain(Cell cell, const TileReading& reading, const CellView& view) {
  Turn tile = FoundOn(cell);
  if (tile.tile < 0) return false;
  const bool had_figure = tile.deployment.has_value();
  tile.player = -1;
  tile.tile = reading.tile;
  tile.rotation = reading.rotation;
  tile.deployment.reset();
  BoardFound board = FoundWith(tile, "a tile that was found was read better");
  const Game bare = Game::AsFound(ledger.tiles(), ledger.rules(), board.colours, board.tiles);
  PutFigure(&tile, view, bare, &board.colours);
  if (had_figure && !tile.deployment) return false;
  *std::find_if(board.tiles.begin(), board.tiles.end(),
                [&](const Turn& was) { return was.cell == cell; }) = tile;
  tracks.erase(cell);
  return Emit(std::move(board));
}

std::variant<std::vector<Event>, Refusal> Referee::State::CorrectFound(const Turn& turn) {
  if (ledger.game() == nullptr || FoundOn(turn.cell).tile < 0) {
    return Refusal{"no-such-turn", "No tile lay there when the game was joined.", {turn.cell}};
  }
  Turn tile;
  tile.player = turn.deployment ? turn.player : -1;
  tile.tile = turn.tile;
  tile.cell = turn.cell;
  tile.rotation = turn.rotation & 3;
  tile.deployment = turn.deployment;
  BoardFound board = FoundWith(tile, "corrected by hand", RevisionCause::kCorrectedByHand);
  const std::string fault = FaultInFound(tiles(), board.colours.size(), board.tiles);
  if (!fault.empty()) return Refusal{"not-a-segment", Text(fault, "."), {turn.cell}};
  Game after = Game::AsFound(ledger.tiles(), ledger.rules(), board.colours, board.tiles);
  for (std::size_t i = 0; i < game().turns().size(); ++i) {
    Refusal refusal;
    if (after.Apply(game().turns()[i], &refusal)) continue;
    refusal.text = Text("Turn ", i + 1, " would no longer be legal: ", refusal.text);
    return refusal;
  }
  std::vector<Event> events;
  out = &events;
  Emit(std::move(board));
  memory.erase(turn.cell);
  tracks.erase(turn.cell);
  out = nullptr;
  return events;
}

bool Referee::State::ReviewFound(Cell cell, const FigureView& figure) {
  Turn tile = FoundOn(cell);
  if (tile.tile < 0) return false;
  const std::vector<double> shares = SegmentLikelihoods(figure, tile.tile, tile.rotation);
  const auto segment =
      static_cast<int>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  if (game().FeatureAt(cell, segment).complete) {
    Assert("figure-not-returned", Severity::kWarning, {cell},
           Text("The ", figure.seen.colours.front().colour, " figure ", Where(cell),
                " stands on a complete feature: see that it has scored, and take it home."),
           kHalf);
    return true;
  }
  if (!game().turns().empty() || tile.deployment || ledger.SetByHand(cell)) return false;
  // Missed in the look that the board was taken from.
  BoardFound board = FoundWith(tile, "a figure that was found was read better");
  CellView view;
  view.figures = {figure};
  PutFigure(&tile, view, game(), &board.colours);
  if (!tile.deployment) return false;
  *std::find_if(board.tiles.begin(), board.tiles.end(),
                [&](const Turn& was) { return was.cell == cell; }) = tile;
  return Emit(std::move(board));
}

}  // namespace tilewarden::engine
