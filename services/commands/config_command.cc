#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "services/commands/commands.h"
#include "services/commands/configuration.h"

namespace tilewarden::services {
namespace {

// A service's words were understood.
struct Understood {};

void Run(std::vector<std::string> words) {
  const auto file = Configuration::DefaultFile();
  CLI::App app{"", "tilewarden"};
  AddCommands(app);
  const Configuration configuration(app, file);
  for (const std::string& service : Configuration::Services()) {
    CLI::App* command = app.get_subcommand(service);
    // Told about, not run: left before its callback, which owns what the options write to.
    command->parse_complete_callback([] { throw Understood{}; });
    for (CLI::Option* option : command->get_options()) option->required(false);
  }
  std::string out = absl::StrCat("# File: ", file.empty() ? "none" : file.string(), "\n");
  if (words.empty()) {
    for (const std::string& service : Configuration::Services()) {
      absl::StrAppend(&out, "\n", configuration.Describe(*app.get_subcommand(service)));
    }
  } else {
    const std::string service = words.front();
    const auto& services = Configuration::Services();
    if (std::find(services.begin(), services.end(), service) == services.end()) {
      throw CommandError(absl::StrCat("'", service,
                                      "' has no settings; engine, gateway, up and "
                                      "vision have"),
                         2);
    }
    CLI::App& command = *app.get_subcommand(service);
    std::reverse(words.begin(), words.end());
    try {
      app.parse(words);
    } catch (const Understood&) {
    } catch (const CLI::ParseError& error) {
      throw CommandError(error.what(), 2);
    }
    if (const auto unknown = command.remaining(); !unknown.empty()) {
      throw CommandError(absl::StrCat("'", service, "' has no setting '", unknown.front(),
                                      "'; see tilewarden ", service, " --help"),
                         2);
    }
    absl::StrAppend(&out, "\n", configuration.Describe(command));
  }
  std::fputs(out.c_str(), stdout);
}

}  // namespace

void AddConfigCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "config",
      "Prints the settings of the services as they are in effect, and where each comes from: a\n"
      "flag, the environment (TILEWARDEN_UP_PACK), the file (TILEWARDEN_CONFIG, else\n"
      "tilewarden/tilewarden.toml in ~/.config or /etc), or the default.\n"
      "Example: tilewarden config\n"
      "         tilewarden config up --camera 1");
  command->prefix_command();
  command->callback([command] { Run(command->remaining()); });
}

}  // namespace tilewarden::services
