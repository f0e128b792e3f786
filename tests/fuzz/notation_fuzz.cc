// Any text as a game's notation: what parses prints canonically, parses again
// to the same, and replays or is refused.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/notation/notation.h"
#include "tests/fuzz/loaded_sets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewarden::engine;
  const auto record =
      ParseNotation({reinterpret_cast<const char*>(data), size}, tilewarden::LoadedSet);
  if (!record.ok()) return 0;
  const std::string printed = PrintNotation(*record);
  const auto again = ParseNotation(printed, tilewarden::LoadedSet);
  if (!again.ok() || PrintNotation(*again) != printed || again->turns != record->turns) {
    __builtin_trap();
  }
  const auto game = Replay(*record);
  if (game.ok()) game->ScoreIfEndedNow();
  return 0;
}
