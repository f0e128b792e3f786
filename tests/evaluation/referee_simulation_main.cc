// Plays many simulated games before the referee and prints a table of how it did.
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>

#include "tests/engine/referee/simulation.h"

namespace {

using namespace tilewarden::engine;  // NOLINT: a program of one file

constexpr char kHelp[] =
    "referee_simulation [options]\n"
    "Plays random games of 2 to 6 players on a simulated table, lets the referee follow what a\n"
    "camera with known error rates sees of them, and compares.\n"
    "  --games N       games, over all presets in turn (default 200)\n"
    "  --seed N        seed of the first game (default 1)\n"
    "  --players N     always so many (default 2 to 6 in turn)\n"
    "  --preset NAME   only presets whose name begins so (see --list)\n"
    "  --mistakes P    share of turns with a mistake at the table (default 0: clean games)\n"
    "  --kind NAME     only mistakes of this kind (see --list)\n"
    "  --errors F      error rates times F (default 1)\n"
    "  --held          also errors that persist until something moves: figures near cloth, of the\n"
    "                  cloth's colour or on dark roofs, and coats of arms under followers\n"
    "  --supplies      the players' figures that are not on the board lie beside it in view\n"
    "  --unexpected    the game is set up without abbots, the Ark and the Gingerbread Man; people\n"
    "                  play with them all the same, and say so when they are asked\n"
    "  --join N        nobody looks on for N turns; then the game is joined as it lies\n"
    "  --restarts      the referee is restarted from its log now and then\n"
    "  --twice         every sighting is delivered twice\n"
    "  --notes         say what was wrong\n"
    "  --list          presets and kinds of mistakes\n"
    "Example: referee_simulation --games 1000 --mistakes 0.1 --notes\n";

struct Options {
  int games = 200, join = 0;
  unsigned seed = 1;
  int players = 0;
  std::string preset, kind;
  double mistakes = 0, errors = 1;
  bool held = false, supplies = false, unexpected = false, restarts = false, twice = false,
       notes = false;
};

CameraErrors ErrorsOf(const Options& options) {
  CameraErrors errors;
  if (options.held) errors.held = MeasuredHeldErrors();
  return errors.Times(options.errors);
}

void PrintRates(const CameraErrors& e, bool supplies) {
  std::cout << "Rates a tile or figure and sighting: doubtful tile " << e.doubtful_tile
            << ", misread tile " << e.misread_tile << ", missed tile " << e.missed_tile
            << ", missed figure " << e.missed_figure << ", wrong colour " << e.wrong_colour
            << ", foot " << e.foot << " tiles (standard deviation), lattice anew " << e.new_lattice
            << "\n";
  if (supplies) {
    std::cout << "Supplies: out of view " << e.supply.out_of_view << " of the colours, wavering "
              << e.supply.wavering << " of the others, by one more or less from look to look "
              << e.supply.wavers << "; counted wrongly in " << e.supply.wrong
              << " of the looks (by judgement)\n";
  }
  if (e.held.figure <= 0) return;
  std::cout
      << "Until something moves: figure in plain view " << e.held.figure << ", near bare cloth "
      << e.held.edge << ", near cloth of its colour " << e.held.own_cloth << ", black on a city "
      << e.held.dark_roof << ", coat of arms under a follower " << e.held.coat
      << " (of the readings of sequence, sequence_scoring and sequence_cloth, 45 figures and 4 "
         "covered coats of arms)\n";
}

void PrintRow(const std::string& name, const SimulationReport& r) {
  int planted = 0, missed = 0;
  for (const auto& [kind, n] : r.planted) planted += n;
  for (const auto& [kind, n] : r.missed) missed += n;
  std::cout << std::left << std::setw(34) << name << std::right << std::setw(6) << r.games
            << std::setw(7) << r.exact << std::setw(10) << r.exact_unasked << std::setw(7)
            << r.exact_one_asked << std::setw(8) << r.scores_right << std::setw(9)
            << r.wrong_unasked << std::setw(7) << r.questions << std::setw(8) << planted
            << std::setw(7) << missed << std::setw(9) << r.not_cleared << std::setw(7)
            << r.false_accusations << "\n";
}

int Run(const Options& options) {
  std::vector<GameConfig> configs;
  for (const GameConfig& config : options.join > 0 ? JoinableConfigs() : SimulatedConfigs()) {
    if (config.name.starts_with(options.preset)) configs.push_back(config);
  }
  if (configs.empty()) {
    std::cerr << "no preset begins with \"" << options.preset << "\"; see --list\n";
    return 2;
  }
  std::map<std::string, SimulationReport> by_preset;
  SimulationReport all;
  for (int i = 0; i < options.games; ++i) {
    SimulatedGame game;
    game.config = configs[static_cast<std::size_t>(i) % configs.size()];
    game.seed = options.seed + static_cast<unsigned>(i);
    game.players = options.players > 0 ? options.players : 2 + i % 5;
    game.mistakes = options.mistakes;
    game.kind = options.kind;
    game.errors = ErrorsOf(options);
    game.supplies = options.supplies;
    game.unexpected = options.unexpected;
    game.restarts = options.restarts;
    game.join_after = options.join;
    game.twice = options.twice;
    const SimulationReport report = PlayGame(game);
    by_preset[game.config.name].Add(report);
    all.Add(report);
  }
  PrintRates(ErrorsOf(options), options.supplies);
  std::cout << "Seeds " << options.seed << " to "
            << options.seed + static_cast<unsigned>(options.games) - 1 << ", mistakes in "
            << options.mistakes << " of the turns\n\n"
            << "preset                             games  exact  unasked  <=1 q  scores  wrong,   "
               "ques-  planted missed  not     false\n"
            << "                                                                          unasked  "
               "tions                  cleared\n";
  for (const auto& [name, report] : by_preset) PrintRow(name, report);
  PrintRow("all", all);
  std::cout << "\n" << all.ToString();
  if (options.notes) std::cout << all.Notes();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto value = [&] {
      if (i + 1 >= argc) {
        std::cerr << name << " wants a value\n";
        std::exit(2);
      }
      return std::string(argv[++i]);
    };
    if (name == "--help") {
      std::cout << kHelp;
      return 0;
    }
    if (name == "--list") {
      for (const GameConfig& config : SimulatedConfigs()) std::cout << config.name << "\n";
      std::cout << "\n";
      for (const std::string& kind : MistakeKinds()) std::cout << kind << "\n";
      return 0;
    }
    if (name == "--games") {
      options.games = std::atoi(value().c_str());
    } else if (name == "--seed") {
      options.seed = static_cast<unsigned>(std::atoi(value().c_str()));
    } else if (name == "--players") {
      options.players = std::atoi(value().c_str());
    } else if (name == "--preset") {
      options.preset = value();
    } else if (name == "--kind") {
      options.kind = value();
    } else if (name == "--mistakes") {
      options.mistakes = std::atof(value().c_str());
    } else if (name == "--errors") {
      options.errors = std::atof(value().c_str());
    } else if (name == "--held") {
      options.held = true;
    } else if (name == "--supplies") {
      options.supplies = true;
    } else if (name == "--unexpected") {
      options.unexpected = true;
    } else if (name == "--join") {
      options.join = std::atoi(value().c_str());
    } else if (name == "--restarts") {
      options.restarts = true;
    } else if (name == "--twice") {
      options.twice = true;
    } else if (name == "--notes") {
      options.notes = true;
    } else {
      std::cerr << "unknown option " << name << "\n" << kHelp;
      return 2;
    }
  }
  return Run(options);
}
