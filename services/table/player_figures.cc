#include "services/table/player_figures.h"

#include <algorithm>
#include <utility>

namespace tilewarden::services {

std::string PersonOf(const v1::Player& player) {
  return player.name() == player.colour() ? "" : player.name();
}

bool LacksResults(const v1::GameSummary& game) {
  return game.phase() == v1::GAME_PHASE_ENDED && game.results_size() != game.players_size();
}

v1::PlayerGame GameOf(const v1::GameSummary& game, int seat) {
  v1::PlayerGame out;
  const v1::Player& player = game.players(seat);
  out.set_game_id(game.game_id());
  out.set_game_name(game.name());
  out.set_created_ms(game.created_ms());
  out.set_ended(game.phase() == v1::GAME_PHASE_ENDED);
  out.set_colour(player.colour());
  out.set_points(player.score());
  if (!out.ended() || LacksResults(game)) return out;
  const v1::PlayerResult& result = game.results(seat);
  out.set_won(result.won());
  out.set_best_road(result.best_road());
  out.set_best_city(result.best_city());
  out.set_farm_points(result.farm_points());
  return out;
}

void PlayerStatistics::Add(const v1::GameSummary& game) {
  const bool counts = game.phase() == v1::GAME_PHASE_ENDED && !LacksResults(game);
  for (int seat = 0; seat < game.players_size(); ++seat) {
    const std::string person = PersonOf(game.players(seat));
    if (person.empty()) continue;
    Sums& sums = people_[person];
    v1::PlayerFigures& figures = sums.figures;
    figures.set_last_played_ms(std::max(figures.last_played_ms(), game.created_ms()));
    if (!counts) {
      figures.set_open_games(figures.open_games() + 1);
      continue;
    }
    const v1::PlayerResult& result = game.results(seat);
    const int points = game.players(seat).score();
    figures.set_best_points(figures.games() == 0 ? points
                                                 : std::max(figures.best_points(), points));
    figures.set_games(figures.games() + 1);
    figures.set_wins(figures.wins() + (result.won() ? 1 : 0));
    figures.set_best_road(std::max(figures.best_road(), result.best_road()));
    figures.set_best_city(std::max(figures.best_city(), result.best_city()));
    figures.set_farm_points(figures.farm_points() + result.farm_points());
    sums.points += points;
    ++sums.colours[game.players(seat).colour()];
  }
}

std::vector<v1::PlayerFigures> PlayerStatistics::Figures() const {
  std::vector<v1::PlayerFigures> out;
  for (const auto& [name, sums] : people_) {
    v1::PlayerFigures& figures = out.emplace_back(sums.figures);
    figures.set_name(name);
    std::vector<std::pair<std::string, std::uint32_t>> colours(sums.colours.begin(),
                                                               sums.colours.end());
    std::stable_sort(colours.begin(), colours.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [colour, games] : colours) {
      v1::ColourPlayed* played = figures.add_colours();
      played->set_colour(colour);
      played->set_games(games);
    }
    if (figures.games() == 0) continue;
    figures.set_average_points(static_cast<double>(sums.points) / figures.games());
    figures.set_average_farm_points(static_cast<double>(figures.farm_points()) / figures.games());
  }
  return out;
}

}  // namespace tilewarden::services
