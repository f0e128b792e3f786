#include "engine/referee/memory/supplies.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "engine/referee/model.h"
#include "engine/tiles/index.h"

namespace tilewarden::engine {
namespace {

// How many more lie there than looks show; fewer than none: other things are taken for figures.
constexpr int kFewestMissing = -3, kMostMissing = 9;
constexpr std::size_t kStates = kMostMissing - kFewestMissing + 1;
using Missing = std::array<double, kStates>;  // by how many, a probability
// Of what goes wrong, so much is one figure more, and as much one less; the rest is any number.
constexpr double kByOne = 0.35;
constexpr double kAnyNumber = (1 - 2 * kByOne) / kStates;

// That a number is off by so many, where it is off at all by this share.
double ChanceOff(int by, double share) {
  const double off = (std::abs(by) == 1 ? kByOne : 0) + kAnyNumber;
  return by == 0 ? 1 - share + share * kAnyNumber : share * off;
}

// A colour's counts: after which turns, and how many figures each is short.
struct Counts {
  std::vector<int> turns, is_short;
};

// How often another number stays missing from one turn to the next, and how often a look counts
// wrongly.
struct Rates {
  double changes, wrong;
};

// How likely a count is so many short, whatever is missing.
Missing Explains(int is_short, const Rates& rates) {
  Missing chance{};
  for (std::size_t b = 0; b < kStates; ++b) {
    chance[b] = ChanceOff(is_short - (static_cast<int>(b) + kFewestMissing), rates.wrong);
  }
  return chance;
}

// From one turn to the next; the way back is the same.
Missing Step(const Missing& from, double changes) {
  double all = 0;
  for (const double chance : from) all += chance;
  Missing to{};
  for (std::size_t b = 0; b < kStates; ++b) {
    const double beside = (b > 0 ? from[b - 1] : 0) + (b + 1 < kStates ? from[b + 1] : 0);
    to[b] = (1 - changes) * from[b] + changes * (kByOne * beside + kAnyNumber * all);
  }
  return to;
}

Missing Times(const Missing& a, const Missing& b) {
  Missing product{};
  for (std::size_t i = 0; i < kStates; ++i) product[i] = a[i] * b[i];
  return product;
}

double Sum(const Missing& of) {
  double sum = 0;
  for (const double chance : of) sum += chance;
  return sum;
}

// How likely the counts are, if one figure more lay on the board from this count on, by the count;
// last: if none did. By the forward-backward algorithm.
std::vector<double> Likelihoods(const Counts& counts, const Rates& rates) {
  const std::size_t n = counts.turns.size();
  Missing at_first{};
  at_first.fill((1 - kSupplyInView) / kStates);
  at_first[static_cast<std::size_t>(-kFewestMissing)] += kSupplyInView;
  // Of the counts from each on, with that figure, given what is missing.
  std::vector<Missing> rest(n + 1);
  rest[n].fill(1);
  for (std::size_t i = n; i-- > 0;) {
    const Missing next = i + 1 < n ? Step(rest[i + 1], rates.changes) : rest[n];
    rest[i] = Times(Explains(counts.is_short[i] - 1, rates), next);
  }
  std::vector<double> likelihoods(n + 1);
  Missing before = at_first;
  for (std::size_t i = 0; i < n; ++i) {
    likelihoods[i] = Sum(Times(before, rest[i]));
    before = Times(before, Explains(counts.is_short[i], rates));
    if (i + 1 < n) before = Step(before, rates.changes);
  }
  likelihoods[n] = Sum(before);
  return likelihoods;
}

}  // namespace

void Supplies::Saw(const std::string& colour, int turns, int beside, int to_take_home) {
  const int now = beside + to_take_home;
  const auto [seen, first] = seen_[colour].try_emplace(turns, Seen{now, now});
  if (!first) seen->second = {now, seen->second.last};
}

void Supplies::Rests(const std::string& colour, int beside) {
  const auto [found, first] = watched_.try_emplace(colour, Watched{beside, beside});
  if (first) return;
  found->second.before = found->second.now;
  found->second.now = beside;
}

void Supplies::UnderHand(const std::string& colour, int beside, int hidden) {
  const auto found = watched_.find(colour);
  if (found == watched_.end()) return;
  Watched& seen = found->second;
  const int most = beside + hidden;
  seen.hidden |= hidden > 0;
  seen.least = seen.looks == 0 ? most : std::min(seen.least, most);
  ++seen.looks;
}

void Supplies::EndLook() {
  for (auto& [colour, seen] : watched_) {
    seen.looks = 0;
    seen.hidden = false;
  }
}

Supplies::Away Supplies::WasAway(const std::string& colour) const {
  const auto found = watched_.find(colour);
  if (found == watched_.end()) return Away::kNotLooked;
  const Watched& seen = found->second;
  if (seen.looks == 0 || seen.before == 0) return Away::kNotLooked;
  if (seen.least < std::min(seen.before, seen.now)) return Away::kOne;
  if (seen.least < seen.before) return Away::kStillAway;
  // What was hidden may have been away.
  return seen.hidden ? Away::kNotLooked : Away::kNone;
}

void Supplies::Learn(bool set, Away seen) {
  if (seen == Away::kNotLooked) return;
  Share& share = set ? set_ : not_set_;
  share.of += 1;
  share.away += seen == Away::kNone ? 0 : 1;
}

double Supplies::SpeakForOneAtOnce(Away seen) const {
  if (seen == Away::kNotLooked) return 1;
  if (seen == Away::kStillAway) return kNotBack;
  const double when_set = (set_.away + kAwayWhenSet * kAwayPrior) / (set_.of + kAwayPrior);
  const double for_nothing =
      (not_set_.away + kAwayForNothing * kAwayPrior) / (not_set_.of + kAwayPrior);
  return seen == Away::kOne ? when_set / for_nothing : (1 - when_set) / (1 - for_nothing);
}

std::vector<double> Supplies::SpeakForAnother(const std::string& colour,
                                              const std::vector<int>& supply, int to) const {
  std::vector<double> factors(supply.size() + 1, 1);
  const auto found = seen_.find(colour);
  if (found == seen_.end()) return factors;
  Counts counts;
  double out_of_view = kSupplyOutOfView;  // no look reaches them
  for (const auto& [turns, seen] : found->second) {
    // Nobody knows when it was taken home after that.
    if (turns > to || turns >= static_cast<int>(supply.size())) break;
    const int most = std::max(seen.last, seen.before);
    counts.turns.push_back(turns);
    counts.is_short.push_back(supply[At(turns)] - most);
    out_of_view *= ChanceOff(most, kSupplyWrong.front());
  }
  std::vector<double> likelihoods(counts.turns.size() + 1, out_of_view);
  for (std::size_t c = 0; c < kSupplyChanges.size(); ++c) {
    for (std::size_t w = 0; w < kSupplyWrong.size(); ++w) {
      const double chance = (1 - kSupplyOutOfView) * kSupplyRates[c] * kSupplyRates[w];
      const std::vector<double> by_rates =
          Likelihoods(counts, {kSupplyChanges[c], kSupplyWrong[w]});
      for (std::size_t i = 0; i < by_rates.size(); ++i) likelihoods[i] += chance * by_rates[i];
    }
  }
  if (!(likelihoods.back() > 0)) return factors;
  for (std::size_t from = 0; from < factors.size(); ++from) {
    const auto first =
        std::lower_bound(counts.turns.begin(), counts.turns.end(), static_cast<int>(from));
    const auto at = static_cast<std::size_t>(first - counts.turns.begin());
    if (first != counts.turns.end()) factors[from] = likelihoods[at] / likelihoods.back();
  }
  return factors;
}

}  // namespace tilewarden::engine
