#include <cstdio>
#include <exception>

#include "absl/synchronization/mutex.h"
#include "services/commands/commands.h"
#include "services/commands/configuration.h"

int main(int argc, char** argv) {
  // Debian builds gRPC so that each of its locks is looked up in a graph of all locks, in search of
  // deadlocks: that is a tenth of an engine service's time.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  CLI::App app{
      "Tilewarden follows a game of the Carcassonne family with a camera and keeps the score.\n"
      "Example: tilewarden demo",
      "tilewarden"};
  app.set_version_flag("--version", TILEWARDEN_VERSION);
  tilewarden::services::AddCommands(app);
  try {
    const tilewarden::services::Configuration configuration(
        app, tilewarden::services::Configuration::DefaultFile());
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const tilewarden::services::CommandError& error) {
    std::fprintf(stderr, "tilewarden: %s\n", error.what());
    return error.exit_status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tilewarden: internal error: %s\n", error.what());
    return 70;
  }
  return 0;
}
