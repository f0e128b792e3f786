#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/folders.h"
#include "services/camera/vision_service.h"
#include "services/client/watching.h"
#include "services/commands/network_options.h"
#include "services/commands/publish_options.h"
#include "services/commands/running.h"
#include "services/commands/table_options.h"
#include "services/commands/terminal_view.h"
#include "services/engine_service/engine_server.h"
#include "services/gateway/gateway.h"

namespace tilewarden::services {
namespace {

struct UpCommand {
  std::string source, profile, debug;
  Box box;
  Reporter::Options game;
  RulesChoice rules;
  int camera = -1;
  vision::FrameSourceSettings frames;
  EngineServer::Options engine;
  Gateway::Options gateway;
};

void Run(const UpCommand& command) {
  LogToStderr();
  if (command.source.empty() == (command.camera < 0)) {
    throw CommandError("say where the table is seen: --camera 0, or an address, video or folder",
                       2);
  }
  const std::string source = command.camera < 0 ? command.source : std::to_string(command.camera);
  StopSignal signal;
  const auto pack = LoadPack(command.box, command.engine.data);
  TellBoxLeft(command.box, command.engine.data);
  vision::FrameSourceSettings settings = command.frames;
  settings.outage_ms = VisionService::kOutage_ms;
  settings.real_time = true;
  auto frames = Check(vision::OpenFrameSource(source, settings));
  const CameraLens lens = ChooseLens(command.profile, command.engine.data, *frames);
  const auto engine = Check(EngineServer::Start(command.engine));
  const auto channel = engine->Channel();
  VisionService::Options options;
  options.source = source;
  options.game = command.game;
  options.game.tile_set = pack->tile_set;
  options.lens = lens.lens;
  options.other_size = lens.other_size;
  options.reading.debug_folder = command.debug;
  options.tiles = LoadTileSet(pack->tile_set, command.engine.data);
  ChosenRules chosen = Chosen(command.rules, *options.tiles);
  options.game.preset = std::move(chosen.preset);
  options.game.rules = std::move(chosen.options);
  std::stop_source stop;
  VisionService vision(options, std::move(frames), pack, channel, stop.get_token());
  AskingGuard guard(channel);
  const auto camera = Check(VisionServer::Start("", command.engine.data, &guard, &vision));
  Gateway::Options page = command.gateway;
  page.more_metrics = [&engine] { return engine->Metrics(); };
  page.vision = camera->Channel();
  const auto gateway = StartGateway(page, command.engine.network, command.engine.data, channel);

  TileSets tile_sets(command.engine.data / OwnTiles::kFile);
  std::string headline =
      absl::StrCat("Tilewarden  ", gateway->url(), "  Ctrl-C stops, nothing is lost");
  if (gateway->on_network()) {
    const auto pairing = ShowPairing(
        channel,
        {.role = v1::ROLE_REFEREE, .page = gateway->url(), .fingerprint = gateway->fingerprint()});
    if (pairing) absl::StrAppend(&headline, "\n", PairingLine(*pairing));
  }
  TerminalView view(&tile_sets, headline);
  std::printf("engine service on %s, games in %s\npage on %s\n", engine->address().c_str(),
              command.engine.data.c_str(), gateway->url().c_str());
  std::fflush(stdout);
  std::unique_ptr<Watching> watching;
  absl::Status status;
  std::atomic<bool> over = false;
  std::jthread reading([&] {
    status = vision.Run([&](const std::string& game_id) {
      watching = std::make_unique<Watching>(
          channel, game_id, [&view](const v1::WatchGameResponse& message) { view.Show(message); });
    });
    over = true;
  });
  while (!over && !signal.WaitFor(std::chrono::milliseconds(100))) {
  }
  const bool source_ended = over;
  stop.request_stop();
  reading.join();
  if (source_ended) {
    Check(status);
    std::printf("\n%s has ended; the page stays open until Ctrl-C.\n", source.c_str());
    std::fflush(stdout);
    signal.Wait();
  }
  watching.reset();
}

}  // namespace

void AddUpCommand(Command app) {
  auto command = std::make_shared<UpCommand>();
  command->engine.data = DefaultDataFolder();
  command->gateway.page = DefaultPageFolder();
  Command sub =
      app.AddCommand("up",
                     "Everything on this machine: follows a table and shows it on a page.\n"
                     "Example: tilewarden up --camera 0 --set base.c1");
  AddSourceOption(sub, &command->source);
  sub.Add("--camera", &command->camera, "A camera's number, instead of a source").NotNegative();
  AddBoxOptions(sub, &command->box);
  AddProfileOption(sub, &command->profile);
  AddNewGameOptions(sub, &command->game);
  AddRulesOptions(sub, &command->rules);
  sub.Add("--data", &command->engine.data, "Folder that the games are kept in").ShowDefault();
  sub.Add("--listen", &command->engine.listen, "Address and port of the engine service")
      .ShowDefault();
  sub.Add("--page-listen", &command->gateway.listen, "Address and port of the page").ShowDefault();
  AddNetworkOptions(sub, &command->engine.network);
  sub.AddFlag("--reflection", &command->engine.reflection, "Answer reflection on a network too");
  AddPublishOptions(sub, &command->engine);
  AddDebugOption(sub, &command->debug);
  AddRecordOptions(sub, &command->frames);
  sub.Runs([command] { Run(*command); });
}

}  // namespace tilewarden::services
