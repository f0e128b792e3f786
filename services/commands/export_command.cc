#include <cstdio>
#include <fstream>
#include <memory>

#include "absl/strings/str_cat.h"
#include "services/base/status.h"
#include "services/commands/network_options.h"
#include "services/commands/running.h"
#include "tilewarden/v1/query.grpc.pb.h"

namespace tilewarden::services {
namespace {

struct ExportCommand {
  std::string game, out, engine = "127.0.0.1:50551";
  std::filesystem::path known_engines;
  v1::ExportFormat format = v1::EXPORT_FORMAT_NOTATION;
};

void Run(const ExportCommand& command) {
  LogToStderr();
  Engines engines = EnginesAt(command.engine, command.known_engines);
  v1::ExportGameRequest request;
  request.set_game_id(command.game);
  request.set_format(command.format);
  v1::ExportGameResponse response;
  const absl::Status status = FromGrpc(engines.Call([&](const auto& channel, auto* context) {
    return v1::QueryService::NewStub(channel)->ExportGame(context, request, &response);
  }));
  if (absl::IsUnavailable(status)) {
    throw CommandError(absl::StrCat("no engine service answers on ", command.engine, " (",
                                    std::string(status.message()),
                                    "); start it, or name another with --engine"));
  }
  Check(status);
  if (command.out.empty()) {
    std::fputs(response.content().c_str(), stdout);
    return;
  }
  std::ofstream file(command.out, std::ios::binary);
  file << response.content();
  file.close();
  if (!file) throw CommandError(command.out + " cannot be written; name another file");
}

}  // namespace

void AddExportCommand(Command app) {
  auto command = std::make_shared<ExportCommand>();
  Command sub =
      app.AddCommand("export",
                     "Writes a game as text, as a saved game for JCloisterZone, as JSON, or its "
                     "scores as CSV.\n"
                     "Example: tilewarden export --format scores-csv --out sunday.csv");
  sub.Add("GAME", &command->game, "The game's id; else the newest");
  sub.AddChoice<v1::ExportFormat>("--format", &command->format,
                                  {{"jcz", v1::EXPORT_FORMAT_JCZ},
                                   {"json", v1::EXPORT_FORMAT_JSON},
                                   {"notation", v1::EXPORT_FORMAT_NOTATION},
                                   {"scores-csv", v1::EXPORT_FORMAT_SCORES_CSV}},
                                  "notation, jcz, json or scores-csv");
  sub.Add("--out", &command->out, "File to write; else it is printed");
  sub.Add("--engine", &command->engine, "Where the engine service listens").ShowDefault();
  AddKnownEnginesOption(sub, &command->known_engines);
  sub.Runs([command] { Run(*command); });
}

}  // namespace tilewarden::services
