// Prints how many figures of the rendered tables are read right (see
// figure_scoring.h and scripts/evaluate-figures).
//
//   figure_evaluation TABLES SET... [--debug FOLDER] [--only NAME] [--brief]
//
// TABLES: the folder of rendered tables (../shared/tables). SET: a still's or a
// sequence's truth below it. One line per set, and unless brief per error.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "figure_scoring.h"

int main(int argc, char** argv) {
  std::string debug, only;
  std::vector<std::string> sets;
  bool tell = true;
  for (int i = 2; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--debug" && i + 1 < argc) {
      debug = argv[++i];
    } else if (a == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else if (a == "--brief") {
      tell = false;
    } else {
      sets.push_back(a);
    }
  }
  if (sets.empty()) {
    std::fprintf(
        stderr,
        "usage: figure_evaluation TABLES SET... [--debug FOLDER] [--only NAME] [--brief]\n");
    return 2;
  }
  try {
    for (const std::string& set : sets) {
      tilewarden::vision::ScoreFigures(argv[1], set, only, tell, debug).Print(set);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "figure_evaluation: %s\n", e.what());
    return 1;
  }
  return 0;
}
