// What all settled looks at one cell say of the tile that lies on it.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "engine/referee/look.h"

namespace tilewarden::engine {

// A value; not thread safe.
class TileEvidence {
 public:
  // One more look. Repeated looks at what nobody touches are not independent: after the first
  // they count less, and next to nothing where a figure hides the same of it. `free`: the game has
  // no tile there, so that somebody may have changed it; then a clear look at another tile begins
  // anew.
  void Add(const CellView& view, const TileFaces& faces, bool free);

  int looks() const { return looks_; }
  // Log likelihood by reading: tile and rotation.
  const std::map<std::pair<int, int>, double>& log_likelihoods() const { return log_likelihoods_; }
  // Of this reading; where no look has named it, as if each had named it at the least.
  double LogLikelihoodOf(int tile, int rotation, const TileFaces& faces) const;
  // The readings with probabilities that add up to 1.
  std::vector<TileReading> Shares() const;

 private:
  bool Listed(const TileReading& reading, const TileFaces& faces, double above) const;

  std::map<std::pair<int, int>, double> log_likelihoods_;
  int looks_ = 0;
  bool bare_ = true;  // in the look before, no figure stood on it
};

}  // namespace tilewarden::engine
