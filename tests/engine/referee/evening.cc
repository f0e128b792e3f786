#include "tests/engine/referee/evening.h"

#include <algorithm>
#include <ctime>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "engine/tiles/index.h"

namespace tilewarden::engine {
namespace {

Rules WithoutSpecialFigures(Rules rules) {
  for (const auto& [name, value] :
       {std::pair("abbot", "false"), std::pair("ark", "none"), std::pair("gingerbread", "false")}) {
    if (!rules.Set(name, value).ok()) throw std::runtime_error(name);
  }
  return rules;
}

Referee NewReferee(const Game& truth, const SimulatedGame& options, std::vector<Event>* log) {
  const Rules rules = options.unexpected ? WithoutSpecialFigures(truth.rules()) : truth.rules();
  auto referee = options.join_after > 0
                     ? Referee::Join(truth.shared_tile_set(), rules, {}, log)
                     : Referee::Create(truth.shared_tile_set(), rules, {}, false, log);
  if (!referee.ok()) throw std::runtime_error(std::string(referee.status().message()));
  return *std::move(referee);
}

// Told with such a code: asked about.
constexpr const char* kAsked = "asked";
bool AboutKind(const std::set<std::string>& codes) {
  return codes.contains("garden-needs-abbot") || codes.contains("abbot-wrong-feature");
}

}  // namespace

Cell Turned(Cell cell, int turns) {
  for (int i = 0; i < (turns & 3); ++i) cell = {-cell.y, cell.x};
  return cell;
}

Evening::Evening(const SimulatedGame& options)
    : options_(options),
      truth_(NewGame(options.config, options.players)),
      tiles_(truth_.shared_tile_set()),
      faces_(*tiles_),
      table_(tiles_, options.errors, options.seed),
      people_(truth_, options.seed),
      referee_(NewReferee(truth_, options, &log_)),
      unwatched_(options.join_after > 0) {
  // Some rules take fewer than were asked for.
  options_.players = static_cast<int>(truth_.players().size());
  for (const PlacedTile& laid : truth_.PlacedTiles()) {
    table_.tiles.push_back({laid.cell, laid.tile, laid.rotation});
  }
  table_.level = truth_.area().has_value();
  if (options.supplies) {
    for (const PlayerState& player : truth_.players()) {
      table_.supplies[player.colour] =
          std::accumulate(player.supply.begin(), player.supply.end(), 0);
    }
  }
  if (options.unexpected) {
    // As sure as the camera is of what it tells at all.
    for (const FigureKind kind : {FigureKind::kAbbot, FigureKind::kProphet, FigureKind::kArk,
                                  FigureKind::kGingerbreadMan}) {
      table_.unexpected[kind] = 0.99;
    }
  }
  // Half of the cloths have a player's colour.
  if (options.errors.held.figure > 0 && table_.Chance() < 0.5) {
    table_.cloth = Colour(table_.Pick(options_.players));
  }
}

SimulationReport Evening::Play() {
  for (int i = 0; i < 3; ++i) Settle();
  while (const std::optional<Turn> turn = NextTurn()) {
    if (unwatched_ && static_cast<int>(truth_.turns().size()) == options_.join_after) Join();
    const bool mistake =
        !unwatched_ && table_.Chance() < options_.mistakes && !truth_.PlacedTiles().empty();
    if (!mistake || !MakeMistake(*turn)) TakeTurn(*turn);
    if (unwatched_) continue;
    if (!options_.replay) Answer();
    if (options_.restarts && table_.Chance() < 0.1) {
      Restart();
      Settle();
    }
  }
  Settle();
  Settle();
  if (options_.replay) {
    std::vector<Event> log;
    Referee again = NewReferee(truth_, options_, &log);
    for (const Sighting& sighting : sightings_) {
      for (Event& event : again.Observe(sighting)) log.push_back(std::move(event));
    }
    if (log.size() != log_.size() || again.game()->turns() != referee_.game()->turns() ||
        again.game()->players() != referee_.game()->players()) {
      Note("the same sightings once more told another game");
      ++report_.repeat_faults;
    }
  }
  Answer();
  Compare();
  return std::move(report_);
}

std::string Evening::Colour(int player) const { return truth_.players()[At(player)].colour; }

const TileType& Evening::Type(int tile) const { return tiles_->types()[At(tile)]; }

std::optional<Turn> Evening::NextTurn() {
  std::optional<Turn> turn = options_.people ? options_.people(truth_) : people_.NextTurn(truth_);
  // Nobody sets a builder only to take it home again: it would change nothing.
  if (turn && turn->deployment && turn->deployment->kind == FigureKind::kBuilder) {
    Game after = truth_;
    const std::optional<Outcome> outcome = after.Apply(*turn);
    const PlacedFigure set = {turn->player, FigureKind::kBuilder, turn->cell,
                              turn->deployment->segment};
    if (outcome && std::count(outcome->returned.begin(), outcome->returned.end(), set) > 0) {
      turn->deployment.reset();
    }
  }
  return turn;
}

void Evening::LookOn(std::optional<Cell> hand) {
  if (options_.onlooker != nullptr) options_.onlooker->Look(table_, truth_, hand);
  Observe(table_.Look(hand));
}

void Evening::Observe(const Sighting& sighting) {
  if (unwatched_) return;
  // Processor time: other programs may run beside the test.
  const std::clock_t start = std::clock();
  std::vector<Event> events = referee_.Observe(sighting);
  const double took_ms = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  report_.slowest_ms = std::max(report_.slowest_ms, took_ms);
  report_.total_ms += took_ms;
  if (took_ms > 10) ++report_.slow;
  ++report_.sightings;
  if (options_.twice && !referee_.Observe(sighting).empty()) {
    Note("a sighting delivered twice had an effect");
    ++report_.repeat_faults;
  }
  if (options_.replay) sightings_.push_back(sighting);
  for (Event& event : events) {
    if (const auto* raised = std::get_if<FindingRaised>(&event)) {
      if (expected_.contains(raised->finding.code)) {
        told_.insert(raised->finding.code);
      } else if (raised->finding.severity != Severity::kNote) {
        ++report_.false_accusations;
        ++report_.false_by_code[raised->finding.code];
        Note("after turn " + std::to_string(truth_.turns().size()) + ": " + raised->finding.code +
             ": " + raised->finding.text);
      }
    }
    // Of two kinds that look alike people are asked.
    if (const auto* asked = std::get_if<QuestionAsked>(&event); asked && AboutKind(expected_)) {
      Locate();
      const std::vector<Cell>& cells = asked->question.cells;
      if (std::count(cells.begin(), cells.end(), OnBoard(planted_)) > 0) told_.insert(kAsked);
    }
    log_.push_back(std::move(event));
  }
}

// The first few only.
void Evening::Note(const std::string& text) {
  if (report_.notes.size() >= 4) return;
  report_.notes.push_back(options_.config.name + ", " + std::to_string(options_.players) +
                          " players, seed " + std::to_string(options_.seed) +
                          (table_.cloth.empty() ? "" : ", " + table_.cloth + " cloth") + ": " +
                          text);
}

std::string Evening::Describe(const Game& game, const Turn& turn) const {
  std::ostringstream out;
  out << (turn.player < 0 ? "nobody" : game.players()[At(turn.player)].colour) << " "
      << Type(turn.tile).id << " at " << turn.cell.x << "," << turn.cell.y << " turned "
      << turn.rotation;
  if (turn.deployment) out << " on segment " << turn.deployment->segment;
  if (turn.recall) out << " recalls " << turn.recall->x << "," << turn.recall->y;
  for (const Cell cell : turn.ark_path) out << " ark " << cell.x << "," << cell.y;
  if (turn.ark_landing) out << " lands " << turn.ark_landing->x << "," << turn.ark_landing->y;
  for (const Place& place : turn.gingerbread) {
    out << " gingerbread " << place.cell.x << "," << place.cell.y << "." << place.segment;
  }
  return out.str();
}

void Evening::Restart() {
  auto restored = Referee::Restore(tiles_, log_);
  if (!restored.ok()) throw std::runtime_error(std::string(restored.status().message()));
  referee_ = *std::move(restored);
}

void Evening::Join() {
  unwatched_ = false;
  at_join_ = truth_;
  for (int i = 0; i < 3; ++i) Settle();
  for (const PlayerState& player : truth_.players()) {
    if (player.score == 0) continue;
    auto changed = referee_.ChangePoints(player.colour, player.score, "so far");
    if (auto* events = std::get_if<std::vector<Event>>(&changed)) {
      for (Event& event : *events) log_.push_back(std::move(event));
    } else {
      joined_scores_[player.colour] = player.score;
    }
  }
  const std::vector<Question> open = referee_.questions();
  for (const Question& question : open) {
    if (!question.points_so_far) continue;
    auto answered = referee_.Answer(question.id, 0);
    for (Event& event : std::get<std::vector<Event>>(answered)) log_.push_back(std::move(event));
  }
}

void Evening::TakeHome(const std::vector<PlacedFigure>& figures, Cell hand) {
  const bool at_once = table_.Chance() < 0.5;
  if (!at_once) Settle();
  for (const PlacedFigure& figure : figures) {
    if (!at_once) Hand(figure.cell);
    table_.Take(Colour(figure.player), figure.cell);
  }
  if (at_once) Hand(hand);
}

void Evening::MoveNeutralFigures(const Turn& turn) {
  const auto spot = [&](FigureKind kind) -> std::optional<Cell> {
    for (const auto& figure : table_.figures) {
      if (figure.kind == kind) return figure.cell;
    }
    return std::nullopt;
  };
  if (truth_.ark() && (spot(FigureKind::kArk) != truth_.ark() || !turn.ark_path.empty())) {
    // It is moved from tile to tile, for all to see who is paid, also round to where it stood.
    table_.MoveNeutral(FigureKind::kArk, Place{*truth_.ark(), 0});
    if (turn.ark_path.empty()) Hand(*truth_.ark());
    for (const Cell step : turn.ark_path) Hand(step);
  }
  const std::optional<Place> man = truth_.gingerbread_man();
  const auto before =
      std::find_if(table_.figures.begin(), table_.figures.end(),
                   [](const auto& figure) { return figure.kind == FigureKind::kGingerbreadMan; });
  const bool stood = before != table_.figures.end();
  if (stood != man.has_value() ||
      (man && (before->cell != man->cell || before->segment != man->segment))) {
    table_.MoveNeutral(FigureKind::kGingerbreadMan, man);
    if (man) Hand(man->cell);
  }
}

void Evening::TakeTurn(const Turn& turn) {
  Hand(turn.cell);
  table_.Lay(turn);
  if (turn.deployment && table_.Chance() < 0.3) Settle();  // thinks about it
  const std::optional<Outcome> outcome = truth_.Apply(turn);
  if (!outcome) throw std::runtime_error("the simulated people played against the rules");
  if (outcome->extra_turn) people_.SetNextPlayer(turn.player);
  if (turn.deployment) {
    table_.Set(Colour(turn.player), turn.cell, turn.deployment->segment, turn.deployment->kind);
    Hand(turn.cell);
  }
  if (turn.recall) {
    table_.Take(Colour(turn.player), *turn.recall);
    Hand(*turn.recall);
  }
  MoveNeutralFigures(turn);
  if (!outcome->returned.empty()) {
    if (leave_figures_) {
      left_ = outcome->returned;
    } else {
      TakeHome(outcome->returned, turn.cell);
    }
  }
  Settle();
  if (table_.Chance() < 0.3) Settle();
}

}  // namespace tilewarden::engine
