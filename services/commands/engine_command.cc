#include <cstdio>
#include <memory>

#include "services/access/addresses.h"
#include "services/base/folders.h"
#include "services/base/service_manager.h"
#include "services/commands/network_options.h"
#include "services/commands/publish_options.h"
#include "services/commands/running.h"
#include "services/engine_service/engine_server.h"
#include "services/store/store_address.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {

void AddEngineCommand(Command app) {
  auto options = std::make_shared<EngineServer::Options>();
  options->data = DefaultDataFolder();
  Command command = app.AddCommand(
      "engine",
      "The engine service: keeps the games, judges what cameras report, tells displays.\n"
      "Example: tilewarden engine --listen 127.0.0.1:50551 --data games");
  command.Add("--listen", &options->listen, "Address and port; port 0 takes a free one")
      .ShowDefault();
  command.Add("--data", &options->data, "Folder that the games are kept in").ShowDefault();
  command.Add("--store", &options->store,
              "Keep the games in this PostgreSQL database instead, which several engine "
              "services may share: postgresql://USER@HOST/NAME");
  AddRoomOptions(command, options.get());
  AddNetworkOptions(command, &options->network);
  command.AddFlag("--reflection", &options->reflection, "Answer reflection on a network too");
  AddPublishOptions(command, options.get());
  command.Runs([options] {
    LogToStderr();
    StopSignal stop;
    const auto engine = Check(EngineServer::Start(*options));
    const std::string store =
        options->store.empty() ? options->data.string() : WithoutSecrets(options->store);
    std::printf("engine service on %s, games in %s\n", engine->address().c_str(), store.c_str());
    std::fflush(stdout);
    if (!IsLoopbackListener(options->listen)) {
      ShowPairing(engine->Channel(), {.role = v1::ROLE_CAMERA,
                                      .engine = ReachableAddress(engine->address()),
                                      .fingerprint = engine->fingerprint()});
    }
    const bool front = !IsLoopbackListener(options->listen);
    const Watchdog watchdog([&] {
      return Answers(engine->address(), engine->fingerprint(), front ? Over::kHttp : Over::kGrpc);
    });
    stop.Wait();
    spdlog::info("stopping");
  });
}

}  // namespace tilewarden::services
