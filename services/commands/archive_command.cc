#include <chrono>
#include <cstdio>
#include <memory>

#include "services/base/clock.h"
#include "services/base/folders.h"
#include "services/commands/running.h"
#include "services/store/sqlite_file.h"

namespace tilewarden::services {

void AddArchiveCommand(Command app) {
  struct ArchiveCommand {
    std::filesystem::path data = DefaultDataFolder(), to;
    int days = 365;
  };
  auto command = std::make_shared<ArchiveCommand>();
  Command sub = app.AddCommand(
      "archive",
      "Copies all games into one file, and takes old ones out of the data folder. The engine\n"
      "service must be stopped. tilewarden restore brings all of them back.\n"
      "Example: tilewarden archive --older-than 365 --to until-2026.sqlite");
  sub.Add("--data", &command->data, "Folder that the games are kept in").ShowDefault();
  sub.Add("--older-than", &command->days, "Days since anything happened in a game")
      .Between(1, 36'500)
      .ShowDefault();
  sub.Add("--to", &command->to, "File to write; it must not exist yet").Required();
  sub.Runs([command] {
    const std::int64_t before_ms =
        NowMs() - std::chrono::milliseconds(std::chrono::hours(24) * command->days).count();
    const int taken =
        Check(ArchiveSqliteFile(command->data / "games.sqlite", command->to, before_ms));
    std::printf("%s holds all games; %d old ones are there alone from now on\n",
                command->to.c_str(), taken);
  });
}

}  // namespace tilewarden::services
