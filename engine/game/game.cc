#include "engine/game/game.h"

#include "engine/game/stack.h"

namespace tilewarden::engine {

Game::Game(EmptyTable, std::shared_ptr<const TileSet> tiles, Rules rules,
           std::vector<std::string> colours, const RuleBook& book, bool found)
    : book_(&book), position_(std::move(tiles), std::move(rules), book.kinds), found_(found) {
  for (const PartEntry& entry : book.parts) {
    if (entry.plays(tile_set(), this->rules(), found)) parts_.Add(entry.make());
  }
  parts_.Change([&](Part& part) { part.SetTable(position_); });
  parts_.Learn(tile_set());
  for (std::string& colour : colours) {
    const int seat = static_cast<int>(players().size());
    if (!position_.AddPlayer(std::move(colour), seat).ok()) break;
  }
}

Game::Game(std::shared_ptr<const TileSet> tiles, Rules rules, std::vector<std::string> colours,
           int start_rotation, const RuleBook& book)
    : Game(EmptyTable{}, std::move(tiles), std::move(rules), std::move(colours), book, false) {
  const int turn = start_rotation & 3;
  const int start = StartTile(tile_set(), this->rules());
  if (start < 0) {
    position_.OpenMiddle();
    return;
  }
  Lay(start, {{0, 0}, turn}, -1);
  for (const TileSet::StartTile& more : tile_set().more_start_tiles()) {
    Cell cell = more.cell;
    for (int i = 0; i < turn; ++i) cell = {-cell.y, cell.x};
    Lay(more.tile, {cell, (more.rotation + turn) & 3}, -1);
  }
  parts_.Change([&](Part& part) { part.SetUp(position_); });
}

absl::Status Game::AddPlayer(std::string colour, int position) {
  absl::Status status = position_.AddPlayer(std::move(colour), position);
  if (!status.ok()) return status;
  const auto moved = [position](int& player) {
    if (player >= position) ++player;
  };
  for (Turn& turn : turns_) {
    moved(turn.player);
    if (turn.purchase) moved(turn.purchase->seller);
  }
  return absl::OkStatus();
}

void Game::Lay(int tile, const Placement& at, int player) {
  position_.Lay(tile, at, player);
  parts_.Change<Hook::kLaid>([&](Part& part) { part.Laid(position_); });
}

std::optional<Refusal> Game::Check(const Turn& turn) const {
  if (std::optional<Refusal> why = CheckBasics(turn)) return why;
  // Some of what a turn must do shows only once the tile lies.
  const bool later = !turn.set_aside && parts_.First<Hook::kRefusesLater>([&](const Part& part) {
    return part.RefusesLater(turn);
  });
  if (!later) return std::nullopt;
  Game copy(*this);
  return copy.Play(turn);
}

std::optional<Outcome> Game::Apply(const Turn& turn, Refusal* refusal) {
  const std::size_t first_item = position_.items().size();
  const std::size_t first_returned = position_.returned().size();
  const auto refused = [&](std::optional<Refusal> why) {
    if (why && refusal != nullptr) *refusal = *std::move(why);
    return why.has_value();
  };
  if (refused(CheckBasics(turn)) || refused(Play(turn))) return std::nullopt;
  Outcome outcome;
  outcome.items.reserve(position_.items().size() - first_item);
  outcome.returned.reserve(position_.returned().size() - first_returned);
  for (std::size_t i = first_item; i < position_.items().size(); ++i) {
    outcome.items.push_back(scoring().Describe(position_.items()[i]));
  }
  for (std::size_t i = first_returned; i < position_.returned().size(); ++i) {
    outcome.returned.push_back(Describe(position_.returned()[i].figure));
  }
  outcome.extra_turn =
      !turn.set_aside && parts_.First<Hook::kGivesExtraTurn>([&](const Part& part) {
        return part.GivesExtraTurn(position_, turn);
      });
  return outcome;
}

// What can only be refused once the tile lies is refused here, and everything taken back.
std::optional<Refusal> Game::Play(const Turn& turn) {
  if (turns_.size() == turns_.capacity()) {
    turns_.reserve(position_.laid().capacity());
    marks_.reserve(position_.laid().capacity());
  }
  marks_.push_back(position_.BeginTurn());
  turns_.push_back(turn);
  parts_.Change<Hook::kBegin>([&](Part& part) { part.Begin(position_, turn); });
  if (turn.set_aside) {
    if (!rules().unplaceable_returns) position_.SetAside(turn.tile);
    return std::nullopt;
  }
  std::optional<Refusal> why = PlayOnTable(turn);
  if (why) Undo();
  return why;
}

// The turn in the order of the rules.
std::optional<Refusal> Game::PlayOnTable(const Turn& turn) {
  const Playing playing = {position_, parts_, turn};
  Lay(turn.tile, {turn.cell, turn.rotation}, turn.player);
  if (turn.deployment) {
    position_.Deploy({position_.NodeAt(position_.LastTile(), turn.deployment->segment),
                      static_cast<std::int8_t>(turn.player), turn.deployment->kind});
  }
  if (auto why = parts_.FirstChange<Hook::kAct>([&](Part& part) { return part.Act(playing); }))
    return why;
  const Position::Completed completed = position_.FindCompleted();
  const auto before = [&](Part& part) { return part.BeforeScoring(playing, completed); };
  if (auto why = parts_.FirstChange<Hook::kBeforeScoring>(before)) return why;
  ScoreCompleted(completed);
  return parts_.FirstChange<Hook::kAfterScoring>(
      [&](Part& part) { return part.AfterScoring(playing, completed); });
}

bool Game::Undo() {
  if (turns_.empty()) return false;
  const Position::Mark mark = marks_.back();
  const Turn turn = std::move(turns_.back());
  position_.TakeBack(mark);
  parts_.Undo(position_, turn);
  if (!turn.set_aside) {
    position_.TakeUp(mark);
  } else if (!rules().unplaceable_returns) {
    position_.PutBack(turn.tile);
  }
  position_.EndOfUndo();
  turns_.pop_back();
  marks_.pop_back();
  return true;
}

// A temple is decided by who stands around it, and nobody goes home from there but a
// follower on the temple itself, who counts for each one that this tile completes.
void Game::ScoreCompleted(const Position::Completed& completed) {
  constexpr int kRounds = 3;
  std::size_t scored = 0;
  for (int round = 0; round < kRounds && scored < completed.count; ++round) {
    for (std::size_t i = 0; i < completed.count; ++i) {
      const int root = completed.roots[i];
      const SegmentKind kind = position_.features().at(root).kind;
      if (scoring().Round(kind) != round) continue;
      ++scored;
      if (scoring().Claimants(root) == 0) continue;
      scoring().ForEachItem(root, Scoring::Cause::kCompleted,
                            [&](const Position::Item& item) { position_.AddItem(item); });
      if (kind != SegmentKind::kTemple) position_.ReturnFigures(root);
    }
    for (std::size_t i = 0; i < completed.count && rules().temple_follower_returns; ++i) {
      const int root = completed.roots[i];
      const SegmentKind kind = position_.features().at(root).kind;
      if (kind != SegmentKind::kTemple || scoring().Round(kind) != round) continue;
      if (position_.features().at(root).figures != 0) position_.ReturnFigures(root);
    }
  }
}

}  // namespace tilewarden::engine
