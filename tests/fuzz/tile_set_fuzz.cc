// Any text as a tile set file: an error or a file, never a crash; and what was
// read can be laid out and played with.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/game/game.h"
#include "engine/tiles/tile_set_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewarden::engine;
  const auto file = ParseTileSetFile({reinterpret_cast<const char*>(data), size}, "fuzz.toml");
  if (!file.ok() || file->tiles.empty()) return 0;
  std::vector<int> counts(file->tiles.size(), 1);
  const auto set = TileSet::Create("fuzz", "Fuzz", file->tiles, counts, 0);
  if (!set.ok()) return 0;
  Game game(*set, Rules{}, {"red"});
  for (int tile = 0; tile < static_cast<int>(counts.size()); ++tile) {
    const auto placements = game.LegalPlacements(tile);
    if (placements.empty()) continue;
    Turn turn;
    turn.tile = tile;
    turn.cell = placements[0].cell;
    turn.rotation = placements[0].rotation;
    if (!game.Apply(turn)) __builtin_trap();
  }
  game.ScoreIfEndedNow();
  while (game.Undo()) {
  }
  return 0;
}
