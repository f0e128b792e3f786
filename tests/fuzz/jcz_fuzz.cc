// Any text as a saved game of JCloisterZone.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "services/records/jcz.h"
#include "tests/fuzz/loaded_sets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewarden;
  const auto saved =
      services::ReadJcz({reinterpret_cast<const char*>(data), size}, tilewarden::LoadedSet);
  if (!saved.ok()) return 0;
  const auto game = engine::Replay(saved->record);
  if (!game.ok()) return 0;
  for (const std::string& assertion : saved->assertions) {
    if (services::Holds(assertion, *saved, *game).ok()) continue;
  }
  // What was read can be written and read again.
  const auto written = services::WriteJcz(saved->record);
  if (!written.ok()) return 0;
  const auto again = services::ReadJcz(*written, tilewarden::LoadedSet);
  if (!again.ok() || again->record.turns != saved->record.turns) __builtin_trap();
  return 0;
}
