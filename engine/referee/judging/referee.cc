#include "engine/referee/referee.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/referee/judging/judging.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {

namespace {

std::optional<Game> GameOf(const Mind& mind) {
  if (mind.ledger.game() == nullptr) return std::nullopt;
  return mind.game();
}

// Whoever acts by hand gets the events alone: what is not right is told after a look, and what is
// right now is cleared at once.
std::vector<Event> EventsOf(Mind& mind, Conclusions acted, const std::optional<Game>& before,
                            std::optional<Cell> touched = std::nullopt) {
  acted += PutRight(mind, before, touched);
  return std::move(acted.events);
}

}  // namespace

Referee::Referee(std::unique_ptr<Mind> mind) : mind_(std::move(mind)) {}
Referee::Referee(Referee&&) noexcept = default;
Referee& Referee::operator=(Referee&&) noexcept = default;
Referee::~Referee() = default;

absl::StatusOr<Referee> Referee::Start(std::shared_ptr<const TileSet> tiles, GameStarted started,
                                       std::vector<Event>* events, RefereeOptions options) {
  absl::StatusOr<Ledger> ledger = Ledger::Start(std::move(tiles), started, options.find_tile_set);
  if (!ledger.ok()) return ledger.status();
  if (events != nullptr) events->push_back(std::move(started));
  return Referee(std::make_unique<Mind>(*std::move(ledger), options));
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
  if (rules.ark != ArkEdition::kNone || rules.gingerbread || rules.goods) {
    return absl::InvalidArgumentError(
        "a game with the Ark, the Gingerbread Man or goods cannot be joined in the middle: watch "
        "it from its start tile on");
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
  absl::StatusOr<Ledger> ledger = Ledger::Start(std::move(tiles), started, options.find_tile_set);
  if (!ledger.ok()) {
    return absl::DataLossError(Text("event 1: ", std::string(ledger.status().message())));
  }
  Referee referee(std::make_unique<Mind>(*std::move(ledger), options));
  for (std::size_t i = 1; i < events.size(); ++i) {
    if (absl::Status folded = referee.Fold(events[i]); !folded.ok()) {
      return absl::DataLossError(Text("event ", i + 1, ": ", std::string(folded.message())));
    }
  }
  return referee;
}

absl::Status Referee::Fold(const Event& event) {
  absl::Status folded = mind_->ledger.Fold(event);
  const auto* changed = std::get_if<RulesChanged>(&event);
  if (folded.ok() && changed != nullptr && !changed->tile_set.empty()) BeginAnew(*mind_);
  return folded;
}

std::vector<Event> Referee::Observe(const Sighting& sighting) {
  return engine::Observe(*mind_, sighting);
}

std::variant<std::vector<Event>, Refusal> Referee::PlayTurn(const Turn& turn) {
  if (mind_->ledger.ended()) return Refusal{"game-ended", "The game has ended.", {turn.cell}};
  if (game() == nullptr) {
    return Refusal{"no-start-tile", "Lay the start tile first.", {turn.cell}};
  }
  const std::optional<Game> before = GameOf(*mind_);
  Game after = *before;
  Refusal refusal;
  std::optional<Outcome> outcome = after.Apply(turn, &refusal);
  if (!outcome) return refusal;
  Conclusions concluded =
      Conclude(&mind_->ledger, TurnPlayed{turn, false, true, *std::move(outcome)});
  if (concluded.done) mind_->may_take_back = true;
  concluded += FillMovers(&mind_->ledger);
  return EventsOf(*mind_, std::move(concluded), before, turn.cell);
}

std::variant<std::vector<Event>, Refusal> Referee::CorrectTurn(int number, const Turn& given) {
  const Turn turn = given;  // it may be one of the game's own, which do not last
  const std::optional<Game> before = GameOf(*mind_);
  if (number == 0) {
    std::variant<Conclusions, Refusal> found = CorrectFound(*mind_, turn);
    if (Refusal* refusal = std::get_if<Refusal>(&found)) return std::move(*refusal);
    return EventsOf(*mind_, std::get<Conclusions>(std::move(found)), before, turn.cell);
  }
  if (game() == nullptr || number < 1 || number > static_cast<int>(game()->turns().size())) {
    return Refusal{"no-such-turn", Text("There is no turn ", number, " to correct."), {turn.cell}};
  }
  std::vector<Turn> turns = game()->turns();
  turns[static_cast<std::size_t>(number - 1)] = turn;
  Refusal refusal;
  int at = 0;
  if (!mind_->ledger.Replay(turns, &refusal, &at)) {
    if (at + 1 > number) {
      refusal.text = Text("Turn ", at + 1, " would no longer be legal: ", refusal.text);
    }
    return refusal;
  }
  Conclusions concluded =
      Conclude(&mind_->ledger, TurnsRevised{number,
                                            {turns.begin() + number - 1, turns.end()},
                                            "corrected by hand",
                                            RevisionCause::kCorrectedByHand});
  mind_->cells.Forget(turn.cell);
  return EventsOf(*mind_, std::move(concluded), before, turn.cell);
}

std::vector<Event> Referee::UndoTurn() {
  if (mind_->ledger.ended()) return {};
  const std::optional<Game> before = GameOf(*mind_);
  if (undo_river()) return EventsOf(*mind_, TakeBackRiver(*mind_), before);
  if (game() == nullptr) return {};
  if (undo_playing_with()) return EventsOf(*mind_, TakeBackPlayedWith(*mind_), before);
  if (game()->turns().empty()) return {};
  const Cell cell = game()->turns().back().cell;
  Conclusions concluded =
      Conclude(&mind_->ledger, TurnsRevised{static_cast<int>(game()->turns().size()),
                                            {},
                                            "taken back by hand",
                                            RevisionCause::kTakenBackByHand});
  mind_->cells.Forget(cell);
  return EventsOf(*mind_, std::move(concluded), before, cell);
}

std::variant<std::vector<Event>, Refusal> Referee::ChangePoints(const std::string& colour,
                                                                int points,
                                                                const std::string& reason) {
  if (game() == nullptr) return Refusal{"no-start-tile", "Lay the start tile first.", {}};
  const auto& players = game()->players();
  if (std::none_of(players.begin(), players.end(),
                   [&](const PlayerState& player) { return player.colour == colour; })) {
    return Refusal{"no-such-player", Text("Nobody plays ", colour, "."), {}};
  }
  if (points == 0) return Refusal{"no-points", "There are no points to change.", {}};
  const int turns = static_cast<int>(game()->turns().size());
  return EventsOf(*mind_, Conclude(&mind_->ledger, PointsChanged{colour, points, reason, turns}),
                  GameOf(*mind_));
}

std::vector<Event> Referee::End() {
  if (game() == nullptr || mind_->ledger.ended()) return {};
  return EndGame(&mind_->ledger).events;
}

std::variant<std::vector<Event>, Refusal> Referee::Answer(std::uint32_t question, int answer) {
  const std::optional<Game> before = GameOf(*mind_);
  std::variant<Conclusions, Refusal> answered = engine::Answer(*mind_, question, answer);
  if (Refusal* refusal = std::get_if<Refusal>(&answered)) return std::move(*refusal);
  return EventsOf(*mind_, std::get<Conclusions>(std::move(answered)), before);
}

const Rules& Referee::rules() const { return mind_->ledger.rules(); }
const std::shared_ptr<const TileSet>& Referee::tile_set() const { return mind_->ledger.tiles(); }
std::optional<FigureKind> Referee::undo_playing_with() const {
  const PlayedWith* last = mind_->ledger.ended() ? nullptr : mind_->ledger.LastPlayedWith();
  if (last == nullptr || !last->tiles_before.empty()) return std::nullopt;
  return last->kind;
}
bool Referee::undo_river() const {
  const PlayedWith* last = mind_->ledger.ended() ? nullptr : mind_->ledger.LastPlayedWith();
  return last != nullptr && !last->tiles_before.empty();
}
const Game* Referee::game() const { return mind_->ledger.game(); }
const std::vector<Finding>& Referee::findings() const { return mind_->ledger.findings(); }
const std::vector<Question>& Referee::questions() const { return mind_->ledger.questions(); }
const std::vector<PointsChanged>& Referee::points_by_hand() const {
  return mind_->ledger.points_by_hand();
}
std::optional<BoardFromLattice> Referee::alignment() const { return mind_->lattice.now(); }
int Referee::to_move() const { return mind_->ledger.ended() ? -1 : mind_->ledger.order().next; }
bool Referee::ended() const { return mind_->ledger.ended(); }
int Referee::corrected_after_end() const { return mind_->ledger.corrected_after_end(); }
const std::vector<ScoreItem>& Referee::final_items() const { return mind_->ledger.final_items(); }

std::vector<TileCandidate> Referee::Readings(Cell cell) const {
  std::vector<TileCandidate> readings;
  const CellMemory* memory = mind_->cells.Find(cell);
  if (memory == nullptr || game() == nullptr) return readings;
  for (const TileReading& share : memory->evidence().Shares()) {
    const TileType& type = game()->tile_set().types()[static_cast<std::size_t>(share.tile)];
    readings.push_back({type.id, share.rotation, share.probability});
  }
  std::stable_sort(
      readings.begin(), readings.end(),
      [](const TileCandidate& a, const TileCandidate& b) { return a.probability > b.probability; });
  return readings;
}

}  // namespace tilewarden::engine
