// Scores FigureFinder, by pictures or by its network, on the rendered tables with the tiles' true
// corners and names handed over, so that what is counted is the error of the figures alone.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/vision/figures/figure_kinds_scoring.h"

namespace tilewarden::vision {

struct FigureCounts {
  int pictures = 0, exact = 0, figures = 0, found = 0, colour = 0, pose = 0, feature = 0;
  int wrong = 0;  // on the board, where none is
  int beside = 0, beside_found = 0, beside_colour = 0, beside_false = 0;
  // Feet off by no more than 2.45 of their sigmas: 95 % of those that tell the truth.
  int foot_as_told = 0;
  std::vector<double> foot_mm, ms;
  KindCounts kinds;
  // Pictures by the colours that most of the cloth looks like, or "none of them".
  std::map<std::string, int> cloths;

  void Print(const std::string& name) const;
  void Add(const FigureCounts& other);
};

// What is told besides the counts.
struct Telling {
  bool errors = false;       // prints each error
  std::string only;          // pictures with this in their names; empty: all
  std::string debug_folder;  // for pictures of the stages; empty: none
  bool by_look = false;      // figures found without the tiles' pictures
  bool special = false;      // the game may have any special figure
};

// tables: ../shared/tables. set: a still's or a sequence's truth below it.
FigureCounts ScoreFigures(const std::filesystem::path& tables, const std::string& set,
                          const Telling& telling = {});

// types, still: as for LoadVirtualStill.
FigureCounts ScoreVirtualStill(const std::filesystem::path& types,
                               const std::filesystem::path& still, const Telling& telling = {});

}  // namespace tilewarden::vision
