#include "engine/referee/memory/unexpected_figures.h"

#include <algorithm>

#include "engine/referee/model.h"

namespace tilewarden::engine {

void UnexpectedFigures::Looks::Tell(int turn) {
  if (told == 0) first_turn = turn;
  first_turn = std::min(first_turn, turn);
  last_turn = turn;
  ++told;
  ++looks;
}

bool UnexpectedFigures::Looks::Agree() const { return told >= kMostlyUnexpected * looks; }

bool UnexpectedFigures::Looks::Suffice() const {
  const bool often = told >= kUnexpectedLooks || (told >= 2 && last_turn > first_turn);
  return often && Agree();
}

void UnexpectedFigures::Saw(Cell cell, const UnexpectedFigure& figure, int turn) {
  Seen& seen = seen_[cell];
  if (seen.figure.kind != figure.kind || seen.figure.colour != figure.colour) seen.looks = {};
  seen.figure = figure;
  seen.looks.Tell(turn);
}

void UnexpectedFigures::SawNobodys(FigureKind kind, const Place& place,
                                   const std::string& taken_for, int turn) {
  Nobodys& seen = nobodys_[kind];
  seen.looks.Tell(turn);
  seen.places.erase(seen.places.upper_bound(turn), seen.places.end());
  seen.places[turn] = place;
  seen.taken_for[place.cell] = taken_for;
}

void UnexpectedFigures::SawPlayers(FigureKind kind, Cell cell, const std::string& colour) {
  if (TakenFor(kind, cell) == colour) nobodys_.at(kind).taken_for.erase(cell);
}

void UnexpectedFigures::SawOther(Cell cell) {
  const auto found = seen_.find(cell);
  if (found != seen_.end()) ++found->second.looks.looks;
}

void UnexpectedFigures::SawOther(FigureKind kind) {
  const auto found = nobodys_.find(kind);
  if (found != nobodys_.end()) ++found->second.looks.looks;
}

void UnexpectedFigures::Gone(Cell cell) {
  const auto found = seen_.find(cell);
  if (found == seen_.end()) return;
  if (found->second.looks.Agree()) gone_[cell] = found->second.figure;
  seen_.erase(found);
}

const UnexpectedFigure* UnexpectedFigures::Was(Cell cell) const {
  const auto found = seen_.find(cell);
  if (found != seen_.end()) return found->second.looks.Agree() ? &found->second.figure : nullptr;
  const auto gone = gone_.find(cell);
  return gone == gone_.end() ? nullptr : &gone->second;
}

const UnexpectedFigure* UnexpectedFigures::On(Cell cell) const {
  const auto found = seen_.find(cell);
  return found == seen_.end() ? nullptr : &found->second.figure;
}

std::vector<Cell> UnexpectedFigures::Sure(FigureKind kind) const {
  std::vector<Cell> sure;
  for (const auto& [cell, seen] : seen_) {
    if (seen.figure.kind == kind && seen.looks.Suffice()) sure.push_back(cell);
  }
  const auto nobodys = nobodys_.find(kind);
  if (nobodys != nobodys_.end() && nobodys->second.looks.Suffice()) {
    sure.push_back(nobodys->second.places.rbegin()->second.cell);
  }
  return sure;
}

std::optional<Place> UnexpectedFigures::StandsOn(FigureKind kind) const {
  const auto found = nobodys_.find(kind);
  if (found == nobodys_.end() || !found->second.looks.Agree()) return std::nullopt;
  return found->second.places.rbegin()->second;
}

std::map<int, Place> UnexpectedFigures::PlacesOf(FigureKind kind) const {
  const auto found = nobodys_.find(kind);
  return found == nobodys_.end() ? std::map<int, Place>() : found->second.places;
}

std::string UnexpectedFigures::TakenFor(FigureKind kind, Cell cell) const {
  const auto found = nobodys_.find(kind);
  if (found == nobodys_.end()) return "";
  const auto taken = found->second.taken_for.find(cell);
  return taken == found->second.taken_for.end() ? "" : taken->second;
}

}  // namespace tilewarden::engine
