// The referee on simulated tables. A few games each time; more with
// TILEWARDEN_SIMULATED_GAMES=1000, and with the program referee_simulation.
#include "tests/engine/referee/simulation.h"

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

// Games of the first edition (or over all presets), seeds from 1.
SimulationReport PlayMany(int games, SimulatedGame game, bool all_presets = false) {
  if (const char* wish = std::getenv("TILEWARDEN_SIMULATED_GAMES")) games = std::atoi(wish);
  SimulationReport report;
  for (int i = 1; i <= games; ++i) {
    if (all_presets) {
      game.config = SimulatedConfigs()[static_cast<std::size_t>(i) % SimulatedConfigs().size()];
    }
    game.seed = static_cast<unsigned>(i);
    game.players = 2 + i % 5;
    report.Add(PlayGame(game));
  }
  std::cout << report.ToString() << report.Notes();
  return report;
}

int Total(const std::map<std::string, int>& counts) {
  int total = 0;
  for (const auto& [kind, n] : counts) total += n;
  return total;
}

TEST(RefereeSimulation, PerfectCamera) {
  SimulatedGame game;
  game.errors = CameraErrors().Times(0);
  const SimulationReport report = PlayMany(10, game);
  EXPECT_EQ(report.false_accusations, 0);
  EXPECT_GE(report.scores_right, report.games * 95 / 100);
}

TEST(RefereeSimulation, CleanGames) {
  const SimulationReport report = PlayMany(50, SimulatedGame());
  EXPECT_LE(report.false_accusations, report.games / 50);
  EXPECT_GE(report.exact, report.games * 95 / 100);
  EXPECT_LE(report.slowest_ms, 50);
}

// The games are set up without the figures that are played with.
TEST(RefereeSimulation, FiguresThatNobodyExpectsAreAskedAboutAndAccuseNobody) {
  SimulationReport report;
  for (const GameConfig& config :
       {GameConfig{"abbot", "base.c2", "c2", {{"abbot", "true"}}},
        GameConfig{"Ark", "ark", "ark-2", {}},
        GameConfig{"Gingerbread Man", "winter+gingerbread", "winter", {{"gingerbread", "true"}}}}) {
    SimulatedGame game;
    game.config = config;
    game.unexpected = true;
    report.Add(PlayMany(8, game));
  }
  EXPECT_LE(report.false_accusations, report.games / 20);
  EXPECT_GE(report.scores_right, report.games * 90 / 100);
  EXPECT_LE(report.wrong_unasked, report.games / 10);
}

// The camera misses the same figure in every look until something moves, and what followers cover.
TEST(RefereeSimulation, ErrorsThatPersistAreAskedAboutAndAccuseNobody) {
  SimulatedGame game;
  game.errors.held = MeasuredHeldErrors();
  const SimulationReport report = PlayMany(40, game, true);
  EXPECT_LE(report.false_accusations, 2);
  EXPECT_GE(report.exact_or_asked, report.games * 93 / 100);
  EXPECT_LE(report.questions, report.games);
}

TEST(RefereeSimulation, EveryPresetIsFollowed) {
  const SimulationReport report =
      PlayMany(static_cast<int>(SimulatedConfigs().size()), SimulatedGame(), true);
  EXPECT_LE(report.false_accusations, 1);
  EXPECT_GE(report.exact, report.games * 93 / 100);
  EXPECT_LE(report.questions, report.games);
}

// Games of the presets whose names begin so, three of each.
SimulationReport PlayPresets(const std::string& name, unsigned first_seed) {
  SimulationReport report;
  SimulatedGame game;
  game.seed = first_seed;
  for (const GameConfig& config : SimulatedConfigs()) {
    if (config.name.rfind(name, 0) != 0) continue;
    for (int i = 0; i < 3; ++i, ++game.seed) {
      game.config = config;
      game.players = 2 + i;
      report.Add(PlayGame(game));
    }
  }
  std::cout << report.ToString() << report.Notes();
  return report;
}

// Round to where it stood, too, and in either of two turns between two looks.
TEST(RefereeSimulation, TheArkIsFollowedWhereItGoes) {
  const SimulationReport report = PlayPresets("ark", 63007);
  EXPECT_EQ(report.false_accusations, 0);
  EXPECT_GE(report.exact, report.games * 90 / 100);
}

// The hand that took one was not there to claim what the tile completed.
TEST(RefereeSimulation, AbbotsAreCalledHome) {
  const SimulationReport report = PlayPresets("abbot", 61003);
  EXPECT_EQ(report.false_accusations, 0);
  EXPECT_EQ(report.exact, report.games);
}

TEST(RefereeSimulation, PlantedMistakes) {
  SimulatedGame game;
  game.mistakes = 0.1;
  game.restarts = true;
  const SimulationReport report = PlayMany(20, game);
  EXPECT_GT(Total(report.planted), 0);
  // Restarts come in the middle of things here; without them one in a hundred is missed.
  EXPECT_LE(Total(report.missed), Total(report.planted) / 20);
}

// From turn 25 on, with the points so far entered by hand.
TEST(RefereeSimulation, GamesAreJoinedInTheMiddle) {
  SimulatedGame game;
  game.join_after = 25;
  SimulationReport report;
  const std::vector<GameConfig> configs = JoinableConfigs();
  for (std::size_t i = 0; i < configs.size(); ++i) {
    game.config = configs[i];
    game.seed = static_cast<unsigned>(i + 1);
    game.players = 2 + static_cast<int>(i % 5);
    report.Add(PlayGame(game));
  }
  std::cout << report.ToString() << report.Notes();
  EXPECT_GE(report.scores_right, report.games * 90 / 100);
  EXPECT_LE(report.false_accusations, 1);
}

TEST(RefereeSimulation, SightingsTwiceAndOnceMoreTellTheSame) {
  SimulatedGame game;
  game.twice = true;
  game.replay = true;
  game.mistakes = 0.05;
  const SimulationReport report = PlayMany(5, game, true);
  EXPECT_EQ(report.repeat_faults, 0);
}

}  // namespace
}  // namespace tilewarden::engine
