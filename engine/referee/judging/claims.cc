// Claims that a hand hid: what a turn's own tile completed went home at once, so
// that no figure is left to be seen.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// Whether a hand came back to the tile after it was laid.
enum class Visit { kNone, kDoubtful, kLikely, kSure };

// A claim that its own turn completes. Claims that pay the same are one story: nothing ever tells
// them apart.
struct Claim {
  Deployment deployment;
  int points = 0;  // for the mover
  int ways = 1;    // claims that pay the same with the same kind of figure
};

// The view shows this very tile beside or under the hand. A tile that is still carried reads as
// another or lies across.
bool Glimpsed(const HandVisits::View& view, const Turn& turn, const TileFaces& faces) {
  if (!view.laid) return false;
  return view.readings.empty() ||
         std::any_of(view.readings.begin(), view.readings.end(), [&](const TileReading& reading) {
           return reading.tile == turn.tile && reading.probability >= kNotThisTile &&
                  faces.Same(turn.tile, reading.rotation, turn.rotation);
         });
}

// `neutral_hands`: looks at a hand that set the Gingerbread Man on or beside the tile.
Visit HandCameBack(const Mind& mind, const Turn& turn, bool others_went_home, int neutral_hands) {
  const CellMemory* memory = mind.cells.Find(turn.cell);
  if (memory == nullptr) return Visit::kNone;
  const HandVisits& seen = memory->visits();
  const bool several_new = mind.shown.several_new;
  if (seen.CoveredAgain() && !several_new) return Visit::kSure;
  // A hand that was rather over another new tile's place, not laid yet, was there to lay that one.
  int glimpses = 0, explained = 0;
  for (const HandVisits::View& view : seen.views()) {
    if (!Glimpsed(view, turn, mind.faces)) continue;
    const bool for_another = several_new && mind.cells.RatherElsewhere(turn.cell, view);
    ++(for_another ? explained : glimpses);
  }
  if (std::max(seen.CoveredLooks(), glimpses) - neutral_hands > kSparseVisit) {
    return !several_new && seen.Duration_ms() >= kLongVisit_ms ? Visit::kSure : Visit::kNone;
  }
  // Taking back what others had there takes a visit of the hand too.
  if (others_went_home && !several_new) {
    // The first look of a visit that brought the tile is of laying it.
    const bool laid_before = mind.game().TileAt(turn.cell) != nullptr;
    const int looks = seen.CoveredLooks() - neutral_hands + (laid_before ? 1 : 0);
    if (looks < kSparseVisit) return Visit::kNone;
    return laid_before ? Visit::kLikely : Visit::kSure;
  }
  if (glimpses >= 1) return Visit::kSure;
  if (explained >= 1) return Visit::kDoubtful;
  return seen.CoveredLooks() >= 2 && !several_new ? Visit::kLikely : Visit::kNone;
}

// Whether a hand came back to the tile that brought the Ark: hands that were rather over the new
// tile than over the Ark's, besides the one that laid it and one that takes home what others had
// there.
Visit HandsBesideArk(const Mind& mind, const Turn& turn, bool others_went_home) {
  const bool laid_before = mind.game().TileAt(turn.cell) != nullptr;
  const int explained =
      (laid_before ? 0 : 1) + (*turn.ark_landing == turn.cell ? 1 : 0) + (others_went_home ? 1 : 0);
  return mind.ark_hands.Beside(turn.cell, *turn.ark_landing) > explained ? Visit::kSure
                                                                         : Visit::kNone;
}

// Some of the figures that the turn sends home are gone: a hand has taken them.
bool TakenHome(const Mind& mind, const std::optional<Outcome>& outcome) {
  return outcome && std::any_of(outcome->returned.begin(), outcome->returned.end(),
                                [&](const PlacedFigure& figure) {
                                  return !mind.shown.figures.contains(figure.cell);
                                });
}

// Looks at hands show that the mover took a figure from his supply, and it is there again.
bool FigureWasAway(const Mind& mind, const Turn& turn) {
  return SupplySpeaksForOneAtOnce(mind, turn) > 1;
}

// After the tile was laid a hand came beside it, and nothing changed: looks may have missed that it
// was over the tile.
bool CameBeside(const Mind& mind, const Turn& turn) {
  return mind.game().TileAt(turn.cell) != nullptr && mind.game().turns().back().cell == turn.cell &&
         !mind.shown.several_new && mind.last_hands.EverNear(turn.cell);
}

Visit VisitTo(const Mind& mind, const Turn& turn, const Game& before) {
  Game after = before;
  const bool others_went_home = TakenHome(mind, after.Apply(turn)) || !turn.gingerbread.empty();
  if (turn.ark_landing && !mind.shown.several_new) {
    return HandsBesideArk(mind, turn, others_went_home);
  }
  int neutral_hands = 0;
  if (!turn.gingerbread.empty()) {
    const Cell man = turn.gingerbread.back().cell;
    neutral_hands = std::abs(man.x - turn.cell.x) <= 1 && std::abs(man.y - turn.cell.y) <= 1;
  }
  const Visit visit = HandCameBack(mind, turn, others_went_home, neutral_hands);
  if (visit != Visit::kNone) return visit;
  return FigureWasAway(mind, turn) || (!others_went_home && CameBeside(mind, turn))
             ? Visit::kDoubtful
             : Visit::kNone;
}

// How likely the mover claimed what the tile completed.
double ChanceOfClaim(const Mind& mind, Visit visit) {
  switch (visit) {
    case Visit::kSure:
      return kSureVisit;
    case Visit::kLikely: {
      const double share = mind.claims.ShareOfLongVisits();
      // That share is of all turns, half of which set a figure; of what they complete players claim
      // nearly all.
      const double set = share * kClaimsOwn;
      return set / (set + (1 - share) * (1 - kClaimsOwn));
    }
    case Visit::kDoubtful:
      return kDoubtfulVisit;
    case Visit::kNone:
      break;
  }
  // In which order several tiles were laid is not told: another one may have completed it.
  const double missed = mind.claims.ShareMissed();
  return missed * kClaimsOwn / (missed * kClaimsOwn + 1 - kClaimsOwn) *
         (mind.shown.several_new ? kHalf : 1);
}

// Whether it is no matter which of the two came home at once.
bool AreAlikeAtHome(FigureKind a, FigureKind b) {
  const auto plain = [](FigureKind kind) {
    return kind == FigureKind::kLargeFollower ? FigureKind::kFollower : kind;
  };
  return plain(a) == plain(b);
}

// Those of this turn's mover, the one worth most first.
std::vector<Claim> ClaimsTakenHome(const Turn& turn, const Game& before) {
  Game scratch = before;
  Turn claim = turn;
  claim.recall.reset();
  claim.ark_path.clear();
  if (claim.player < 0) {
    claim.player = static_cast<int>(scratch.players().size());
    // All who may play are known, only not whose turn it was: one stands for any.
    if (!scratch.AddPlayer("?", claim.player).ok()) claim.player = 0;
  }
  std::vector<Claim> claims;
  for (const Deployment& deployment :
       scratch.LegalDeployments(claim.player, turn.tile, {turn.cell, turn.rotation})) {
    // What claims nothing was not set for what the tile completes.
    if (StrengthOf(deployment.kind) == 0) continue;
    Game after = scratch;
    claim.deployment = deployment;
    const std::optional<Outcome> outcome = after.Apply(claim);
    if (!outcome || !WentHomeAtOnce(claim, *outcome)) continue;
    int points = 0;
    for (const ScoreItem& item : outcome->items) {
      if (item.player == claim.player) points += item.points;
    }
    if (points <= 0) continue;
    const auto same = std::find_if(claims.begin(), claims.end(), [&](const Claim& other) {
      return other.points == points && AreAlikeAtHome(other.deployment.kind, deployment.kind);
    });
    if (same != claims.end()) {
      ++same->ways;
    } else {
      claims.push_back({deployment, points, 1});
    }
  }
  std::stable_sort(claims.begin(), claims.end(),
                   [](const Claim& a, const Claim& b) { return a.points > b.points; });
  return claims;
}

// Where the order of several turns is open: the same claim by the player after the next.
void AddNextMover(const Ledger& ledger, const Game& before,
                  std::vector<Question::Answer>* answers) {
  const TurnOrder& order = ledger.order();
  if (order.next_place < 0 || answers->empty()) return;
  const int next = order.cycle[At((order.next_place + 1) % order.players)];
  Question::Answer other = answers->front();
  if (next < 0 || next == other.turn.player) return;
  other.turn.player = next;
  if (before.Check(other.turn)) return;
  other.text += Text(", by ", ledger.game()->players()[At(next)].colour);
  other.probability /= 2;
  answers->front().probability /= 2;
  answers->push_back(std::move(other));
}

// What the mover may have claimed, and that nothing was: most likely first.
std::vector<Question::Answer> StoriesOf(const Mind& mind, const Turn& turn, const Game& before,
                                        const std::vector<Claim>& claims, Visit visit) {
  // The hand may have claimed something else, which no look shows.
  const std::string& mover = mind.game().players()[At(turn.player)].colour;
  const double elsewhere = std::min(1.0, kElsewhere * mind.habits.ShareSeenLater(mover));
  const double by_visit =
      ChanceOfClaim(mind, visit) * (1 - elsewhere) * (1 - ChanceOfEarlierClaim(mind, turn, before));
  const double supply = SupplySpeaksForOneAtOnce(mind, turn);
  const double claimed = by_visit * supply / (by_visit * supply + 1 - by_visit);
  int ways = 0;
  for (const Claim& claim : claims) ways += claim.ways;
  std::vector<Question::Answer> answers;
  for (const auto& [deployment, points, same] : claims) {
    Turn with = turn;
    with.deployment = deployment;
    const SegmentKind kind =
        mind.tiles().types()[At(turn.tile)].segments[At(deployment.segment)].kind;
    const std::string with_what = deployment.kind == FigureKind::kFollower
                                      ? ""
                                      : Text(", with the ", WordOf(deployment.kind));
    answers.push_back(
        {Text("Yes, the ", ToString(kind), with_what), {turn.cell}, with, claimed * same / ways});
  }
  if (visit == Visit::kNone && mind.shown.several_new) AddNextMover(mind.ledger, before, &answers);
  answers.push_back({"No", {turn.cell}, turn, 1 - claimed});
  std::stable_sort(answers.begin(), answers.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return answers;
}

}  // namespace

bool WentHomeAtOnce(const Turn& turn, const Outcome& outcome) {
  return std::any_of(outcome.returned.begin(), outcome.returned.end(),
                     [&](const PlacedFigure& figure) {
                       return figure.cell == turn.cell && figure.player == turn.player &&
                              figure.segment == turn.deployment->segment;
                     });
}

bool MayHaveSet(const Mind& mind, const Turn& turn, const Game& before) {
  if (turn.deployment || turn.recall) return false;
  if (VisitTo(mind, turn, before) != Visit::kNone) return true;
  // What hands did before the board was read for the first time, nobody knows; and where one put
  // the Gingerbread Man, it may have put a figure, too.
  const CellMemory* seen = mind.cells.Find(turn.cell);
  const bool unwatched = mind.hands.LastSettled() == 0;
  const bool beside_man = !turn.gingerbread.empty() && seen != nullptr &&
                          seen->visits().CoveredLooks() >= kLooksAtTwoHands;
  return (unwatched || beside_man) && !ClaimsTakenHome(turn, before).empty();
}

void CountVisit(Mind& mind, const Turn& turn, bool inferred) {
  if (inferred || turn.player < 0 || VisitTo(mind, turn, mind.game()) < Visit::kLikely) return;
  // What it completed may have been claimed and taken home: that shows nothing.
  if (turn.deployment || ClaimsTakenHome(turn, mind.game()).empty()) {
    mind.claims.CountLongVisit(turn.deployment.has_value());
  }
}

void CountLooks(Mind& mind, const Turn& turn) {
  const CellMemory* seen = mind.cells.Find(turn.cell);
  const int hands_needed = turn.deployment && !mind.claims.Concluded(turn.cell) ? 2 : 1;
  mind.claims.CountTurn(mind.shown.several_new || seen == nullptr ||
                        seen->visits().CoveredLooks() < hands_needed);
  if (turn.deployment && turn.player >= 0 && !mind.claims.Concluded(turn.cell)) {
    const std::string& colour = mind.game().players()[At(turn.player)].colour;
    mind.habits.Set(colour, BackdropOf(mind, turn, colour), false);
  }
}

HiddenClaim ReadHiddenClaim(const Mind& mind, const Turn& turn, const Game& before) {
  HiddenClaim claim;
  const std::vector<Claim> possible = ClaimsTakenHome(turn, before);
  if (possible.empty()) return claim;
  const Visit visit = VisitTo(mind, turn, before);
  if (visit == Visit::kNone && (mind.claims.ShareMissed() == 0 || turn.player < 0)) return claim;
  if (turn.player < 0) {
    if (visit != Visit::kDoubtful) {
      claim.for_later = ClaimPending{turn.cell, possible.front().deployment};
    }
    return claim;
  }
  std::vector<Question::Answer> answers = StoriesOf(mind, turn, before, possible, visit);
  const double supply = SupplySpeaksForOneAtOnce(mind, turn);
  // Until a visit has shown what hands come back for at this table, nobody knows how these people
  // play; the supply may tell.
  const bool strangers = visit == Visit::kLikely && !mind.claims.AnyLongVisits() && supply == 1;
  const bool sure = answers.front().probability >= kSureStory && !strangers;
  // No figure was taken from the supply yet: the mover may claim it in the next look.
  if (supply < 1 && !sure) return claim;
  claim.deployment = answers.front().turn.deployment;
  if (!sure) {
    const std::string& who = mind.game().players()[At(turn.player)].colour;
    claim.doubt = Doubt{Text("Did ", who, " claim what the tile ", Where(turn.cell), " completed?"),
                        std::move(answers)};
  }
  return claim;
}

Conclusions NoteClaim(Ledger* ledger, int number, HiddenClaim claim) {
  Conclusions concluded;
  if (claim.for_later) concluded += Conclude(ledger, *claim.for_later);
  if (claim.doubt) concluded += Ask(ledger, number, *std::move(claim.doubt));
  return concluded;
}

Conclusions AmendFromMemory(Mind& mind, const Look& look, int number) {
  if (number > static_cast<int>(mind.game().turns().size())) return {};
  const Turn had = mind.game().turns()[At(number - 1)];
  const CellView& view = look.At(had.cell);
  if (had.deployment || had.recall || mind.ledger.FigureByHand(had.cell) || view.hidden ||
      !view.tile || !view.figures.empty() || mind.cells.Find(had.cell) == nullptr) {
    return {};
  }
  HandVisits& seen = mind.cells[had.cell].visits();
  // A hand that laid the next tile was there for that.
  const bool next_laid = number < static_cast<int>(mind.game().turns().size());
  // Many looks at a short visit tell no more than that a hand was there; but hands that brought the
  // Ark are told from others however many looks there were.
  const bool told =
      seen.CoveredLooks() <= kSparseVisit || seen.Duration_ms() >= kLongVisit_ms || had.ark_landing;
  const bool visited =
      !next_laid && ((seen.CoveredLooks() >= 1 && told) || FigureWasAway(mind, had));
  const bool beside = !visited && !next_laid && CameBeside(mind, had);
  if (seen.figures().empty() && !visited && !beside) return {};

  const std::vector<Turn>& turns = mind.game().turns();
  const std::optional<Game> before =
      mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return {};
  if (!visited) seen.ForgetAllButFigures();
  Turn turn = had;
  turn.player = -1;
  if (had.ark_landing) FillNeutral(mind, &turn, *before, look);
  Game after = *before;
  const std::optional<Outcome> outcome = after.Apply(had);
  const bool nothing_else = outcome && outcome->returned.empty() && had.gingerbread.empty();
  // Whose turn it was may be known later.
  const bool for_later = beside && had.player < 0 && !ClaimsTakenHome(had, *before).empty();
  if ((visited && (nothing_else || MayHaveSet(mind, had, *before))) || for_later) {
    mind.claims.HandCameBack(had.cell);
  }
  CompletedTurn completed = CompleteTurn(mind, turn, *before, number, had.player, view);
  Conclusions concluded = std::move(completed.joined);
  if (completed.inferred) {
    mind.claims.Conclude(had.cell);
    concluded +=
        SetTurn(&mind.ledger, number, completed.turn, "a hand came back to what the tile completed",
                RevisionCause::kClaimConcluded);
  } else if (completed.turn.deployment) {
    concluded += SetTurn(&mind.ledger, number, completed.turn,
                         "a figure was placed on the tile and taken home");
  }
  concluded += NoteClaim(&mind.ledger, number, std::move(completed.claim));
  return concluded;
}

}  // namespace tilewarden::engine
