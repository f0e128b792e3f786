// What the figures on the table tell: what came home and what did not, figures
// that were moved or set against the rules.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>

#include "engine/referee/codes.h"
#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// Added to a sum of likelihoods so that a share of nothing is 0.
constexpr double kLeastTotal = 1e-9;
// Likelihoods are no surer than a thousand to one: a smaller share speaks as this one.
constexpr double kLeastHere = 1e-3;

const std::string& ColourOf(const Game& game, const PlacedFigure& figure) {
  return game.players()[At(figure.player)].colour;
}

// A turn that set it, as far as its place tells.
Turn TurnOf(const Mind& mind, const PlacedFigure& figure) {
  const PlacedTile* laid = mind.game().TileAt(figure.cell);
  Turn turn;
  turn.cell = figure.cell;
  turn.tile = laid->tile;
  turn.rotation = laid->rotation;
  turn.deployment = Deployment{figure.kind, figure.segment};
  return turn;
}

int TilesAround(const Game& game, Cell cell) {
  int tiles = 0;
  for (const Cell near : Around(cell)) tiles += game.TileAt(near) != nullptr ? 1 : 0;
  return tiles;
}

SegmentKind KindUnder(const Game& game, const PlacedFigure& figure) {
  const TileType& type = game.tile_set().types()[At(game.TileAt(figure.cell)->tile)];
  return type.segments[At(figure.segment)].kind;
}

// Share of one segment among all of the tile.
double ShareOf(const std::vector<double>& likelihoods, int segment, double total = 0) {
  for (const double likelihood : likelihoods) total += likelihood;
  return likelihoods[At(segment)] / total;
}

// Stands or lies as its segment does not ask, though it did, and somebody may have turned it since;
// and its foot leaves no doubt on which segment it is.
bool WrongPose(Mind& mind, const PlacedFigure& known, const FigureView& figure,
               FigureTrack* track) {
  if (known.kind == FigureKind::kPig) return false;  // stands or lies as its owner likes
  const bool field = KindUnder(mind.game(), known) == SegmentKind::kField;
  const double standing = figure.seen.standing_probability;
  const double right_pose = field ? 1 - standing : standing;
  track->SeenInPose(right_pose, mind.sightings);
  if (right_pose > kWrongPose || track->LastInPose() == 0) return false;
  const bool touched = MayHaveTouched(mind, known.cell, track->LastInPose());
  if (!mind.differences.Made(Difference::kFigurePose, known.cell, touched)) return false;
  FigureView poseless = figure;
  poseless.seen.standing_probability = 0.5;
  const PlacedTile* laid = mind.game().TileAt(known.cell);
  const std::vector<double> feet = mind.segments.Likelihoods(poseless, laid->tile, laid->rotation);
  double all = 0;
  for (const double foot : feet) all += foot;
  return feet[At(known.segment)] >= kSamePlace * all;
}

// Which of two kinds a figure is: by the looks of the one that may not stand there, or because
// looks disagree.
Doubt WhichKind(const Ledger& ledger, const PlacedFigure& known, FigureKind looks_like) {
  const Turn as = TurnAt(ledger, known.cell);
  Turn other = as;
  other.deployment->kind = looks_like;
  const auto named = [](const Turn& turn) {
    switch (turn.deployment->kind) {
      case FigureKind::kAbbot:
        return "an abbot";
      case FigureKind::kProphet:
        return "a prophet";
      default:
        return "a follower";
    }
  };
  const auto answer = [&](const Turn& turn) {
    std::string text = named(turn);
    text.front() = 'A';
    return Question::Answer{std::move(text), {turn.cell}, turn, kHalf};
  };
  const bool as_follower = as.deployment->kind == FigureKind::kFollower;
  return {Text("Is the ", ColourOf(*ledger.game(), known), " figure ", Where(known.cell), " ",
               named(as_follower ? other : as), " or a follower?"),
          {answer(as), answer(other)}};
}

// The looks take it for a prophet where none may stand.
Conclusions ProphetWhereNoneMayStand(const Ledger& ledger, const PlacedFigure& known, int turn) {
  std::vector<Turn> turns = ledger.game()->turns();
  turns[At(turn - 1)].deployment->kind = FigureKind::kProphet;
  Refusal refusal;
  if (ledger.Replay(turns, &refusal) || refusal.code != "prophet-only-in-city") return {};
  return MayNotStand(ColourOf(*ledger.game(), known), known.cell, refusal, kHalf);
}

// All looks together take it rather for a figure of another kind, or may do so. Where that one may
// stand there, too, it was that one once that is clear; else people are asked, but of an abbot, who
// shows it by leaving, while no point hangs on it. Where it may not, it is as much less likely as
// mistakes are rare.
Conclusions RereadKind(Ledger* ledger, const PlacedFigure& known, const FigureTrack& track,
                       int turn) {
  if (turn < 1 || ledger->FigureByHand(known.cell)) return {};
  const Turn as = TurnAt(*ledger, known.cell);
  if (!as.deployment) return {};
  for (const FigureKindEntry& other : AllFigureKinds()) {
    if (other.kind == known.kind) continue;
    const double lead = track.LeadOfKind(other.kind, known.kind);
    if (lead <= -kKindLead) continue;
    std::vector<Turn> turns = ledger->game()->turns();
    turns[At(turn - 1)].deployment->kind = other.kind;
    const bool may_stand = ledger->Replay(turns).has_value();
    const double odds = may_stand ? lead : lead - kReconsider;
    if (may_stand && odds >= kKindLead) {
      Turn better = as;
      better.deployment->kind = other.kind;
      Conclusions set = SetTurn(ledger, turn, better, "the figure's kind was read better");
      if (set.done) return set;
    }
    if (odds <= -kKindLead || track.looks() < (may_stand ? kPatience : kKindLooks)) continue;
    if (other.kind == FigureKind::kProphet && !may_stand && odds >= 0) {
      return ProphetWhereNoneMayStand(*ledger, known, turn);
    }
    const auto either = [&](FigureKind kind) { return known.kind == kind || other.kind == kind; };
    if (!either(FigureKind::kFollower)) continue;
    if (either(FigureKind::kProphet) || (either(FigureKind::kAbbot) && !may_stand)) {
      return Ask(ledger, turn, WhichKind(*ledger, known, other.kind));
    }
  }
  return {};
}

// Long doubtful, and by now told apart: it stood on another segment all along.
Conclusions StoodOnAnother(Mind& mind, const PlacedFigure& known, int turn, double clearest) {
  const std::vector<double>& logs = mind.figures.Track(known.cell).log_segments();
  const auto best = std::max_element(logs.begin(), logs.end());
  if (clearest >= kClearSegment || *best < logs[At(known.segment)] + kRevisingLead) return {};
  Turn better = TurnAt(mind.ledger, known.cell);
  better.deployment->segment = static_cast<int>(best - logs.begin());
  return SetTurn(&mind.ledger, turn, better, "the figure was read better");
}

// A figure of the game as it is seen now. `turn`: that laid its tile.
Conclusions SeeKnown(Mind& mind, const PlacedFigure& known, const FigureView& figure, int turn,
                     int amendable_from) {
  const std::string colour = ColourOf(mind.game(), known);
  FigureTrack& track = mind.figures.Track(known.cell);
  // In the game since before this look: that counts as one.
  if (turn <= amendable_from) track.Expect(colour);
  const FigureTrack before = track;
  // Gone for a while, and back though nobody may have touched it: the camera missed it.
  const bool missed = mind.differences.OnlyMissed(Difference::kFigureGone, known.cell);
  mind.habits.Saw(colour, BackdropOf(mind, TurnOf(mind, known), colour),
                  missed ? track.MissedNow() : 0);
  track.Saw(figure.seen, mind.sightings);
  Conclusions concluded = RereadColour(&mind.ledger, known, track, turn);
  if (concluded.done) return concluded;
  concluded += RereadKind(&mind.ledger, known, track, turn);
  if (concluded.done) return concluded;

  const PlacedTile* laid = mind.game().TileAt(known.cell);
  std::vector<double> shares = mind.segments.Likelihoods(figure, laid->tile, laid->rotation);
  double total = 0;
  for (const double share : shares) total += share;
  if (total <= 0) return concluded;
  for (double& share : shares) share /= total;
  track.AddSegments(shares);
  if (WrongPose(mind, known, figure, &track)) {
    const bool field = KindUnder(mind.game(), known) == SegmentKind::kField;
    concluded +=
        Wrong("figure-pose", Severity::kWarning, {known.cell},
              Text("The ", colour, " figure ", Where(known.cell),
                   field ? " stands on a field: lay it down." : " is lying down: stand it up."),
              kHalf);
    return concluded;
  }
  const double here = shares[At(known.segment)];
  const double clearest = track.SeenInPlace(here, mind.sightings);
  const auto now =
      static_cast<int>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  const bool amendable = turn >= 1 && turn >= amendable_from;
  if (now == known.segment || here >= (amendable ? kNotThere : kHardlyThere)) {
    concluded += StoodOnAnother(mind, known, turn, clearest);
  } else if (amendable) {
    // Set elsewhere on the tile before the next one is laid, or read wrongly so far.
    mind.figures.Unplace(known.cell, before);
    concluded += AmendTurn(mind, turn, figure);
  } else if (track.LastInPlace() > 0 &&
             mind.differences.Made(Difference::kFigureMoved, known.cell,
                                   MayHaveTouched(mind, known.cell, track.LastInPlace()))) {
    concluded +=
        Wrong("figure-moved", Severity::kIllegal, {known.cell},
              Text("The ", colour, " figure ", Where(known.cell), " was moved: put it back on its ",
                   ToString(KindUnder(mind.game(), known)), "."),
              std::min(kMostOfOneLook,
                       kHalf * std::log(std::max(here, kLeastHere)) / std::log(kNotThere)));
  } else {
    concluded += StoodOnAnother(mind, known, turn, clearest);
  }
  return concluded;
}

// A figure of the game is not seen.
Conclusions MissKnown(Mind& mind, const PlacedFigure& known) {
  FigureTrack& track = mind.figures.Track(known.cell);
  if (track.looks() == 0 && mind.ledger.FigureByHand(known.cell)) return {};
  track.Miss();
  const bool touched = MayHaveTouched(mind, known.cell, track.last_seen());
  if (!mind.differences.Made(Difference::kFigureGone, known.cell, touched) ||
      track.last_seen() == 0) {
    return {};
  }
  const int number = mind.game().TileAt(known.cell)->turn;
  // Until the next tile is laid, a player may think again.
  if (number == static_cast<int>(mind.game().turns().size()) && mind.may_take_back &&
      !mind.ledger.FigureByHand(known.cell)) {
    if (track.MissedNow() < kSurelyGone) return {};
    Turn without = TurnAt(mind.ledger, known.cell);
    without.deployment.reset();
    return SetTurn(&mind.ledger, number, without, "the figure was taken back");
  }
  // One that may have been set too late may have been taken back for that.
  if (track.MayHaveComeLate() && !mind.ledger.FigureByHand(known.cell)) {
    if (track.MissedNow() < kSurelyGone) return {};
    return AskIfSetInTurn(mind, number);
  }
  if (RatherCalledHome(mind, known)) return {};
  const std::string colour = ColourOf(mind.game(), known);
  const double usual = mind.habits.MissRate(colour, BackdropOf(mind, TurnOf(mind, known), colour));
  const double weight = std::min(kMostOfOneLook, -std::log(track.MissRate(usual)) / kGone);
  return Wrong("figure-taken-early", Severity::kIllegal, {known.cell},
               Text("The ", colour, " figure ", Where(known.cell), " was taken back although its ",
                    ToString(KindUnder(mind.game(), known)), " is not complete: put it back."),
               weight);
}

// Before the next tile was laid a look took a figure for a prophet where none may stand: one look
// alone does not tell.
bool TakenForAProphet(const Mind& mind, Cell cell, int number) {
  const FigureTrack* seen = mind.figures.FindUnplaced(cell);
  return number >= 1 && seen != nullptr &&
         seen->LeadOfKind(FigureKind::kProphet, FigureKind::kFollower) > 0 &&
         !mind.game().turns()[At(number - 1)].deployment;
}

// A figure that no turn explains stands on a tile that was not laid just now.
Conclusions ReviewStray(Mind& mind, Cell cell, const FigureView& figure, const Look& look) {
  Conclusions still_there = NotRecalled(mind, cell, figure);
  if (still_there.done) return still_there;
  if (const SentHome* home = LeftBehind(mind, cell, figure)) {
    return ReviewLeftBehind(mind, *home, figure, look);
  }
  if (figure.seen.probability < kSureFigure || figure.seen.colours.empty()) return {};
  Conclusions found = ReviewFound(mind, cell, figure);
  if (found.done) return found;
  const int number = mind.game().TileAt(cell)->turn;
  if (TakenForAProphet(mind, cell, number)) return AmendTurn(mind, number, figure);
  // Where no look showed the tile without it, or nobody can have set it since one did, it is only
  // seen better now.
  const std::uint64_t since = mind.cells[cell].LastWithoutOthers();
  const bool came = mind.differences.Made(Difference::kFigureCame, cell,
                                          since > 0 && MayHaveTouched(mind, cell, since));
  Conclusions later = number >= 1 ? SeenLater(mind, number, figure, came) : Conclusions();
  if (later.done) return later;
  // The same figure as told before, though its tile is no longer the last.
  for (const Finding& open : mind.ledger.findings()) {
    if (FamilyOf(open.code).figure_where_none_may && open.cells.front() == cell) {
      return Wrong(open.code, open.severity, open.cells, open.text, 1);
    }
  }
  if ((!came || NobodysTurn(mind, cell, figure)) && !mind.ledger.FigureByHand(cell)) return {};
  return Wrong("figure-not-on-last-tile", Severity::kIllegal, {cell},
               Text("A ", figure.seen.colours.front().colour, " figure was placed ", Where(cell),
                    ", which is not the tile just laid: take it back."),
               kHalf);
}

// The view that shows this figure of the game best; null: none does.
const FigureView* MatchOf(const Mind& mind, const PlacedFigure& known, const PlacedTile& laid,
                          const std::vector<const FigureView*>& views) {
  const std::string& colour = ColourOf(mind.game(), known);
  const FigureView* match = nullptr;
  double best = 0;
  for (const FigureView* view : views) {
    const double p = ProbabilityOfColour(view->seen, colour);
    const double share = ShareOf(mind.segments.Likelihoods(*view, laid.tile, laid.rotation),
                                 known.segment, kLeastTotal);
    // In another colour, but just where it stood: its colour is misread.
    if (p < kColourPossible && share < kSamePlace) continue;
    const double fit = (p + kColourFloor) * (share + kSegmentFloor);
    if (fit <= best) continue;
    best = fit;
    match = view;
  }
  return match;
}

// Seen too weakly to be believed, but enough not to be missed.
bool SeenWeakly(const Mind& mind, const CellView& view, const std::string& colour) {
  return std::any_of(view.figures.begin(), view.figures.end(), [&](const FigureView& f) {
    return f.seen.probability >= kWeakFigure &&
           f.seen.probability < mind.options.figure_certainty &&
           ProbabilityOfColour(f.seen, colour) >= kColourPossible;
  });
}

// A figure on this tile that is none of the game's.
Conclusions ReviewUnexplained(Mind& mind, const PlacedTile& laid, const FigureView& figure,
                              bool alone, const Look& look, int amendable_from) {
  const auto& homes = mind.ledger.sent_home();
  const bool sent_home = std::any_of(homes.begin(), homes.end(), [&](const SentHome& home) {
    return home.cell == laid.cell &&
           ProbabilityOfColour(figure.seen, home.colour) >= kColourPossible;
  });
  const bool last = laid.turn >= 1 && laid.turn >= amendable_from;
  if (!last || sent_home) return ReviewStray(mind, laid.cell, figure, look);
  if (alone) return AmendTurn(mind, laid.turn, figure);
  return Wrong("two-figures", Severity::kIllegal, {laid.cell},
               Text("Two figures were placed in one turn ", Where(laid.cell), ": take one back."),
               kHalf);
}

Conclusions ReviewCellFigures(Mind& mind, const PlacedTile& laid, const Look& look,
                              int amendable_from) {
  const CellView& view = look.At(laid.cell);
  std::vector<PlacedFigure> known;
  for (const PlacedFigure& figure : mind.game().Figures()) {
    if (figure.cell == laid.cell) known.push_back(figure);
  }
  std::vector<const FigureView*> unexplained;
  for (const FigureView& figure : view.figures) {
    if (figure.seen.probability >= mind.options.figure_certainty) unexplained.push_back(&figure);
  }
  Conclusions concluded;
  bool missing = false;
  const bool nobodys = MayBeNobodys(mind, laid.cell, look);
  std::size_t others = view.figures.size();
  for (const PlacedFigure& figure : known) {
    if (const FigureView* seen = MatchOf(mind, figure, laid, unexplained)) {
      std::erase(unexplained, seen);
      --others;
      concluded += SeeKnown(mind, figure, *seen, laid.turn, amendable_from);
      continue;
    }
    if (nobodys || SeenWeakly(mind, view, ColourOf(mind.game(), figure))) continue;
    missing = true;
    Conclusions recalled = Recalled(mind, figure, amendable_from);
    const bool explained = recalled.done;
    concluded += std::move(recalled);
    if (explained) continue;
    concluded += MissKnown(mind, figure);
    concluded += AskIfAnAbbotLeft(mind, figure);
  }
  if (others == 0 && !nobodys) {
    mind.cells[laid.cell].ShowedNoOthers(mind.sightings);
    mind.claims.NothingSeen(
        laid.cell, TilesAround(mind.game(), laid.cell),
        {SidesOpen(mind.game(), laid.cell), static_cast<int>(mind.game().turns().size())});
  }
  bool alone = known.empty() || missing;
  for (const FigureView* figure : unexplained) {
    concluded += ReviewUnexplained(mind, laid, *figure, alone, look, amendable_from);
    // The next one is the second of its turn.
    if (known.empty()) alone = !TurnAt(mind.ledger, laid.cell).deployment;
  }
  return concluded;
}

}  // namespace

Conclusions ReviewFigures(Mind& mind, const Look& look, int amendable_from) {
  const std::vector<PlacedTile> placed = mind.game().PlacedTiles();
  Conclusions concluded;
  for (const PlacedTile& laid : placed) {
    const CellView& view = look.At(laid.cell);
    if (view.hidden || !view.tile) continue;
    concluded += ReviewCellFigures(mind, laid, look, amendable_from);
  }
  if (amendable_from >= 1) concluded += AmendFromMemory(mind, look, amendable_from);
  for (const SentHome& home : mind.ledger.sent_home()) {
    const CellView& view = look.At(home.cell);
    if (view.hidden || !view.tile || !view.figures.empty()) continue;
    if (mind.figures.LooksGone(home.cell, home.turn) == 0) {
      mind.differences.Explain(Difference::kFigureGone);
    }
    mind.figures.SawGone(home.cell, home.turn);
  }
  std::set<Cell> in_game;
  for (const PlacedFigure& figure : mind.game().Figures()) in_game.insert(figure.cell);
  mind.figures.EndLook(look, in_game);
  return concluded;
}

}  // namespace tilewarden::engine
