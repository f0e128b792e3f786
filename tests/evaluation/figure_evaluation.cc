// Prints how many figures of the rendered tables are read right (see
// figure_scoring.h and scripts/evaluate-figures).
//
//   figure_evaluation TABLES SET... [--debug FOLDER] [--only NAME] [--brief] [--by-look]
//   [--special] figure_evaluation --types TYPES STILL... [...]
//
// TABLES: the folder of rendered tables (../shared/tables). SET: a still's or a
// sequence's truth below it. TYPES: the truth of a picture of our own virtual
// table's types; STILL: that of a board of the same box. One line per set, or one
// for all stills of a name up to its first figure; unless brief one per error. By look:
// by the figure network, without the tiles' pictures. Special: the games may have special figures
// of any kind.
#include <cctype>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/vision/figures/figure_scoring.h"

namespace {

// "easy-12.json": easy.
std::string LevelOf(const std::string& still) {
  const std::string name = std::filesystem::path(still).stem().string();
  return name.substr(0, name.find_first_of("-0123456789"));
}

}  // namespace

int main(int argc, char** argv) {
  namespace vision = tilewarden::vision;
  vision::Telling telling;
  telling.errors = true;
  std::string types;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--debug" && i + 1 < argc) {
      telling.debug_folder = argv[++i];
    } else if (a == "--only" && i + 1 < argc) {
      telling.only = argv[++i];
    } else if (a == "--types" && i + 1 < argc) {
      types = argv[++i];
    } else if (a == "--by-look") {
      telling.by_look = true;
    } else if (a == "--special") {
      telling.special = true;
    } else if (a == "--brief") {
      telling.errors = false;
    } else {
      words.push_back(a);
    }
  }
  if (words.size() < (types.empty() ? 2U : 1U)) {
    std::fprintf(stderr,
                 "usage: figure_evaluation TABLES SET... | --types TYPES STILL...\n"
                 "       [--debug FOLDER] [--only NAME] [--brief] [--by-look] [--special]\n");
    return 2;
  }
  try {
    if (types.empty()) {
      for (std::size_t i = 1; i < words.size(); ++i) {
        vision::ScoreFigures(words[0], words[i], telling).Print(words[i]);
      }
    } else {
      std::map<std::string, vision::FigureCounts> levels;
      for (const std::string& still : words) {
        if (still.find(telling.only) == std::string::npos) continue;
        levels[LevelOf(still)].Add(vision::ScoreVirtualStill(types, still, telling));
      }
      for (const auto& [level, counts] : levels) counts.Print("virtual " + level);
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "figure_evaluation: %s\n", e.what());
    return 1;
  }
  return 0;
}
