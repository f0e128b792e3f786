#include <malloc.h>

#include <cstdio>
#include <exception>

#include "absl/synchronization/mutex.h"
#include "services/commands/arguments.h"
#include "services/commands/commands.h"
#include "services/commands/configuration.h"

namespace {

// For a few threads that allocate at the same time.
constexpr int kMostArenas = 4;

}  // namespace

int main(int argc, char** argv) {
  // Debian builds gRPC so that each of its locks is looked up in a graph of all locks, in search of
  // deadlocks: that is a tenth of an engine service's time.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  // Each thread that looked at a picture would keep the memory that it needed for one.
  mallopt(M_ARENA_MAX, kMostArenas);
  tilewarden::services::CommandLine line(
      "tilewarden",
      "Tilewarden follows a game of the Carcassonne family with a camera and keeps the score.\n"
      "Alone it starts everything and opens the page.\n"
      "Example: tilewarden demo");
  line.TellVersion(TILEWARDEN_VERSION);
  tilewarden::services::AddCommands(line.top());
  try {
    tilewarden::services::ReadSettings(line, tilewarden::services::SettingsFile());
    // A single word, as from the desktop: everything, and the page before one's eyes.
    char up[] = "up", open[] = "--open";
    char* alone[] = {argv[0], up, open, nullptr};
    return argc == 1 ? line.Run(3, alone) : line.Run(argc, argv);
  } catch (const tilewarden::services::CommandError& error) {
    std::fprintf(stderr, "tilewarden: %s\n", error.what());
    return error.exit_status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tilewarden: internal error: %s\n", error.what());
    return 70;
  }
}
