#include <cstdio>
#include <memory>

#include "services/base/folders.h"
#include "services/commands/running.h"
#include "services/store/sqlite_file.h"

namespace tilewarden::services {

void AddBackupCommand(Command app) {
  struct BackupCommand {
    std::filesystem::path data = DefaultDataFolder(), to;
  };
  auto command = std::make_shared<BackupCommand>();
  Command sub = app.AddCommand(
      "backup",
      "Copies all games into one file, even while they are played, and checks the copy. tilewarden "
      "restore goes back to it.\n"
      "Example: tilewarden backup --to sunday.sqlite");
  sub.Add("--data", &command->data, "Folder that the games are kept in").ShowDefault();
  sub.Add("--to", &command->to, "File to write; it must not exist yet").Required();
  sub.Runs([command] {
    Check(CopySqliteFile(command->data / "games.sqlite", command->to));
    std::printf("%s holds all games\n", command->to.string().c_str());
  });
}

}  // namespace tilewarden::services
