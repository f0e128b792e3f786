// The account of figures: those beside the board, where a look shows any, with those on the board
// and those that came home. It accuses nobody: it says how likely a claim is that no look showed.
#include <algorithm>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"

namespace tilewarden::engine {
namespace {

int SeenBeside(const Mind& mind, const Look& look, const std::string& colour) {
  return static_cast<int>(
      std::count_if(look.beside.begin(), look.beside.end(), [&](const SightedFigure& figure) {
        return figure.kind == FigureKind::kFollower && !figure.colours.empty() &&
               figure.probability >= mind.options.figure_certainty &&
               figure.colours.front().colour == colour;
      }));
}

// Those that scored and still stand on the board.
int YetToTakeHome(const Mind& mind, const std::string& colour) {
  const auto& homes = mind.ledger.sent_home();
  return static_cast<int>(std::count_if(homes.begin(), homes.end(), [&](const SentHome& home) {
    return home.colour == colour && home.kind == FigureKind::kFollower &&
           mind.shown.figures.contains(home.cell) &&
           mind.figures.LooksGone(home.cell, home.turn) == 0;
  }));
}

}  // namespace

void CountSupplies(Mind& mind, const Look& look) {
  if (look.beside.empty()) return;
  const int turns = static_cast<int>(mind.game().turns().size());
  for (const PlayerState& player : mind.game().players()) {
    const int expected = player.followers() - YetToTakeHome(mind, player.colour);
    mind.supplies.Saw(player.colour, turns, SeenBeside(mind, look, player.colour), expected);
  }
}

}  // namespace tilewarden::engine
