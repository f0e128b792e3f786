#include "engine/referee/referee.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "engine/referee/state.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {

Referee::State::State(Ledger book, RefereeOptions tunables)
    : ledger(std::move(book)), options(tunables), faces(*ledger.tiles()) {}

bool Referee::State::Emit(Event event) {
  if (!ledger.Fold(event).ok()) return false;
  if (std::holds_alternative<TurnPlayed>(event)) may_take_back = true;
  if (out != nullptr) out->push_back(std::move(event));
  return true;
}

Referee::Referee(std::unique_ptr<State> state) : state_(std::move(state)) {}
Referee::Referee(Referee&&) noexcept = default;
Referee& Referee::operator=(Referee&&) noexcept = default;
Referee::~Referee() = default;

absl::StatusOr<Referee> Referee::Start(std::shared_ptr<const TileSet> tiles, GameStarted started,
                                       std::vector<Event>* events, RefereeOptions options) {
  absl::StatusOr<Ledger> ledger = Ledger::Start(std::move(tiles), started);
  if (!ledger.ok()) return ledger.status();
  if (events != nullptr) events->push_back(std::move(started));
  return Referee(std::make_unique<State>(*std::move(ledger), options));
}

absl::StatusOr<Referee> Referee::Create(std::shared_ptr<const TileSet> tiles, Rules rules,
                                        std::vector<std::string> colours, bool lay_start_tile,
                                        std::vector<Event>* events, RefereeOptions options) {
  GameStarted started{tiles->id(), rules.ToMap(), std::move(colours), lay_start_tile};
  return Start(std::move(tiles), std::move(started), events, options);
}

absl::StatusOr<Referee> Referee::Join(std::shared_ptr<const TileSet> tiles, Rules rules,
                                      std::vector<std::string> colours, std::vector<Event>* events,
                                      RefereeOptions options) {
  if (rules.ark != ArkEdition::kNone || rules.gingerbread) {
    return absl::InvalidArgumentError(
        "a game with the Ark or the Gingerbread Man cannot be joined in the middle: watch it from "
        "its start tile on");
  }
  if (rules.area) {
    return absl::InvalidArgumentError(
        "a game on a table with an agreed edge cannot be joined in the middle: its edge is counted "
        "from the start tile, which looks like others");
  }
  GameStarted started{tiles->id(), rules.ToMap(), std::move(colours), false, true};
  return Start(std::move(tiles), std::move(started), events, options);
}

absl::StatusOr<Referee> Referee::Restore(std::shared_ptr<const TileSet> tiles,
                                         const std::vector<Event>& events, RefereeOptions options) {
  if (events.empty() || !std::holds_alternative<GameStarted>(events.front())) {
    return absl::DataLossError("event 1: the log does not begin with the game's start");
  }
  const auto& started = std::get<GameStarted>(events.front());
  if (started.tile_set != tiles->id()) {
    return absl::DataLossError(Text("event 1: the game was played with tile set ", started.tile_set,
                                    ", not ", tiles->id()));
  }
  absl::StatusOr<Ledger> ledger = Ledger::Start(std::move(tiles), started);
  if (!ledger.ok()) {
    return absl::DataLossError(Text("event 1: ", std::string(ledger.status().message())));
  }
  Referee referee(std::make_unique<State>(*std::move(ledger), options));
  for (std::size_t i = 1; i < events.size(); ++i) {
    if (absl::Status folded = referee.Fold(events[i]); !folded.ok()) {
      return absl::DataLossError(Text("event ", i + 1, ": ", std::string(folded.message())));
    }
  }
  return referee;
}

absl::Status Referee::Fold(const Event& event) { return state_->ledger.Fold(event); }

std::vector<Event> Referee::Observe(const Sighting& sighting) { return state_->Observe(sighting); }

std::variant<std::vector<Event>, Refusal> Referee::PlayTurn(const Turn& turn) {
  if (state_->ledger.ended()) return Refusal{"game-ended", "The game has ended.", {turn.cell}};
  if (game() == nullptr) {
    return Refusal{"no-start-tile", "Lay the start tile first.", {turn.cell}};
  }
  Game after = *game();
  Refusal refusal;
  std::optional<Outcome> outcome = after.Apply(turn, &refusal);
  if (!outcome) return refusal;
  std::vector<Event> events;
  state_->out = &events;
  state_->Emit(TurnPlayed{turn, false, true, *std::move(outcome)});
  state_->FillMovers();
  state_->out = nullptr;
  return events;
}

std::variant<std::vector<Event>, Refusal> Referee::CorrectTurn(int number, const Turn& turn) {
  if (state_->ledger.ended()) return Refusal{"game-ended", "The game has ended.", {turn.cell}};
  if (number == 0) return state_->CorrectFound(turn);
  if (game() == nullptr || number < 1 || number > static_cast<int>(game()->turns().size())) {
    return Refusal{"no-such-turn", Text("There is no turn ", number, " to correct."), {turn.cell}};
  }
  std::vector<Turn> turns = game()->turns();
  turns[static_cast<std::size_t>(number - 1)] = turn;
  Refusal refusal;
  int at = 0;
  if (!state_->ledger.Replay(turns, &refusal, &at)) {
    if (at + 1 > number) {
      refusal.text = Text("Turn ", at + 1, " would no longer be legal: ", refusal.text);
    }
    return refusal;
  }
  std::vector<Event> events;
  state_->out = &events;
  state_->Emit(TurnsRevised{number,
                            {turns.begin() + number - 1, turns.end()},
                            "corrected by hand",
                            RevisionCause::kCorrectedByHand});
  state_->memory.erase(turn.cell);
  state_->out = nullptr;
  return events;
}

std::vector<Event> Referee::UndoTurn() {
  std::vector<Event> events;
  if (game() == nullptr || game()->turns().empty() || state_->ledger.ended()) return events;
  state_->out = &events;
  const Cell cell = game()->turns().back().cell;
  state_->Emit(TurnsRevised{static_cast<int>(game()->turns().size()),
                            {},
                            "taken back by hand",
                            RevisionCause::kTakenBackByHand});
  state_->memory.erase(cell);
  state_->out = nullptr;
  return events;
}

std::variant<std::vector<Event>, Refusal> Referee::ChangePoints(const std::string& colour,
                                                                int points,
                                                                const std::string& reason) {
  if (state_->ledger.ended()) return Refusal{"game-ended", "The game has ended.", {}};
  if (game() == nullptr) return Refusal{"no-start-tile", "Lay the start tile first.", {}};
  const auto& players = game()->players();
  if (std::none_of(players.begin(), players.end(),
                   [&](const PlayerState& player) { return player.colour == colour; })) {
    return Refusal{"no-such-player", Text("Nobody plays ", colour, "."), {}};
  }
  if (points == 0) return Refusal{"no-points", "There are no points to change.", {}};
  std::vector<Event> events;
  state_->out = &events;
  state_->Emit(PointsChanged{colour, points, reason, static_cast<int>(game()->turns().size())});
  state_->out = nullptr;
  return events;
}

std::vector<Event> Referee::End() {
  std::vector<Event> events;
  if (game() == nullptr || state_->ledger.ended()) return events;
  state_->out = &events;
  state_->Emit(GameEnded{game()->ScoreIfEndedNow()});
  state_->out = nullptr;
  return events;
}

std::variant<std::vector<Event>, Refusal> Referee::Answer(std::uint32_t question, int answer) {
  std::vector<Event> events;
  state_->out = &events;
  std::optional<Refusal> refusal = state_->Answer(question, answer);
  state_->out = nullptr;
  if (refusal) return *std::move(refusal);
  return events;
}

const Game* Referee::game() const { return state_->ledger.game(); }
const std::vector<Finding>& Referee::findings() const { return state_->ledger.findings(); }
const std::vector<Question>& Referee::questions() const { return state_->ledger.questions(); }
const std::vector<PointsChanged>& Referee::points_by_hand() const {
  return state_->ledger.points_by_hand();
}
std::optional<BoardFromLattice> Referee::alignment() const {
  return state_->aligned ? state_->alignment : std::nullopt;
}
int Referee::to_move() const { return state_->ledger.ended() ? -1 : state_->ledger.order().next; }
bool Referee::ended() const { return state_->ledger.ended(); }
const std::vector<ScoreItem>& Referee::final_items() const { return state_->ledger.final_items(); }

std::vector<TileCandidate> Referee::Readings(Cell cell) const {
  std::vector<TileCandidate> out;
  const auto found = state_->memory.find(cell);
  if (found == state_->memory.end() || game() == nullptr) return out;
  double best = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const auto& [reading, log_likelihood] : found->second.log_evidence) {
    best = std::max(best, log_likelihood);
  }
  for (const auto& [reading, log_likelihood] : found->second.log_evidence) {
    const double p = std::exp(log_likelihood - best);
    sum += p;
    const TileType& type = game()->tile_set().types()[static_cast<std::size_t>(reading.first)];
    out.push_back({type.id, reading.second, p});
  }
  for (TileCandidate& candidate : out) candidate.probability /= sum;
  std::stable_sort(out.begin(), out.end(), [](const TileCandidate& a, const TileCandidate& b) {
    return a.probability > b.probability;
  });
  return out;
}

}  // namespace tilewarden::engine
