// Abbots that are called home: part of a turn that no new figure on its tile shows.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// The hand that was over him laid this turn's tile in this very look, and nothing else: he was
// rather lost beside it.
bool LostBesideTile(const Mind& mind, Cell abbot, const Turn& turn) {
  const CellMemory* seen = mind.cells.Find(turn.cell);
  if (seen == nullptr || seen->FirstSettled() != mind.sightings || !mind.hands.EverSeen()) {
    return false;
  }
  return mind.last_hands.looks() < 2 || mind.last_hands.Beside(abbot, turn.cell) == 0;
}

// Looks missed him before a hand was over him: it took him, or came for something else.
Doubt WasCalledHome(const Ledger& ledger, const Turn& had, const Turn& with) {
  const std::string& colour = ledger.game()->players()[At(with.player)].colour;
  return {Text("Did ", colour, " call the abbot ", Where(*with.recall), " home?"),
          {{"Yes", {had.cell}, with, kHalf}, {"No", {had.cell}, had, kHalf}}};
}

}  // namespace

Conclusions Recalled(Mind& mind, const PlacedFigure& known, int amendable_from) {
  if (known.kind != FigureKind::kAbbot) return {};
  // Where no hand was over him, one look may have missed him.
  const FigureTrack& track = mind.figures.Track(known.cell);
  if (!track.Missing() && !MayHaveTouched(mind, known.cell, track.last_seen())) return {};
  // Looks missed him before any hand may have taken him: a hand that comes later took him, or came
  // for something else.
  const bool missed =
      mind.hands.EverSeen() && mind.differences.OnlyMissed(Difference::kFigureGone, known.cell);
  if (missed && mind.cells.LastCovered(known.cell) <= mind.hands.LastSettled()) return {};
  const std::vector<Turn>& turns = mind.game().turns();
  const int count = static_cast<int>(turns.size());
  // Rather in a turn that did nothing than in place of a claim that nobody saw: the hand that
  // seemed to claim took the abbot.
  for (const bool over_claims : {false, true}) {
    for (int number = count; number >= std::max(1, amendable_from); --number) {
      const Turn had = turns[At(number - 1)];
      Turn turn = had;
      if (over_claims && mind.claims.Concluded(turn.cell)) turn.deployment.reset();
      if (turn.deployment || turn.recall || !turn.ark_path.empty() || turn.cell == known.cell ||
          (turn.player >= 0 && turn.player != known.player) ||
          LostBesideTile(mind, known.cell, turn)) {
        continue;
      }
      turn.player = known.player;
      turn.recall = known.cell;
      if (missed) {
        if (mind.last_hands.Beside(known.cell, turn.cell) == 0) return {};
        mind.differences.Made(Difference::kFigureGone, known.cell, false);  // the next look, too
        return Ask(&mind.ledger, number, WasCalledHome(mind.ledger, had, turn));
      }
      Conclusions set = SetTurn(&mind.ledger, number, turn, "the abbot was called home");
      if (set.done) return set;
    }
  }
  return {};
}

Conclusions NotRecalled(Mind& mind, Cell cell, const FigureView& figure) {
  const std::vector<Turn>& turns = mind.game().turns();
  for (std::size_t i = turns.size(); i-- > 0;) {
    if (turns[i].recall != cell) continue;
    Turn turn = turns[i];
    const std::string& colour = mind.game().players()[At(turn.player)].colour;
    if (ProbabilityOfColour(figure.seen, colour) < kColourPossible) return {};
    turn.recall.reset();
    return SetTurn(&mind.ledger, static_cast<int>(i) + 1, turn, "the abbot is still there");
  }
  return {};
}

}  // namespace tilewarden::engine
