// A whole game as a short text that a person can read and type:
//
//   tilewarden 1
//   set base.c1
//   option followers 6
//   player red
//   player blue
//   start 0             (or, joined part-way: found B.D 0,0 r0, a line per tile)
//   # a comment
//   1 red B.W 1,0 r0 follower 2
//   2 blue B.C aside
//
// Grammar in engine/notation/NOTATION.md. Parsing is strict; printing is canonical: equal
// records give equal texts, and a printed text parses to an equal record.
// Values and pure functions, but for reading the tile set's data files.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/game/game.h"

namespace tilewarden::engine {

struct GameRecord {
  std::shared_ptr<const TileSet> tiles;
  Rules rules;
  std::vector<std::string> colours;
  int start_rotation = 0;
  // A game that was joined part-way starts from this board, as Game::AsFound
  // takes it, not from the start tile.
  std::vector<Turn> found;
  std::vector<Turn> turns;
  // Each with the number of turns before it, in order.
  std::vector<std::pair<std::size_t, std::string>> comments;
};

// Finds a tile set by its id, with the errors of TileSet::Load; from files, or
// from sets that are already loaded.
using TileSetLoader =
    std::function<absl::StatusOr<std::shared_ptr<const TileSet>>(std::string_view id)>;
absl::StatusOr<std::shared_ptr<const TileSet>> LoadTileSet(std::string_view id);

// INVALID_ARGUMENT: the message names the line, the word there and what was
// expected. NOT_FOUND: no such tile set.
absl::StatusOr<GameRecord> ParseNotation(std::string_view text,
                                         const TileSetLoader& load = LoadTileSet);
// A comment of several lines is printed as several comments.
std::string PrintNotation(const GameRecord& record);

// The game before its first turn.
Game Begin(const GameRecord& record);
// The game after all turns. INVALID_ARGUMENT: a turn is not legal; the message
// gives its number and the refusal.
absl::StatusOr<Game> Replay(const GameRecord& record);
GameRecord RecordOf(const Game& game);

}  // namespace tilewarden::engine
