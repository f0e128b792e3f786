// Saved games of JCloisterZone (.jcz): JSON with a setup, the players and every
// move. Read and written for the sets that we share: the base game, with and
// without gardens and abbots. Our own reader of an interoperable format.
// No state; safe to call from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/notation.h"

namespace tilewarden::services {

struct JczGame {
  engine::GameRecord record;  // players are known by their names
  // What a test game says must hold once it has ended, in its own words:
  // "Alice has 9 points", "Bob scored garden for 4 points".
  std::vector<std::string> assertions;
};

// INVALID_ARGUMENT: not such a file, or one with expansions, tiles or moves
// that we do not share; the message names what.
absl::StatusOr<JczGame> ReadJcz(std::string_view text);

// INVALID_ARGUMENT: the game has tiles or rules that the format lacks.
absl::StatusOr<std::string> WriteJcz(const engine::GameRecord& record);

// Whether an assertion holds for an ended game. INVALID_ARGUMENT: it is not
// understood.
absl::StatusOr<bool> Holds(const std::string& assertion, const engine::Game& game);

}  // namespace tilewarden::services
