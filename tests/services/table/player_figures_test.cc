// What games add up to for the people who play them.
#include "services/table/player_figures.h"

#include "gtest/gtest.h"

namespace tilewarden::services {
namespace {

v1::GameSummary GameOfPlayers(std::int64_t created_ms, bool ended = true) {
  v1::GameSummary game;
  game.set_game_id("game");
  game.set_created_ms(created_ms);
  game.set_phase(ended ? v1::GAME_PHASE_ENDED : v1::GAME_PHASE_PLAYING);
  return game;
}

void TakeSeat(v1::GameSummary* game, const std::string& colour, const std::string& name, int points,
              bool won, std::uint32_t road, std::uint32_t city, std::uint32_t farms) {
  v1::Player* player = game->add_players();
  player->set_colour(colour);
  player->set_name(name);
  player->set_score(points);
  if (game->phase() != v1::GAME_PHASE_ENDED) return;
  v1::PlayerResult* result = game->add_results();
  result->set_won(won);
  result->set_best_road(road);
  result->set_best_city(city);
  result->set_farm_points(farms);
}

TEST(PlayerFigures, GamesThatEndedAddUpByName) {
  PlayerStatistics statistics;
  auto game = GameOfPlayers(2000);
  TakeSeat(&game, "red", "Ben", 50, true, 4, 20, 9);
  TakeSeat(&game, "blue", "Anna", 40, false, 7, 8, 0);
  statistics.Add(game);
  game = GameOfPlayers(1000);
  TakeSeat(&game, "red", "Anna", 71, true, 3, 16, 12);
  TakeSeat(&game, "green", "green", 71, true, 1, 1, 1);
  statistics.Add(game);
  game = GameOfPlayers(500);
  TakeSeat(&game, "red", "Anna", 60, false, 0, 24, 3);
  statistics.Add(game);
  game = GameOfPlayers(3000, false);
  TakeSeat(&game, "blue", "Anna", 5, false, 0, 0, 0);
  statistics.Add(game);

  const auto figures = statistics.Figures();
  ASSERT_EQ(figures.size(), 2U) << "who has no name is nobody";
  const v1::PlayerFigures& anna = figures[0];
  EXPECT_EQ(anna.name(), "Anna");
  EXPECT_EQ(anna.games(), 3U);
  EXPECT_EQ(anna.wins(), 1U);
  EXPECT_DOUBLE_EQ(anna.average_points(), 57.0);
  EXPECT_EQ(anna.best_points(), 71);
  EXPECT_EQ(anna.best_road(), 7U);
  EXPECT_EQ(anna.best_city(), 24U);
  EXPECT_EQ(anna.farm_points(), 15U);
  EXPECT_DOUBLE_EQ(anna.average_farm_points(), 5.0);
  EXPECT_EQ(anna.open_games(), 1U);
  EXPECT_EQ(anna.last_played_ms(), 3000);
  ASSERT_EQ(anna.colours_size(), 2);
  EXPECT_EQ(anna.colours(0).colour(), "red");
  EXPECT_EQ(anna.colours(0).games(), 2U);
  EXPECT_EQ(anna.colours(1).colour(), "blue");
  EXPECT_EQ(figures[1].name(), "Ben");
  EXPECT_EQ(figures[1].wins(), 1U);
}

TEST(PlayerFigures, PointsBelowNothingAreTheBestThereIs) {
  PlayerStatistics statistics;
  auto game = GameOfPlayers(1);
  TakeSeat(&game, "red", "Anna", -3, false, 0, 0, 0);
  statistics.Add(game);
  EXPECT_EQ(statistics.Figures().at(0).best_points(), -3);
}

TEST(PlayerFigures, AGameWithoutResultsIsNotCountedAsOneThatEnded) {
  auto game = GameOfPlayers(1);
  TakeSeat(&game, "red", "Anna", 30, true, 1, 2, 3);
  EXPECT_FALSE(LacksResults(game));
  game.clear_results();
  EXPECT_TRUE(LacksResults(game));
  PlayerStatistics statistics;
  statistics.Add(game);
  EXPECT_EQ(statistics.Figures().at(0).games(), 0U);
  EXPECT_EQ(statistics.Figures().at(0).open_games(), 1U);
  EXPECT_DOUBLE_EQ(statistics.Figures().at(0).average_points(), 0.0);
}

}  // namespace
}  // namespace tilewarden::services
