#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "services/base/child_process.h"
#include "services/base/folders.h"
#include "services/base/status.h"
#include "services/boxes/printable_set.h"
#include "services/camera/reporter.h"
#include "services/client/channel.h"
#include "services/client/watching.h"
#include "services/commands/network_options.h"
#include "services/commands/recording_truth.h"
#include "services/commands/running.h"
#include "services/commands/table_options.h"
#include "services/commands/terminal_view.h"
#include "services/gateway/gateway.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

struct DemoCommand {
  bool headless = false, without_pack = false;
  std::filesystem::path recording = DefaultRecording();
  std::filesystem::path data, pack;
  std::string profile;
  Gateway::Options gateway;
};

// The engine service as a process; put up again where it was when it dies.
class EngineProcess {
 public:
  explicit EngineProcess(std::filesystem::path data) : data_(std::move(data)) {
    Start("127.0.0.1:0");
  }
  const std::string& address() const { return address_; }

  void KeepUp() {
    if (!process_->Ended()) return;
    spdlog::warn("the engine service died; starting it again, and the game goes on");
    Start(address_);
  }

 private:
  void Start(const std::string& listen) {
    process_ = Check(ChildProcess::Start(
        {ThisProgram().string(), "engine", "--listen", listen, "--data", data_.string()}));
    const auto line = process_->ReadLine();
    if (!line) throw CommandError("the engine service did not start");
    std::printf("%s, process %d\n", line->c_str(), static_cast<int>(process_->pid()));
    std::fflush(stdout);
    const auto from = line->find("127.");
    address_ = line->substr(from, line->find(',', from) - from);
  }

  const std::filesystem::path data_;
  std::string address_;
  std::optional<ChildProcess> process_;
};

// Calls an RPC until the engine service answers it.
template <typename Call>
void Insist(EngineProcess* engine, const Call& call) {
  for (int tries = 0;; ++tries) {
    grpc::ClientContext context;
    const absl::Status status = FromGrpc(call(&context));
    if (status.ok()) return;
    if (status.code() != absl::StatusCode::kUnavailable || tries > 100) Check(status);
    engine->KeepUp();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

// The pack of the bundled box, every copy in it: the bundled recording was played
// with it.
std::filesystem::path MakePack(const std::filesystem::path& folder, const std::string& tile_set) {
  const auto tiles = LoadTileSet(tile_set, folder);
  const auto path = folder / "printable.pack";
  Check(PaintedPack(*tiles, 0).Save(path));
  return path;
}

std::filesystem::path TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tilewarden-demo-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw CommandError("no temporary folder can be made");
  return name;
}

// Removes a folder at the end of the demo that made it.
struct Cleanup {
  std::filesystem::path folder;
  ~Cleanup() {
    std::error_code ignored;
    if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
  }
};

// What the watch has sent so far, for the checks at the end.
struct Told {
  std::mutex mutex;
  std::vector<v1::Finding> illegal;
  v1::GameState state;
  bool ended = false;
};

void PrintResult(const DemoCommand& command, Told* told) {
  const std::lock_guard lock(told->mutex);
  std::printf("\n%s", DescribeResult(told->state, isatty(STDOUT_FILENO) == 1).c_str());
  const auto truth = LoadTruth(command.recording);
  if (truth.status().code() == absl::StatusCode::kNotFound) return;
  Check(truth.status());
  const auto differences = DifferencesFromTruth(*truth, told->state, told->illegal);
  if (!differences.empty()) {
    for (const std::string& line : differences) std::printf("  differs: %s\n", line.c_str());
    throw CommandError("the game differs from the recording's truth");
  }
  std::printf(
      "\nEverything agrees with the recording's truth: scores, their items, illegal placements.\n");
}

void Run(const DemoCommand& command) {
  LogToStderr();
  if (command.recording.empty()) {
    throw CommandError("the recorded table is missing; give one with --recording");
  }
  StopSignal signal;
  Cleanup cleanup;
  std::filesystem::path data = command.data;
  if (data.empty()) data = cleanup.folder = TemporaryFolder();
  std::filesystem::create_directories(data);
  const auto truth = LoadTruth(command.recording);
  const std::string tile_set =
      truth.ok() ? truth->value("tile_set", TileSets::kDefault) : TileSets::kDefault;
  std::vector<std::string> box = {"--set", tile_set};
  if (!command.without_pack) {
    box = {"--pack", command.pack.empty() ? MakePack(data, tile_set) : command.pack};
  }

  EngineProcess engine(data);
  const auto channel = ChannelTo(engine.address());
  const auto games = v1::GameService::NewStub(channel);
  v1::CreateGameRequest create;
  create.set_request_id(RandomId());
  create.set_name("Demo");
  create.set_tile_set(tile_set);
  v1::CreateGameResponse created;
  Insist(&engine, [&](auto* context) { return games->CreateGame(context, create, &created); });
  const std::string game_id = created.state().game_id();

  std::unique_ptr<Gateway> gateway;
  if (!command.headless) gateway = StartGateway(command.gateway, {}, data, channel);
  std::vector<std::string> camera = {ThisProgram().string(),
                                     "vision",
                                     command.recording.string(),
                                     "--data",
                                     data,
                                     "--engine",
                                     engine.address(),
                                     "--game",
                                     game_id,
                                     "--pace",
                                     command.headless ? "fast" : "realtime"};
  camera.insert(camera.end(), box.begin(), box.end());
  if (!command.profile.empty()) camera.insert(camera.end(), {"--profile", command.profile});
  auto vision = Check(ChildProcess::Start(camera));
  if (const auto line = vision.ReadLine()) {
    std::printf("%s, process %d\n", line->c_str(), static_cast<int>(vision.pid()));
  }
  if (gateway) std::printf("\n  Open the page:  %s\n\n", gateway->url().c_str());
  std::string headline =
      gateway ? absl::StrCat("Tilewarden demo   the page: ", gateway->url(), "   Ctrl-C ends")
              : "Tilewarden demo";
  if (gateway && gateway->on_network()) {
    const auto pairing = ShowPairing(
        channel,
        {.role = v1::ROLE_REFEREE, .page = gateway->url(), .fingerprint = gateway->fingerprint()});
    if (pairing) absl::StrAppend(&headline, "\n", PairingLine(*pairing));
  }
  std::fflush(stdout);

  TileSets tile_sets;
  TerminalView view(&tile_sets, headline);
  Told told;
  const Watching watching(channel, game_id, [&](const v1::WatchGameResponse& message) {
    view.Show(message);
    const std::lock_guard lock(told.mutex);
    told.state = view.state();
    told.ended = told.state.phase() == v1::GAME_PHASE_ENDED;
    if (message.event().has_finding_raised() &&
        message.event().finding_raised().severity() == v1::SEVERITY_ILLEGAL) {
      told.illegal.push_back(message.event().finding_raised());
    }
  });
  constexpr std::chrono::milliseconds kTick{50};
  while (!vision.Ended()) {
    if (signal.WaitFor(kTick)) return;
    engine.KeepUp();
  }
  if (*vision.Ended() != 0) throw CommandError("the vision service failed, see above");
  v1::EndGameRequest end;
  end.set_request_id(RandomId());
  end.set_game_id(game_id);
  v1::EndGameResponse ended;
  Insist(&engine, [&](auto* context) { return games->EndGame(context, end, &ended); });
  for (int i = 0; i < 200; ++i) {
    if (signal.WaitFor(kTick)) return;
    const std::lock_guard lock(told.mutex);
    if (told.ended) break;
  }
  PrintResult(command, &told);
  if (command.headless) return;
  std::printf("The page stays open until Ctrl-C: %s\n", gateway->url().c_str());
  std::fflush(stdout);
  while (!signal.WaitFor(kTick)) engine.KeepUp();
}

}  // namespace

void AddDemoCommand(Command app) {
  auto command = std::make_shared<DemoCommand>();
  command->gateway.page = DefaultPageFolder();
  Command sub = app.AddCommand(
      "demo",
      "Plays a recorded table: engine service and vision service as two processes, and the page.\n"
      "Example: tilewarden demo --headless");
  sub.AddFlag("--headless", &command->headless,
              "As fast as possible, without the page; prints the final scores and checks them");
  sub.Add("--recording", &command->recording, "Another recording, its truth beside it")
      .ExistingPath();
  Option pack = sub.Add("--pack", &command->pack,
                        "The box of that recording, made by tilewarden enrol; else the bundled one")
                    .ExistingFile();
  sub.AddFlag("--without-pack", &command->without_pack,
              "Read it as the tiles of a published edition, with no pictures of them")
      .Excludes(pack);
  AddProfileOption(sub, &command->profile);
  sub.Add("--data", &command->data,
          "Folder that the game is kept in; else a temporary one, removed at the end");
  sub.Add("--page-listen", &command->gateway.listen, "Address and port of the page").ShowDefault();
  sub.Runs([command] { Run(*command); });
}

}  // namespace tilewarden::services
