#include "engine/referee/ledger.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// What people change, also in a game that has ended: it is scored anew.
bool IsCorrection(const Event& event) {
  if (const auto* revised = std::get_if<TurnsRevised>(&event)) {
    return revised->cause == RevisionCause::kCorrectedByHand ||
           revised->cause == RevisionCause::kAnswered;
  }
  if (const auto* board = std::get_if<BoardFound>(&event)) {
    return board->cause == RevisionCause::kCorrectedByHand;
  }
  return std::holds_alternative<PointsChanged>(event);
}

// What comes of that.
bool ClosesMatter(const Event& event) {
  return std::holds_alternative<FindingCleared>(event) ||
         std::holds_alternative<QuestionClosed>(event);
}

}  // namespace

absl::StatusOr<Ledger> Ledger::Start(std::shared_ptr<const TileSet> tiles,
                                     const GameStarted& started, FindTileSet find_tile_set) {
  Ledger ledger;
  ledger.tiles_ = std::move(tiles);
  ledger.find_tile_set_ = std::move(find_tile_set);
  for (const auto& [name, value] : started.rules) {
    if (absl::Status set = ledger.rules_.Set(name, value); !set.ok()) return set;
  }
  if (started.colours.size() > Game::kMaxPlayers) {
    return absl::InvalidArgumentError("at most six players can play");
  }
  for (std::size_t i = 0; i < started.colours.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (started.colours[i] == started.colours[k]) {
        return absl::InvalidArgumentError(
            Text("two players cannot both play ", started.colours[i]));
      }
    }
  }
  ledger.colours_ = started.colours;
  ledger.joined_ = started.joined;
  ledger.start_laid_by_hand_ = started.start_tile_laid;
  if (started.start_tile_laid) {
    ledger.game_.emplace(ledger.tiles_, ledger.rules_, ledger.colours_);
  }
  ledger.TurnsChanged();
  return ledger;
}

absl::Status Ledger::Fold(const Event& event) {
  const auto take = [&] { return std::visit([this](const auto& e) { return Take(e); }, event); };
  if (!ended_) return take();
  if (ClosesMatter(event)) return take();
  if (!IsCorrection(event)) return absl::DataLossError("an event after the game's end");
  if (absl::Status status = take(); !status.ok()) return status;
  final_items_ = game_->ScoreIfEndedNow();
  ++corrected_after_end_;
  return absl::OkStatus();
}

std::vector<std::string> Ledger::ColoursOfPlayers() const {
  std::vector<std::string> colours;
  for (const PlayerState& player : game_->players()) colours.push_back(player.colour);
  return colours;
}

std::optional<Game> Ledger::Replay(const std::vector<Turn>& turns, Refusal* refusal,
                                   int* at) const {
  return ReplayWith(ColoursOfPlayers(), turns, refusal, at);
}

Game Ledger::BeginBy(const Rules& rules) const { return Begin(ColoursOfPlayers(), rules); }

const PlayedWith* Ledger::LastPlayedWith() const {
  const int turns = game_ ? static_cast<int>(game_->turns().size()) : 0;
  const bool last = !played_with_.empty() && played_with_.back().turn >= turns;
  return last ? &played_with_.back() : nullptr;
}

Game Ledger::Begin(std::vector<std::string> colours, const Rules& rules) const {
  return found_.empty() ? Game(tiles_, rules, std::move(colours), start_rotation_)
                        : Game::AsFound(tiles_, rules, std::move(colours), found_);
}

std::optional<Game> Ledger::ReplayWith(std::vector<std::string> colours,
                                       const std::vector<Turn>& turns, Refusal* refusal,
                                       int* at) const {
  Game game = Begin(std::move(colours), rules_);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (!game.Apply(turns[i], refusal)) {
      if (at != nullptr) *at = static_cast<int>(i);
      return std::nullopt;
    }
  }
  return game;
}

// What follows from the turns.
void Ledger::TurnsChanged() {
  sent_home_.clear();
  supplies_.clear();
  extra_turns_.clear();
  order_ = TurnOrder();
  if (!game_) return;

  // Figures that turns deployed and that no longer stand went home.
  const std::vector<std::string> colours = ColoursOfPlayers();
  Game replay = Begin(colours, rules_);
  supplies_.resize(colours.size());
  const auto count_supplies = [&] {
    for (std::size_t player = 0; player < supplies_.size(); ++player) {
      const auto& supply = replay.players()[player].supply;
      supplies_[player].push_back(std::accumulate(supply.begin(), supply.end(), 0));
    }
  };
  count_supplies();
  for (std::size_t i = 0; i < game_->turns().size(); ++i) {
    const std::optional<Outcome> outcome = replay.Apply(game_->turns()[i]);
    if (!outcome) break;
    count_supplies();
    extra_turns_.push_back(outcome->extra_turn);
    for (const PlacedFigure& figure : outcome->returned) {
      sent_home_.push_back({colours[static_cast<std::size_t>(figure.player)], figure.kind,
                            figure.cell, figure.segment, static_cast<int>(i) + 1});
    }
  }
  order_ = OrderOf(EvidenceOf(game_->turns()));

  // Questions and claims about tiles that were taken up again are over.
  const auto laid = [&](Cell cell) { return game_->TileAt(cell) != nullptr; };
  std::erase_if(pending_claims_, [&](const auto& entry) {
    const PlacedTile* tile = game_->TileAt(entry.first);
    return tile == nullptr || tile->player >= 0;
  });
  std::erase_if(concluded_, [&](Cell cell) { return !laid(cell); });
  std::erase_if(asked_, [&](Cell cell) { return !laid(cell); });
  std::erase_if(answered_, [&](Cell cell) { return !laid(cell); });
}

TurnOrder Ledger::OrderOf(const std::vector<int>& evidence) const {
  const int players = static_cast<int>(game_->players().size());
  if (found_.empty()) {
    return DeduceOrder(evidence, players_given() ? players : 0, players_given(), extra_turns_);
  }
  // Whose turn it is on a board that was found, the first figure after that tells.
  const bool begun =
      std::any_of(evidence.begin(), evidence.end(), [](int player) { return player >= 0; });
  return DeduceOrder(evidence, players, players_given() && begun, extra_turns_);
}

std::vector<int> Ledger::EvidenceOf(const std::vector<Turn>& turns) const {
  std::vector<int> evidence;
  for (const Turn& turn : turns) {
    const bool seen = turn.recall || (turn.deployment && !Concluded(turn.cell));
    // A tile that was bought was laid in the turn of who had drawn it.
    evidence.push_back(turn.purchase ? turn.purchase->seller : seen ? turn.player : -1);
  }
  return evidence;
}

}  // namespace tilewarden::engine
