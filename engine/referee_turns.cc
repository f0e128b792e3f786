// Turns taken down and put right: who moved, and what was deployed.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/referee_model.h"
#include "engine/referee_state.h"
#include "engine/text.h"

namespace tilewarden::engine {
namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

bool Returned(const Outcome& outcome, const Turn& turn) {
  return std::any_of(outcome.returned.begin(), outcome.returned.end(),
                     [&](const PlacedFigure& figure) {
                       return figure.cell == turn.cell && figure.player == turn.player &&
                              figure.segment == turn.deployment->segment;
                     });
}

}  // namespace

Referee::State::Visit Referee::State::HandCameBack(Cell cell, const TileReading& tile,
                                                   bool others_went_home) const {
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
  if (std::max(seen.covered_looks, glimpses) <= kSparseVisit) {
    // Taking home what others had there takes a visit too.
    if (others_went_home && !several_new) {
      // The first look of a visit that brought the tile is of laying it.
      const int looks = seen.covered_looks + (laid_before ? 1 : 0);
      return looks >= kSparseVisit ? (laid_before ? Visit::kLikely : Visit::kSure) : Visit::kNone;
    }
    if (glimpses >= 1) return Visit::kSure;
    if (explained >= 1) return Visit::kDoubtful;
    return seen.covered_looks >= 2 && !several_new ? Visit::kLikely : Visit::kNone;
  }
  return !several_new && seen.covered_to_ms - seen.covered_from_ms >= kLongVisit_ms ? Visit::kSure
                                                                                    : Visit::kNone;
}

std::vector<Deployment> Referee::State::ClaimsTakenHome(const Turn& turn,
                                                        const Game& before) const {
  Game scratch = before;
  Turn claim = turn;
  claim.recall.reset();
  claim.ark_path.clear();
  if (claim.player < 0) {
    claim.player = static_cast<int>(scratch.players().size());
    if (!scratch.AddPlayer("?", claim.player).ok()) return {};
  }
  std::vector<std::pair<int, Deployment>> claims;
  for (const Deployment& deployment :
       scratch.LegalDeployments(claim.player, turn.tile, {turn.cell, turn.rotation})) {
    Game after = scratch;
    claim.deployment = deployment;
    const std::optional<Outcome> outcome = after.Apply(claim);
    if (!outcome || !Returned(*outcome, claim)) continue;
    int points = 0;
    for (const ScoreItem& item : outcome->items) {
      if (item.player == claim.player) points += item.points;
    }
    if (points > 0) claims.push_back({points, deployment});
  }
  std::stable_sort(claims.begin(), claims.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Deployment> deployments;
  for (const auto& [points, deployment] : claims) deployments.push_back(deployment);
  return deployments;
}

void Referee::State::ConcludeClaim(Turn* turn, const Game& before, bool* inferred) {
  const std::vector<Deployment> claims = ClaimsTakenHome(*turn, before);
  if (claims.empty()) return;
  bool others_went_home = false;
  {
    Game after = before;
    const std::optional<Outcome> outcome = after.Apply(*turn);
    others_went_home = (outcome && !outcome->returned.empty()) || !turn->gingerbread.empty();
  }
  const Visit visit =
      turn->ark_landing && !several_new && game().TileAt(turn->cell) == nullptr
          ? HandsBesideArk(turn->cell, *turn->ark_landing, others_went_home)
          : HandCameBack(turn->cell, {turn->tile, turn->rotation, 1}, others_went_home);
  if (visit == Visit::kNone) return;
  if (turn->player < 0) {
    if (visit != Visit::kDoubtful) claim_for_later = ClaimPending{turn->cell, claims.front()};
    return;
  }
  // Claims first where a hand surely came back; else that nothing was claimed.
  const double claimed = visit == Visit::kSure     ? kSureVisit
                         : visit == Visit::kLikely ? kLikelyVisit
                                                   : kDoubtfulVisit;
  const std::string& who = game().players()[At(turn->player)].colour;
  std::vector<Question::Answer> answers;
  for (const Deployment& claim : claims) {
    Turn with = *turn;
    with.deployment = claim;
    const SegmentKind kind = tiles().types()[At(turn->tile)].segments[At(claim.segment)].kind;
    const char* with_what = claim.kind == FigureKind::kProphet ? ", with the prophet"
                            : claim.kind == FigureKind::kAbbot ? ", with the abbot"
                                                               : "";
    answers.push_back({Text("Yes, the ", ToString(kind), with_what),
                       {turn->cell},
                       with,
                       claimed / static_cast<double>(claims.size())});
  }
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

bool Referee::State::StillStranger(Cell cell) {
  Stranger& stranger = strangers[cell];
  if (stranger.last != sightings) ++stranger.looks;
  stranger.last = sightings;
  return stranger.looks < kStrangerLooks;
}

int Referee::State::Join(const std::string& colour, int turn_number) {
  const int newcomer = static_cast<int>(game().players().size());
  std::vector<int> evidence = Ledger::EvidenceOf(game().turns());
  evidence.resize(std::max(evidence.size(), At(turn_number)), -1);
  evidence[At(turn_number - 1)] = newcomer;
  const TurnOrder order = DeduceOrder(evidence, newcomer + 1, false, ledger.extra_turns());
  int position = newcomer;
  const auto seat = std::find(order.cycle.begin(), order.cycle.end(), newcomer);
  if (seat != order.cycle.end()) {
    // After the nearest known player before it in the cycle.
    position = 0;
    for (auto it = order.cycle.begin(); it != seat; ++it) {
      if (*it >= 0) position = *it + 1;
    }
  }
  return Emit(PlayerJoined{colour, position}) ? position : -1;
}

Turn Referee::State::CompleteTurn(Turn turn, const Game& before, int number, int expected,
                                  const CellView& view, bool* inferred) {
  *inferred = false;
  turn.player = expected;
  std::optional<FigureChoice> chosen;
  double chosen_weight = 0;
  for (const FigureView& figure : view.figures) {
    if (figure.seen.probability < options.figure_certainty) continue;
    std::optional<FigureChoice> choice = ReadFigure(figure, before, turn, expected);
    if (!choice) continue;
    const double weight =
        figure.seen.probability * choice->probability * (choice->refusal ? kIllegalFigureRate : 1);
    if (weight > chosen_weight) {
      chosen_weight = weight;
      chosen = std::move(choice);
    }
  }
  if (!chosen) {
    // Seen with a hand in view, gone on the still table: only a figure whose
    // feature this very tile completes was deployed and went home.
    for (const FigureView& figure : memory[turn.cell].figures) {
      std::optional<FigureChoice> choice = ReadFigure(figure, before, turn, expected);
      if (!choice || choice->refusal || choice->probability <= chosen_weight) continue;
      Game after = before;
      Turn whole = turn;
      whole.player = choice->player;
      whole.deployment = choice->deployment;
      if (whole.player < 0) {
        whole.player = static_cast<int>(after.players().size());
        if (!after.AddPlayer(choice->colour, whole.player).ok()) continue;
      }
      const std::optional<Outcome> outcome = after.Apply(whole);
      if (!outcome || !Returned(*outcome, whole)) continue;
      chosen_weight = choice->probability;
      chosen = std::move(choice);
    }
  }
  // A hand that moved the Ark was not there to claim anything: one thing a turn.
  if (!chosen && (several_new || !ark_moved)) ConcludeClaim(&turn, before, inferred);
  if (chosen) {
    if (chosen->player >= 0) {
      turn.player = chosen->player;
    } else if (!chosen->refusal) {
      // A new colour though everybody is known: once more, to be sure.
      if (expected >= 0 && StillStranger(turn.cell)) return turn;
      turn.player = Join(chosen->colour, number);
      if (turn.player < 0) return turn;
    }
    if (!chosen->refusal) turn.deployment = chosen->deployment;
  }
  return turn;
}

void Referee::State::NoteClaim(int number) {
  if (claim_for_later) Emit(*claim_for_later);
  claim_for_later.reset();
  if (doubt) Ask(number, std::move(doubt->text), std::move(doubt->answers));
  doubt.reset();
}

bool Referee::State::SetTurn(int number, const Turn& turn, std::string reason) {
  std::vector<Turn> turns = game().turns();
  if (turns[At(number - 1)] == turn) return false;
  turns[At(number - 1)] = turn;
  turns.erase(turns.begin(), turns.begin() + number - 1);
  return Emit(TurnsRevised{number, std::move(turns), std::move(reason)});
}

void Referee::State::AmendTurn(int number, const FigureView& figure) {
  Turn turn = game().turns()[At(number - 1)];
  const std::optional<Deployment> had = turn.deployment;
  const std::vector<Turn>& turns = game().turns();
  const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return;
  turn.deployment.reset();
  turn.recall.reset();
  turn.ark_path.clear();
  std::optional<FigureChoice> choice = ReadFigure(figure, *before, turn, turn.player);
  if (!choice) return;
  const Cell cell = turn.cell;
  if (!choice->refusal) {
    int player = choice->player;
    if (player < 0 && turn.player >= 0 && StillStranger(cell)) return;
    if (player < 0) player = Join(choice->colour, number);
    if (player < 0) return;
    turn = game().turns()[At(number - 1)];
    turn.player = player;
    turn.deployment = choice->deployment;
    turn.recall.reset();
    turn.ark_path.clear();
    if (turn == game().turns()[At(number - 1)]) return;
    if (SetTurn(number, turn,
                had ? "the figure was set elsewhere" : "a figure was set on the tile")) {
      tracks[cell] = FigureTrack();
      AddLook(&tracks[cell], figure);
      return;
    }
    Assert("figure-not-on-last-tile", Severity::kIllegal, {cell},
           Text("The ", choice->colour, " figure ", Where(cell),
                " came too late: a later tile has joined its feature. Take it back."),
           kHalf);
    return;
  }
  // On a tile that is itself in doubt nothing is sure.
  const bool sure = choice->probability >= kSureIllegal && MemoryOf(cell).clearest >= kClearReading;
  if (sure) {
    // Whatever it stands on, whose turn it was is plain.
    if (choice->player < 0) choice->player = Join(choice->colour, number);
    turn = game().turns()[At(number - 1)];
    if (choice->player >= 0 && turn.player != choice->player && !turn.deployment) {
      turn.player = choice->player;
      SetTurn(number, turn, "the figure tells whose turn it was");
    }
    if (Reconsider(number, *choice)) return;
  }
  Assert(choice->refusal->code, Severity::kIllegal, {cell},
         Text("The ", choice->colour, " figure ", Where(cell), " may not stand there. ",
              choice->refusal->text, " Take it back or set it elsewhere on its tile."),
         sure ? 1 : kHalf * kHalf);
}

bool Referee::State::Reconsider(int number, const FigureChoice& choice) {
  if (choice.player < 0 || choice.refusal->code != "feature-occupied") return false;
  std::vector<Turn> turns = game().turns();
  turns[At(number - 1)].player = choice.player;
  turns[At(number - 1)].deployment = choice.deployment;
  double best_log = -kReconsider;
  int best_turn = 0, best_segment = 0;
  for (int earlier = 1; earlier < number; ++earlier) {
    const Turn had = turns[At(earlier - 1)];
    if (!had.deployment) continue;
    const auto track = tracks.find(had.cell);
    if (track == tracks.end() || track->second.log_segment.empty()) continue;
    const std::vector<double>& logs = track->second.log_segment;
    for (std::size_t s = 0; s < logs.size(); ++s) {
      const double log_ratio = logs[s] - logs[At(had.deployment->segment)];
      if (static_cast<int>(s) == had.deployment->segment || log_ratio <= best_log) continue;
      turns[At(earlier - 1)].deployment->segment = static_cast<int>(s);
      if (ledger.Replay(turns)) {
        best_log = log_ratio;
        best_turn = earlier;
        best_segment = static_cast<int>(s);
      }
      turns[At(earlier - 1)] = had;
    }
  }
  if (best_turn == 0) return false;
  turns[At(best_turn - 1)].deployment->segment = best_segment;
  turns.erase(turns.begin(), turns.begin() + best_turn - 1);
  return Emit(TurnsRevised{best_turn, std::move(turns), "an earlier figure was read better"});
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
