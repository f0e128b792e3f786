// Counts whether special figures are told apart, and whether small things that
// are no figures are taken for one.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "vision/figures/figure_kinds.h"

namespace tilewarden::vision {

// As the virtual table's truth calls it.

struct KindCounts {
  // Figures by what they are, and what they were read as; empty: missed.
  std::map<std::pair<std::string, std::string>, int> read;
  // The same of those that are clearly of a kind that the game was not said to have.
  std::map<std::pair<std::string, std::string>, int> unexpected;
  // Things that are no figures by what they are: how many, and how many figures were seen there.
  std::map<std::string, std::pair<int, int>> clutter;

  void Add(const KindCounts& other);
  // Special figures; those of them read as what they are; and followers read as special.
  int Special() const;
  int ToldApart() const;
  int FollowersAsSpecial() const;
  // Special figures that were told though nobody expects them; others told as what they are not.
  int ToldUnexpected() const;
  int WronglyUnexpected() const;
  // Things that are no figures, and those of them that were taken for one.
  int Things() const;
  int TakenForFigures() const;
  // Nothing where there were only followers and no clutter.
  void Print(const std::string& name) const;
};

}  // namespace tilewarden::vision
