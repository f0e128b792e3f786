#include "engine/referee/memory/hand_looks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "engine/referee/model.h"

namespace tilewarden::engine {
namespace {

// Least share of a step's cells under a hand that is counted: a hand that a look missed by a
// little is not proof against the step.
constexpr double kLeastCoverage = 0.1;

// Share of the nine cells around this one that a hand covers.
double Coverage(const std::set<Cell>& hand, Cell cell) {
  if (!hand.contains(cell)) return 0;
  const auto around = Around(cell);
  return static_cast<double>(std::count_if(around.begin(), around.end(),
                                           [&](Cell near) { return hand.contains(near); })) /
         static_cast<double>(around.size());
}

}  // namespace

void HandLooks::Remember(const Look& look) {
  if (hands_.size() >= kKeptViews) return;
  std::set<Cell> covered;
  for (const auto& [cell, view] : look.cells) {
    if (view.covered || view.hidden) covered.insert(cell);
  }
  hands_.push_back(std::move(covered));
}

double HandLooks::Fit(const std::vector<Cell>& path, Cell laid) const {
  const double never = -std::numeric_limits<double>::infinity();
  std::vector<double> best(path.size() + 1, never);  // by steps told so far
  best[0] = 0;
  for (const std::set<Cell>& hand : hands_) {
    const double otherwise = kHandElsewhere * (1 - Coverage(hand, laid));
    for (std::size_t told = path.size() + 1; told-- > 0;) {
      best[told] += otherwise;
      if (told == 0) continue;
      const double share = std::max(Coverage(hand, path[told - 1]), kLeastCoverage);
      best[told] = std::max(best[told], best[told - 1] + kHandOverArk * std::log(share));
    }
  }
  double fit = never;
  for (std::size_t told = 0; told <= path.size(); ++told) {
    fit = std::max(fit, best[told] + kStepUnseen * static_cast<double>(path.size() - told));
  }
  return fit;
}

int HandLooks::Beside(Cell cell, Cell landing) const {
  return static_cast<int>(std::count_if(hands_.begin(), hands_.end(), [&](const auto& hand) {
    return Coverage(hand, cell) > 0 && Coverage(hand, cell) >= Coverage(hand, landing);
  }));
}

int HandLooks::OnlyOver(Cell cell, Cell other) const {
  const auto beside = Around(other);
  return static_cast<int>(std::count_if(hands_.begin(), hands_.end(), [&](const auto& hand) {
    return hand.contains(cell) && std::none_of(beside.begin(), beside.end(),
                                               [&](Cell near) { return hand.contains(near); });
  }));
}

bool HandLooks::EverNear(Cell cell) const {
  const auto around = Around(cell);
  return std::any_of(hands_.begin(), hands_.end(), [&](const auto& hand) {
    return std::any_of(around.begin(), around.end(),
                       [&](Cell near) { return hand.contains(near); });
  });
}

}  // namespace tilewarden::engine
