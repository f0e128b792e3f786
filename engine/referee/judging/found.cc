// The board that a game goes on from which was joined in the middle: its tiles and figures, read
// again or put right.
#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "engine/game/stack.h"
#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

bool MayStand(SegmentKind kind, FigureKind figure, const Rules& rules) {
  switch (kind) {
    case SegmentKind::kRiver:
      return false;
    case SegmentKind::kField:
      return rules.farmers && (figure == FigureKind::kFollower ||
                               figure == FigureKind::kLargeFollower || figure == FigureKind::kPig);
    case SegmentKind::kGarden:
      return figure == FigureKind::kAbbot;
    case SegmentKind::kMonastery:
      return figure != FigureKind::kBuilder && figure != FigureKind::kPig;
    default:
      return figure != FigureKind::kAbbot && figure != FigureKind::kPig;
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

void Replace(BoardFound* board, const Turn& tile) {
  for (Turn& was : board->tiles) {
    if (was.cell == tile.cell) was = tile;
  }
}

// The board with this tile in the place of the one on its cell.
BoardFound FoundWith(const Ledger& ledger, const Turn& tile, std::string reason,
                     RevisionCause cause = RevisionCause::kObserved) {
  BoardFound board{ColoursOf(*ledger.game()), ledger.found(), std::move(reason), cause};
  Replace(&board, tile);
  return board;
}

}  // namespace

void PutFigure(const Mind& mind, Turn* tile, const CellView& view, const Game& board,
               std::vector<std::string>* colours) {
  const FigureView* figure = Clearest(view, mind.options.figure_certainty);
  if (figure == nullptr) return;
  auto player = colours->end();
  for (const ColourProbability& c : figure->seen.colours) {
    if (player != colours->end() || c.probability < kColourPossible) break;
    player = std::find(colours->begin(), colours->end(), c.colour);
    if (!mind.ledger.players_given()) break;  // the likeliest, whether or not it was seen before
  }
  const auto most =
      static_cast<std::size_t>(std::min(mind.ledger.rules().max_players, kMaxPlayers));
  const bool joins = player == colours->end();
  if (joins && (mind.ledger.players_given() || colours->size() >= most)) return;

  const TileType& type = mind.tiles().types()[static_cast<std::size_t>(tile->tile)];
  const std::vector<double> shares = mind.segments.Likelihoods(*figure, tile->tile, tile->rotation);
  double best = 0;
  std::optional<int> segment;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (!MayStand(type.segments[s].kind, figure->seen.kind, mind.ledger.rules())) continue;
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

Turn FoundOn(const Ledger& ledger, Cell cell) {
  for (const Turn& tile : ledger.found()) {
    if (tile.cell == cell) return tile;
  }
  Turn none;
  none.tile = -1;
  none.cell = cell;
  return none;
}

Conclusions SetFound(Ledger* ledger, const Turn& tile, std::string reason) {
  if (FoundOn(*ledger, tile.cell) == tile) return {};
  return Conclude(ledger, FoundWith(*ledger, tile, std::move(reason)));
}

Conclusions ReadFoundAgain(Mind& mind, Cell cell, const TileReading& reading,
                           const CellView& view) {
  Turn tile = FoundOn(mind.ledger, cell);
  if (tile.tile < 0) return {};
  const bool had_figure = tile.deployment.has_value();
  tile.player = -1;
  tile.tile = reading.tile;
  tile.rotation = reading.rotation;
  tile.deployment.reset();
  BoardFound board = FoundWith(mind.ledger, tile, "a tile that was found was read better");
  const Game bare =
      Game::AsFound(mind.ledger.tiles(), mind.ledger.rules(), board.colours, board.tiles);
  PutFigure(mind, &tile, view, bare, &board.colours);
  if (had_figure && !tile.deployment) return {};
  Replace(&board, tile);
  mind.figures.Forget(cell);
  return Conclude(&mind.ledger, std::move(board));
}

std::variant<Conclusions, Refusal> CorrectFound(Mind& mind, const Turn& turn) {
  if (mind.ledger.game() == nullptr || FoundOn(mind.ledger, turn.cell).tile < 0) {
    return Refusal{
        "no-such-turn", "There was no tile there when the game was joined.", {turn.cell}};
  }
  Turn tile;
  tile.player = turn.deployment ? turn.player : -1;
  tile.tile = turn.tile;
  tile.cell = turn.cell;
  tile.rotation = turn.rotation & 3;
  tile.deployment = turn.deployment;
  BoardFound board =
      FoundWith(mind.ledger, tile, "corrected by hand", RevisionCause::kCorrectedByHand);
  const std::string fault = FaultInFound(mind.tiles(), board.colours.size(), board.tiles);
  if (!fault.empty()) return Refusal{"not-a-segment", Text(fault, "."), {turn.cell}};
  Game after = Game::AsFound(mind.ledger.tiles(), mind.ledger.rules(), board.colours, board.tiles);
  for (std::size_t i = 0; i < mind.game().turns().size(); ++i) {
    Refusal refusal;
    if (after.Apply(mind.game().turns()[i], &refusal)) continue;
    refusal.text = Text("Turn ", i + 1, " would no longer be legal: ", refusal.text);
    return refusal;
  }
  Conclusions concluded = Conclude(&mind.ledger, std::move(board));
  mind.cells.Forget(turn.cell);
  mind.figures.Forget(turn.cell);
  return concluded;
}

Conclusions ReviewFound(Mind& mind, Cell cell, const FigureView& figure) {
  Turn tile = FoundOn(mind.ledger, cell);
  if (tile.tile < 0) return {};
  const std::vector<double> shares = mind.segments.Likelihoods(figure, tile.tile, tile.rotation);
  const auto segment =
      static_cast<int>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  if (mind.game().FeatureAt(cell, segment).complete) {
    Conclusions concluded =
        Wrong("figure-not-returned", Severity::kWarning, {cell},
              Text("The ", figure.seen.colours.front().colour, " figure ", Where(cell),
                   " stands on a complete feature: check that it has scored, and take it back."),
              kHalf);
    concluded.done = true;
    return concluded;
  }
  if (!mind.game().turns().empty() || tile.deployment || mind.ledger.SetByHand(cell)) return {};
  // Missed in the look that the board was taken from.
  BoardFound board = FoundWith(mind.ledger, tile, "a figure that was found was read better");
  CellView view;
  view.figures = {figure};
  PutFigure(mind, &tile, view, mind.game(), &board.colours);
  if (!tile.deployment) return {};
  Replace(&board, tile);
  return Conclude(&mind.ledger, std::move(board));
}

}  // namespace tilewarden::engine
