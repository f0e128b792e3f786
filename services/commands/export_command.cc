#include <cstdio>
#include <fstream>
#include <map>
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

void AddExportCommand(CLI::App& app) {
  const std::map<std::string, v1::ExportFormat> formats = {
      {"notation", v1::EXPORT_FORMAT_NOTATION},
      {"jcz", v1::EXPORT_FORMAT_JCZ},
      {"json", v1::EXPORT_FORMAT_JSON},
      {"scores-csv", v1::EXPORT_FORMAT_SCORES_CSV}};
  auto command = std::make_shared<ExportCommand>();
  CLI::App* sub =
      app.add_subcommand("export",
                         "Writes a game as text, as a saved game of JCloisterZone, as JSON, or its "
                         "scores as CSV.\n"
                         "Example: tilewarden export --format scores-csv --out sunday.csv");
  sub->add_option("GAME", command->game, "The game's id; else the newest");
  sub->add_option("--format", command->format, "notation, jcz, json or scores-csv")
      ->transform(CLI::CheckedTransformer(formats))
      ->default_str("notation");
  sub->add_option("--out", command->out, "File to write; else it is printed");
  sub->add_option("--engine", command->engine, "Where the engine service listens")
      ->capture_default_str();
  AddKnownEnginesOption(sub, &command->known_engines);
  sub->callback([command] { Run(*command); });
}

}  // namespace tilewarden::services
