// The referee on simulated tables. A few games each time; more with
// TILEWARDEN_SIMULATED_GAMES=1000.
#include "referee_simulation.h"

#include <cstdlib>
#include <iostream>

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

SimulationReport PlayMany(int games, double mistakes, double error_factor, bool restarts) {
  if (const char* wish = std::getenv("TILEWARDEN_SIMULATED_GAMES")) games = std::atoi(wish);
  const auto tiles = *TileSet::Load("base.c1");
  SimulationReport report;
  for (int i = 1; i <= games; ++i) {
    SimulatedGame game;
    game.seed = static_cast<unsigned>(i);
    game.players = 2 + i % 5;
    game.mistakes = mistakes;
    game.errors = CameraErrors().Times(error_factor);
    game.restarts = restarts;
    report.Add(PlayGame(tiles, game));
  }
  std::cout << report.ToString();
  return report;
}

int Total(const std::map<std::string, int>& counts) {
  int total = 0;
  for (const auto& [kind, n] : counts) total += n;
  return total;
}

TEST(RefereeSimulation, PerfectCamera) {
  const SimulationReport report = PlayMany(10, 0, 0, false);
  EXPECT_EQ(report.false_accusations, 0);
  EXPECT_GE(report.scores_right, report.games * 95 / 100);
}

TEST(RefereeSimulation, CleanGames) {
  const SimulationReport report = PlayMany(20, 0, 1, false);
  EXPECT_LE(report.false_accusations, 1 + report.games / 20);
  EXPECT_LE(report.slowest_ms, 50);
}

TEST(RefereeSimulation, PlantedMistakes) {
  const SimulationReport report = PlayMany(20, 0.1, 1, true);
  EXPECT_GT(Total(report.planted), 0);
  EXPECT_LE(Total(report.missed), 1 + Total(report.planted) / 20);
}

}  // namespace
}  // namespace tilewarden::engine
