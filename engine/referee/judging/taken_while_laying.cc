// Figures that are gone in the very look that shows a new tile. The hand was there to lay it, and a
// figure beside it is easily lost; so people are told only where hands show the act, and are asked
// once points hang on it.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

bool Beside(Cell a, Cell b) { return std::abs(a.x - b.x) <= 1 && std::abs(a.y - b.y) <= 1; }

// Besides laying its tile and setting a figure on it, hands had nothing to do in this turn.
bool OnlyLaid(const Ledger& ledger, const Turn& turn, int number) {
  const auto& homes = ledger.sent_home();
  return !turn.set_aside && !turn.recall && turn.ark_path.empty() && !turn.ark_landing &&
         turn.gingerbread.empty() &&
         std::none_of(homes.begin(), homes.end(),
                      [&](const SentHome& home) { return home.turn == number; });
}

// How likely the figure of this turn, which no look shows since a tile came, was taken and not
// lost. Each tile that has come beside it since was another chance to see it, but for one in this
// look, which may have sent it home, and near bare cloth of its colour, which hides it again.
// `home`: the turn in which it went home; 0: it is on the board.
double ChanceOfTaking(const Mind& mind, const Turn& with, const FigureTrack& track, int home) {
  const std::string& colour = mind.game().players()[At(with.player)].colour;
  const Backdrop where = BackdropOf(mind, with, colour);
  const bool own_cloth = where == Backdrop::kOwnCloth;
  const bool edge = where == Backdrop::kEdge || own_cloth;
  double lost = mind.habits.ShareSeenLater(colour, where);
  if (!own_cloth) lost *= edge ? kMoreAtEdge : kLessInView;
  bool first = true;
  int number = 0, since = 0;  // the first turn without it
  for (const Turn& turn : mind.game().turns()) {
    ++number;
    const CellMemory* seen = mind.cells.Find(turn.cell);
    if (seen == nullptr || seen->FirstSettled() <= track.last_seen()) continue;
    if (since == 0) since = number;
    if (seen->FirstSettled() == mind.sightings || !Beside(turn.cell, with.cell)) continue;
    if (!std::exchange(first, false) && !edge) lost *= kMissedAnewInView;
  }
  const double supply = since > 0 ? SupplySpeaksForLeaving(mind, with.player, since, home) : 1;
  const double taken = kTakenWhileLaying * supply;
  return taken / (taken + lost);
}

// Asks whether the figure that the game has on this tile, or sent home from it just now, had been
// taken back. `home`: the turn in which it went home; 0: it is on the board.
Conclusions AskIfTaken(Mind& mind, Cell cell, int home) {
  const FigureTrack* track = mind.figures.FindTrack(cell);
  const PlacedTile* laid = mind.game().TileAt(cell);
  if (track == nullptr || track->MissedNow() < kSurelyGone || laid == nullptr || laid->turn < 1 ||
      mind.shown.figures.contains(cell) || mind.ledger.FigureByHand(cell) ||
      !mind.differences.Explained(Difference::kFigureGone, cell)) {
    return {};
  }
  std::vector<Turn> turns = mind.game().turns();
  const Turn with = turns[At(laid->turn - 1)];
  // An abbot may be called home.
  if (!with.deployment || with.player < 0 || with.deployment->kind == FigureKind::kAbbot) return {};
  Turn& without = turns[At(laid->turn - 1)];
  without.deployment.reset();
  const std::optional<Game> story = mind.ledger.Replay(turns);
  if (!story) return {};
  const double chance = ChanceOfTaking(mind, with, *track, home);
  if (chance < kLeastDoubt || chance * PointsBetween(mind.game(), *story) < kWorthAsking) return {};
  Doubt doubt;
  doubt.about = Doubt::About::kFigureTaken;
  doubt.text = Text("Did ", mind.game().players()[At(with.player)].colour, " take the figure ",
                    Where(cell), " back before it had scored?");
  doubt.answers = {{"No", {cell}, with, 1 - chance}, {"Yes", {cell}, without, chance}};
  std::stable_sort(doubt.answers.begin(), doubt.answers.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return Ask(&mind.ledger, laid->turn, std::move(doubt));
}

}  // namespace

bool TakenBesidesLaying(const Mind& mind, Cell figure, int last_before) {
  const std::vector<Turn>& turns = mind.game().turns();
  const int count = static_cast<int>(turns.size());
  if (count != last_before + 1 || !OnlyLaid(mind.ledger, turns.back(), count)) return false;
  const FigureTrack* track = mind.figures.FindTrack(figure);
  const PlacedTile* under = mind.game().TileAt(figure);
  // Until the next tile is laid a player may take his figure back.
  return track != nullptr && under != nullptr && under->turn != last_before &&
         track->last_seen() == mind.hands.LastSettled() && !Beside(figure, turns.back().cell) &&
         mind.last_hands.OnlyOver(figure, turns.back().cell) > 0;
}

Conclusions AskIfTakenWhileLaying(Mind& mind, int last_before) {
  Conclusions concluded;
  const std::vector<SentHome> homes = mind.ledger.sent_home();
  for (const SentHome& home : homes) {
    if (home.turn > last_before) concluded += AskIfTaken(mind, home.cell, home.turn);
  }
  if (!NearlyOver(mind)) return concluded;
  const std::vector<PlacedFigure> figures = mind.game().Figures();
  for (const PlacedFigure& figure : figures) concluded += AskIfTaken(mind, figure.cell, 0);
  return concluded;
}

}  // namespace tilewarden::engine
