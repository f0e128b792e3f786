#include "engine/referee/memory/suspicions.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/referee/codes.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// A sum of weights that ought to be 1 may fall short of it by rounding.
constexpr double kRounding = 1e-9;

int PlainnessOf(const Finding& finding) { return FamilyOf(finding.code).plain; }

}  // namespace

Suspicions::Verdict Suspicions::Weigh(const std::vector<Condition>& wrong,
                                      std::vector<Finding> open, std::uint32_t next_id,
                                      const Shown& look) {
  Verdict verdict;
  std::set<std::string> asserted;
  std::map<std::string, int> plainest;  // by subject
  for (const Condition& condition : wrong) {
    const Finding& seen = condition.finding;
    const std::string key = KeyOf(seen), subject = SubjectOf(seen);
    const int plain = PlainnessOf(seen);
    int& most = plainest.try_emplace(subject, plain).first->second;
    most = std::max(most, plain);
    if (!asserted.insert(key).second) continue;
    const auto told = std::find_if(open.begin(), open.end(), [&](const Finding& finding) {
      return KeyOf(finding) == key ||
             (SubjectOf(finding) == subject && PlainnessOf(finding) > plain);
    });
    if (told != open.end()) {
      calm_.erase(told->id);
      continue;
    }
    Suspicion& suspicion = by_subject_[subject];
    suspicion.weight += condition.weight;
    if (suspicion.finding.code.empty() || plain >= PlainnessOf(suspicion.finding)) {
      suspicion.finding = seen;
    }
    if (suspicion.weight < 1 - kRounding) continue;
    Finding finding = std::move(suspicion.finding);
    by_subject_.erase(subject);
    finding.id = next_id++;
    open.push_back(finding);
    verdict.raised.push_back(std::move(finding));
  }
  std::erase_if(by_subject_, [&](const auto& entry) {
    return !plainest.contains(entry.first) && look.visible(entry.second.finding.cells);
  });

  for (const Finding& finding : open) {
    if (asserted.contains(KeyOf(finding))) continue;
    const CodeFamily family = FamilyOf(finding.code);
    const auto still = plainest.find(SubjectOf(finding));
    if (still != plainest.end() && still->second < family.plain) continue;
    if (!family.order && !look.visible(finding.cells)) continue;
    const int needed = family.clears_by_absence && !look.after_hand ? 2 : 1;
    if (++calm_[finding.id] < needed) continue;
    calm_.erase(finding.id);
    verdict.cleared.push_back(finding.id);
  }
  return verdict;
}

bool Suspicions::SeemedMoved(Cell from, Cell to) const {
  const auto found = by_subject_.find(Text("tile ", from.x, ",", from.y));
  return found != by_subject_.end() && found->second.finding.cells == std::vector<Cell>{from, to};
}

}  // namespace tilewarden::engine
