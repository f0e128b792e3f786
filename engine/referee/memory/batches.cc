#include "engine/referee/memory/batches.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/referee/model.h"

namespace tilewarden::engine {
namespace {

// What this order of play costs: who is out of turn, and which tile of the batch comes before one
// that was seen earlier.
double CostOf(const std::vector<Turn>& turns, const Batch& batch, const Ledger& ledger) {
  const TurnOrder order = ledger.OrderOf(ledger.EvidenceOf(turns));
  double cost = kBreachCost * (static_cast<double>(order.violations.size()) + order.unexplained);
  const auto first = static_cast<std::size_t>(batch.first - 1);
  for (std::size_t i = 0; i < batch.first_seen.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (batch.first_seen.at(turns[first + k].cell) > batch.first_seen.at(turns[first + i].cell)) {
        cost += kSeenEarlierCost;
      }
    }
  }
  return cost;
}

bool TellsNoMover(const Turn& turn) { return !turn.deployment && !turn.recall; }

}  // namespace

void Batches::Remember(Batch batch) {
  if (batch.first_seen.size() < 2) return;
  batches_.push_back(std::move(batch));
  if (batches_.size() > kKeptBatches) batches_.pop_front();
}

std::optional<TurnsRevised> BetterOrder(const Batch& batch, const Ledger& ledger) {
  const std::vector<Turn>& turns = ledger.game()->turns();
  const auto first = static_cast<std::size_t>(batch.first - 1);
  const std::size_t count = batch.first_seen.size();
  if (count > kLargestBatch || first + count > turns.size()) return std::nullopt;
  for (std::size_t i = first; i < first + count; ++i) {
    if (!batch.first_seen.contains(turns[i].cell)) return std::nullopt;  // taken back since
  }
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best_cost = CostOf(turns, batch, ledger) - kSeenEarlierCost / 2;
  std::vector<Turn> best;
  while (std::next_permutation(order.begin(), order.end())) {
    std::vector<Turn> other = turns;
    for (std::size_t i = 0; i < count; ++i) {
      other[first + i] = turns[first + order[i]];
      if (TellsNoMover(other[first + i])) other[first + i].player = -1;
    }
    const double cost = CostOf(other, batch, ledger);
    if (cost >= best_cost || !ledger.Replay(other)) continue;
    best_cost = cost;
    best = std::move(other);
  }
  if (best.empty()) return std::nullopt;
  // The order then says again who took the others.
  for (std::size_t i = first; i < best.size(); ++i) {
    if (TellsNoMover(best[i])) best[i].player = -1;
  }
  best.erase(best.begin(), best.begin() + batch.first - 1);
  return TurnsRevised{batch.first, std::move(best), "the order of several turns became clear"};
}

}  // namespace tilewarden::engine
