#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/access/addresses.h"
#include "services/base/clock.h"
#include "services/base/folders.h"
#include "services/base/service_manager.h"
#include "services/camera/vision_service.h"
#include "services/client/watching.h"
#include "services/commands/browser.h"
#include "services/commands/house.h"
#include "services/commands/json_lines.h"
#include "services/commands/network_options.h"
#include "services/commands/publish_options.h"
#include "services/commands/running.h"
#include "services/commands/table_options.h"
#include "services/commands/terminal_view.h"
#include "services/engine_service/engine_server.h"
#include "services/gateway/gateway.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

// In the data folder: the camera that people chose on the page.
constexpr char kKeptCamera[] = "camera";
// What the page's button says (join.open).
constexpr char kOpenOnPage[] = "Let tablets and phones in";

struct UpCommand {
  std::string source, profile, debug;
  Box box;
  Reporter::Options game;
  RulesChoice rules;
  int camera = -1;
  vision::FrameSourceSettings frames;
  EngineServer::Options engine;
  Gateway::Options gateway;
  std::string house_listen = "0.0.0.0:8443";
  bool open = false;  // the page, in a browser
  std::string pace = "realtime";
  bool json = false, states = false, final = false;
};

// Where the table is seen: what was said, or what people choose on the page.
struct Seeing {
  std::string source;
  std::unique_ptr<vision::FrameSource> frames;
  std::shared_ptr<ChosenSource> chosen;  // null: it was said
  std::shared_ptr<PhoneCamera> phone;    // that may be chosen
};

// Hands the frames of a source to whoever owns this.
class Shared final : public vision::FrameSource {
 public:
  explicit Shared(std::shared_ptr<vision::FrameSource> frames) : frames_(std::move(frames)) {}
  absl::StatusOr<std::optional<vision::Frame>> Next() override { return frames_->Next(); }
  bool live() const override { return frames_->live(); }

 private:
  const std::shared_ptr<vision::FrameSource> frames_;
};

Seeing See(const UpCommand& command) {
  if (!command.source.empty() && command.camera >= 0) {
    throw CommandError("say where the table is seen once: --camera 0, or the source", 2);
  }
  vision::FrameSourceSettings settings = command.frames;
  settings.outage_ms = VisionService::kOutage_ms;
  settings.real_time = command.pace == "realtime";
  Seeing seeing;
  seeing.source = command.camera < 0 ? command.source : std::to_string(command.camera);
  if (!seeing.source.empty()) {
    seeing.frames = Check(vision::OpenFrameSource(seeing.source, settings));
    return seeing;
  }
  seeing.phone = std::make_shared<PhoneCamera>();
  seeing.chosen = std::make_shared<ChosenSource>(
      [settings, phone = seeing.phone](
          const std::string& source) -> absl::StatusOr<std::unique_ptr<vision::FrameSource>> {
        if (source == PhoneCamera::kSource) return phone->Open(settings.outage_ms);
        return vision::OpenFrameSource(source, settings);
      },
      command.engine.data / kKeptCamera);
  seeing.chosen->ChooseAsBefore();
  seeing.frames = std::make_unique<Shared>(seeing.chosen);
  return seeing;
}

// What the vision service does here, and the pack that it reads with; null: it finds out.
std::shared_ptr<const calibration::ReferencePack> ReadAs(const UpCommand& command,
                                                         const Seeing& seeing,
                                                         VisionService::Options* options) {
  options->source = seeing.source;
  options->chosen = seeing.chosen;
  options->phone = seeing.phone;
  options->game = command.game;
  options->game.only_join = seeing.chosen != nullptr;
  options->reading.debug_folder = command.debug;
  const CameraLens lens = ChooseLens(command.profile, command.engine.data, *seeing.frames);
  options->lens = lens.lens;
  options->other_size = lens.other_size;
  if (!IsBoxKnown(command.box, command.engine.data)) {
    if (!command.rules.empty()) {
      throw CommandError("--preset, --rule and --rules need to know the box: add --set or --pack");
    }
    options->recognise = std::make_shared<TableBox>(command.engine.data);
    return nullptr;
  }
  auto pack = LoadPack(command.box, command.engine.data);
  TellBoxLeft(command.box, command.engine.data);
  if (!command.box.set.empty()) options->rivers = std::make_shared<TableBox>(command.engine.data);
  options->game.tile_set = pack->tile_set;
  options->tiles = LoadTileSet(pack->tile_set, command.engine.data);
  ChosenRules chosen = Chosen(command.rules, *options->tiles);
  options->game.preset = std::move(chosen.preset);
  options->game.rules = std::move(chosen.options);
  return pack;
}

// Whether the tablet is to be let in: asked once, where somebody looks at a terminal.
void AskAboutHouse(House* house, StopSignal* signal) {
  if (house->IsDecided() || isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) return;
  std::printf("May tablets and phones in your home open the page? Each one needs a code. [Y/n] ");
  std::fflush(stdout);
  pollfd typed{STDIN_FILENO, POLLIN, 0};
  while (poll(&typed, 1, 100) == 0) {
    if (signal->WaitFor(std::chrono::milliseconds(1))) return;
  }
  std::string answer;
  std::getline(std::cin, answer);
  if (answer.empty() || answer[0] == 'y' || answer[0] == 'Y') {
    if (const auto opened = house->Open(); !opened.ok()) {
      spdlog::warn("{}", std::string(opened.status().message()));
    }
  } else {
    house->Decline();
  }
}

// What stands on top of the terminal as long as this runs: where the page is, and for the tablet
// its address, a code that is good now, and both to scan.
class Top {
 public:
  Top(std::string here, std::shared_ptr<grpc::Channel> engine)
      : here_(std::move(here)), engine_(std::move(engine)) {}

  // `network`: the page that others reach; null: none. True: it says something new.
  bool Update(const Gateway* network) {
    const std::int64_t now_ms = NowMs();
    // A code that is about to run out is of no use to somebody who fetches the tablet.
    if (network == nullptr || now_ms < renew_ms_) return std::exchange(first_, false);
    const auto pairing = MakePairing(
        engine_,
        {.role = v1::ROLE_REFEREE, .page = network->url(), .fingerprint = network->fingerprint()});
    renew_ms_ = pairing ? pairing->expires_ms - kAhead_ms : now_ms + kAhead_ms;
    for_others_ = pairing ? PairingText(*pairing) : "";
    first_ = false;
    return true;
  }
  std::string Text() const {
    return absl::StrCat(for_others_, "Tilewarden  ", here_, "  Ctrl-C stops, nothing is lost");
  }

 private:
  static constexpr std::int64_t kAhead_ms = 60'000;
  const std::string here_;
  const std::shared_ptr<grpc::Channel> engine_;
  std::string for_others_;
  std::int64_t renew_ms_ = 0;
  bool first_ = true;
};

void Run(const UpCommand& command) {
  LogToStderr();
  if (!command.json && (command.states || command.final)) {
    throw CommandError("--states and --final add to --json: say that, too", 2);
  }
  StopSignal signal;
  Seeing seeing = See(command);
  VisionService::Options options;
  const auto pack = ReadAs(command, seeing, &options);
  // Called once the house is there.
  std::atomic<House*> house_to_open = nullptr;
  EngineServer::Options serve = command.engine;
  const bool alone = IsLoopbackListener(command.gateway.listen);
  if (alone) {
    serve.open_house = [&house_to_open]() -> absl::StatusOr<v1::OpenHouseResponse> {
      House* house = house_to_open;
      if (house == nullptr) return absl::UnavailableError("this is still starting; try again");
      return house->Open();
    };
  }
  auto started = EngineServer::Start(serve);
  if (const std::string page = KeptPage::Of(serve.data);
      command.open && absl::IsFailedPrecondition(started.status()) && !page.empty()) {
    std::printf("Tilewarden runs already: page on %s\n", page.c_str());
    return OpenInBrowser(page);
  }
  const auto engine = Check(std::move(started));
  const auto channel = engine->Channel();
  std::stop_source stop;
  JsonLines json(channel, command.states);
  if (command.json) {
    options.judged = [&json](const vision::Frame& frame, bool settled) {
      return json.Tell(frame, settled);
    };
  }
  VisionService vision(options, std::move(seeing.frames), pack, channel, stop.get_token());
  AskingGuard guard(channel);
  const auto camera =
      Check(VisionServer::Start("", command.engine.data, &guard, &vision, seeing.chosen.get()));
  Gateway::Options page = command.gateway;
  page.more_metrics = [&engine] { return engine->Metrics(); };
  page.vision = camera->Channel();
  const auto gateway = StartGateway(page, command.engine.network, command.engine.data, channel);
  House house({page, command.house_listen, command.engine.network, command.engine.data}, channel);
  if (alone) {
    house.TellOn(gateway.get());
    house_to_open = &house;
    AskAboutHouse(&house, &signal);
    if (house.WasOpened()) {
      if (const auto opened = house.Open(); !opened.ok()) {
        spdlog::warn("the page is on this machine alone: {}",
                     std::string(opened.status().message()));
      }
    }
  }
  const auto network = [&] {
    return alone ? house.gateway() : gateway->on_network() ? gateway.get() : nullptr;
  };

  TileSets tile_sets(command.engine.data / OwnTiles::kFile);
  Top top(gateway->url(), channel);
  top.Update(network());
  TerminalView view(&tile_sets, top.Text());
  FILE* const terminal = command.json ? stderr : stdout;
  std::fprintf(terminal, "engine service on %s, games in %s\npage on %s\n",
               engine->address().c_str(), command.engine.data.c_str(), gateway->url().c_str());
  if (alone && network() == nullptr) {
    std::fprintf(terminal, "for a tablet or phone: open the page, then Tables, \"%s\"\n",
                 kOpenOnPage);
  }
  if (alone && network() != nullptr)
    std::fprintf(terminal, "in your home on %s\n", network()->url().c_str());
  std::fflush(terminal);
  const KeptPage kept(command.engine.data, gateway->url());
  if (command.open) OpenInBrowser(gateway->url());
  const auto head = [&] {
    if (!command.json) view.SetHeadline(top.Text());
  };
  head();
  const Watchdog watchdog(
      [&] { return Answers(gateway->address(), gateway->fingerprint(), Over::kHttp); });
  std::unique_ptr<Watching> watching;
  absl::Status status, told;
  std::atomic<bool> over = false;
  std::jthread reading([&] {
    status = vision.Run([&](const std::string& game_id) {
      if (command.json) {
        told = json.Begin(game_id);
        return;
      }
      watching.reset();
      watching = std::make_unique<Watching>(
          channel, game_id, [&view](const v1::WatchGameResponse& message) { view.Show(message); });
    });
    over = true;
  });
  while (!over && !signal.WaitFor(std::chrono::milliseconds(100))) {
    if (top.Update(network())) head();
  }
  const bool source_ended = over;
  stop.request_stop();
  reading.join();
  if (source_ended) {
    Check(told);
    Check(status);
    if (command.final) Check(json.End());
    // A program that reads along learns by the end of the output that there is no more.
    if (command.json) return;
    std::printf("\n%s has ended; the page stays open until Ctrl-C.\n", options.source.c_str());
    std::fflush(stdout);
    while (!signal.WaitFor(std::chrono::seconds(1))) {
      if (top.Update(network())) head();
    }
  }
  watching.reset();
  house_to_open = nullptr;
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
  sub.Add("--camera", &command->camera,
          "A camera's number, instead of a source; without either the camera is chosen on the page")
      .NotNegative();
  AddBoxOptions(sub, &command->box);
  AddProfileOption(sub, &command->profile);
  AddNewGameOptions(sub, &command->game);
  AddRulesOptions(sub, &command->rules);
  sub.Add("--data", &command->engine.data, "Folder that the games are kept in").ShowDefault();
  AddRoomOptions(sub, &command->engine);
  sub.Add("--listen", &command->engine.listen, "Address and port of the engine service")
      .ShowDefault();
  sub.Add("--page-listen", &command->gateway.listen, "Address and port of the page").ShowDefault();
  sub.Add("--house-listen", &command->house_listen,
          "Address and port of the page for tablets and phones, once they were let in")
      .ShowDefault();
  AddNetworkOptions(sub, &command->engine.network);
  sub.AddFlag("--open", &command->open, "Open the page in the browser, as tilewarden alone does");
  AddTrustOption(sub, &command->gateway);
  sub.AddFlag("--reflection", &command->engine.reflection, "Answer reflection on a network too");
  AddPublishOptions(sub, &command->engine);
  sub.Add("--pace", &command->pace, "Recordings: realtime, or as fast as they can be read")
      .OneOf({"realtime", "fast"})
      .ShowDefault();
  sub.AddFlag(
      "--json", &command->json,
      "For programs: events as JSON lines (v1.GameEvent), scores in them, and nothing else on"
      " stdout; ends with the source");
  sub.AddFlag("--states", &command->states,
              "With --json also a line with the whole state for each settled frame");
  sub.AddFlag("--final", &command->final, "With --json do the final scoring when the source ends");
  AddDebugOption(sub, &command->debug);
  AddRecordOptions(sub, &command->frames);
  sub.Runs([command] { Run(*command); });
}

}  // namespace tilewarden::services
