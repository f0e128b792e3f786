// Folding: what each event changes, and why it may not fit.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "engine/referee/ledger.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

absl::Status Mismatch(std::string text) { return absl::DataLossError(std::move(text)); }

}  // namespace

absl::Status Ledger::Take(const GameStarted&) { return Mismatch("the game starts twice"); }

absl::Status Ledger::Take(const StartTileLaid& laid) {
  if (game_) return Mismatch("the start tile is laid twice");
  if (joined_) return Mismatch("the start tile is laid on a board that is joined");
  start_rotation_ = laid.rotation & 3;
  game_.emplace(tiles_, rules_, colours_, start_rotation_);
  TurnsChanged();
  return absl::OkStatus();
}

absl::Status Ledger::Take(const BoardFound& board) {
  if (!joined_ || board.tiles.empty()) return Mismatch("a board is found that is not joined");
  const std::size_t players = game_ ? game_->players().size() : colours_.size();
  for (std::size_t i = 0; i < players; ++i) {
    const std::string& colour = game_ ? game_->players()[i].colour : colours_[i];
    if (i >= board.colours.size() || board.colours[i] != colour) {
      return Mismatch(Text("a board is found without ", colour));
    }
  }
  const std::string fault = FaultInFound(*tiles_, board.colours.size(), board.tiles);
  if (!fault.empty()) return Mismatch(Text("a board that was found: ", fault));
  std::vector<Turn> before = std::exchange(found_, board.tiles);
  Refusal refusal;
  const auto turns = game_ ? game_->turns() : std::vector<Turn>();
  std::optional<Game> replayed = ReplayWith(board.colours, turns, &refusal);
  if (!replayed) {
    found_ = std::move(before);
    return Mismatch(Text("turns do not fit the board that was found: ", refusal.text));
  }
  for (const Turn& tile : board.tiles) {
    if (board.cause == RevisionCause::kCorrectedByHand &&
        std::find(before.begin(), before.end(), tile) == before.end()) {
      set_by_hand_[tile.cell] = true;
    }
  }
  game_ = *std::move(replayed);
  TurnsChanged();
  return absl::OkStatus();
}

absl::Status Ledger::Take(const PlayerJoined& joined) {
  if (!game_) return Mismatch(Text(joined.colour, " joins before the start tile lies"));
  if (absl::Status added = game_->AddPlayer(joined.colour, joined.position); !added.ok()) {
    return Mismatch(std::string(added.message()));
  }
  for (Question& question : questions_) {
    for (Question::Answer& answer : question.answers) {
      if (answer.turn.player >= joined.position) ++answer.turn.player;
      std::optional<Purchase>& purchase = answer.turn.purchase;
      if (purchase && purchase->seller >= joined.position) ++purchase->seller;
    }
  }
  for (Turn& tile : found_) {
    if (tile.player >= joined.position) ++tile.player;
  }
  TurnsChanged();
  return absl::OkStatus();
}

absl::Status Ledger::Take(const PlayersArranged& arranged) {
  if (!game_) return Mismatch("players are arranged before the start tile lies");
  std::vector<int> now;  // by present index
  for (const PlayerState& player : game_->players()) {
    const auto found = std::find(arranged.colours.begin(), arranged.colours.end(), player.colour);
    now.push_back(
        found == arranged.colours.end() ? -1 : static_cast<int>(found - arranged.colours.begin()));
  }
  const auto move = [&](int& player) {
    if (player < 0) return true;
    player = now[static_cast<std::size_t>(player)];
    return player >= 0;
  };
  if (arranged.colours.size() > now.size())
    return Mismatch("somebody is arranged who never joined");
  std::vector<Turn> turns = game_->turns();
  for (Turn& turn : turns) {
    if (!move(turn.player)) return Mismatch("a player with turns is gone");
    if (turn.purchase && !move(turn.purchase->seller)) return Mismatch("who sold a tile is gone");
  }
  std::vector<Turn> found = found_;
  for (Turn& tile : found) {
    if (!move(tile.player)) return Mismatch("a player with a figure is gone");
  }
  std::swap(found, found_);
  std::optional<Game> game = ReplayWith(arranged.colours, turns);
  if (!game) {
    found_ = std::move(found);
    return Mismatch("turns do not fit the players any longer");
  }
  for (Question& question : questions_) {
    std::erase_if(question.answers, [&](Question::Answer& a) {
      return !move(a.turn.player) || (a.turn.purchase && !move(a.turn.purchase->seller));
    });
  }
  std::erase_if(points_by_hand_, [&](const PointsChanged& changed) {
    return std::find(arranged.colours.begin(), arranged.colours.end(), changed.colour) ==
           arranged.colours.end();
  });
  game_ = *std::move(game);
  TurnsChanged();
  return absl::OkStatus();
}

absl::Status Ledger::Take(const ClaimPending& claim) {
  if (!game_ || game_->TileAt(claim.cell) == nullptr) return Mismatch("a claim on no tile");
  pending_claims_[claim.cell] = claim.deployment;
  concluded_.insert(claim.cell);
  return absl::OkStatus();
}

absl::Status Ledger::Take(const QuestionAsked& asked) {
  if (asked.question.id < next_question_id_ || asked.question.answers.empty()) {
    return Mismatch(Text("question ", asked.question.id, " is asked twice, or has no answers"));
  }
  questions_.push_back(asked.question);
  next_question_id_ = asked.question.id + 1;
  if (asked.question.OfATurn()) {
    (asked.question.which_tile ? asked_tiles_ : asked_)
        .insert(asked.question.answers.front().turn.cell);
  }
  if (asked.question.playing_with) asked_kinds_.insert(*asked.question.playing_with);
  asked_river_ = asked_river_ || asked.question.OfARiver();
  return absl::OkStatus();
}

absl::Status Ledger::Take(const QuestionClosed& closed) {
  const auto found = std::find_if(questions_.begin(), questions_.end(),
                                  [&](const Question& q) { return q.id == closed.id; });
  if (found == questions_.end()) return Mismatch(Text("question ", closed.id, " is not open"));
  if (closed.answer >= static_cast<int>(found->answers.size())) {
    return Mismatch(Text("question ", closed.id, " has no such answer"));
  }
  if (closed.answer >= 0 && found->OfATurn()) {
    (found->which_tile ? answered_tiles_ : answered_)
        .insert(found->answers[static_cast<std::size_t>(closed.answer)].turn.cell);
    order_ = OrderOf(EvidenceOf(game_->turns()));
  }
  questions_.erase(found);
  return absl::OkStatus();
}

absl::Status Ledger::Take(const TurnPlayed& played) {
  if (!game_) return Mismatch("a turn before the start tile lies");
  Refusal refusal;
  if (!game_->Apply(played.turn, &refusal)) {
    return Mismatch(Text("turn ", game_->turns().size() + 1, ": ", refusal.text));
  }
  taken_back_.erase(played.turn.cell);
  if (played.inferred) concluded_.insert(played.turn.cell);
  if (played.by_hand) set_by_hand_[played.turn.cell] = true;
  TurnsChanged();
  return absl::OkStatus();
}

absl::Status Ledger::Take(const TurnsRevised& revised) {
  if (!game_) return Mismatch("turns are revised before the start tile lies");
  const std::vector<Turn>& before = game_->turns();
  if (revised.number < 1 || revised.number > static_cast<int>(before.size()) + 1) {
    return Mismatch(Text("there is no turn ", revised.number, " to revise"));
  }
  const auto kept = static_cast<std::size_t>(revised.number - 1);
  std::vector<Turn> turns(before.begin(), before.begin() + revised.number - 1);
  turns.insert(turns.end(), revised.turns.begin(), revised.turns.end());
  Refusal refusal;
  int at = 0;
  std::optional<Game> replayed = Replay(turns, &refusal, &at);
  if (!replayed) return Mismatch(Text("revised turn ", at + 1, ": ", refusal.text));

  if (revised.cause == RevisionCause::kCorrectedByHand) {
    for (std::size_t i = kept; i < turns.size(); ++i) {
      if (i >= before.size() || turns[i] != before[i]) set_by_hand_[turns[i].cell] = true;
    }
  }
  if (revised.cause == RevisionCause::kTakenBackByHand) {
    for (std::size_t i = kept; i < before.size(); ++i) {
      taken_back_[before[i].cell] = {before[i].cell, before[i].rotation};
    }
  }
  // Another claim than was concluded has been seen.
  for (const Turn& turn : turns) {
    const auto had = std::find_if(before.begin(), before.end(),
                                  [&](const Turn& t) { return t.cell == turn.cell; });
    if (had == before.end()) continue;
    const auto pending = pending_claims_.find(turn.cell);
    if (turn.deployment && had->deployment != turn.deployment &&
        (pending == pending_claims_.end() || pending->second != *turn.deployment) &&
        (!had->deployment || had->deployment->segment != turn.deployment->segment)) {
      concluded_.erase(turn.cell);
    }
    if (revised.cause == RevisionCause::kClaimConcluded && had->deployment != turn.deployment) {
      concluded_.insert(turn.cell);
    }
    // What was asked of one player is asked of whoever it was.
    for (Question& question : questions_) {
      for (Question::Answer& answer : question.answers) {
        const bool his = answer.turn.cell == turn.cell && answer.turn.player == had->player;
        if (his && turn.player >= 0) answer.turn.player = turn.player;
      }
    }
  }
  game_ = *std::move(replayed);
  // Another tile may come to lie where one was taken up again.
  for (std::set<Cell>* cells : {&asked_tiles_, &answered_tiles_}) {
    std::erase_if(*cells, [&](Cell cell) { return game_->TileAt(cell) == nullptr; });
  }
  TurnsChanged();
  return absl::OkStatus();
}

absl::Status Ledger::Take(const FindingRaised& raised) {
  if (raised.finding.id < next_finding_id_) {
    return Mismatch(Text("finding ", raised.finding.id, " is raised twice"));
  }
  findings_.push_back(raised.finding);
  next_finding_id_ = raised.finding.id + 1;
  return absl::OkStatus();
}

absl::Status Ledger::Take(const FindingCleared& cleared) {
  const auto found = std::find_if(findings_.begin(), findings_.end(),
                                  [&](const Finding& f) { return f.id == cleared.id; });
  if (found == findings_.end()) return Mismatch(Text("finding ", cleared.id, " is not open"));
  findings_.erase(found);
  return absl::OkStatus();
}

absl::Status Ledger::Take(const PointsChanged& changed) {
  if (!game_) return Mismatch("points are changed before the start tile lies");
  const auto& players = game_->players();
  if (std::none_of(players.begin(), players.end(),
                   [&](const PlayerState& player) { return player.colour == changed.colour; })) {
    return Mismatch(Text("points are changed of ", changed.colour, ", whom nobody plays"));
  }
  points_by_hand_.push_back(changed);
  return absl::OkStatus();
}

absl::Status Ledger::TakeTiles(const RulesChanged& changed) {
  if (joined_ || (game_ && !game_->turns().empty())) {
    return Mismatch("the tiles change after the first turn");
  }
  const bool last = !played_with_.empty() && played_with_.back().tiles_before == changed.tile_set;
  if (changed.taken_back && !last) {
    return Mismatch("an answer is taken back that is not the last one");
  }
  auto tiles = find_tile_set_(changed.tile_set);
  if (!tiles.ok()) return Mismatch(std::string(tiles.status().message()));
  if (changed.taken_back) {
    played_with_.pop_back();
  } else {
    played_with_.push_back({changed.playing_with, {}, 0, tiles_->id()});
  }
  tiles_ = *std::move(tiles);
  // Other tiles begin, and what was said of those before does not count.
  game_.reset();
  findings_.clear();
  set_by_hand_.clear();
  taken_back_.clear();
  start_rotation_ = 0;
  if (start_laid_by_hand_) game_.emplace(tiles_, rules_, colours_);
  TurnsChanged();
  return absl::OkStatus();
}

absl::Status Ledger::Take(const RulesChanged& changed) {
  if (!changed.tile_set.empty()) return TakeTiles(changed);
  if (!game_) return Mismatch("the rules change before the start tile lies");
  const bool answered = !played_with_.empty() && played_with_.back().kind == changed.playing_with;
  if (changed.taken_back && !answered) {
    return Mismatch("an answer is taken back that is not the last one");
  }
  Rules rules = rules_;
  for (const auto& [name, value] : changed.rules) {
    if (absl::Status set = rules.Set(name, value); !set.ok()) {
      return Mismatch(std::string(set.message()));
    }
  }
  std::vector<Turn> turns = game_->turns();
  if (changed.number > 0) {
    if (static_cast<std::size_t>(changed.number) + changed.turns.size() != turns.size() + 1) {
      return Mismatch(Text("there is no turn ", changed.number, " that other rules change"));
    }
    turns.resize(static_cast<std::size_t>(changed.number - 1));
    turns.insert(turns.end(), changed.turns.begin(), changed.turns.end());
  }
  Rules before = std::exchange(rules_, std::move(rules));
  Refusal refusal;
  int at = 0;
  std::optional<Game> replayed = Replay(turns, &refusal, &at);
  if (!replayed) {
    rules_ = std::move(before);
    return Mismatch(Text("by other rules turn ", at + 1, ": ", refusal.text));
  }
  if (changed.taken_back) {
    played_with_.pop_back();
  } else {
    played_with_.push_back({changed.playing_with, OptionsToSet(rules_, before),
                            static_cast<int>(game_->turns().size())});
  }
  std::swap(*game_, *replayed);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Turn& had = replayed->turns()[i];
    const bool same = had.gingerbread == turns[i].gingerbread &&
                      had.ark_landing == turns[i].ark_landing && had.ark_path == turns[i].ark_path;
    if (!same) TakeOverWays(turns[i]);
  }
  TurnsChanged();
  return absl::OkStatus();
}

void Ledger::TakeOverWays(const Turn& turn) {
  for (Question& question : questions_) {
    for (Question::Answer& answer : question.answers) {
      if (!question.OfATurn() || answer.turn.cell != turn.cell) continue;
      answer.turn.gingerbread = turn.gingerbread;
      answer.turn.ark_landing = turn.ark_landing;
      const bool acts = answer.turn.deployment || answer.turn.recall;
      answer.turn.ark_path = acts ? std::vector<Cell>() : turn.ark_path;
    }
  }
}

absl::Status Ledger::Take(const GameEnded& over) {
  if (!game_) return Mismatch("the game ends before the start tile lies");
  final_items_ = over.final_items;
  ended_ = true;
  return absl::OkStatus();
}

}  // namespace tilewarden::engine
