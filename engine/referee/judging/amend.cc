// Turns put right by a figure that is seen on their tile, or by one that cannot be explained.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// Taken for an abbot because a follower may not stand there, and nobody has said that it is one.
bool MayBeFollower(const Ledger& ledger, const Turn& turn) {
  return turn.deployment->kind == FigureKind::kAbbot && ledger.Asked(turn.cell) &&
         !ledger.FigureByHand(turn.cell);
}

// The player has none of these figures left: was another one meant by a claim that was
// concluded, not seen?
Conclusions ReconsiderKind(Ledger* ledger, int number, const FigureChoice& choice) {
  std::vector<Turn> turns = ledger->game()->turns();
  turns[At(number - 1)].player = choice.player;
  turns[At(number - 1)].deployment = choice.deployment;
  for (int earlier = number - 1; earlier >= 1; --earlier) {
    const Turn had = turns[At(earlier - 1)];
    if (had.player != choice.player || !had.deployment ||
        had.deployment->kind != choice.deployment.kind) {
      continue;
    }
    if (MayBeFollower(*ledger, had)) {
      turns[At(earlier - 1)].deployment.reset();
      if (!ledger->Replay(turns)) return {};
      turns.erase(turns.begin(), turns.begin() + earlier - 1);
      return Conclude(ledger, TurnsRevised{earlier, std::move(turns), "the abbot is elsewhere"});
    }
    if (!ledger->Concluded(had.cell)) continue;
    for (const FigureKindEntry& entry : AllFigureKinds()) {
      if (entry.neutral || entry.kind == had.deployment->kind) continue;
      turns[At(earlier - 1)].deployment->kind = entry.kind;
      if (!ledger->Replay(turns)) continue;
      turns.erase(turns.begin(), turns.begin() + earlier - 1);
      return Conclude(ledger, TurnsRevised{earlier, std::move(turns),
                                           "an earlier claim was with another figure"});
    }
    turns[At(earlier - 1)] = had;
  }
  return {};
}

// Its feature is occupied: was the figure that occupies it, doubtful then, read on the wrong
// segment?
Conclusions ReconsiderSegment(Mind& mind, int number, const FigureChoice& choice) {
  std::vector<Turn> turns = mind.game().turns();
  turns[At(number - 1)].player = choice.player;
  turns[At(number - 1)].deployment = choice.deployment;
  double best_log = -kReconsider;
  int best_turn = 0, best_segment = 0;
  for (int earlier = 1; earlier < number; ++earlier) {
    const Turn had = turns[At(earlier - 1)];
    if (!had.deployment) continue;
    const FigureTrack* track = mind.figures.FindTrack(had.cell);
    if (track == nullptr || track->log_segments().empty()) continue;
    const std::vector<double>& logs = track->log_segments();
    for (std::size_t s = 0; s < logs.size(); ++s) {
      const double log_ratio = logs[s] - logs[At(had.deployment->segment)];
      if (static_cast<int>(s) == had.deployment->segment || log_ratio <= best_log) continue;
      turns[At(earlier - 1)].deployment->segment = static_cast<int>(s);
      if (mind.ledger.Replay(turns)) {
        best_log = log_ratio;
        best_turn = earlier;
        best_segment = static_cast<int>(s);
      }
      turns[At(earlier - 1)] = had;
    }
  }
  if (best_turn == 0) return {};
  turns[At(best_turn - 1)].deployment->segment = best_segment;
  turns.erase(turns.begin(), turns.begin() + best_turn - 1);
  return Conclude(&mind.ledger,
                  TurnsRevised{best_turn, std::move(turns), "an earlier figure was read better"});
}

// The player seems to have none of these figures left. One of those that the game has on the board
// no look shows now: the account is in doubt, and people are asked about that one. Nothing: all are
// seen.
std::optional<Conclusions> DoubtAccount(Mind& mind, const FigureChoice& choice) {
  for (const PlacedFigure& figure : mind.game().Figures()) {
    const FigureTrack* track = mind.figures.FindTrack(figure.cell);
    const int number = mind.game().TileAt(figure.cell)->turn;
    if (figure.player != choice.player || figure.kind != choice.deployment.kind || number < 1 ||
        mind.ledger.FigureByHand(figure.cell) ||
        (track != nullptr && track->looks() > 0 && !track->Missing())) {
      continue;
    }
    return AskIfSet(mind, number);
  }
  return std::nullopt;
}

// The player seems to have no follower left, but a special figure that is told from one by its look
// or its size: the one of his figures that looks most like it is it.
Conclusions OneIsSpecial(Mind& mind, int number, const FigureChoice& choice) {
  if (choice.deployment.kind != FigureKind::kFollower) return {};
  const PlayerState& player = mind.game().players()[At(choice.player)];
  std::vector<Turn> turns = mind.game().turns();
  turns[At(number - 1)].player = choice.player;
  turns[At(number - 1)].deployment = choice.deployment;
  double best = -std::numeric_limits<double>::infinity();
  std::optional<TurnsRevised> revised;
  for (const FigureKind special : {FigureKind::kAbbot, FigureKind::kProphet}) {
    if (player.Supply(special) == 0) continue;
    for (int of = 1; of <= number; ++of) {
      const Turn had = turns[At(of - 1)];
      const FigureTrack* track =
          of == number ? mind.figures.FindUnplaced(had.cell) : mind.figures.FindTrack(had.cell);
      if (track == nullptr || had.player != choice.player || !had.deployment ||
          had.deployment->kind != FigureKind::kFollower || mind.ledger.FigureByHand(had.cell)) {
        continue;
      }
      const double lead = track->LeadOfKind(special, FigureKind::kFollower);
      if (lead <= best) continue;
      turns[At(of - 1)].deployment->kind = special;
      if (mind.ledger.Replay(turns)) {
        best = lead;
        revised = TurnsRevised{
            of, {turns.begin() + of - 1, turns.end()}, "the figure's kind was read better"};
      }
      turns[At(of - 1)] = had;
    }
  }
  return revised ? Conclude(&mind.ledger, *std::move(revised)) : Conclusions();
}

// A figure stands clearly where the game says it may not. Where that is so because an earlier one
// was read wrongly, puts that right.
Conclusions Reconsider(Mind& mind, int number, const FigureChoice& choice) {
  if (choice.player < 0) return {};
  if (choice.refusal->code == "none-in-supply") {
    Conclusions better = HisAbbotIsHere(mind, number, choice);
    if (!better.done) better = ReconsiderKind(&mind.ledger, number, choice);
    return better.done ? better : OneIsSpecial(mind, number, choice);
  }
  if (choice.refusal->code == "feature-occupied") return ReconsiderSegment(mind, number, choice);
  if (choice.refusal->code == "garden-needs-abbot") return HisAbbotIsHere(mind, number, choice);
  return {};
}

// Surer than players are of the rules.
bool SurelyAProphet(const FigureTrack& seen) {
  return seen.LeadOfKind(FigureKind::kProphet, FigureKind::kFollower) >= kReconsider;
}

// Abbots are taken for followers and followers for abbots, and followers for prophets: the other
// one of them, which may stand where this one may not. Nothing: it may not either, looks agree that
// it is a prophet where none may stand, or people said which it is.
std::optional<FigureChoice> OtherKind(const Mind& mind, const Game& before, Turn turn,
                                      const FigureChoice& choice) {
  const std::string& code = choice.refusal->code;
  const FigureTrack* seen = mind.figures.FindUnplaced(turn.cell);
  const bool no_prophet = choice.deployment.kind == FigureKind::kProphet &&
                          (code == "none-in-supply" || (code == "prophet-only-in-city" &&
                                                        seen != nullptr && !SurelyAProphet(*seen)));
  const bool follower = code == "garden-needs-abbot";
  if (!follower && !no_prophet && code != "abbot-wrong-feature") return std::nullopt;
  if (mind.ledger.FigureByHand(turn.cell)) return std::nullopt;
  FigureChoice other = choice;
  other.deployment.kind = follower ? FigureKind::kAbbot : FigureKind::kFollower;
  Game scratch = before;
  turn.player = choice.player;
  if (turn.player < 0) {
    turn.player = static_cast<int>(before.players().size());
    if (!scratch.AddPlayer(choice.colour, turn.player).ok()) return std::nullopt;
  }
  turn.deployment = other.deployment;
  other.refusal = scratch.Check(turn);
  return other.refusal ? std::nullopt : std::optional(other);
}

// The figure may stand there: it was set in this turn.
Conclusions SetInTurn(Mind& mind, int number, const FigureChoice& choice, int mover, bool had) {
  Conclusions concluded;
  const Cell cell = mind.game().turns()[At(number - 1)].cell;
  int player = choice.player;
  if (player < 0 && mover >= 0 && StillStranger(mind, cell)) return concluded;
  if (player < 0) {
    Joined joined = Join(&mind.ledger, choice.colour, number);
    player = joined.player;
    concluded += std::move(joined.concluded);
  }
  if (player < 0) return concluded;
  Turn turn = mind.game().turns()[At(number - 1)];
  turn.player = player;
  turn.deployment = choice.deployment;
  turn.recall.reset();
  turn.ark_path.clear();
  if (turn == mind.game().turns()[At(number - 1)]) return concluded;
  Conclusions set =
      SetTurn(&mind.ledger, number, turn,
              had ? "the figure was placed elsewhere" : "a figure was placed on the tile");
  if (set.done) {
    mind.figures.Place(cell);
    CellMemory& seen = mind.cells[cell];
    if (seen.LastCovered() <= seen.FirstSettled()) seen.HadFigure();
    concluded += std::move(set);
    return concluded;
  }
  concluded += Wrong("figure-not-on-last-tile", Severity::kIllegal, {cell},
                     Text("The ", choice.colour, " figure ", Where(cell),
                          " came too late: a later tile has joined its feature. Take it back."),
                     kHalf);
  return concluded;
}

}  // namespace

void TrackUnplaced(Mind& mind, const Turn& turn, const FigureView& figure) {
  FigureTrack& track = mind.figures.Unplaced(turn.cell);
  if (track.last_seen() == mind.sightings) return;
  // A hand may have set it elsewhere.
  if (mind.cells.LastCovered(turn.cell) > track.last_seen()) track.ForgetSegments();
  track.Saw(figure.seen, mind.sightings);
  std::vector<double> shares = mind.segments.Likelihoods(figure, turn.tile, turn.rotation);
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (total <= 0) return;
  for (double& share : shares) share /= total;
  track.AddSegments(shares);
}

bool StillStranger(const Mind& mind, Cell cell) {
  const FigureTrack* seen = mind.figures.FindUnplaced(cell);
  const int looks = seen == nullptr ? 0 : seen->looks();
  const bool counted = looks > 0 && seen->last_seen() == mind.sightings;
  return looks + (counted ? 0 : 1) < kStrangerLooks;
}

Condition MayNotStand(const std::string& colour, Cell cell, const Refusal& refusal, double weight) {
  return Wrong(refusal.code, Severity::kIllegal, {cell},
               Text("The ", colour, " figure ", Where(cell), " may not stand there. ", refusal.text,
                    " Take it back, or place it elsewhere on its tile."),
               weight);
}

Conclusions AmendTurn(Mind& mind, int number, const FigureView& figure) {
  Turn turn = mind.game().turns()[At(number - 1)];
  const bool had = turn.deployment.has_value();
  const std::vector<Turn>& turns = mind.game().turns();
  const std::optional<Game> before =
      mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return {};
  turn.deployment.reset();
  turn.recall.reset();
  turn.ark_path.clear();
  std::optional<FigureChoice> choice = ReadFigure(mind, figure, *before, turn, turn.player);
  if (!choice) return {};
  const Cell cell = turn.cell;
  TrackUnplaced(mind, turn, figure);
  if (choice->refusal) {
    if (auto other = OtherKind(mind, *before, turn, *choice)) choice = std::move(other);
  }
  if (!choice->refusal) return SetInTurn(mind, number, *choice, turn.player, had);

  Conclusions concluded;
  // On a tile that is itself in doubt nothing is sure.
  const bool sure = choice->probability >= kSureIllegal && mind.cells[cell].OnceClear();
  if (sure) {
    // Whatever it stands on, it is clear whose turn it was.
    if (choice->player < 0) {
      Joined joined = Join(&mind.ledger, choice->colour, number);
      choice->player = joined.player;
      concluded += std::move(joined.concluded);
    }
    turn = mind.game().turns()[At(number - 1)];
    if (choice->player >= 0 && turn.player != choice->player && !turn.deployment) {
      turn.player = choice->player;
      concluded += SetTurn(&mind.ledger, number, turn, "the figure shows whose turn it was");
    }
    Conclusions better = Reconsider(mind, number, *choice);
    const bool done = better.done;
    concluded += std::move(better);
    if (done) return concluded;
  }
  if (choice->refusal->code == "none-in-supply") {
    if (std::optional<Conclusions> doubt = DoubtAccount(mind, *choice)) {
      concluded += *std::move(doubt);
      return concluded;
    }
  }
  // A prophet is told by his size alone: two looks must agree.
  const double of_sure = choice->deployment.kind == FigureKind::kProphet ? kMostOfOneLook : 1;
  concluded += MayNotStand(choice->colour, cell, *choice->refusal, sure ? of_sure : kHalf * kHalf);
  return concluded;
}

}  // namespace tilewarden::engine
