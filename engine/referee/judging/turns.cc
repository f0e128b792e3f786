// Turns taken down: who moved, and what was deployed.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"

namespace tilewarden::engine {
namespace {

// A tile that was seen before the last turns' tiles, but read after them, was
// laid before them. The number that its turn should have.
int NumberByFirstSight(const Mind& mind, Cell cell) {
  const std::uint64_t seen = mind.cells.Find(cell)->FirstSettled();
  int number = static_cast<int>(mind.game().turns().size()) + 1;
  while (number > 1) {
    const CellMemory* before = mind.cells.Find(mind.game().turns()[At(number - 2)].cell);
    if (before == nullptr || !before->TakenBySight() || before->FirstSettled() <= seen) break;
    --number;
  }
  return number;
}

// Where later tiles were read before this one: takes down its turn in front of theirs.
Conclusions TakeDownBefore(Mind& mind, int number, Cell cell, const TileReading& reading,
                           const Look& look) {
  const std::vector<Turn> turns = mind.game().turns();
  const std::optional<Game> before =
      mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return {};
  Turn turn = Laying(*before, reading.tile, cell, reading.rotation);
  FillNeutral(mind, &turn, *before, look);
  if (before->Check(turn)) return {};
  const int mover = turns[At(number - 1)].player;
  CompletedTurn completed = CompleteTurn(mind, turn, *before, number, mover, look.At(cell));
  Conclusions concluded = std::move(completed.joined);
  std::vector<Turn> after = {completed.turn};
  // A join may have moved the players' places.
  after.insert(after.end(), mind.game().turns().begin() + number - 1, mind.game().turns().end());
  for (Turn& later : after) {
    if (!later.deployment && !later.recall) later.player = -1;
  }
  Conclusions revised = Conclude(
      &mind.ledger, TurnsRevised{number, std::move(after), "a tile was laid before the last one"});
  concluded.done = revised.done;
  concluded += std::move(revised);
  if (concluded.done) concluded += FillMovers(&mind.ledger);
  return concluded;
}

// What the tile's figures tell: the likeliest reading of the likeliest of them.
std::optional<FigureChoice> Chosen(const Mind& mind, const CellView& view, const Game& before,
                                   const Turn& turn, int expected) {
  std::optional<FigureChoice> chosen;
  double chosen_weight = 0;
  for (const FigureView& figure : view.figures) {
    if (figure.seen.probability < mind.options.figure_certainty) continue;
    std::optional<FigureChoice> choice = ReadFigure(mind, figure, before, turn, expected);
    if (!choice) continue;
    const double weight =
        figure.seen.probability * choice->probability * (choice->refusal ? kIllegalFigureRate : 1);
    if (weight <= chosen_weight) continue;
    chosen_weight = weight;
    chosen = std::move(choice);
  }
  return chosen;
}

// Seen with a hand in view, gone on the still table: only a figure whose feature this very tile
// completes was deployed and went home.
std::optional<FigureChoice> ChosenUnderHands(const Mind& mind, const Game& before, const Turn& turn,
                                             int expected) {
  std::optional<FigureChoice> chosen;
  const CellMemory* seen = mind.cells.Find(turn.cell);
  if (seen == nullptr) return chosen;
  for (const FigureView& figure : seen->visits().figures()) {
    std::optional<FigureChoice> choice = ReadFigure(mind, figure, before, turn, expected);
    if (!choice || choice->refusal) continue;
    if (chosen && choice->probability <= chosen->probability) continue;
    Game after = before;
    Turn whole = turn;
    whole.player = choice->player;
    whole.deployment = choice->deployment;
    if (whole.player < 0) {
      whole.player = static_cast<int>(after.players().size());
      if (!after.AddPlayer(choice->colour, whole.player).ok()) continue;
    }
    const std::optional<Outcome> outcome = after.Apply(whole);
    if (outcome && WentHomeAtOnce(whole, *outcome)) chosen = std::move(choice);
  }
  return chosen;
}

// The turn with this index does not fit those before it: what no look showed of it, or showed too
// badly, is so that it does.
bool GaveWay(const Ledger& ledger, std::vector<Turn>* turns, std::size_t index) {
  Turn& turn = (*turns)[index];
  if (!turn.deployment || ledger.FigureByHand(turn.cell)) return false;
  if (ledger.Concluded(turn.cell)) {
    turn.deployment.reset();
    return true;
  }
  const std::optional<Game> before =
      ledger.Replay({turns->begin(), turns->begin() + static_cast<std::ptrdiff_t>(index)});
  return before && TakenForAnother(*before, &turn);
}

}  // namespace

int PlayerOf(const Game& game, const std::string& colour) {
  const auto& players = game.players();
  const auto found = std::find_if(players.begin(), players.end(),
                                  [&](const PlayerState& p) { return p.colour == colour; });
  return found == players.end() ? -1 : static_cast<int>(found - players.begin());
}

Turn TurnAt(const Ledger& ledger, Cell cell) {
  for (const Turn& turn : ledger.game()->turns()) {
    if (turn.cell == cell && !turn.set_aside) return turn;
  }
  return FoundOn(ledger, cell);
}

Conclusions TakeDown(Mind& mind, Cell cell, const TileReading& reading, const Look& look,
                     int expected) {
  const int last = static_cast<int>(mind.game().turns().size()) + 1;
  Conclusions concluded;
  if (const int number = NumberByFirstSight(mind, cell); number < last) {
    concluded = TakeDownBefore(mind, number, cell, reading, look);
    if (concluded.done) return concluded;
  }
  Turn turn = Laying(mind.game(), reading.tile, cell, reading.rotation);
  FillNeutral(mind, &turn, mind.game(), look);
  CompletedTurn completed = CompleteTurn(mind, turn, mind.game(), last, expected, look.At(cell));
  concluded += std::move(completed.joined);
  if (completed.inferred || MayHaveSet(mind, completed.turn, mind.game())) {
    mind.claims.HandCameBack(cell);
  }
  CountVisit(mind, completed.turn, completed.inferred);
  Game after = mind.game();
  std::optional<Outcome> outcome = after.Apply(completed.turn);
  if (!outcome) return concluded;
  Conclusions played = Conclude(
      &mind.ledger, TurnPlayed{completed.turn, completed.inferred, false, *std::move(outcome)});
  if (!played.done) return concluded;
  concluded += std::move(played);
  concluded.done = true;
  mind.may_take_back = true;
  if (completed.inferred) mind.claims.Conclude(cell);
  concluded += NoteClaim(&mind.ledger, last, std::move(completed.claim));
  CountLooks(mind, completed.turn);
  return concluded;
}

CompletedTurn CompleteTurn(Mind& mind, Turn turn, const Game& before, int number, int expected,
                           const CellView& view) {
  CompletedTurn completed;
  turn.player = expected;
  std::optional<FigureChoice> chosen = Chosen(mind, view, before, turn, expected);
  if (!chosen) chosen = ChosenUnderHands(mind, before, turn, expected);
  // A hand that moved the Ark was not there to claim anything: one thing a turn. Where it enters
  // both may be done.
  if (!chosen && (mind.shown.several_new || !mind.shown.ark_moved || turn.ark_landing)) {
    completed.claim = ReadHiddenClaim(mind, turn, before);
    completed.inferred = completed.claim.deployment.has_value();
    if (completed.inferred) turn.deployment = completed.claim.deployment;
  }
  if (chosen) {
    if (chosen->player >= 0) {
      turn.player = chosen->player;
    } else if (!chosen->refusal) {
      // A new colour although everybody is known: wait for one more look.
      const bool waits = expected >= 0 && StillStranger(mind, turn.cell);
      Joined joined;
      if (!waits) joined = Join(&mind.ledger, chosen->colour, number);
      completed.joined = std::move(joined.concluded);
      if (!waits) turn.player = joined.player;
      if (joined.player < 0) chosen.reset();
    }
    if (chosen && !chosen->refusal) turn.deployment = chosen->deployment;
  }
  completed.turn = std::move(turn);
  return completed;
}

Joined Join(Ledger* ledger, const std::string& colour, int turn_number) {
  const int newcomer = static_cast<int>(ledger->game()->players().size());
  std::vector<int> evidence = ledger->EvidenceOf(ledger->game()->turns());
  evidence.resize(std::max(evidence.size(), At(turn_number)), -1);
  if (turn_number >= 1) evidence[At(turn_number - 1)] = newcomer;
  const TurnOrder order =
      DeduceOrder(evidence, ledger->joined() ? newcomer + 1 : 0, false, ledger->extra_turns());
  int position = newcomer;
  const auto seat = std::find(order.cycle.begin(), order.cycle.end(), newcomer);
  if (seat != order.cycle.end()) {
    // After the nearest known player before it in the cycle.
    position = 0;
    for (auto it = order.cycle.begin(); it != seat; ++it) {
      if (*it >= 0) position = *it + 1;
    }
  }
  Joined joined;
  joined.concluded = Conclude(ledger, PlayerJoined{colour, position});
  if (joined.concluded.done) joined.player = position;
  return joined;
}

Conclusions SetTurn(Ledger* ledger, int number, const Turn& turn, std::string reason,
                    RevisionCause cause) {
  if (number == 0) return SetFound(ledger, turn, std::move(reason));
  if (ledger->game()->turns()[At(number - 1)] == turn) return {};
  std::optional<std::vector<Turn>> turns = TurnsIf(*ledger, number, turn);
  if (!turns) return {};
  turns->erase(turns->begin(), turns->begin() + number - 1);
  return Conclude(ledger, TurnsRevised{number, *std::move(turns), std::move(reason), cause});
}

std::optional<std::vector<Turn>> TurnsIf(const Ledger& ledger, int number, const Turn& turn,
                                         Refusal* refusal, int* at) {
  std::vector<Turn> turns = ledger.game()->turns();
  turns[At(number - 1)] = turn;
  int refused_at = 0;
  while (!ledger.Replay(turns, refusal, &refused_at)) {
    if (at != nullptr) *at = refused_at;
    if (refused_at < number || !GaveWay(ledger, &turns, At(refused_at))) return std::nullopt;
  }
  return turns;
}

}  // namespace tilewarden::engine
