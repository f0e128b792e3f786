// What is odd about a turn that the rules allow: people should hear of it, and it may
// stay as it is. Pure functions.
#pragma once

#include <vector>

#include "engine/game/game.h"

namespace tilewarden::engine {

// About the last turn of a game, as it lies: a tile of which the box holds no more
// ("no-copies-left"), land before the river, its fork or its lake in the wrong order
// ("river-first", "fork-first", "lake-last"), a completed city around an empty cell, which
// editions tell differently ("city-around-gap"). Empty also before the first turn.
std::vector<Refusal> RemarksOn(const Game& game);

}  // namespace tilewarden::engine
