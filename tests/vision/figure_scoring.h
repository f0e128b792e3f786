// Scores FindFigures on the rendered tables with the tiles' true corners and
// names handed over, so that what is counted is the error of the figures alone.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "opencv2/core.hpp"
#include "vision/named_tile.h"
#include "vision/sighting.h"
#include "vision/table_plane.h"

namespace tilewarden::vision {

struct FigureCounts {
  int pictures = 0, exact = 0, figures = 0, found = 0, colour = 0, pose = 0, feature = 0;
  int wrong = 0;  // on the board, where none is
  int beside = 0, beside_found = 0, beside_colour = 0, beside_false = 0;
  std::vector<double> foot_mm, ms;

  void Print(const std::string& name) const;
  void Add(const FigureCounts& other);
};

// tables: ../shared/tables. set: a still's or a sequence's truth below it. only:
// part of a picture's name; empty: all. tell: prints each error. debug: folder
// for pictures of the stages; empty: none.
FigureCounts ScoreFigures(const std::filesystem::path& tables, const std::string& set,
                          const std::string& only = "", bool tell = false,
                          const std::string& debug = "");

}  // namespace tilewarden::vision
