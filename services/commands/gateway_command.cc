#include <cstdio>
#include <memory>

#include "services/access/addresses.h"
#include "services/base/folders.h"
#include "services/base/service_manager.h"
#include "services/client/channel.h"
#include "services/commands/network_options.h"
#include "services/commands/running.h"
#include "services/gateway/gateway.h"

namespace tilewarden::services {

void AddGatewayCommand(Command app) {
  struct Options {
    Gateway::Options gateway;
    std::string engine = "127.0.0.1:50551", vision;
    std::filesystem::path known_engines, data = DefaultDataFolder();
    NetworkOptions network;
  };
  auto options = std::make_shared<Options>();
  options->gateway.page = DefaultPageFolder();
  Command command = app.AddCommand(
      "gateway",
      "The gateway for browsers: serves the page and passes its calls to the engine service.\n"
      "Example: tilewarden gateway --page-listen 127.0.0.1:8080 --engine 127.0.0.1:50551");
  command
      .Add("--page-listen", &options->gateway.listen,
           "Address and port of the page; port 0 takes a free one")
      .ShowDefault();
  command
      .Add("--engine", &options->engine,
           "Where the engine service listens; of several that share a database: joined by commas")
      .ShowDefault();
  command.Add("--vision", &options->vision,
              "Where the vision service of this machine listens, to enrol boxes from the page");
  command.Add("--page", &options->gateway.page, "Folder with the built page").ShowDefault();
  AddKnownEnginesOption(command, &options->known_engines);
  command.Add("--data", &options->data, "On a network: folder that its own certificate is in")
      .ShowDefault();
  AddNetworkOptions(command, &options->network);
  AddTrustOption(command, &options->gateway);
  command.Runs([options] {
    LogToStderr();
    StopSignal stop;
    // Pages bring tokens of their own: this device's would let everybody in.
    const Engines engines =
        EnginesAt(options->engine, options->known_engines, With::kTokensOfCalls);
    if (!options->vision.empty()) {
      if (!IsLoopbackListener(options->vision)) {
        throw CommandError(
            "--vision: a vision service only answers on its own machine, as on 127.0.0.1:50552; "
            "start the gateway there",
            2);
      }
      options->gateway.vision = ChannelTo(options->vision);
    }
    const auto gateway = StartGateway(options->gateway, options->network, options->data, engines);
    std::printf("page on %s\n", gateway->url().c_str());
    std::fflush(stdout);
    if (gateway->on_network()) {
      ShowPairing(engines.channel(), {.role = v1::ROLE_REFEREE,
                                      .page = gateway->url(),
                                      .fingerprint = gateway->fingerprint()});
    }
    const Watchdog watchdog(
        [&] { return Answers(gateway->address(), gateway->fingerprint(), Over::kHttp); });
    stop.Wait();
  });
}

}  // namespace tilewarden::services
