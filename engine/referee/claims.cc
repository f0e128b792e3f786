// Claims that a hand hid: what a turn's own tile completed went home at once, so
// that no figure is left to be seen.
#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "engine/referee/model.h"
#include "engine/referee/state.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

}  // namespace

bool WentHomeAtOnce(const Turn& turn, const Outcome& outcome) {
  return std::any_of(outcome.returned.begin(), outcome.returned.end(),
                     [&](const PlacedFigure& figure) {
                       return figure.cell == turn.cell && figure.player == turn.player &&
                              figure.segment == turn.deployment->segment;
                     });
}

Referee::State::Visit Referee::State::HandCameBack(Cell cell, const TileReading& tile,
                                                   bool others_went_home, int neutral_hands) const {
  const auto found = memory.find(cell);
  if (found == memory.end()) return Visit::kNone;
  const CellMemory& seen = found->second;
  const bool laid_before = game().TileAt(cell) != nullptr;
  if (seen.covered_again && !several_new) return Visit::kSure;
  // A glimpse of this very tile beside or under the hand. A tile that is still
  // carried reads as another or lies across. A hand that was rather over another
  // new tile's place, not laid yet, was there to lay that one.
  int glimpses = 0, explained = 0;
  for (const CellMemory::HandView& view : seen.hands) {
    if (!view.laid) continue;
    const bool this_tile =
        view.readings.empty() ||
        std::any_of(view.readings.begin(), view.readings.end(), [&](const TileReading& reading) {
          return reading.tile == tile.tile && reading.probability >= kNotThisTile &&
                 faces.Same(tile.tile, reading.rotation, tile.rotation);
        });
    if (!this_tile) continue;
    const bool for_another =
        several_new && std::any_of(memory.begin(), memory.end(), [&](const auto& entry) {
          const CellMemory& other = entry.second;
          return entry.first != cell &&
                 std::any_of(other.hands.begin(), other.hands.end(), [&](const auto& hand) {
                   return hand.sighting == view.sighting &&
                          (hand.coverage > view.coverage ||
                           (hand.coverage == view.coverage && other.first_seen > view.sighting));
                 });
        });
    ++(for_another ? explained : glimpses);
  }
  if (std::max(seen.covered_looks, glimpses) - neutral_hands <= kSparseVisit) {
    // Taking home what others had there takes a visit too.
    if (others_went_home && !several_new) {
      // The first look of a visit that brought the tile is of laying it.
      const int looks = seen.covered_looks - neutral_hands + (laid_before ? 1 : 0);
      return looks >= kSparseVisit ? (laid_before ? Visit::kLikely : Visit::kSure) : Visit::kNone;
    }
    if (glimpses >= 1) return Visit::kSure;
    if (explained >= 1) return Visit::kDoubtful;
    return seen.covered_looks >= 2 && !several_new ? Visit::kLikely : Visit::kNone;
  }
  return !several_new && seen.covered_to_ms - seen.covered_from_ms >= kLongVisit_ms ? Visit::kSure
                                                                                    : Visit::kNone;
}

void Referee::State::CountLooks(const Turn& turn) {
  const CellMemory& seen = MemoryOf(turn.cell);
  const int hands_needed = turn.deployment && !claims.Concluded(turn.cell) ? 2 : 1;
  claims.CountTurn(several_new || seen.covered_looks < hands_needed);
}

std::vector<Referee::State::Claim> Referee::State::ClaimsTakenHome(const Turn& turn,
                                                                   const Game& before) const {
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
      return other.points == points && other.deployment.kind == deployment.kind;
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

void Referee::State::AddNextMover(const Game& before, std::vector<Question::Answer>* answers) {
  const TurnOrder& order = ledger.order();
  if (order.next_place < 0 || answers->empty()) return;
  const int next = order.cycle[At((order.next_place + 1) % order.players)];
  Question::Answer other = answers->front();
  if (next < 0 || next == other.turn.player) return;
  other.turn.player = next;
  if (before.Check(other.turn)) return;
  other.text += Text(", by ", game().players()[At(next)].colour);
  other.probability /= 2;
  answers->front().probability /= 2;
  answers->push_back(std::move(other));
}

void Referee::State::ConcludeClaim(Turn* turn, const Game& before, bool* inferred) {
  const std::vector<Claim> possible = ClaimsTakenHome(*turn, before);
  if (possible.empty()) return;
  bool others_went_home = false;
  {
    Game after = before;
    const std::optional<Outcome> outcome = after.Apply(*turn);
    others_went_home = (outcome && !outcome->returned.empty()) || !turn->gingerbread.empty();
  }
  int neutral_hands = 0;
  if (!turn->gingerbread.empty()) {
    const Cell man = turn->gingerbread.back().cell;
    neutral_hands = std::abs(man.x - turn->cell.x) <= 1 && std::abs(man.y - turn->cell.y) <= 1;
  }
  const Visit visit = turn->ark_landing && !several_new
                          ? HandsBesideArk(turn->cell, *turn->ark_landing, others_went_home)
                          : HandCameBack(turn->cell, {turn->tile, turn->rotation, 1},
                                         others_went_home, neutral_hands);
  const double missed = claims.ShareMissed();
  if (visit == Visit::kNone && (missed == 0 || turn->player < 0)) return;
  if (turn->player < 0) {
    if (visit != Visit::kDoubtful)
      claim_for_later = ClaimPending{turn->cell, possible.front().deployment};
    return;
  }
  // Claims first where a hand surely came back; else that nothing was claimed.
  // In which order several tiles were laid is not told: another one may have completed it.
  const double unseen =
      missed * kClaimsOwn / (missed * kClaimsOwn + 1 - kClaimsOwn) * (several_new ? kHalf : 1);
  const double claimed = visit == Visit::kSure       ? kSureVisit
                         : visit == Visit::kLikely   ? kLikelyVisit
                         : visit == Visit::kDoubtful ? kDoubtfulVisit
                                                     : unseen;
  const std::string& who = game().players()[At(turn->player)].colour;
  int ways = 0;
  for (const Claim& claim : possible) ways += claim.ways;
  std::vector<Question::Answer> answers;
  for (const auto& [deployment, points, same] : possible) {
    Turn with = *turn;
    with.deployment = deployment;
    const SegmentKind kind = tiles().types()[At(turn->tile)].segments[At(deployment.segment)].kind;
    const char* with_what = deployment.kind == FigureKind::kProphet ? ", with the prophet"
                            : deployment.kind == FigureKind::kAbbot ? ", with the abbot"
                                                                    : "";
    answers.push_back(
        {Text("Yes, the ", ToString(kind), with_what), {turn->cell}, with, claimed * same / ways});
  }
  if (visit == Visit::kNone && several_new) AddNextMover(before, &answers);
  answers.push_back({"No", {turn->cell}, *turn, 1 - claimed});
  std::stable_sort(answers.begin(), answers.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  if (answers.front().turn.deployment) {
    turn->deployment = answers.front().turn.deployment;
    *inferred = true;
  }
  if (answers.front().probability < kSureStory) {
    doubt = Doubt{Text("Did ", who, " claim what the tile ", Where(turn->cell), " completed?"),
                  std::move(answers)};
  }
}

void Referee::State::NoteClaim(int number) {
  if (claim_for_later) Emit(*claim_for_later);
  claim_for_later.reset();
  if (doubt) Ask(number, std::move(doubt->text), std::move(doubt->answers));
  doubt.reset();
}

// The last turn was taken down without a figure; then a hand came and went.
void Referee::State::AmendFromMemory(const Look& look, int number) {
  if (number > static_cast<int>(game().turns().size())) return;
  const Turn had = game().turns()[At(number - 1)];
  const CellView& view = look.At(had.cell);
  if (had.deployment || had.recall || ledger.FigureByHand(had.cell) || view.hidden || !view.tile ||
      !view.figures.empty())
    return;
  const auto found = memory.find(had.cell);
  if (found == memory.end()) return;
  CellMemory& seen = found->second;
  // A hand that laid the next tile had its own reason to be there.
  const bool next_laid = number < static_cast<int>(game().turns().size());
  const bool visited = !next_laid && seen.covered_looks >= 1 && seen.covered_looks <= kSparseVisit;
  if (seen.figures.empty() && !visited) return;

  const std::vector<Turn>& turns = game().turns();
  const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return;
  if (!visited) {
    // Only what was seen counts, not that something was covered.
    std::vector<FigureView> figures = std::move(seen.figures);
    seen.ForgetHands();
    seen.figures = std::move(figures);
  }
  bool inferred = false;
  Turn turn = had;
  turn.player = -1;
  if (had.ark_landing) FillNeutral(&turn, *before, look);
  const int expected = had.player;
  turn = CompleteTurn(turn, *before, number, expected, view, &inferred);
  if (inferred) claims.Conclude(turn.cell);
  if (turn.deployment) {
    if (inferred) {
      SetTurn(number, turn, "a hand came back to what the tile completed",
              RevisionCause::kClaimConcluded);
    } else {
      SetTurn(number, turn, "a figure was set on the tile and taken home");
    }
  }
  NoteClaim(number);
}

}  // namespace tilewarden::engine
