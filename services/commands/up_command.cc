#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

#include "absl/strings/str_cat.h"
#include "calibration/reference_pack.h"
#include "services/commands/running.h"
#include "services/engine_server.h"
#include "services/folders.h"
#include "services/gateway.h"
#include "services/terminal_view.h"
#include "services/vision_service.h"
#include "services/watching.h"

namespace tilewarden::services {
namespace {

struct UpCommand {
  std::string source, pack, name;
  int camera = -1;
  bool new_game = false;
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
  auto pack = std::make_shared<calibration::ReferencePack>(
      Check(calibration::ReferencePack::Load(command.pack)));
  vision::FrameSourceSettings settings;
  settings.real_time = true;
  auto frames = Check(vision::OpenFrameSource(source, settings));
  const auto engine = Check(EngineServer::Start(command.engine));
  const auto channel = engine->Channel();
  const auto gateway = Check(Gateway::Start(command.gateway, channel));

  VisionService::Options options;
  options.source = source;
  options.game = {"", command.new_game, pack->tile_set, command.name};
  std::stop_source stop;
  VisionService vision(options, std::move(frames), pack, channel, stop.get_token());
  TileSets tile_sets;
  TerminalView view(
      &tile_sets, absl::StrCat("Tilewarden  ", gateway->url(), "  Ctrl-C stops, nothing is lost"));
  std::printf("page on %s\n", gateway->url().c_str());
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

void AddUpCommand(CLI::App& app) {
  auto command = std::make_shared<UpCommand>();
  command->engine.data = DefaultDataFolder();
  command->gateway.page = DefaultPageFolder();
  CLI::App* sub =
      app.add_subcommand("up",
                         "Everything on this machine: follows a table and shows it on a page.\n"
                         "Example: tilewarden up --camera 0 --pack mybox.pack");
  sub->add_option("source", command->source,
                  "A stream's address, a video file or a folder of pictures");
  sub->add_option("--camera", command->camera, "A camera's number, from 0");
  sub->add_option("--pack", command->pack, "Reference pack of the box (tilewarden enrol)")
      ->required();
  sub->add_flag("--new-game", command->new_game,
                "Start a new game; else the newest that has not ended goes on");
  sub->add_option("--name", command->name, "Name of a new game, for people");
  sub->add_option("--data", command->engine.data, "Folder that the games are kept in")
      ->capture_default_str();
  sub->add_option("--listen", command->engine.listen, "Address and port of the engine service")
      ->capture_default_str();
  sub->add_option("--page-listen", command->gateway.listen, "Address and port of the page")
      ->capture_default_str();
  sub->callback([command] { Run(*command); });
}

}  // namespace tilewarden::services
