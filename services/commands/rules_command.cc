#include "services/commands/commands.h"

namespace tilewarden::services {

void AddRulesCommand(CLI::App& app) {
  app.add_subcommand("rules", "Work with the rules.")->require_subcommand(1);
}

}  // namespace tilewarden::services
