#include <algorithm>
#include <regex>

#include "services/records/jcz.h"

namespace tilewarden::services {

absl::StatusOr<bool> Holds(const std::string& assertion, const JczGame& saved,
                           const engine::Game& game) {
  static const std::regex kHas(R"((.+) has (-?\d{1,6}) points?\.?)");
  static const std::regex kScored(R"((.+) scored (\w+) for (-?\d{1,6}) points?\.?)");
  std::smatch has, scored;
  // Matching takes stack by the letter.
  if (assertion.size() > 200) return absl::UnimplementedError("an assertion is too long");
  if (!std::regex_match(assertion, has, kHas) && !std::regex_match(assertion, scored, kScored)) {
    return absl::UnimplementedError("not about points: " + assertion);
  }
  const std::string name = has.empty() ? scored[1] : has[1];
  int player = -1;
  for (std::size_t i = 0; i < game.players().size(); ++i) {
    if (game.players()[i].colour == name) player = static_cast<int>(i);
  }
  if (player < 0) return absl::InvalidArgumentError("assertion about \"" + name + "\": nobody");
  std::vector<engine::ScoreItem> items = game.score_items();
  if (saved.ended) {
    const std::vector<engine::ScoreItem> last = game.ScoreIfEndedNow();
    items.insert(items.end(), last.begin(), last.end());
  }
  const int points = std::stoi(has.empty() ? scored[3] : has[2]);
  std::string kind = has.empty() ? scored[2] : std::string();
  // As they were called up to version 5.7.
  if (kind == "farm") kind = "field";
  if (kind == "cloister") kind = "monastery";
  int sum = 0;
  for (const engine::ScoreItem& item : items) {
    if (item.player != player) continue;
    sum += item.points;
    if (!scored.empty() && item.points == points &&
        item.kind.substr(0, item.kind.find('.')) == kind) {
      return true;
    }
  }
  // What pays nothing is told there too.
  if (points == 0 && saved.ended && !scored.empty()) {
    for (const auto& [cell, segment] : game.AllFeatures()) {
      const engine::Game::Feature feature = game.FeatureAt(cell, segment);
      const auto& owners = feature.owners;
      if (engine::ToString(feature.kind) == kind && feature.worth_now == 0 &&
          std::find(owners.begin(), owners.end(), player) != owners.end()) {
        return true;
      }
    }
  }
  return !has.empty() && sum == points;
}

}  // namespace tilewarden::services
