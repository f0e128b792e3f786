#include "engine/referee/board_reading.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>

namespace tilewarden::engine {
namespace {

// About one tile in fifty laid by hand does not fit. Where one does not, that
// it fails to fit at a second side as well is not surprising.
constexpr double kIllegalRate = 0.02;
constexpr double kEachFurther = 0.5;
// Another copy than the box holds: a second box, or a wrong set.
constexpr double kNoCopyLeft = 0.02;
constexpr int kMostSweeps = 8;

class Weighing {
 public:
  Weighing(const std::vector<SightedTile>& tiles, const TileSet& set) : tiles_(tiles), set_(set) {
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      at_[tiles[i].cell] = i;
      now_.push_back(0);
      double most = 0;
      for (std::size_t k = 0; k < tiles[i].candidates.size(); ++k) {
        if (tiles[i].candidates[k].probability <= most) continue;
        most = tiles[i].candidates[k].probability;
        now_[i] = k;
      }
    }
  }

  // Takes the likeliest candidate of each tile, the others being as they are,
  // until nothing changes. The most doubtful give way first.
  void Settle() {
    std::vector<std::size_t> order(tiles_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return Best(a) < Best(b); });
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      bool changed = false;
      for (const std::size_t i : order) {
        const std::vector<double> weights = Weights(i);
        if (weights.empty()) continue;
        const auto best = static_cast<std::size_t>(
            std::max_element(weights.begin(), weights.end()) - weights.begin());
        if (weights[best] <= weights[now_[i]]) continue;
        now_[i] = best;
        changed = true;
      }
      if (!changed) return;
    }
  }

  // Probabilities of a tile's candidates up to a factor.
  std::vector<double> Weights(std::size_t tile) const {
    std::vector<double> weights;
    for (const TileCandidate& candidate : tiles_[tile].candidates) {
      const int type = set_.Find(candidate.tile);
      double weight = candidate.probability;
      if (type >= 0) weight *= Fit(tile, type, candidate.rotation) * Copies(tile, type);
      weights.push_back(weight);
    }
    return weights;
  }

 private:
  double Best(std::size_t tile) const {
    const auto& candidates = tiles_[tile].candidates;
    return candidates.empty() ? 0 : candidates[now_[tile]].probability;
  }

  char EdgeOf(int type, int rotation, Side side) const {
    return set_.types()[static_cast<std::size_t>(type)]
        .edges[static_cast<std::size_t>(Rotated(side, -rotation))];
  }

  double Fit(std::size_t tile, int type, int rotation) const {
    double fit = 1;
    for (const Side side : kSides) {
      const auto next = at_.find(Neighbour(tiles_[tile].cell, side));
      if (next == at_.end() || tiles_[next->second].candidates.empty()) continue;
      const TileCandidate& other = tiles_[next->second].candidates[now_[next->second]];
      const int other_type = set_.Find(other.tile);
      if (other_type < 0) continue;
      if (EdgeOf(type, rotation, side) != EdgeOf(other_type, other.rotation, Opposite(side))) {
        fit *= fit < 1 ? kEachFurther : kIllegalRate;
      }
    }
    return fit;
  }

  double Copies(std::size_t tile, int type) const {
    int left = set_.counts()[static_cast<std::size_t>(type)];
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
      if (i == tile || tiles_[i].candidates.empty()) continue;
      const TileCandidate& other = tiles_[i].candidates[now_[i]];
      if (set_.Find(other.tile) == type) --left;
    }
    return left > 0 ? left : kNoCopyLeft;
  }

  const std::vector<SightedTile>& tiles_;
  const TileSet& set_;
  std::map<Cell, std::size_t> at_;
  std::vector<std::size_t> now_;  // the candidate taken, by tile
};

}  // namespace

std::vector<SightedTile> WeighTogether(std::vector<SightedTile> tiles, const TileSet& set) {
  Weighing weighing(tiles, set);
  weighing.Settle();
  std::vector<SightedTile> weighed = tiles;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const std::vector<double> weights = weighing.Weights(i);
    double before = 0, after = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (set.Find(tiles[i].candidates[k].tile) < 0) continue;
      before += tiles[i].candidates[k].probability;
      after += weights[k];
    }
    if (after <= 0) continue;
    std::vector<TileCandidate>& candidates = weighed[i].candidates;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      if (set.Find(candidates[k].tile) >= 0)
        candidates[k].probability = weights[k] * before / after;
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.probability > b.probability; });
  }
  return weighed;
}

}  // namespace tilewarden::engine
