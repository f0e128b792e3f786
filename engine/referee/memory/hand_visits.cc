#include "engine/referee/memory/hand_visits.h"

#include <utility>

#include "engine/referee/model.h"

namespace tilewarden::engine {

void HandVisits::Remember(const CellView& view, std::uint64_t sighting, std::int64_t time_ms,
                          int coverage, double figure_certainty) {
  const bool laid = view.tile && view.straight;
  const bool over = view.covered || view.hidden;
  if (over) {
    if (covered_looks_++ == 0) covered_from_ms_ = time_ms;
    covered_to_ms_ = time_ms;
    covered_again_ = covered_again_ || laid_open_;
  } else if (laid) {
    laid_open_ = true;
  }
  if ((over || (laid && coverage > 0)) && views_.size() < kKeptViews) {
    views_.push_back({sighting, coverage, laid, view.readings});
  }
  for (const FigureView& figure : view.figures) {
    if (figure.seen.probability < figure_certainty) continue;
    if (figures_.size() < kKeptViews) figures_.push_back(figure);
  }
}

void HandVisits::ForgetAllButFigures() {
  std::vector<FigureView> figures = std::move(figures_);
  Forget();
  figures_ = std::move(figures);
}

}  // namespace tilewarden::engine
