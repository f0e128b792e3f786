// Abbots that are called home: part of a turn that no new figure on its tile shows.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
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

// The look that last showed it shows the turn after this one.
bool OverWhenSeen(const Mind& mind, int number, const FigureTrack& track) {
  const std::vector<Turn>& turns = mind.game().turns();
  if (number >= static_cast<int>(turns.size())) return false;
  const CellMemory* next = mind.cells.Find(turns[At(number)].cell);
  return next == nullptr || next->FirstSettled() <= track.last_seen();
}

// The figure that is on this cell, and that the game does not have yet, looks rather like an abbot
// than the other does.
bool RatherAnAbbotThan(const Mind& mind, Cell cell, const FigureTrack& other) {
  const FigureTrack* here = mind.figures.FindUnplaced(cell);
  return here != nullptr && here->LeadOfKind(FigureKind::kAbbot, FigureKind::kFollower) >
                                other.LeadOfKind(FigureKind::kAbbot, FigureKind::kFollower);
}

// Looks missed him before a hand was over him: it took him, or came for something else.
Doubt WasCalledHome(const Ledger& ledger, const Turn& had, const Turn& with) {
  const std::string& colour = ledger.game()->players()[At(with.player)].colour;
  return {Text("Did ", colour, " call the abbot ", Where(*with.recall), " home?"),
          {{"Yes", {had.cell}, with, kHalf}, {"No", {had.cell}, had, kHalf}}};
}

bool IsAskedAbout(const Ledger& ledger, Cell abbot) {
  const std::vector<Question>& open = ledger.questions();
  return std::any_of(open.begin(), open.end(), [&](const Question& question) {
    return !question.answers.empty() && question.answers.front().turn.recall == abbot;
  });
}

// In a game with abbots, one whom the looks took for a follower may stand there.
bool MayBeAnAbbot(const Mind& mind, const PlacedFigure& known) {
  const Game& game = mind.game();
  if (!game.rules().abbot || known.kind != FigureKind::kFollower ||
      game.players()[At(known.player)].abbots() == 0 || mind.ledger.FigureByHand(known.cell)) {
    return false;
  }
  const TileType& type = game.tile_set().types()[At(game.TileAt(known.cell)->tile)];
  const SegmentKind under = type.segments[At(known.segment)].kind;
  return under == SegmentKind::kMonastery || under == SegmentKind::kGarden;
}

}  // namespace

bool RatherCalledHome(const Mind& mind, const PlacedFigure& known) {
  const FigureTrack& track = *mind.figures.FindTrack(known.cell);
  return MayBeAnAbbot(mind, known) &&
         track.LeadOfKind(FigureKind::kFollower, FigureKind::kAbbot) < kSurelyFollower;
}

Conclusions AskIfAnAbbotLeft(Mind& mind, const PlacedFigure& known) {
  const FigureTrack& track = mind.figures.Track(known.cell);
  const std::uint64_t last_seen = track.last_seen();
  if (track.MissedNow() != kSurelyGone || mind.cells.LastCovered(known.cell) <= last_seen ||
      !MayBeAnAbbot(mind, known)) {
    return {};
  }
  const int set_in = mind.game().TileAt(known.cell)->turn;
  if (set_in < 1) return {};  // it stood there when the game was joined
  // The last turn first: he is called home as its tile is laid. Before all know whose turn it is,
  // the turn of another would make the round too short.
  for (std::size_t i = mind.game().turns().size(); i-- > 0;) {
    const Turn had = mind.game().turns()[i];
    const int number = static_cast<int>(i) + 1;
    if (OverWhenSeen(mind, number, track) || had.deployment || had.recall ||
        mind.ledger.Asked(had.cell) || mind.ledger.SetByHand(had.cell) ||
        (had.player >= 0 && had.player != known.player) ||
        SupplySpeaksForLeaving(mind, known.player, number) <= 1 / kSupplyTells) {
      continue;
    }
    Turn abbot = TurnAt(mind.ledger, known.cell), with = had;
    if (!abbot.deployment) return {};
    abbot.deployment->kind = FigureKind::kAbbot;
    with.player = known.player;
    with.recall = known.cell;
    std::vector<Turn> called_home = mind.game().turns();
    called_home[At(set_in - 1)] = abbot;
    called_home[i] = with;
    if (!mind.ledger.Replay(called_home)) continue;
    // Players seldom take a follower for nothing.
    if (track.LeadOfKind(FigureKind::kFollower, FigureKind::kAbbot) < kKindLead) {
      called_home.erase(called_home.begin(), called_home.begin() + set_in - 1);
      return Conclude(&mind.ledger,
                      TurnsRevised{set_in, std::move(called_home), "the abbot was called home"});
    }
    Conclusions concluded =
        SetTurn(&mind.ledger, set_in, abbot, "the figure's kind was read better");
    concluded += Ask(&mind.ledger, number, WasCalledHome(mind.ledger, had, with));
    return concluded;
  }
  return {};
}

Conclusions Recalled(Mind& mind, const PlacedFigure& known, int amendable_from) {
  if (known.kind != FigureKind::kAbbot) return {};
  // Where no hand was over him, one look may have missed him.
  const FigureTrack& track = mind.figures.Track(known.cell);
  if (!track.Missing() && !MayHaveTouched(mind, known.cell, track.last_seen())) return {};
  // Looks missed him before any hand may have taken him: a hand that comes later took him, or came
  // for something else.
  const bool missed =
      mind.hands.EverSeen() && mind.differences.OnlyMissed(Difference::kFigureGone, known.cell);
  const bool covered = mind.cells.LastCovered(known.cell) > mind.hands.LastSettled();
  const std::vector<Turn>& turns = mind.game().turns();
  const int count = static_cast<int>(turns.size());
  // Rather in a turn that did nothing than in place of a claim that nobody saw: the hand that
  // seemed to claim took the abbot.
  for (const bool over_claims : {false, true}) {
    for (int number = count; number >= 1 && !OverWhenSeen(mind, number, track); --number) {
      const Turn had = turns[At(number - 1)];
      Turn turn = had;
      if (over_claims && mind.claims.Concluded(turn.cell)) turn.deployment.reset();
      if (turn.deployment || turn.recall || !turn.ark_path.empty() || turn.cell == known.cell ||
          (turn.player >= 0 && turn.player != known.player)) {
        continue;
      }
      turn.player = known.player;
      turn.recall = known.cell;
      // Where looks missed him and the supply tells, nobody is asked.
      const double home = SupplySpeaksForLeaving(mind, known.player, number);
      if (missed && home <= 1 / kSupplyTells) return {};
      if (home < kSupplyTells) {
        if (number < amendable_from || LostBesideTile(mind, known.cell, turn)) continue;
        if (missed) {
          if (!covered || mind.last_hands.Beside(known.cell, turn.cell) == 0) return {};
          if (IsAskedAbout(mind.ledger, known.cell)) return {};
          // The next look, too.
          mind.differences.Made(Difference::kFigureGone, known.cell, false);
          return Ask(&mind.ledger, number, WasCalledHome(mind.ledger, had, turn));
        }
      }
      Conclusions set = SetTurn(&mind.ledger, number, turn, "the abbot was called home");
      if (set.done) return set;
    }
  }
  return {};
}

Conclusions HisAbbotIsHere(Mind& mind, int number, const FigureChoice& choice) {
  const bool in_garden = choice.refusal->code == "garden-needs-abbot";
  if (!in_garden && choice.deployment.kind != FigureKind::kAbbot) return {};
  const std::vector<PlacedFigure> figures = mind.game().Figures();
  const auto other = std::find_if(figures.begin(), figures.end(), [&](const PlacedFigure& figure) {
    return figure.player == choice.player && figure.kind == FigureKind::kAbbot;
  });
  if (other == figures.end() || mind.ledger.FigureByHand(other->cell)) return {};
  const int set_in = mind.game().TileAt(other->cell)->turn;
  if (set_in < 1 || set_in >= number) return {};
  std::vector<Turn> turns = mind.game().turns();
  Turn& here = turns[At(number - 1)];
  here.player = choice.player;
  here.deployment = choice.deployment;
  here.deployment->kind = FigureKind::kAbbot;
  int first = set_in;
  const FigureTrack& track = mind.figures.Track(other->cell);
  if (track.Missing()) {
    double best = 0;
    for (int earlier = number - 1; earlier > set_in && !OverWhenSeen(mind, earlier, track);
         --earlier) {
      const Turn& turn = turns[At(earlier - 1)];
      if (turn.deployment || turn.recall || !turn.ark_path.empty() || turn.set_aside ||
          turn.player != choice.player) {
        continue;
      }
      const double home = SupplySpeaksForLeaving(mind, choice.player, earlier);
      if (home <= best) continue;
      best = home;
      first = earlier;
    }
    if (first == set_in) return {};
    turns[At(first - 1)].recall = other->cell;
  } else if (in_garden || RatherAnAbbotThan(mind, turns[At(number - 1)].cell, track)) {
    turns[At(set_in - 1)].deployment->kind = FigureKind::kFollower;
  } else {
    return {};
  }
  if (!mind.ledger.Replay(turns)) return {};
  turns.erase(turns.begin(), turns.begin() + first - 1);
  return Conclude(&mind.ledger, TurnsRevised{first, std::move(turns), "the abbot is elsewhere"});
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
