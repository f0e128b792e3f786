#include "engine/referee/memory/tile_evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/referee/model.h"

namespace tilewarden::engine {

bool TileEvidence::Listed(const TileReading& reading, const TileFaces& faces, double above) const {
  return std::any_of(log_likelihoods_.begin(), log_likelihoods_.end(), [&](const auto& entry) {
    const auto& [tile, rotation] = entry.first;
    return tile == reading.tile && faces.Same(tile, rotation, reading.rotation) &&
           entry.second > above;
  });
}

void TileEvidence::Add(const CellView& view, const TileFaces& faces, bool free) {
  const bool swapped = free && !view.readings.empty() && !log_likelihoods_.empty() &&
                       view.readings.front().probability >= kClearReading &&
                       !Listed(view.readings.front(), faces, std::log(kNotThisTile));
  if (swapped) *this = TileEvidence();
  const bool hides_the_same = !bare_ && !view.figures.empty();
  bare_ = view.figures.empty();
  const double weight = looks_++ == 0    ? 1.0
                        : hides_the_same ? kRepeatedLookUnderFigure
                                         : kRepeatedLook;
  // Readings that were not listed before were not seen in any earlier look.
  const double never = std::log(kReadingFloor) * (1 + kRepeatedLook * (looks_ - 2));
  for (const TileReading& reading : view.readings) {
    if (Listed(reading, faces, -std::numeric_limits<double>::infinity())) continue;
    log_likelihoods_[{reading.tile, reading.rotation}] = looks_ > 1 ? never : 0;
  }
  for (auto& [reading, log_likelihood] : log_likelihoods_) {
    const double p = view.ProbabilityOfType(faces, reading.first, reading.second);
    log_likelihood =
        std::max(log_likelihood + weight * std::log(p + kReadingFloor), kLeastLogLikelihood);
  }
}

double TileEvidence::LogLikelihoodOf(int tile, int rotation, const TileFaces& faces) const {
  double best = std::log(kReadingFloor) * looks_;
  for (const auto& [reading, log_likelihood] : log_likelihoods_) {
    if (reading.first == tile && faces.Same(tile, reading.second, rotation)) {
      best = std::max(best, log_likelihood);
    }
  }
  return best;
}

std::vector<TileReading> TileEvidence::Shares() const {
  double best = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const auto& entry : log_likelihoods_) best = std::max(best, entry.second);
  std::vector<TileReading> shares;
  for (const auto& [reading, log_likelihood] : log_likelihoods_) {
    shares.push_back({reading.first, reading.second, std::exp(log_likelihood - best)});
    sum += shares.back().probability;
  }
  for (TileReading& share : shares) share.probability /= sum;
  return shares;
}

}  // namespace tilewarden::engine
