// Figures that scored and still stand on their tiles.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// A figure that scored and still stands: was it on another segment of its tile,
// that is not complete? If so, puts that right.
Conclusions StoodElsewhere(Mind& mind, const SentHome& home, const FigureView& figure) {
  const std::vector<Turn>& turns = mind.game().turns();
  const auto found = std::find_if(turns.begin(), turns.end(), [&](const Turn& turn) {
    return turn.cell == home.cell && turn.deployment && turn.deployment->segment == home.segment;
  });
  if (found == turns.end() || mind.ledger.FigureByHand(home.cell)) return {};
  const std::vector<double> shares =
      mind.segments.Likelihoods(figure, found->tile, found->rotation);
  // More often than figures are left standing, or not at all.
  double best = shares[At(home.segment)] * kForgottenFigureRate;
  std::optional<Turn> better;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    Turn other = *found;
    other.deployment->segment = static_cast<int>(s);
    if (shares[s] <= best || other == *found) continue;
    std::vector<Turn> instead = turns;
    instead[static_cast<std::size_t>(found - turns.begin())] = other;
    const std::optional<Game> story = mind.ledger.Replay(instead);
    if (!story) continue;
    const auto figures = story->Figures();
    if (std::none_of(figures.begin(), figures.end(),
                     [&](const PlacedFigure& f) { return f.cell == home.cell; })) {
      continue;
    }
    best = shares[s];
    better = other;
  }
  if (!better) return {};
  return SetTurn(&mind.ledger, static_cast<int>(found - turns.begin()) + 1, *better,
                 "the figure is still there");
}

}  // namespace

const SentHome* LeftBehind(const Mind& mind, Cell cell, const FigureView& figure) {
  const SentHome* home = nullptr;
  for (const SentHome& sent : mind.ledger.sent_home()) {
    // This one came since.
    if (mind.figures.LooksGone(cell, sent.turn) >= kSurelyGone) continue;
    if (sent.cell == cell && ProbabilityOfColour(figure.seen, sent.colour) >= kColourPossible) {
      home = &sent;
    }
  }
  return home;
}

Conclusions ReviewLeftBehind(Mind& mind, const SentHome& home, const FigureView& figure,
                             const Look& look) {
  // Whose hand is over the table is about to take it home.
  const std::int64_t since_ms =
      mind.figures.Linger(home.cell, home.colour, look.time_ms, mind.hands.SinceSettled());
  const bool next_laid = static_cast<int>(mind.game().turns().size()) > home.turn;
  // The tile that completed it may just have been taken up again.
  const bool completed = home.turn < 1 || look.At(mind.game().turns()[At(home.turn - 1)].cell).tile;
  const bool due = completed && (next_laid || look.time_ms - since_ms >= kTakingHome_ms);
  if (due) {
    const SentHome was = home;  // a revision makes another list of them
    Conclusions elsewhere = StoodElsewhere(mind, was, figure);
    if (elsewhere.done) return elsewhere;
  }
  return Wrong("figure-not-returned", Severity::kWarning, {home.cell},
               Text("The ", home.colour, " figure ", Where(home.cell),
                    " has scored: give it back to its player."),
               due ? 1 : 0);
}

}  // namespace tilewarden::engine
