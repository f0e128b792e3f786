// What sightings with a hand in view showed of one cell, since the last settled look that
// concluded something about it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/referee/look.h"

namespace tilewarden::engine {

// A value; not thread safe.
class HandVisits {
 public:
  // A sighting that showed something over the cell, or the tile beside a hand.
  struct View {
    std::uint64_t sighting = 0;
    int coverage = 0;  // covered cells among the nine around this one
    bool laid = false;
    std::vector<TileReading> readings;
  };

  // `coverage`: as in View. Figures below the certainty are not believed.
  void Remember(const CellView& view, std::uint64_t sighting, std::int64_t time_ms, int coverage,
                double figure_certainty);
  void Forget() { *this = HandVisits(); }
  // What was seen still counts, not that something was covered.
  void ForgetAllButFigures();

  int CoveredLooks() const { return covered_looks_; }
  // From the first covered look to the last.
  std::int64_t Duration_ms() const { return covered_to_ms_ - covered_from_ms_; }
  // The tile lay there with nothing over it, and then something came over it.
  bool CoveredAgain() const { return covered_again_; }
  const std::vector<View>& views() const { return views_; }
  const std::vector<FigureView>& figures() const { return figures_; }

 private:
  int covered_looks_ = 0;
  std::int64_t covered_from_ms_ = 0, covered_to_ms_ = 0;
  std::vector<View> views_;
  bool laid_open_ = false, covered_again_ = false;
  std::vector<FigureView> figures_;
};

}  // namespace tilewarden::engine
