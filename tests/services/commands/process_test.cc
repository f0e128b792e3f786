// Processes that are killed, and input that cannot be: one clear sentence, a
// status that is not 0, and nothing lost.

#include <atomic>

#include "absl/strings/str_replace.h"
#include "grpcpp/grpcpp.h"
#include "opencv2/imgcodecs.hpp"
#include "services/camera/reporter.h"
#include "services/client/channel.h"
#include "tests/services/support/played_game.h"
#include "tests/services/support/process_fixture.h"
#include "tilewarden/v1/game.grpc.pb.h"

namespace tilewarden::services {
namespace {

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
    agreed = agreed || absl::StrContains(*line, "Everything agrees with the recording's truth");
  }
  for (int i = 0; i < 1000 && !demo->Ended(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(demo->Ended(), 0);
  EXPECT_TRUE(agreed);
  EXPECT_EQ(kills, 2);
  EXPECT_EQ(starts, 3);
}

// The same table with no picture of its tiles, by the networks alone.
TEST_F(ProcessTest, TheDemoEndsRightWithoutAPack) {
  const Result result = Run("demo --headless --without-pack");
  EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(ProcessTest, AnEngineStopsOnRequest) {
  auto engine = StartEngine("127.0.0.1:0");
  ASSERT_TRUE(engine.ok());
  ExpectStops(&*engine, SIGTERM);
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

TEST_F(ProcessTest, ACorruptLogIsToldAndLeftAsItIs) {
  const auto data = folder_.path() / "data";
  const auto log = data / "games.sqlite";
  std::filesystem::create_directories(data);
  std::ofstream(log) << std::string(9000, '?');
  const std::string before = Bytes(log);
  ExpectError(absl::StrCat("engine --listen 127.0.0.1:0 --data ", data.string()), "is damaged");
  ExpectError(
      absl::StrCat("up ", Pictures(1), " --pack ", Pack(),
                   " --listen 127.0.0.1:0 --page-listen 127.0.0.1:0 --data ", data.string()),
      "is damaged");
  EXPECT_EQ(Bytes(log), before);
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
  ExpectError("read " + (folder_.path() / "none.png").string() + " --pack " + pack, "none.png");
  ExpectError("enrol " + (folder_.path() / "none.png").string() + " --out x.pack", "none.png");
  ExpectError("up --camera 77 --pack " + pack, "no camera 77");
  // Without a camera it waits for one to be chosen on the page; what is wrong is told first.
  ExpectError("up --pack " + (folder_.path() / "none.pack").string(), "none.pack");
  std::ofstream(folder_.path() / "torn.pack") << "no pack";
  ExpectError("watch . --pack " + (folder_.path() / "torn.pack").string(), "torn.pack");
}

// A video that was cut short is followed to where it ends.
TEST_F(ProcessTest, ATornVideoIsReadAsFarAsItGoes) {
  const auto torn = folder_.path() / "torn.mp4";
  std::filesystem::copy_file(RecordedVideo(), torn);
  std::filesystem::resize_file(torn, std::filesystem::file_size(torn) / 8);
  const auto out = folder_.path() / "out";
  const std::string line = absl::StrCat(TILEWARDEN_PROGRAM, " watch ", torn.string(), " --json > ",
                                        out.string(), " 2> ", (folder_.path() / "err").string());
  EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 1);
  EXPECT_TRUE(absl::StrContains(Bytes(out), "turn_played")) << Bytes(out);
  EXPECT_TRUE(absl::StrContains(Bytes(folder_.path() / "err"), "it is torn"));
}

TEST_F(ProcessTest, APictureOfNothingIsTold) {
  const std::string pictures = Pictures(2), pack = Pack();
  ExpectError(absl::StrCat("read ", pictures, "/1.png --pack ", pack), "no tile of this box");
  ExpectError(absl::StrCat("read ", pictures, "/1.png --json --pack ", pack),
              "no tile of this box");
  ExpectError(absl::StrCat("watch ", pictures, " --pack ", pack), "no tile of this box");
  const std::string out = (folder_.path() / "new.pack").string();
  ExpectError(absl::StrCat("enrol ", pictures, "/1.png --out ", out), "no tiles were found");
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(ProcessTest, AnUnknownTileSetIsTold) {
  const auto path = folder_.path() / "strange.pack";
  calibration::ReferencePack pack;
  pack.tile_set = "no.such.set";
  const auto set = *engine::TileSet::Load("base.c1");
  pack.pictures.push_back(
      {"B.D", PaintCopy(set->types()[0], 0, kBundledBox, calibration::ReferencePack::kSide_px)});
  ASSERT_TRUE(pack.Save(path).ok());
  const std::string pictures = Pictures(1);
  ExpectError(absl::StrCat("watch ", pictures, " --pack ", path.string()), "no.such.set");
  ExpectError(absl::StrCat("read ", pictures, "/1.png --pack ", path.string()), "no.such.set");
  ExpectError(absl::StrCat("enrol ", pictures, "/1.png --set no.such.set --out ", path.string()),
              "no.such.set");
}

TEST_F(ProcessTest, SettingsComeFromFlagEnvironmentFileAndDefaultInThisOrder) {
  const auto file = folder_.path() / "tilewarden.toml", out = folder_.path() / "out";
  const auto configured = [&](const std::string& settings, const std::string& environment,
                              const std::string& arguments) {
    std::ofstream(file) << settings;
    const std::string line =
        absl::StrCat("TILEWARDEN_CONFIG=", file.string(), " ", environment, " ", TILEWARDEN_PROGRAM,
                     " ", arguments, " > ", out.string(), " 2>&1");
    const int status = std::system(line.c_str());
    // Spaces do not matter.
    return absl::StrCat(WEXITSTATUS(status), "\n",
                        absl::StrReplaceAll(Bytes(out), {{"  ", ""}, {" #", "#"}}));
  };
  const std::string settings =
      "[up]\npack = \"box.pack\"\nname = \"Monday\"\ncamera = 2\nnew-game = true\n";
  const std::string told = configured(settings, "TILEWARDEN_UP_CAMERA=3 TILEWARDEN_UP_NAME=Tuesday",
                                      "config up --name Sunday");
  for (const char* line :
       {"0\n", "[up]\n", "\npack = \"box.pack\"# the file\n", "\nnew-game = true# the file\n",
        "\ncamera = 3# TILEWARDEN_UP_CAMERA\n", "\nname = \"Sunday\"# the command line\n",
        "\nlisten = \"127.0.0.1:50551\"# default\n", "\n# debug is not set\n"}) {
    EXPECT_TRUE(absl::StrContains(told, line)) << line << told;
  }
  EXPECT_TRUE(absl::StrContains(configured("", "", "config up --music 1"), "'up' has no setting"));
  // And they are in effect.
  EXPECT_TRUE(absl::StrContains(configured("[vision]\npack = \"none.pack\"\n", "", "vision 77"),
                                "none.pack"));
  for (const auto& [wrong, words] : std::vector<std::pair<std::string, std::string>>{
           {"[up\n", "line 1"},
           {"[down]\n", "no section 'down'"},
           {"[up]\nmusic = 1\n", "no setting up.music"},
           {"[up]\ncamera = \"x\"\n", "up.camera"},
           {"[up]\ncamera = [1]\n", "up.camera needs"}}) {
    const std::string refused = configured(wrong, "", "up --camera 77");
    EXPECT_TRUE(absl::StrContains(refused, words)) << refused;
    EXPECT_TRUE(absl::StartsWith(refused, "2\n")) << refused;
  }
}

TEST_F(ProcessTest, PasswordsAreNotPrinted) {
  const auto file = folder_.path() / "tilewarden.toml", out = folder_.path() / "out";
  std::ofstream(file) << "[engine]\nstore = \"postgresql://ann:sesame@127.0.0.1:1/games\"\n"
                      << "mqtt = \"mqtt://ann:sesame@broker\"\nmqtt-password = \"sesame\"\n"
                      << "webhook-secret = \"@/run/hook\"\n";
  for (const char* words :
       {"config", "engine --help", "config engine",
        "config engine --webhook-secret sesame --store 'postgresql:///games?password=sesame'"}) {
    const std::string line =
        absl::StrCat("TILEWARDEN_CONFIG=", file.string(), " TILEWARDEN_UP_MQTT_PASSWORD=sesame ",
                     TILEWARDEN_PROGRAM, " ", words, " > ", out.string(), " 2>&1");
    EXPECT_EQ(std::system(line.c_str()), 0) << Bytes(out);
    EXPECT_FALSE(absl::StrContains(Bytes(out), "sesame")) << Bytes(out);
    EXPECT_TRUE(absl::StrContains(Bytes(out), "***")) << Bytes(out);
    // Where one is read from may be seen.
    const bool given = absl::StrContains(words, "--webhook-secret");
    EXPECT_EQ(absl::StrContains(Bytes(out), "@/run/hook"), !given) << Bytes(out);
  }
  EXPECT_TRUE(absl::StrContains(Bytes(out), "password=***")) << Bytes(out);
  ExpectError("engine --listen 127.0.0.1:0 --store postgresql://ann:sesame@127.0.0.1:1/games",
              "ann:***@127.0.0.1:1/games cannot be reached");
  ExpectError("engine --listen 127.0.0.1:0 --store games.sqlite", "write postgresql://");
}

TEST_F(ProcessTest, EveryCommandHelpsWithAnExample) {
  for (const char* command : {"backup", "config", "demo", "engine", "enrol", "export", "gateway",
                              "players", "players list", "players export", "players delete", "read",
                              "rules", "up", "vision", "watch"}) {
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

TEST_F(ProcessTest, PlayersAreListedExportedAndDeleted) {
  const auto engine = StartEngine("127.0.0.1:0");
  ASSERT_TRUE(engine.ok()) << engine.status();
  const std::string at = absl::StrCat(" --engine ", address_);
  EXPECT_TRUE(absl::StrContains(Run("players list" + at).output, "Nobody yet"));
  const auto games = v1::GameService::NewStub(ChannelTo(address_));
  std::string game;
  {
    v1::CreateGameRequest request;
    request.set_request_id("create");
    request.set_tile_set("base.c1");
    request.set_place_start_tile(true);
    request.set_by_hand(true);
    for (const char* name : {"Anna", "Jörg"}) {
      v1::Player* player = request.add_players();
      player->set_colour(request.players_size() == 1 ? "red" : "blue");
      player->set_name(name);
    }
    v1::CreateGameResponse response;
    grpc::ClientContext context;
    ASSERT_TRUE(games->CreateGame(&context, request, &response).ok());
    game = response.state().game_id();
  }
  v1::EndGameRequest request;
  request.set_request_id("end");
  request.set_game_id(game);
  v1::EndGameResponse response;
  grpc::ClientContext context;
  ASSERT_TRUE(games->EndGame(&context, request, &response).ok());

  const Result list = Run("players list" + at);
  EXPECT_EQ(list.status, 0) << list.errors;
  EXPECT_TRUE(absl::StrContains(list.output, "\nAnna                      1     1      0.0"))
      << list.output;
  EXPECT_TRUE(absl::StrContains(list.output, "\nJörg                      1     1      0.0"))
      << list.output;
  const Result exported = Run("players export Anna" + at);
  EXPECT_EQ(exported.status, 0) << exported.errors;
  EXPECT_TRUE(absl::StrContains(exported.output, game)) << exported.output;
  ExpectError("players delete Anna" + at + " < /dev/null", "say that you are sure with --yes");
  const Result deleted = Run("players delete Anna --yes" + at);
  EXPECT_EQ(deleted.status, 0) << deleted.errors;
  EXPECT_TRUE(absl::StrContains(deleted.output, "Anna is taken out of 1 game and 0 copies."))
      << deleted.output;
  EXPECT_FALSE(absl::StrContains(Run("players list" + at).output, "Anna"));
  ExpectError("players delete Anna --yes" + at, "nobody called Anna has played");
  ExpectError("players list --engine 127.0.0.1:1", "no engine service answers on 127.0.0.1:1");
}

TEST_F(ProcessTest, AloneItStartsAndOpensThePageAndASecondTimeTheSamePage) {
  const auto write = [&](const char* name, const std::string& text) {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << text;
    return (folder_.path() / name).string();
  };
  const auto opened = folder_.path() / "opened";
  const std::string browser =
      write("bin/xdg-open", "#!/bin/sh\necho \"$1\" >> " + opened.string() + "\n");
  std::filesystem::permissions(browser, std::filesystem::perms::owner_all);
  write("page/index.html", "<!doctype html>");
  // The process's own, as ctest gives each test one.
  setenv("PATH", absl::StrCat((folder_.path() / "bin").string(), ":", std::getenv("PATH")).c_str(),
         1);
  setenv("DISPLAY", ":9", 1);
  setenv("XDG_DATA_HOME", folder_.path().c_str(), 1);
  setenv("TILEWARDEN_PAGE", (folder_.path() / "page").c_str(), 1);
  setenv("TILEWARDEN_CONFIG",
         write("ports.toml", "[up]\nlisten = \"127.0.0.1:0\"\npage-listen = \"127.0.0.1:0\"\n")
             .c_str(),
         1);
  auto up = ChildProcess::Start({TILEWARDEN_PROGRAM});
  ASSERT_TRUE(up.ok()) << up.status();
  std::optional<std::string> line = up->ReadLine();
  while (line && !absl::StartsWith(*line, "page on ")) line = up->ReadLine();
  ASSERT_TRUE(line.has_value());
  const std::string page = line->substr(std::string("page on ").size());
  EXPECT_TRUE(Eventually([&] { return Bytes(opened) == page + "\n"; })) << Bytes(opened);
  const Result again = Run("");
  EXPECT_EQ(again.status, 0) << again.errors;
  EXPECT_TRUE(absl::StrContains(again.output, "runs already: page on " + page)) << again.output;
  EXPECT_TRUE(Eventually([&] { return Bytes(opened) == page + "\n" + page + "\n"; }));
  ExpectStops(&*up, SIGTERM);
}

TEST_F(ProcessTest, AWordThatIsNoCommandIsAnsweredWithWhatToDo) {
  ExpectError("red", "did you mean \"tilewarden read\"?");
  ExpectError("something", "choose one of access, archive, backup, calibrate");
  ExpectError("rules shwo", "did you mean \"tilewarden rules show\"?");
  EXPECT_EQ(Run("something").status, 2);
  // Numbers as people say them.
  EXPECT_TRUE(absl::StrContains(Run("doctor 0 --frames 999").errors,
                                "999 is not a whole number from 1 to 300"));
  EXPECT_TRUE(
      absl::StrContains(Run("up --camera=-1").errors, "-1 is not a whole number 0 or more"));
  EXPECT_FALSE(absl::StrContains(Run("up --help").output, "INT in ["));
}

}  // namespace
}  // namespace tilewarden::services
