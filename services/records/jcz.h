// Saved games of JCloisterZone (.jcz): JSON with a setup, the players and every
// move. Reads and writes what both programs have: the base game with and without
// gardens, The River I and II (both editions), the Winter Edition, Inns & Cathedrals,
// Traders & Builders, abbots, inns, pig-herds, farmers, two-tile cities. Our own reader and writer
// of an interoperable format; README.md beside this file says what is known of it. No state; safe
// to call from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/notation/notation.h"

namespace tilewarden::services {

struct JczGame {
  engine::GameRecord record;  // players are known by their names
  // The file's last turn was the last of the game: points include final scoring.
  bool ended = false;
  // What a test game says must hold after its last move, in its own words:
  // "Alice has 9 points", "Bob scored garden for 4 points".
  std::vector<std::string> assertions;
};

// Tile sets are read from files, or come from where `load` has them.
// INVALID_ARGUMENT: not such a file, or one with expansions, tiles or moves
// that only one program has; the message names what.
absl::StatusOr<JczGame> ReadJcz(std::string_view text,
                                const engine::TileSetLoader& load = engine::LoadTileSet);

// INVALID_ARGUMENT: the game has tiles, turns or rules that the format lacks;
// the message names what. Options that it lacks may differ where they changed
// no point of this game.
absl::StatusOr<std::string> WriteJcz(const engine::GameRecord& record);

// Whether an assertion holds, once the game has been replayed.
// UNIMPLEMENTED: it is not about points. INVALID_ARGUMENT: nobody has that name.
absl::StatusOr<bool> Holds(const std::string& assertion, const JczGame& saved,
                           const engine::Game& game);

}  // namespace tilewarden::services
