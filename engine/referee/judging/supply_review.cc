// The account of figures: those beside the board, where a look shows any, with those on the board
// and those that came home. It accuses nobody: it says how likely a claim is that no look showed.
#include <algorithm>

#include "engine/referee/judging/judging.h"
#include "engine/tiles/index.h"

namespace tilewarden::engine {
namespace {

// However much a supply speaks for something, other things may be so.
constexpr double kLeastOdds = 1e-6;

// Of whatever kind: beside the board kinds are told less surely than on it.
struct Beside {
  int sure = 0;
  int doubtful = 0;  // a hand hides them
};

Beside SeenBeside(const Mind& mind, const Look& look, const std::string& colour) {
  Beside seen;
  for (const SightedFigure& figure : look.beside) {
    if (figure.colours.empty() || figure.colours.front().colour != colour) continue;
    ++(figure.probability >= mind.options.figure_certainty ? seen.sure : seen.doubtful);
  }
  return seen;
}

// Those that scored and still stand on the board.
int YetToTakeHome(const Mind& mind, const std::string& colour) {
  const auto& homes = mind.ledger.sent_home();
  return static_cast<int>(std::count_if(homes.begin(), homes.end(), [&](const SentHome& home) {
    return home.colour == colour && mind.shown.figures.contains(home.cell) &&
           mind.figures.LooksGone(home.cell, home.turn) == 0;
  }));
}

}  // namespace

void SeeSupplies(Mind& mind, const Look& look) {
  for (const PlayerState& player : mind.game().players()) {
    const Beside beside = SeenBeside(mind, look, player.colour);
    if (look.settled) {
      mind.supplies.Rests(player.colour, beside.sure);
    } else if (mind.supplies.Any()) {
      mind.supplies.UnderHand(player.colour, beside.sure, beside.doubtful);
    }
  }
}

void NoteAway(Mind& mind, int last_before) {
  const std::vector<Turn>& turns = mind.game().turns();
  const int now = static_cast<int>(turns.size());
  // Whoever laid the last tile before this look may have come back to it before the next was laid.
  for (int number = std::max(1, last_before); number <= now; ++number) {
    const Turn& turn = turns[At(number - 1)];
    if (turn.player < 0 || turn.set_aside) continue;
    const std::string& colour = mind.game().players()[At(turn.player)].colour;
    const bool set = turn.deployment && !mind.ledger.Concluded(turn.cell);
    mind.claims.WasAway(turn.cell, mind.supplies.WasAway(colour));
    // What it completed may have been claimed and taken home.
    const bool over = number < now,
               nothing = !turn.deployment && !OnCompleteFeature(mind.game(), turn);
    if (over && (set || nothing)) mind.supplies.Learn(set, mind.claims.WasAway(turn.cell));
  }
  mind.supplies.EndLook();
}

double SupplySpeaksForOneAtOnce(const Mind& mind, const Turn& turn) {
  if (turn.player < 0) return 1;
  const std::string& colour = mind.game().players()[At(turn.player)].colour;
  const bool over = mind.game().TileAt(turn.cell) != nullptr;
  const Supplies::Away before = over ? mind.claims.WasAway(turn.cell) : Supplies::Away::kNotLooked;
  const bool last = !over || mind.game().turns().back().cell == turn.cell;
  const Supplies::Away now = last ? mind.supplies.WasAway(colour) : Supplies::Away::kNotLooked;
  return mind.supplies.SpeakForOneAtOnce(std::max(before, now));
}

void CountSupplies(Mind& mind, const Look& look) {
  // Where some were seen before, all are on the board now.
  if (look.beside.empty() && !mind.supplies.Any()) return;
  const int turns = static_cast<int>(mind.game().turns().size());
  for (const PlayerState& player : mind.game().players()) {
    mind.supplies.Saw(player.colour, turns, SeenBeside(mind, look, player.colour).sure,
                      YetToTakeHome(mind, player.colour));
  }
}

std::vector<double> SupplySpeaksForAnother(const Mind& mind, int player, int to, int but_for) {
  std::vector<int> supply = mind.ledger.SuppliesOf(player);
  if (but_for > 0) {
    for (std::size_t turns = At(but_for); turns < supply.size(); ++turns) ++supply[turns];
  }
  std::vector<double> factors =
      mind.supplies.SpeakForAnother(mind.game().players()[At(player)].colour, supply, to);
  factors.resize(std::max(factors.size(), mind.game().turns().size() + 2), 1);
  return factors;
}

double SupplySpeaksForLeaving(const Mind& mind, int player, int from, int until) {
  if (player < 0) return 1;
  std::vector<int> supply = mind.ledger.SuppliesOf(player);
  const int end = until > 0 ? until : static_cast<int>(supply.size());
  if (from >= end) return 1;
  for (int turns = from; turns < end; ++turns) ++supply[At(turns)];
  const std::string& colour = mind.game().players()[At(player)].colour;
  const double stayed = mind.supplies.SpeakForAnother(colour, supply, end - 1)[At(from)];
  return 1 / std::max(stayed, kLeastOdds);
}

}  // namespace tilewarden::engine
