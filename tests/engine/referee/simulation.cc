#include "tests/engine/referee/simulation.h"

#include <algorithm>
#include <sstream>

#include "tests/engine/referee/evening.h"

namespace tilewarden::engine {

void SimulationReport::Add(const SimulationReport& other) {
  games += other.games;
  exact += other.exact;
  exact_unasked += other.exact_unasked;
  exact_one_asked += other.exact_one_asked;
  exact_or_asked += other.exact_or_asked;
  scores_right += other.scores_right;
  wrong_unasked += other.wrong_unasked;
  totals_right += other.totals_right;
  totals_wrong_unasked += other.totals_wrong_unasked;
  questions += other.questions;
  placements += other.placements;
  wrong_placements += other.wrong_placements;
  false_accusations += other.false_accusations;
  not_cleared += other.not_cleared;
  repeat_faults += other.repeat_faults;
  for (const auto& [kind, n] : other.planted) planted[kind] += n;
  for (const auto& [kind, n] : other.missed) missed[kind] += n;
  for (const auto& [code, n] : other.false_by_code) false_by_code[code] += n;
  notes.insert(notes.end(), other.notes.begin(), other.notes.end());
  slowest_ms = std::max(slowest_ms, other.slowest_ms);
  total_ms += other.total_ms;
  slow += other.slow;
  sightings += other.sightings;
  events += other.events;
}

std::string SimulationReport::ToString() const {
  std::ostringstream out;
  out << games << " games: " << exact << " exact (" << exact_unasked << " with no question, "
      << exact_one_asked << " with at most one), " << exact_or_asked << " exact or asked, "
      << scores_right << " with right scores, " << wrong_unasked << " wrong and not asked about, "
      << totals_right << " with right totals after final scoring, " << totals_wrong_unasked
      << " wrong and not asked about; " << questions << " questions; " << wrong_placements << " of "
      << placements << " placements wrong; " << false_accusations << " false accusations; "
      << not_cleared << " not cleared; " << sightings << " sightings of "
      << total_ms / static_cast<double>(std::max<std::size_t>(sightings, 1)) << " ms, the slowest "
      << slowest_ms << " ms, " << slow << " over 10 ms; " << events << " events\n";
  for (const auto& [kind, n] : planted) {
    const auto miss = missed.find(kind);
    out << "  " << kind << ": planted " << n << ", missed "
        << (miss == missed.end() ? 0 : miss->second) << "\n";
  }
  for (const auto& [code, n] : false_by_code) out << "  falsely " << code << ": " << n << "\n";
  return out.str();
}

std::string SimulationReport::Notes() const {
  std::string out;
  for (const std::string& note : notes) out += "  " + note + "\n";
  return out;
}

SimulationReport PlayGame(const SimulatedGame& game) { return Evening(game).Play(); }

const std::vector<GameConfig>& SimulatedConfigs() {
  static const auto* const kConfigs = [] {
    auto* configs = new std::vector<GameConfig>(AllConfigs());
    for (GameConfig& config : *configs) {
      std::erase_if(config.options, [](const auto& o) { return o.first == "tile_buying"; });
    }
    configs->push_back({"small table", "base.c1", "c1", {{"area", "-5,-5,5,5"}}});
    return configs;
  }();
  return *kConfigs;
}

std::vector<GameConfig> JoinableConfigs() {
  std::vector<GameConfig> configs = SimulatedConfigs();
  std::erase_if(configs, [](const GameConfig& config) {
    const Rules rules = NewGame(config, 2).rules();
    return rules.ark != ArkEdition::kNone || rules.gingerbread || rules.goods || rules.area;
  });
  return configs;
}

const std::vector<std::string>& MistakeKinds() {
  static const auto* const kKinds = [] {
    auto* kinds = new std::vector<std::string>;
    for (const Evening::Mistake& mistake : Evening::Mistakes()) kinds->push_back(mistake.kind);
    return kinds;
  }();
  return *kKinds;
}

}  // namespace tilewarden::engine
