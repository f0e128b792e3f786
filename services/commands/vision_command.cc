#include <cstdio>
#include <memory>
#include <thread>
#include <utility>

#include "services/base/service_manager.h"
#include "services/camera/vision_service.h"
#include "services/commands/network_options.h"
#include "services/commands/running.h"
#include "services/commands/table_options.h"

namespace tilewarden::services {
namespace {

struct VisionCommand {
  std::string source, profile, debug;
  Box box;
  std::filesystem::path data;
  Reporter::Options game;
  RulesChoice rules;
  std::string engine = "127.0.0.1:50551", listen = "127.0.0.1:0", pace = "realtime";
  std::filesystem::path known_engines;
  vision::FrameSourceSettings frames;
};

void Run(const VisionCommand& command) {
  LogToStderr();
  StopSignal signal;
  const auto pack = LoadPack(command.box, command.data);
  TellBoxLeft(command.box, command.data);
  vision::FrameSourceSettings settings = command.frames;
  settings.outage_ms = VisionService::kOutage_ms;
  settings.real_time = command.pace == "realtime";
  auto frames = Check(vision::OpenFrameSource(command.source, settings));
  const CameraLens lens = ChooseLens(command.profile, command.data, *frames);
  VisionService::Options options;
  options.source = command.source;
  options.game = command.game;
  options.game.tile_set = pack->tile_set;
  options.lens = lens.lens;
  options.other_size = lens.other_size;
  options.reading.debug_folder = command.debug;
  options.tiles = LoadTileSet(pack->tile_set, command.data);
  if (!command.box.set.empty()) options.rivers = std::make_shared<TableBox>(command.data);
  ChosenRules chosen = Chosen(command.rules, *options.tiles);
  options.game.preset = std::move(chosen.preset);
  options.game.rules = std::move(chosen.options);
  std::stop_source stop;
  VisionService service(options, std::move(frames), pack,
                        EnginesAt(command.engine, command.known_engines), stop.get_token());
  AskingGuard guard(EnginesAt(command.engine, command.known_engines, With::kTokensOfCalls));
  const auto server = Check(VisionServer::Start(command.listen, command.data, &guard, &service));
  std::printf("vision service on %s, reading %s\n", server->address().c_str(),
              command.source.c_str());
  std::fflush(stdout);

  const Watchdog watchdog([&] { return Answers(server->address(), "", Over::kGrpc); });
  std::jthread waiting([&](const std::stop_token& over) {
    while (!over.stop_requested()) {
      if (signal.WaitFor(std::chrono::milliseconds(100))) {
        stop.request_stop();
        return;
      }
    }
  });
  const absl::Status status = service.Run([](const std::string& game_id) {
    std::printf("reporting to game %s\n", game_id.c_str());
    std::fflush(stdout);
  });
  if (!status.ok() && !stop.stop_requested()) Check(status);
  std::printf("%llu frames read\n", static_cast<unsigned long long>(service.frames_read()));
}

}  // namespace

void AddVisionCommand(Command app) {
  auto command = std::make_shared<VisionCommand>();
  Command sub = app.AddCommand(
      "vision",
      "The vision service: reads a table and reports what it sees to the engine service.\n"
      "Example: tilewarden vision 0 --pack mybox.pack --engine 127.0.0.1:50551");
  AddSourceOption(sub, &command->source).Required();
  AddBoxOptions(sub, &command->box);
  AddProfileOption(sub, &command->profile);
  AddDataOption(sub, &command->data);
  sub.Add("--engine", &command->engine,
          "Where the engine service listens; of several that share a database: joined by commas")
      .ShowDefault();
  AddKnownEnginesOption(sub, &command->known_engines);
  sub.Add("--listen", &command->listen, "Address and port of its own status, and of enrolment")
      .ShowDefault();
  sub.Add("--game", &command->game.game_id,
          "The game to report to; else the newest that has not ended, or a new one");
  AddNewGameOptions(sub, &command->game);
  AddRulesOptions(sub, &command->rules);
  sub.Add("--pace", &command->pace, "Recordings: realtime, or as fast as they can be read")
      .OneOf({"realtime", "fast"})
      .ShowDefault();
  AddDebugOption(sub, &command->debug);
  AddRecordOptions(sub, &command->frames);
  sub.Runs([command] { Run(*command); });
}

}  // namespace tilewarden::services
