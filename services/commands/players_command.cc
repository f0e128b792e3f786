#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "services/base/check_text.h"
#include "services/base/message_json.h"
#include "services/base/status.h"
#include "services/commands/network_options.h"
#include "services/commands/running.h"
#include "tilewarden/v1/players.grpc.pb.h"

namespace tilewarden::services {
namespace {

struct PlayersCommand {
  std::string name, out, engine = "127.0.0.1:50551";
  std::filesystem::path known_engines;
  bool sure = false;
};

template <typename Request, typename Response>
using Method = grpc::Status (v1::PlayerService::Stub::*)(grpc::ClientContext*, const Request&,
                                                         Response*);

template <typename Request, typename Response>
Response Ask(const PlayersCommand& command, Method<Request, Response> method,
             const Request& request) {
  Engines engines = EnginesAt(command.engine, command.known_engines);
  Response response;
  const absl::Status status = FromGrpc(engines.Call([&](const auto& channel, auto* context) {
    return (v1::PlayerService::NewStub(channel).get()->*method)(context, request, &response);
  }));
  if (absl::IsUnavailable(status)) {
    throw CommandError(absl::StrCat("no engine service answers on ", command.engine, " (",
                                    std::string(status.message()),
                                    "); start it, or name another with --engine"));
  }
  Check(status);
  return response;
}

// As wide as so many characters; bytes of letters beyond ASCII take no room of their own.
std::string Padded(const std::string& text, std::size_t width) {
  const auto characters = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
  return text + std::string(width > characters ? width - characters : 0, ' ');
}

void List(const PlayersCommand& command) {
  v1::ListPlayersResponse all;
  do {
    all = Ask(command, &v1::PlayerService::Stub::ListPlayers, v1::ListPlayersRequest());
    if (all.games_to_count() > 0) {
      std::fprintf(stderr, "still counting: %u games of earlier versions\n", all.games_to_count());
    }
  } while (all.games_to_count() > 0);
  if (all.players_size() == 0) {
    std::printf("Nobody yet: players are who has a name in a game.\n");
    return;
  }
  std::printf("%s  games  wins  average  best  road  city  farms a game  last game\n",
              Padded("player", 20).c_str());
  for (const v1::PlayerFigures& player : all.players()) {
    std::printf("%s  %5u  %4u  %7.1f  %4d  %4u  %4u  %12.1f  %s\n",
                Padded(Printable(player.name()), 20).c_str(), player.games(), player.wins(),
                player.average_points(), player.best_points(), player.best_road(),
                player.best_city(), player.average_farm_points(),
                LocalDay(player.last_played_ms()).c_str());
  }
}

void Export(const PlayersCommand& command) {
  v1::ExportPlayerRequest request;
  request.set_name(command.name);
  const std::string text =
      ToJson(Ask(command, &v1::PlayerService::Stub::ExportPlayer, request), true);
  if (command.out.empty()) {
    std::fputs(text.c_str(), stdout);
    return;
  }
  std::ofstream file(command.out, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw CommandError(command.out + " cannot be written; name another file");
}

void CheckSure(const PlayersCommand& command) {
  if (command.sure) return;
  if (isatty(STDIN_FILENO) != 1) {
    throw CommandError("nothing brings a name back; say that you are sure with --yes");
  }
  std::printf("Take %s out of all games, for good? The games stay. yes/no: ",
              Printable(command.name).c_str());
  std::fflush(stdout);
  char answer[8] = "";
  if (std::fgets(answer, sizeof answer, stdin) == nullptr || std::string_view(answer) != "yes\n") {
    throw CommandError("nothing was deleted");
  }
}

void Delete(const PlayersCommand& command) {
  CheckSure(command);
  v1::DeletePlayerRequest request;
  request.set_name(command.name);
  const auto deleted = Ask(command, &v1::PlayerService::Stub::DeletePlayer, request);
  std::printf("%s is taken out of %u %s and %u %s.\n", Printable(command.name).c_str(),
              deleted.games(), deleted.games() == 1 ? "game" : "games", deleted.copies(),
              deleted.copies() == 1 ? "copy" : "copies");
  for (const std::string& sentence : deleted.left()) {
    std::printf("%s\n", Printable(sentence).c_str());
  }
}

}  // namespace

void AddPlayersCommand(Command app) {
  auto command = std::make_shared<PlayersCommand>();
  Command players = app.AddCommand(
      "players",
      "Who plays here: their figures, all that is kept of one, and how to delete it.\n"
      "Example: tilewarden players list");
  players.NeedsCommand();
  const auto add = [&](const char* name, const char* about, void (*run)(const PlayersCommand&)) {
    Command sub = players.AddCommand(name, about);
    sub.Add("--engine", &command->engine, "Where the engine service listens").ShowDefault();
    AddKnownEnginesOption(sub, &command->known_engines);
    sub.Runs([command, run] {
      LogToStderr();
      run(*command);
    });
    return sub;
  };
  add("list",
      "Games, wins, averages, the best road and city of everybody who has a name in a game.\n"
      "Example: tilewarden players list",
      List);
  const Command to_export = add("export",
                                "All that is kept of a player, as JSON.\n"
                                "Example: tilewarden players export Anna --out anna.json",
                                Export);
  to_export.Add("NAME", &command->name, "As it is written in the games").Required();
  to_export.Add("--out", &command->out, "File to write; else it is printed");
  const Command to_delete =
      add("delete",
          "Takes a player's name out of all games and their copies, for good. The games stay.\n"
          "Example: tilewarden players delete Anna",
          Delete);
  to_delete.Add("NAME", &command->name, "As it is written in the games").Required();
  to_delete.AddFlag("--yes", &command->sure, "Do not ask whether you are sure");
}

}  // namespace tilewarden::services
