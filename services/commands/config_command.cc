#include <cstdio>
#include <string>
#include <vector>

#include "services/commands/commands.h"
#include "services/commands/configuration.h"

namespace tilewarden::services {

void AddConfigCommand(Command app) {
  app.AddCommand(
         "config",
         "Prints the settings of the services that are in effect, and where each comes from: a\n"
         "flag, the environment (TILEWARDEN_UP_PACK), the file (TILEWARDEN_CONFIG, else\n"
         "tilewarden/tilewarden.toml in ~/.config or /etc), or the default.\n"
         "Example: tilewarden config\n"
         "         tilewarden config up --camera 1")
      .RunsWithRest([](const std::vector<std::string>& words) {
        std::fputs(DescribeSettings(SettingsFile(), words).c_str(), stdout);
      });
}

}  // namespace tilewarden::services
