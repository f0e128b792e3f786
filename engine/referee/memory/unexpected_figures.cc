#include "engine/referee/memory/unexpected_figures.h"

#include "engine/referee/model.h"

namespace tilewarden::engine {

void UnexpectedFigures::Saw(Cell cell, const UnexpectedFigure& figure, int turn) {
  const auto found = seen_.find(cell);
  const bool same = found != seen_.end() && found->second.figure.kind == figure.kind &&
                    found->second.figure.colour == figure.colour;
  if (!same) {
    seen_[cell] = {figure, 1, 1, turn, turn};
    return;
  }
  Seen& seen = found->second;
  seen.figure = figure;
  seen.last_turn = turn;
  ++seen.told;
  ++seen.looks;
}

void UnexpectedFigures::SawOther(Cell cell) {
  const auto found = seen_.find(cell);
  if (found != seen_.end()) ++found->second.looks;
}

const UnexpectedFigure* UnexpectedFigures::On(Cell cell) const {
  const auto found = seen_.find(cell);
  return found == seen_.end() ? nullptr : &found->second.figure;
}

std::vector<Cell> UnexpectedFigures::Sure(FigureKind kind) const {
  std::vector<Cell> sure;
  for (const auto& [cell, seen] : seen_) {
    const bool often =
        seen.told >= kUnexpectedLooks || (seen.told >= 2 && seen.last_turn > seen.first_turn);
    if (seen.figure.kind == kind && often && seen.told >= kMostlyUnexpected * seen.looks) {
      sure.push_back(cell);
    }
  }
  return sure;
}

}  // namespace tilewarden::engine
