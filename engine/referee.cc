#include "engine/referee.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "engine/referee_model.h"
#include "engine/referee_state.h"
#include "engine/stack.h"
#include "engine/text.h"

namespace tilewarden::engine {
namespace {

// Tells repeated deliveries from a camera that started over with its numbers.
std::uint64_t Fingerprint(const Sighting& s) {
  std::uint64_t hash = 1469598103934665603ULL;
  const auto mix = [&hash](std::uint64_t value) {
    hash ^= value + 0x9E3779B97F4A7C15ULL + (hash << 6) + (hash >> 2);
  };
  mix(s.sequence);
  mix(static_cast<std::uint64_t>(s.time_ms));
  mix(s.settled ? 1 : 2);
  mix(s.hidden_cells.size());
  for (const SightedTile& tile : s.tiles) {
    mix(std::hash<Cell>()(tile.cell));
    if (!tile.candidates.empty()) mix(std::hash<std::string>()(tile.candidates.front().tile));
  }
  for (const SightedFigure& figure : s.figures) mix(std::hash<double>()(figure.foot.x));
  return hash;
}

// The start tile as it lies in the lattice, if the game can start from this.
struct StartSeen {
  Cell cell;
  int rotation = 0;
};

// More tiles than these cannot have been laid between two first looks.
constexpr std::size_t kMostAtStart = 8;

// `start_tile`: the tile that begins; -1: whichever lies there first.
std::optional<StartSeen> FindStart(const Sighting& sighting, const TileSet& tiles, int start_tile,
                                   double certainty) {
  const auto may_begin = [&](const TileCandidate& best) {
    return start_tile < 0 || tiles.Find(best.tile) == start_tile;
  };
  std::map<Cell, const TileCandidate*> named;
  for (const SightedTile& tile : sighting.tiles) {
    if (tile.candidates.empty() || tile.hidden > 0.5) continue;
    const TileCandidate& best = tile.candidates.front();
    if (tiles.Find(best.tile) >= 0 && best.probability >= certainty) named[tile.cell] = &best;
  }
  std::set<Cell> with_figure;
  for (const SightedFigure& figure : sighting.figures) {
    if (figure.cell) with_figure.insert(*figure.cell);
  }
  std::optional<StartSeen> found;
  std::set<Cell> looked_at;
  for (const auto& [cell, best] : named) {
    if (!may_begin(*best) || looked_at.contains(cell)) continue;
    // What hangs together with it. Tiles that lie elsewhere are no board.
    std::set<Cell> group = {cell};
    std::vector<Cell> todo = {cell};
    // Of several tiles of its type any may have been the first, only no figure
    // stands on it.
    Cell start = cell;
    while (!todo.empty()) {
      const Cell from = todo.back();
      todo.pop_back();
      if (may_begin(*named.at(from)) && with_figure.contains(start)) start = from;
      for (const Side side : kSides) {
        const Cell next = Neighbour(from, side);
        if (named.contains(next) && group.insert(next).second) todo.push_back(next);
      }
    }
    looked_at.insert(group.begin(), group.end());
    if (group.size() > kMostAtStart) continue;
    if (found) return std::nullopt;  // two boards apart: which is it?
    found = StartSeen{start, named.at(start)->rotation & 3};
  }
  return found;
}

}  // namespace

void CellMemory::ForgetHands() {
  covered_looks = 0;
  covered_from_ms = covered_to_ms = 0;
  hands.clear();
  laid_open = covered_again = false;
  figures.clear();
}

Referee::State::State(Ledger book, RefereeOptions tunables)
    : ledger(std::move(book)), options(tunables), faces(*ledger.tiles()) {}

bool Referee::State::Emit(Event event) {
  if (!ledger.Fold(event).ok()) return false;
  if (std::holds_alternative<TurnPlayed>(event)) may_take_back = true;
  if (out != nullptr) out->push_back(std::move(event));
  return true;
}

bool Referee::State::Repeated(const Sighting& sighting) {
  const std::uint64_t print = Fingerprint(sighting);
  if (last_sequence == sighting.sequence ||
      std::find(recent.begin(), recent.end(), print) != recent.end()) {
    return true;
  }
  last_sequence = sighting.sequence;
  recent.push_back(print);
  if (recent.size() > kRecentSightings) recent.pop_front();
  return false;
}

bool Referee::State::TryStart(const Sighting& sighting) {
  if (!sighting.settled) return false;
  const int start_tile = StartTile(tiles(), ledger.rules());
  const std::optional<StartSeen> start =
      FindStart(sighting, tiles(), start_tile, options.tile_certainty);
  if (!start) return false;
  // A start tile that looks the same upside down is told by what lies beside it.
  const auto beside = [&](int rotation) {
    double sum = 0;
    for (const TileSet::StartTile& more : tiles().more_start_tiles()) {
      Cell cell = more.cell;
      for (int i = 0; i < rotation; ++i) cell = {-cell.y, cell.x};
      for (const SightedTile& tile : sighting.tiles) {
        if (tile.cell != Cell{start->cell.x + cell.x, start->cell.y + cell.y}) continue;
        for (const TileCandidate& candidate : tile.candidates) {
          if (tiles().Find(candidate.tile) == more.tile) sum += candidate.probability;
        }
      }
    }
    return sum;
  };
  int rotation = start->rotation;
  for (int turn = 1; turn < 4; ++turn) {
    const int other = (start->rotation + turn) & 3;
    if (start_tile >= 0 && faces.Same(start_tile, other, rotation) &&
        beside(other) > beside(rotation)) {
      rotation = other;
    }
  }
  if (ledger.game() == nullptr && !Emit(StartTileLaid{start_tile < 0 ? 0 : rotation})) {
    return false;
  }
  alignment = BoardFromLattice{0, {-start->cell.x, -start->cell.y}};
  return true;
}

KnownBoard Referee::State::Known() const {
  KnownBoard board;
  for (const PlacedTile& laid : game().PlacedTiles()) {
    board.tiles.push_back({laid.cell, laid.tile, laid.rotation});
  }
  for (const Finding& finding : ledger.findings()) {
    const int tile = tiles().Find(finding.tile);
    if (finding.placement && tile >= 0 && game().TileAt(finding.placement->cell) == nullptr) {
      board.tiles.push_back({finding.placement->cell, tile, finding.placement->rotation});
    }
  }
  for (const PlacedFigure& figure : game().Figures()) {
    board.figures.push_back(
        {figure.cell, game().players()[static_cast<std::size_t>(figure.player)].colour});
  }
  return board;
}

// The whole story of one sighting: lay it on the board; while a hand is in view
// only remember; on a still table conclude.
std::vector<Event> Referee::State::Observe(const Sighting& sighting) {
  std::vector<Event> events;
  if (ledger.ended() || Repeated(sighting)) return events;
  out = &events;
  ++sightings;
  aligned = false;
  // While nothing lies on the board there is nothing to align with.
  const bool begun = ledger.game() != nullptr && !game().PlacedTiles().empty();
  if (begun || TryStart(sighting)) {
    std::optional<BoardFromLattice> found =
        begun ? Align(sighting, Known(), game(), faces, alignment) : alignment;
    // A hand over the whole board: it lies as it lay.
    const bool all_under_hands =
        std::all_of(sighting.tiles.begin(), sighting.tiles.end(),
                    [](const SightedTile& tile) { return tile.hidden >= 0.5; });
    if (!found && !sighting.settled && all_under_hands) found = alignment;
    aligned = found.has_value();
    if (found) {
      alignment = found;
      const Look look = Project(sighting, *found, tiles(), faces);
      if (look.settled) {
        Judge(look);
      } else {
        Remember(look);
      }
    }
  }
  out = nullptr;
  return events;
}

// Evidence of what happens under hands, kept until the table is still.
void Referee::State::Remember(const Look& look) {
  hand_since_settled = true;
  last_hand = sightings;
  if (game().rules().ark != ArkEdition::kNone && ark_hands.size() < kKeptViews) {
    std::set<Cell> covered;
    for (const auto& [cell, view] : look.cells) {
      if (view.covered || view.hidden) covered.insert(cell);
    }
    ark_hands.push_back(std::move(covered));
  }
  for (const auto& [cell, view] : look.cells) {
    if (!NearBoard(cell)) continue;
    CellMemory& cell_memory = MemoryOf(cell);
    if (view.covered || view.hidden) cell_memory.last_covered = sightings;
    const bool last_tile = !game().turns().empty() && game().turns().back().cell == cell;
    if (game().TileAt(cell) != nullptr && !last_tile) continue;
    const bool laid = view.tile && view.straight;
    if (laid && !view.readings.empty() && cell_memory.first_seen == 0) {
      cell_memory.first_seen = sightings;
    }
    bool hand_near = view.covered || view.hidden;
    for (int dx = -1; dx <= 1 && !hand_near; ++dx) {
      for (int dy = -1; dy <= 1 && !hand_near; ++dy) {
        hand_near = look.At({cell.x + dx, cell.y + dy}).covered;
      }
    }
    if (view.covered || view.hidden) {
      if (cell_memory.covered_looks++ == 0) cell_memory.covered_from_ms = look.time_ms;
      cell_memory.covered_to_ms = look.time_ms;
      cell_memory.covered_again = cell_memory.covered_again || cell_memory.laid_open;
    } else if (laid) {
      cell_memory.laid_open = true;
    }
    const bool over = view.covered || view.hidden;
    if ((over || (laid && hand_near)) && cell_memory.hands.size() < kKeptViews) {
      int coverage = 0;
      for (int dx = -1; dx <= 1; ++dx) {
        for (int dy = -1; dy <= 1; ++dy) {
          coverage += look.At({cell.x + dx, cell.y + dy}).covered ? 1 : 0;
        }
      }
      cell_memory.hands.push_back({sightings, coverage, laid, view.readings});
    }
    for (const FigureView& figure : view.figures) {
      if (figure.seen.probability < options.figure_certainty) continue;
      if (cell_memory.figures.size() < kKeptViews) cell_memory.figures.push_back(figure);
    }
  }
}

void Referee::State::Judge(const Look& look) {
  const int last_before = static_cast<int>(game().turns().size());
  if (!ReviewBoard(look)) return;
  conditions.clear();
  const std::vector<PlacedTile> placed = game().PlacedTiles();  // a revision changes the game's
  for (const PlacedTile& laid : placed) ReviewTile(laid, look);
  ark_moved = ArkElsewhere(look);
  TakeNewTiles(look);
  const int amendable_from = std::min(last_before, static_cast<int>(game().turns().size()));
  ReviewFigures(look, amendable_from);
  ReviewNeutral(look, amendable_from);
  ReviewAside(look);
  FillMovers();
  ReorderBatches();
  ArrangePlayers();
  AssertOrder();
  AssertCounts();
  CloseQuestions();
  SettleFindings(look);

  // What was under the hands is used up where the table can be seen again.
  for (auto it = memory.begin(); it != memory.end();) {
    const CellView& view = look.At(it->first);
    const bool board_tile = game().TileAt(it->first) != nullptr;
    if (!view.hidden && (board_tile || !view.tile)) it->second.ForgetHands();
    const bool empty = !view.hidden && !view.tile && !board_tile;
    it = empty ? memory.erase(it) : std::next(it);
  }
  hand_since_settled = false;
}

Referee::Referee(std::unique_ptr<State> state) : state_(std::move(state)) {}
Referee::Referee(Referee&&) noexcept = default;
Referee& Referee::operator=(Referee&&) noexcept = default;
Referee::~Referee() = default;

absl::StatusOr<Referee> Referee::Create(std::shared_ptr<const TileSet> tiles, Rules rules,
                                        std::vector<std::string> colours, bool lay_start_tile,
                                        std::vector<Event>* events, RefereeOptions options) {
  GameStarted started{tiles->id(), rules.ToMap(), std::move(colours), lay_start_tile};
  absl::StatusOr<Ledger> ledger = Ledger::Start(std::move(tiles), started);
  if (!ledger.ok()) return ledger.status();
  if (events != nullptr) events->push_back(std::move(started));
  return Referee(std::make_unique<State>(*std::move(ledger), options));
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
  state_->Emit(TurnsRevised{number, {turns.begin() + number - 1, turns.end()}, kCorrectedByHand});
  state_->memory.erase(turn.cell);
  state_->out = nullptr;
  return events;
}

std::vector<Event> Referee::UndoTurn() {
  std::vector<Event> events;
  if (game() == nullptr || game()->turns().empty() || state_->ledger.ended()) return events;
  state_->out = &events;
  const Cell cell = game()->turns().back().cell;
  state_->Emit(TurnsRevised{static_cast<int>(game()->turns().size()), {}, kTakenBackByHand});
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
