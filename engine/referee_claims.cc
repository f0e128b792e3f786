// Claims that a hand hid: what a turn's own tile completed went home at once, so
// that no figure is left to be seen.
#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "engine/referee_model.h"
#include "engine/referee_state.h"
#include "engine/text.h"

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
      if (looks < kSparseVisit) return MayHaveComeBack(cell, true);
      return laid_before ? Visit::kLikely : Visit::kSure;
    }
    if (glimpses >= 1) return Visit::kSure;
    if (explained >= 1) return Visit::kDoubtful;
    if (seen.covered_looks >= 2 && !several_new) return Visit::kLikely;
  } else if (!several_new && seen.covered_to_ms - seen.covered_from_ms >= kLongVisit_ms) {
    return Visit::kSure;
  }
  return MayHaveComeBack(cell, others_went_home);
}

Referee::State::Visit Referee::State::MayHaveComeBack(Cell cell, bool others_went_home) const {
  if (missing_looks == 0) return Visit::kNone;
  // Of looks at a hand over several new tiles, those at which it was over this one
  // most.
  const CellMemory& seen = memory.at(cell);
  const auto over_another = [&](const CellMemory::HandView& view) {
    return std::any_of(memory.begin(), memory.end(), [&](const auto& entry) {
      const auto& [other, at_other] = entry;
      return other != cell && at_other.first_settled == seen.first_settled &&
             std::any_of(at_other.hands.begin(), at_other.hands.end(), [&](const auto& hand) {
               return hand.sighting == view.sighting && hand.coverage > view.coverage;
             });
    });
  };
  int looks = seen.covered_looks;
  if (several_new) {
    looks = static_cast<int>(std::count_if(seen.hands.begin(), seen.hands.end(),
                                           [&](const auto& view) { return !over_another(view); }));
  }
  // Without a look at a hand the missing one was of laying the tile. What others had
  // there takes a visit too, and so does what was done before the tile was seen.
  const bool laid_before = game().TileAt(cell) != nullptr;
  const int needed = kLayAndClaim + (others_went_home ? 1 : 0) + (laid_before ? 1 : 0);
  return looks >= 1 && looks + missing_looks >= needed ? Visit::kUnseen : Visit::kNone;
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

void Referee::State::ConcludeClaim(Turn* turn, const Game& before, bool* inferred) {
  const std::vector<Claim> claims = ClaimsTakenHome(*turn, before);
  if (claims.empty()) return;
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
  const Visit visit = turn->ark_landing && !several_new && game().TileAt(turn->cell) == nullptr
                          ? HandsBesideArk(turn->cell, *turn->ark_landing, others_went_home)
                          : HandCameBack(turn->cell, {turn->tile, turn->rotation, 1},
                                         others_went_home, neutral_hands);
  if (visit == Visit::kNone) return;
  if (turn->player < 0) {
    if (visit == Visit::kUnseen) {
      unseen_claims.insert(turn->cell);
    } else if (visit != Visit::kDoubtful) {
      claim_for_later = ClaimPending{turn->cell, claims.front().deployment};
    }
    return;
  }
  // Claims first where a hand surely came back; else that nothing was claimed.
  const double claimed = visit == Visit::kSure     ? kSureVisit
                         : visit == Visit::kLikely ? kLikelyVisit
                         : visit == Visit::kUnseen ? kUnseenVisit
                                                   : kDoubtfulVisit;
  std::vector<Question::Answer> stories = ClaimStories(*turn, claims, claimed);
  DoubtClaim(*turn, stories);
  if (stories.front().turn.deployment) {
    turn->deployment = stories.front().turn.deployment;
    *inferred = true;
  }
}

std::vector<Question::Answer> Referee::State::ClaimStories(const Turn& turn,
                                                           const std::vector<Claim>& claims,
                                                           double claimed) const {
  int ways = 0;
  for (const Claim& claim : claims) ways += claim.ways;
  std::vector<Question::Answer> stories;
  for (const auto& [deployment, points, same] : claims) {
    Turn with = turn;
    with.deployment = deployment;
    const SegmentKind kind = tiles().types()[At(turn.tile)].segments[At(deployment.segment)].kind;
    const char* with_what = deployment.kind == FigureKind::kProphet ? ", with the prophet"
                            : deployment.kind == FigureKind::kAbbot ? ", with the abbot"
                                                                    : "";
    stories.push_back(
        {Text("Yes, the ", ToString(kind), with_what), {turn.cell}, with, claimed * same / ways});
  }
  stories.push_back({"No", {turn.cell}, turn, 1 - claimed});
  std::stable_sort(stories.begin(), stories.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return stories;
}

void Referee::State::DoubtClaim(const Turn& turn, std::vector<Question::Answer> stories) {
  if (stories.front().probability >= kSureStory) return;
  doubt = Doubt{Text("Did ", game().players()[At(turn.player)].colour, " claim what the tile ",
                     Where(turn.cell), " completed?"),
                std::move(stories)};
}

void Referee::State::AskUnseenClaims() {
  const std::set<Cell> cells = unseen_claims;
  for (const Cell cell : cells) {
    const std::vector<Turn>& turns = game().turns();
    const auto found = std::find_if(turns.begin(), turns.end(), [&](const Turn& turn) {
      return turn.cell == cell && !turn.set_aside;
    });
    const bool over = found == turns.end() || found->deployment || found->recall;
    if (!over && found->player < 0) continue;
    unseen_claims.erase(cell);
    if (over) continue;
    const std::optional<Game> before = ledger.Replay({turns.begin(), found});
    if (!before) continue;
    const std::vector<Claim> claims = ClaimsTakenHome(*found, *before);
    if (claims.empty()) continue;
    DoubtClaim(*found, ClaimStories(*found, claims, kDoubtfulVisit));
    NoteClaim(static_cast<int>(found - turns.begin()) + 1);
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
  const int expected = had.player;
  turn = CompleteTurn(turn, *before, number, expected, view, &inferred);
  if (inferred) claims_concluded.insert(turn.cell);
  if (turn.deployment) SetTurn(number, turn, "a figure was set on the tile and taken home");
  NoteClaim(number);
}

}  // namespace tilewarden::engine
