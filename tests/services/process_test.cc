// The program as people start it: processes, signals, exit statuses.

#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "opencv2/imgcodecs.hpp"
#include "services/channel.h"
#include "services/child_process.h"
#include "services/printable_set.h"
#include "services/reporter.h"
#include "tests/services/played_game.h"
#include "tests/services/temp_folder.h"
#include "tilewarden/v1/game.grpc.pb.h"

namespace tilewarden::services {
namespace {

struct Result {
  int status = -1;
  std::string errors;
};

class ProcessTest : public testing::Test {
 protected:
  // Runs the program to its end.
  Result Run(const std::string& arguments) {
    const auto errors = folder_.path() / "errors";
    const std::string command =
        absl::StrCat(TILEWARDEN_PROGRAM, " ", arguments, " > /dev/null 2> ", errors.string());
    Result result;
    const int status = std::system(command.c_str());
    result.status = WEXITSTATUS(status);
    std::ifstream file(errors);
    result.errors.assign(std::istreambuf_iterator<char>(file), {});
    return result;
  }
  // Fails with one line that holds these words.
  void ExpectError(const std::string& arguments, const std::string& words) {
    const Result result = Run(arguments);
    EXPECT_NE(result.status, 0) << arguments;
    EXPECT_TRUE(absl::StrContains(result.errors, words)) << arguments << ": " << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  }

  absl::StatusOr<ChildProcess> StartEngine(const std::string& listen) {
    auto engine = ChildProcess::Start({TILEWARDEN_PROGRAM, "engine", "--listen", listen, "--data",
                                       (folder_.path() / "data").string()});
    if (!engine.ok()) return engine;
    const auto line = engine->ReadLine();
    EXPECT_TRUE(line.has_value());
    if (line) {
      const auto from = line->find("127.");
      address_ = line->substr(from, line->find(',') - from);
    }
    return engine;
  }

  // A pack for commands that need one, of two tiles.
  std::string Pack() {
    const auto path = folder_.path() / "box.pack";
    calibration::ReferencePack pack;
    pack.tile_set = "base.c1";
    const auto set = *engine::TileSet::Load("base.c1");
    for (const char* id : {"B.D", "B.U"}) {
      const auto& type = set->types()[static_cast<std::size_t>(set->Find(id))];
      pack.pictures.push_back(
          {id, PaintCopy(type, 0, kBundledBox, calibration::ReferencePack::kSide_px)});
    }
    EXPECT_TRUE(pack.Save(path).ok());
    return path.string();
  }

  TempFolder folder_;
  std::string address_;
};

TEST_F(ProcessTest, AKilledEngineGoesOnWithEveryAcknowledgedTurn) {
  const auto turns = SomeTurns(30);
  auto engine = StartEngine("127.0.0.1:0");
  ASSERT_TRUE(engine.ok()) << engine.status();
  const std::string address = address_;
  const auto games = v1::GameService::NewStub(ChannelTo(address));
  std::string game;
  {
    v1::CreateGameRequest request;
    request.set_request_id("create");
    request.set_tile_set("base.c1");
    request.set_place_start_tile(true);
    for (const char* colour : {"red", "blue"}) request.add_players()->set_colour(colour);
    v1::CreateGameResponse response;
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    ASSERT_TRUE(games->CreateGame(&context, request, &response).ok());
    game = response.state().game_id();
  }
  // Killed again and again, at moments that nobody chose, while turns are sent;
  // each turn is repeated with its request id until it is acknowledged.
  std::atomic<bool> over = false, all_played = false;
  int kills = 0;
  std::thread killer([&] {
    // Stays until the end: the engine ends with the thread that started it.
    for (int wait_ms = 35; !over; wait_ms = wait_ms * 7 % 61 + 20) {
      std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
      if (kills == 6 || all_played) continue;
      kill(engine->pid(), SIGKILL);
      while (!engine->Ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      engine = StartEngine(address);
      ++kills;
    }
  });
  std::uint64_t last = 1;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    v1::PlayTurnRequest request;
    request.set_request_id(absl::StrCat("turn ", i));
    request.set_game_id(game);
    *request.mutable_turn() = turns[i];
    v1::PlayTurnResponse response;
    grpc::Status status;
    for (int tries = 0; tries < 1000; ++tries) {
      grpc::ClientContext context;
      status = games->PlayTurn(&context, request, &response);
      if (status.ok()) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_TRUE(response.has_event()) << response.ShortDebugString();
    EXPECT_EQ(response.event().turn_played().turn(), i + 1);
    EXPECT_EQ(response.event().number(), ++last);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  all_played = true;
  v1::GetGameRequest request;
  request.set_game_id(game);
  v1::GetGameResponse response;
  grpc::Status status;
  for (int tries = 0; tries < 1000; ++tries) {
    grpc::ClientContext context;
    status = games->GetGame(&context, request, &response);
    if (status.ok()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.state().turn(), turns.size());
  EXPECT_EQ(response.state().tiles_size(), static_cast<int>(turns.size()) + 1);
  EXPECT_EQ(response.state().event_number(), last);
  over = true;
  killer.join();
  EXPECT_GE(kills, 1);
}

// The recorded table, followed to its end while the engine service is killed in
// the middle of it, twice: the scores, their items and the illegal placement are
// those of the recording's truth.
TEST_F(ProcessTest, TheDemoEndsRightAlthoughItsEngineIsKilled) {
  auto demo = ChildProcess::Start({TILEWARDEN_PROGRAM, "demo", "--headless"});
  ASSERT_TRUE(demo.ok()) << demo.status();
  pid_t engine = 0;
  int kills = 0, starts = 0;
  bool agreed = false;
  while (const auto line = demo->ReadLine()) {
    if (absl::StrContains(*line, "engine service on")) {
      engine = std::atoi(line->substr(line->rfind(' ') + 1).c_str());
      ++starts;
    }
    const int turn = std::atoi(line->c_str());
    if ((turn == 9 && kills == 0) || (turn == 20 && kills == 1)) {
      kill(engine, SIGKILL);
      ++kills;
    }
    agreed = agreed || absl::StrContains(*line, "All as in the recording's truth");
  }
  for (int i = 0; i < 1000 && !demo->Ended(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(demo->Ended(), 0);
  EXPECT_TRUE(agreed);
  EXPECT_EQ(kills, 2);
  EXPECT_EQ(starts, 3);
}

TEST_F(ProcessTest, AnEngineStopsOnRequest) {
  auto engine = StartEngine("127.0.0.1:0");
  ASSERT_TRUE(engine.ok());
  kill(engine->pid(), SIGTERM);
  for (int i = 0; i < 500 && !engine->Ended(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(engine->Ended(), 0);
}

TEST_F(ProcessTest, ASecondEngineOnTheSamePortOrFolderIsTold) {
  auto engine = StartEngine("127.0.0.1:0");
  ASSERT_TRUE(engine.ok());
  const std::string other = (folder_.path() / "other").string();
  ExpectError(absl::StrCat("engine --listen ", address_, " --data ", other), "cannot listen on");
  ExpectError(
      absl::StrCat("engine --listen 127.0.0.1:0 --data ", (folder_.path() / "data").string()),
      "in use by another engine service");
  EXPECT_FALSE(engine->Ended());
}

TEST_F(ProcessTest, ACorruptLogIsTold) {
  std::filesystem::create_directories(folder_.path() / "data");
  std::ofstream(folder_.path() / "data" / "games.sqlite") << std::string(9000, '?');
  ExpectError(
      absl::StrCat("engine --listen 127.0.0.1:0 --data ", (folder_.path() / "data").string()),
      "is damaged");
}

TEST_F(ProcessTest, MissingAndTornInputIsTold) {
  const std::string pack = Pack();
  ExpectError("watch " + (folder_.path() / "none.mp4").string() + " --pack " + pack, "none.mp4");
  ExpectError("watch 77 --pack " + pack, "77");
  ExpectError("watch . --pack " + (folder_.path() / "none.pack").string(), "none.pack");
  const auto torn = folder_.path() / "torn.mp4";
  std::ofstream(torn) << "this is no video";
  ExpectError("watch " + torn.string() + " --pack " + pack, "torn.mp4");
  ExpectError("vision " + torn.string() + " --engine 127.0.0.1:9 --pack " + pack, "torn.mp4");
  std::ofstream(folder_.path() / "torn.pack") << "no pack";
  ExpectError("watch . --pack " + (folder_.path() / "torn.pack").string(), "torn.pack");
}

TEST_F(ProcessTest, AnUnknownTileSetIsTold) {
  const auto path = folder_.path() / "strange.pack";
  calibration::ReferencePack pack;
  pack.tile_set = "no.such.set";
  const auto set = *engine::TileSet::Load("base.c1");
  pack.pictures.push_back(
      {"B.D", PaintCopy(set->types()[0], 0, kBundledBox, calibration::ReferencePack::kSide_px)});
  ASSERT_TRUE(pack.Save(path).ok());
  std::filesystem::create_directories(folder_.path() / "pictures");
  cv::Mat grey(480, 640, CV_8UC3, cv::Scalar::all(90));
  ASSERT_TRUE(cv::imwrite((folder_.path() / "pictures" / "1.png").string(), grey));
  ExpectError("watch " + (folder_.path() / "pictures").string() + " --pack " + path.string(),
              "no.such.set");
}

TEST_F(ProcessTest, EveryCommandHelpsWithAnExample) {
  for (const char* command :
       {"demo", "engine", "enrol", "gateway", "read", "rules", "up", "vision", "watch"}) {
    const auto out = folder_.path() / "help";
    const std::string line =
        absl::StrCat(TILEWARDEN_PROGRAM, " ", command, " --help > ", out.string());
    EXPECT_EQ(std::system(line.c_str()), 0) << command;
    std::ifstream file(out);
    const std::string help((std::istreambuf_iterator<char>(file)), {});
    EXPECT_TRUE(absl::StrContains(help, "Example: tilewarden ") ||
                absl::StrContains(help, "example: tilewarden "))
        << help;
  }
}

}  // namespace
}  // namespace tilewarden::services
