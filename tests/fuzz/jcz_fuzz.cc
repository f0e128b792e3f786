// Any text as a saved game of JCloisterZone.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "services/jcz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewarden;
  const auto saved = services::ReadJcz({reinterpret_cast<const char*>(data), size});
  if (!saved.ok()) return 0;
  const auto game = engine::Replay(saved->record);
  if (!game.ok()) return 0;
  for (const std::string& assertion : saved->assertions) {
    if (services::Holds(assertion, *game).ok()) continue;
  }
  // What was read can be written and read again.
  const auto written = services::WriteJcz(saved->record);
  if (written.ok() && services::ReadJcz(*written)->record.turns != saved->record.turns) {
    __builtin_trap();
  }
  return 0;
}
