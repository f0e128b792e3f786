// Games written in our notation, for tests: short to read, and played by the
// rules. Functions throw std::runtime_error when a game is not what it says.
#pragma once

#include <string>
#include <vector>

#include "engine/notation/notation.h"

namespace tilewarden::engine {

using Lines = std::vector<std::string>;
using Points = std::vector<int>;

// A game of red, blue and green in this box, with options "name value" and
// turns without their numbers.
GameRecord Record(const std::string& set, const Lines& options, const Lines& turns);
// The game after these turns.
Game Played(const std::string& set, const Lines& options, const Lines& turns);
// Why the last turn is refused: its code; empty: it is legal.
std::string Refused(const std::string& set, const Lines& options, const Lines& turns);
// The same with everything that is said about it.
Refusal RefusalOf(const std::string& set, const Lines& options, const Lines& turns);

// Points by player so far, and after final scoring.
Points Scores(const Game& game);
Points FinalScores(const Game& game);

Lines After(Lines turns, const Lines& more);

}  // namespace tilewarden::engine
