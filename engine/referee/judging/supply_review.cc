// The account of figures: those beside the board, where a look shows any, with those on the board
// and those that came home. It accuses nobody: it says how likely a claim is that no look showed.
#include <algorithm>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"

namespace tilewarden::engine {
namespace {

// Builders and pigs are told from followers by where they stand, so beside the board they are not.
bool LooksLikeFollower(FigureKind kind) {
  return kind == FigureKind::kFollower || StrengthOf(kind) == 0;
}

int SeenBeside(const Mind& mind, const Look& look, const std::string& colour) {
  return static_cast<int>(
      std::count_if(look.beside.begin(), look.beside.end(), [&](const SightedFigure& figure) {
        return LooksLikeFollower(figure.kind) && !figure.colours.empty() &&
               figure.probability >= mind.options.figure_certainty &&
               figure.colours.front().colour == colour;
      }));
}

// Those that scored and still stand on the board.
int YetToTakeHome(const Mind& mind, const std::string& colour) {
  const auto& homes = mind.ledger.sent_home();
  return static_cast<int>(std::count_if(homes.begin(), homes.end(), [&](const SentHome& home) {
    return home.colour == colour && LooksLikeFollower(home.kind) &&
           mind.shown.figures.contains(home.cell) &&
           mind.figures.LooksGone(home.cell, home.turn) == 0;
  }));
}

}  // namespace

void CountSupplies(Mind& mind, const Look& look) {
  if (look.beside.empty()) return;
  const int turns = static_cast<int>(mind.game().turns().size());
  for (const PlayerState& player : mind.game().players()) {
    const int expected = player.followers() + player.Supply(FigureKind::kBuilder) +
                         player.Supply(FigureKind::kPig) - YetToTakeHome(mind, player.colour);
    mind.supplies.Saw(player.colour, turns, SeenBeside(mind, look, player.colour), expected);
  }
}

}  // namespace tilewarden::engine
