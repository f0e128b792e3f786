// Turns taken down and put right: who moved, and what was deployed.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "engine/referee/model.h"
#include "engine/referee/state.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Turn Referee::State::TurnAt(Cell cell) const {
  for (const Turn& turn : game().turns()) {
    if (turn.cell == cell && !turn.set_aside) return turn;
  }
  return FoundOn(cell);
}

int Referee::State::NumberByFirstSight(Cell cell) const {
  const std::uint64_t seen = memory.at(cell).first_settled;
  int number = static_cast<int>(game().turns().size()) + 1;
  while (number > 1) {
    const auto before = memory.find(game().turns()[static_cast<std::size_t>(number - 2)].cell);
    if (before == memory.end() || !before->second.taken_by_sight ||
        before->second.first_settled <= seen) {
      break;
    }
    --number;
  }
  return number;
}

// Takes down the turn that laid this tile; where later tiles were read before
// it, in front of their turns.
bool Referee::State::TakeDown(Cell cell, const TileReading& reading, const Look& look,
                              int expected) {
  const CellView& view = look.At(cell);
  const int last = static_cast<int>(game().turns().size()) + 1;
  bool inferred = false;
  if (const int number = NumberByFirstSight(cell); number < last) {
    const std::vector<Turn> turns = game().turns();
    const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + number - 1});
    Turn turn = Laying(before ? *before : game(), reading.tile, cell, reading.rotation);
    if (before) FillNeutral(&turn, *before, look);
    if (before && !before->Check(turn)) {
      const int mover = turns[static_cast<std::size_t>(number - 1)].player;
      turn = CompleteTurn(turn, *before, number, mover, view, &inferred);
      doubt.reset();
      claim_for_later.reset();
      std::vector<Turn> after = {turn};
      // A join may have moved the players' places.
      after.insert(after.end(), game().turns().begin() + number - 1, game().turns().end());
      for (Turn& later : after) {
        if (!later.deployment && !later.recall) later.player = -1;
      }
      if (Emit(TurnsRevised{number, std::move(after), "a tile was laid before the last one"})) {
        FillMovers();
        return true;
      }
    }
  }
  Turn turn = Laying(game(), reading.tile, cell, reading.rotation);
  FillNeutral(&turn, game(), look);
  turn = CompleteTurn(turn, game(), last, expected, view, &inferred);
  Game after = game();
  std::optional<Outcome> outcome = after.Apply(turn);
  if (!outcome || !Emit(TurnPlayed{turn, inferred, false, *std::move(outcome)})) {
    claim_for_later.reset();
    doubt.reset();
    return false;
  }
  if (inferred) claims.Conclude(cell);
  NoteClaim(last);
  CountLooks(turn);
  return true;
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
      if (!outcome || !WentHomeAtOnce(whole, *outcome)) continue;
      chosen_weight = choice->probability;
      chosen = std::move(choice);
    }
  }
  // A hand that moved the Ark was not there to claim anything: one thing a turn. Where it enters
  // both may be done.
  if (!chosen && (several_new || !ark_moved || turn.ark_landing))
    ConcludeClaim(&turn, before, inferred);
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

void Referee::State::FollowUnplaced(const Turn& turn, const FigureView& figure) {
  FigureTrack& track = unplaced[turn.cell];
  if (track.last_seen == sightings) return;
  // A hand may have set it elsewhere.
  if (MemoryOf(turn.cell).last_covered > track.last_seen) track.log_segment.clear();
  AddLook(&track, figure);
  std::vector<double> shares = SegmentLikelihoods(figure, turn.tile, turn.rotation);
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (total <= 0) return;
  for (double& share : shares) share /= total;
  AddSegments(&track, shares);
}

bool Referee::State::StillStranger(Cell cell) const {
  const auto found = unplaced.find(cell);
  const int looks = found == unplaced.end() ? 0 : found->second.looks;
  const bool counted = looks > 0 && found->second.last_seen == sightings;
  return looks + (counted ? 0 : 1) < kStrangerLooks;
}

int Referee::State::Join(const std::string& colour, int turn_number) {
  const int newcomer = static_cast<int>(game().players().size());
  std::vector<int> evidence = ledger.EvidenceOf(game().turns());
  evidence.resize(std::max(evidence.size(), At(turn_number)), -1);
  if (turn_number >= 1) evidence[At(turn_number - 1)] = newcomer;
  const TurnOrder order =
      DeduceOrder(evidence, ledger.joined() ? newcomer + 1 : 0, false, ledger.extra_turns());
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

bool Referee::State::SetTurn(int number, const Turn& turn, std::string reason,
                             RevisionCause cause) {
  if (number == 0) return SetFound(turn, std::move(reason));
  std::vector<Turn> turns = game().turns();
  if (turns[At(number - 1)] == turn) return false;
  turns[At(number - 1)] = turn;
  turns.erase(turns.begin(), turns.begin() + number - 1);
  return Emit(TurnsRevised{number, std::move(turns), std::move(reason), cause});
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
  FollowUnplaced(turn, figure);
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
      tracks[cell] = unplaced.at(cell);
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

bool Referee::State::ReconsiderKind(int number, const FigureChoice& choice) {
  std::vector<Turn> turns = game().turns();
  turns[At(number - 1)].player = choice.player;
  turns[At(number - 1)].deployment = choice.deployment;
  for (int earlier = number - 1; earlier >= 1; --earlier) {
    const Turn had = turns[At(earlier - 1)];
    if (had.player != choice.player || !had.deployment || !ledger.Concluded(had.cell) ||
        had.deployment->kind != choice.deployment.kind) {
      continue;
    }
    for (const FigureKind kind :
         {FigureKind::kFollower, FigureKind::kAbbot, FigureKind::kProphet}) {
      if (kind == had.deployment->kind) continue;
      turns[At(earlier - 1)].deployment->kind = kind;
      if (!ledger.Replay(turns)) continue;
      turns.erase(turns.begin(), turns.begin() + earlier - 1);
      return Emit(
          TurnsRevised{earlier, std::move(turns), "an earlier claim was with another figure"});
    }
    turns[At(earlier - 1)] = had;
  }
  return false;
}

bool Referee::State::Reconsider(int number, const FigureChoice& choice) {
  if (choice.player < 0) return false;
  if (choice.refusal->code == "none-in-supply") return ReconsiderKind(number, choice);
  if (choice.refusal->code != "feature-occupied") return false;
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

}  // namespace tilewarden::engine
