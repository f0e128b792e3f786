#include <cstdio>
#include <exception>

#include "services/commands/commands.h"

int main(int argc, char** argv) {
  CLI::App app{
      "Tilewarden follows a game of the Carcassonne family with a camera and keeps the score.\n"
      "Example: tilewarden demo",
      "tilewarden"};
  app.require_subcommand(1);
  app.set_version_flag("--version", TILEWARDEN_VERSION);
  tilewarden::services::AddDemoCommand(app);
  tilewarden::services::AddEngineCommand(app);
  tilewarden::services::AddEnrolCommand(app);
  tilewarden::services::AddGatewayCommand(app);
  tilewarden::services::AddReadCommand(app);
  tilewarden::services::AddRulesCommand(app);
  tilewarden::services::AddUpCommand(app);
  tilewarden::services::AddVisionCommand(app);
  tilewarden::services::AddWatchCommand(app);
  try {
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
