// A river's tile in a game without a river: whether it is played with one, which only people know.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/game/box_rules.h"
#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// A set of which a tile shows another's with less than this share is not the one.
constexpr double kMayBeOfSet = 0.2;

bool IsOpen(const Ledger& ledger) {
  const std::vector<Question>& open = ledger.questions();
  return std::any_of(open.begin(), open.end(), [](const Question& q) { return q.OfARiver(); });
}

// People said that the game is played without.
bool Refused(const Ledger& ledger) { return ledger.AskedAboutRiver() && !IsOpen(ledger); }

bool TurnsPlayed(const Ledger& ledger) {
  return ledger.game() != nullptr && !ledger.game()->turns().empty();
}

std::vector<std::shared_ptr<const TileSet>> WithRivers(const Mind& mind) {
  std::vector<std::shared_ptr<const TileSet>> sets;
  for (const std::string& id : SetsWithRiver(mind.tiles())) {
    auto set = mind.options.find_tile_set(id);
    if (set.ok()) sets.push_back(*std::move(set));
  }
  return sets;
}

// What the tile may be of the rivers, where it is surely one.
std::vector<TileCandidate> RiverOn(const SightedTile& tile, const std::set<std::string>& rivers) {
  std::vector<TileCandidate> candidates;
  double sure = 0;
  for (const auto* told : {&tile.candidates, &tile.unexpected}) {
    for (const TileCandidate& candidate : *told) {
      if (!rivers.contains(candidate.tile)) continue;
      candidates.push_back(candidate);
      sure += candidate.probability;
    }
  }
  if (sure < kSureUnexpected || tile.hidden > kUnderHand) candidates.clear();
  return candidates;
}

bool MayBeOf(const TileSet& set, const std::vector<UnexpectedRiver::Seen>& seen) {
  return std::all_of(seen.begin(), seen.end(), [&](const UnexpectedRiver::Seen& tile) {
    double of_set = 0, of_all = 0;
    for (const TileCandidate& candidate : tile.candidates) {
      of_all += candidate.probability;
      if (set.Find(candidate.tile) >= 0) of_set += candidate.probability;
    }
    return of_set >= kMayBeOfSet * of_all;
  });
}

void Remember(Mind& mind, const Sighting& sighting) {
  const auto nothing_to_tell = [](const SightedTile& tile) {
    return tile.unexpected.empty() && tile.candidates.empty();
  };
  std::vector<UnexpectedRiver::Seen> seen;
  std::set<std::string> rivers;
  // Sets are read from the disk: only where something is told that the game does not have.
  const auto strange = [&](const SightedTile& tile) {
    if (nothing_to_tell(tile)) return false;
    if (!tile.unexpected.empty()) return true;
    return !tile.candidates.front().tile.empty() &&
           mind.tiles().Find(tile.candidates.front().tile) < 0;
  };
  if (std::any_of(sighting.tiles.begin(), sighting.tiles.end(), strange)) {
    for (const auto& set : WithRivers(mind)) {
      for (const TileType& type : set->types()) {
        if (type.HasRiver() && mind.tiles().Find(type.id) < 0) rivers.insert(type.id);
      }
    }
    for (const SightedTile& tile : sighting.tiles) {
      auto candidates = RiverOn(tile, rivers);
      if (!candidates.empty()) seen.push_back({tile.cell, std::move(candidates)});
    }
  }
  mind.river.Saw(std::move(seen));
}

// `seen`: nothing where that is not known any more.
Conclusions Ask(Mind& mind, const std::vector<UnexpectedRiver::Seen>& seen) {
  Question question;
  question.id = mind.ledger.next_question_id();
  question.text = "I see a river tile. Are you playing with a river?";
  Turn nobodys;
  nobodys.player = -1;
  for (const auto& set : WithRivers(mind)) {
    if (!MayBeOf(*set, seen)) continue;
    question.answers.push_back(
        {Text("Yes: ", WordsForRivers(set->id())), {}, nobodys, 0, set->id()});
  }
  if (question.answers.empty()) return {};
  question.answers.push_back({"No", {}, nobodys, 0});
  const double share = 1.0 / static_cast<double>(question.answers.size());
  for (Question::Answer& answer : question.answers) answer.probability = share;
  return Conclude(&mind.ledger, QuestionAsked{std::move(question)});
}

}  // namespace

Conclusions AskIfPlayedWithRiver(Mind& mind, const Sighting& sighting) {
  if (!sighting.settled || Refused(mind.ledger) || SetsWithRiver(mind.tiles()).empty()) return {};
  Remember(mind, sighting);
  const bool too_late = mind.ledger.joined() || TurnsPlayed(mind.ledger);
  Conclusions concluded;
  if (!too_late && !mind.ledger.AskedAboutRiver() && mind.river.Sure()) {
    concluded = Ask(mind, mind.river.tiles());
  }
  concluded.done = !too_late && !mind.river.tiles().empty();
  return concluded;
}

Conclusions NoteRiver(const Mind& mind) {
  if (!mind.river.Sure() || !TurnsPlayed(mind.ledger) || Refused(mind.ledger)) return {};
  std::vector<Cell> cells;
  for (const UnexpectedRiver::Seen& tile : mind.river.tiles()) {
    if (mind.lattice.last()) cells.push_back((*mind.lattice.last())(tile.cell));
  }
  return Wrong(
      "river-not-played", Severity::kNote, std::move(cells),
      "A river tile lies there, but this game is played without a river. To play with one, "
      "begin another game with it.",
      1);
}

std::variant<Conclusions, Refusal> PlayWithRiver(Mind& mind, const Question& question, int answer) {
  const std::string& tile_set = question.answers[static_cast<std::size_t>(answer)].tile_set;
  if (!tile_set.empty() && TurnsPlayed(mind.ledger)) {
    return Refusal{"turns-played",
                   "Turns were played already. To play with a river, begin another game with it.",
                   {}};
  }
  Conclusions concluded = Conclude(&mind.ledger, QuestionClosed{question.id, answer});
  if (tile_set.empty()) return concluded;
  RulesChanged change;
  change.reason = Text("the game is played with ", WordsForRivers(tile_set));
  change.tile_set = tile_set;
  concluded += Conclude(&mind.ledger, std::move(change));
  BeginAnew(mind);
  return concluded;
}

Conclusions TakeBackRiver(Mind& mind) {
  RulesChanged change;
  change.reason = "an answer was taken back";
  change.taken_back = true;
  change.tile_set = mind.ledger.LastPlayedWith()->tiles_before;
  Conclusions concluded = Conclude(&mind.ledger, std::move(change));
  if (!concluded.done) return concluded;
  BeginAnew(mind);
  concluded += Ask(mind, mind.river.tiles());
  return concluded;
}

void BeginAnew(Mind& mind) {
  Mind anew(std::move(mind.ledger), mind.options);
  anew.sightings = mind.sightings;
  anew.recent = std::move(mind.recent);
  anew.river = std::move(mind.river);
  mind = std::move(anew);
}

}  // namespace tilewarden::engine
