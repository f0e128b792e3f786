// The figures of the people who play, added up from games as their summaries tell them. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tilewarden/v1/game.pb.h"
#include "tilewarden/v1/players.pb.h"

namespace tilewarden::services {

// What people call the player; empty: nobody gave a name, and the colour stands in its place.
std::string PersonOf(const v1::Player& player);

// The game has ended, and what its players made of it is not kept yet.
bool LacksResults(const v1::GameSummary& game);

// The game as one of the people sees it; `seat`: the index in its players.
v1::PlayerGame GameOf(const v1::GameSummary& game, int seat);

// Not thread safe.
class PlayerStatistics {
 public:
  // A game that lacks results counts as one that has not ended. Somebody who sits at a table twice
  // has played two games.
  void Add(const v1::GameSummary& game);
  // By name.
  std::vector<v1::PlayerFigures> Figures() const;

 private:
  struct Sums {
    v1::PlayerFigures figures;  // without colours and averages
    std::map<std::string, std::uint32_t> colours;
    std::int64_t points = 0;
  };
  std::map<std::string, Sums> people_;
};

}  // namespace tilewarden::services
