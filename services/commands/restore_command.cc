#include <cstdio>
#include <memory>

#include "services/base/folders.h"
#include "services/commands/running.h"
#include "services/store/sqlite_file.h"

namespace tilewarden::services {

void AddRestoreCommand(Command app) {
  struct RestoreCommand {
    std::filesystem::path data = DefaultDataFolder(), from;
  };
  auto command = std::make_shared<RestoreCommand>();
  Command sub = app.AddCommand(
      "restore",
      "Goes back to a copy of all games: one of tilewarden backup, or of the folder backups, "
      "where\n"
      "one is made each day. The engine service must be stopped. What is there now is kept.\n"
      "Example: tilewarden restore --from sunday.sqlite");
  sub.Add("--data", &command->data, "Folder that the games are kept in").ShowDefault();
  sub.Add("--from", &command->from, "The copy").Required();
  sub.Runs([command] {
    const auto before = Check(RestoreSqliteFile(command->from, command->data / "games.sqlite"));
    std::printf("The games are those of %s.", command->from.c_str());
    if (!before.empty()) std::printf(" Those of before are in %s.", before.c_str());
    std::printf("\n");
  });
}

}  // namespace tilewarden::services
