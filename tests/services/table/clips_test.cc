// Clips of disputed turns: when there are any, what is in them, and when they go.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "services/base/clock.h"
#include "services/base/whole_file.h"
#include "tests/services/support/painted_game.h"
#include "tilewarden/v1/query.grpc.pb.h"

namespace tilewarden::services {
namespace {

namespace fs = std::filesystem;

class ClipsTest : public PaintedGameTest {
 protected:
  void Keep(int days) {
    options_.clip_days = days;
    Restart();
  }

  fs::path Clips() const { return folder_.path() / "clips"; }
  std::vector<fs::path> Files() const {
    std::vector<fs::path> files;
    if (!fs::exists(Clips())) return files;
    for (const auto& entry : fs::recursive_directory_iterator(Clips())) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
  }

  grpc::Status List(const v1::ListClipsRequest& request, v1::ListClipsResponse* response) {
    grpc::ClientContext context;
    return v1::QueryService::NewStub(engine_->Channel())->ListClips(&context, request, response);
  }
  std::vector<v1::Clip> List(const std::string& game) {
    v1::ListClipsRequest request;
    request.set_game_id(game);
    v1::ListClipsResponse response;
    const auto status = List(request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return {response.clips().begin(), response.clips().end()};
  }

  // As if it had been kept so long ago.
  static void Age(const fs::path& clip, std::chrono::hours age) {
    const auto text = ReadFile(clip / "clip.json");
    ASSERT_TRUE(text);
    const auto at = text->find("\"time_ms\": \"") + 12;
    const auto end = text->find('"', at);
    const auto then = NowMs() - std::chrono::milliseconds(age).count();
    std::ofstream(clip / "clip.json") << text->substr(0, at) << then << text->substr(end);
  }
};

TEST_F(ClipsTest, AreNotKeptUnlessWanted) {
  const std::string game = NewGame();
  LayMisfit(game);
  ASSERT_EQ(State(game).findings_size(), 1);
  EXPECT_TRUE(List(game).empty());
  EXPECT_FALSE(fs::exists(Clips()));
}

TEST_F(ClipsTest, HoldTwoPicturesAndWhatWasSaid) {
  Keep(30);
  const std::string game = NewGame();
  LayMisfit(game);
  auto clips = List(game);
  ASSERT_EQ(clips.size(), 1U);
  EXPECT_EQ(clips[0].game_id(), game);
  EXPECT_EQ(clips[0].finding().code(), "edge-mismatch");
  EXPECT_EQ(clips[0].finding().tile().tile(), "B.E");
  ASSERT_EQ(clips[0].tiles_size(), 1) << "what the game had there";
  EXPECT_EQ(clips[0].tiles(0).tile(), "B.D");
  EXPECT_FALSE(clips[0].has_settled());
  EXPECT_NEAR(static_cast<double>(clips[0].time_ms()), static_cast<double>(NowMs()), 60'000);
  ExpectColour(clips[0].before(), 1, 0, kCloth);
  ExpectColour(clips[0].now(), 1, 0, kRed);

  // Pictures that any viewer opens, for the eyes of whoever runs the service.
  const fs::path folder = Clips() / game / absl::StrCat("finding-", clips[0].finding().id());
  EXPECT_FALSE(cv::imread((folder / "before.jpg").string()).empty());
  EXPECT_FALSE(cv::imread((folder / "now.jpg").string()).empty());
  EXPECT_EQ(Files().size(), 3U);
  EXPECT_EQ(fs::status(Clips()).permissions(), fs::perms::owner_all);

  // Taken back: it stays, and says so; also when the service starts again.
  Report(game, {HandOver(7, 1, 0), StartTile(8), StartTile(9), StartTile(10)});
  ASSERT_EQ(State(game).findings_size(), 0);
  Restart();
  clips = List(game);
  ASSERT_EQ(clips.size(), 1U);
  EXPECT_GE(clips[0].settled().time_ms(), clips[0].time_ms());
  EXPECT_FALSE(clips[0].settled().by_hand());
  ExpectColour(clips[0].before(), 1, 0, kCloth);
}

TEST_F(ClipsTest, TellHowAQuestionWasAnsweredAndNobodysName) {
  Keep(30);
  v1::CreateGameRequest create;
  create.set_request_id(NewId());
  create.set_name("Dragomir's birthday");
  create.set_tile_set("base.c1");
  create.set_place_start_tile(true);
  for (const char* colour : {"red", "blue"}) {
    create.add_players()->set_colour(colour);
    create.mutable_players(create.players_size() - 1)->set_name("Dragomir");
  }
  v1::CreateGameResponse created;
  ASSERT_TRUE(Call(&v1::GameService::Stub::CreateGame, create, &created).ok());
  const std::string game = created.state().game_id();
  LayAndComeBack(game);
  const auto questions = State(game).questions();
  ASSERT_EQ(questions.size(), 1);
  ASSERT_TRUE(Answer(game, questions[0].id(), 1).ok());
  const auto clips = List(game);
  ASSERT_EQ(clips.size(), 1U);
  EXPECT_EQ(clips[0].turn(), 1U);
  EXPECT_EQ(clips[0].question().points_at_stake(), 4U);
  EXPECT_EQ(clips[0].question().answers(0).turn().colour(), "red");
  EXPECT_TRUE(clips[0].settled().by_hand());
  ASSERT_TRUE(clips[0].settled().has_answer());
  EXPECT_EQ(clips[0].settled().answer(), 1U);
  ExpectColour(clips[0].now(), 0, -1, kRed);
  for (const fs::path& file : Files()) {
    EXPECT_EQ(ReadFile(file)->find("Dragomir"), std::string::npos) << file;
  }
}

TEST_F(ClipsTest, ThatAreThereStayAsTheyAre) {
  Keep(30);
  const std::string game = NewGame();
  LayMisfit(game);
  Restart();
  // The looks from before are forgotten: a clip of now would lack one picture.
  Report(game, {HandOver(11, 0, 0), Misfit(12), Misfit(13), Misfit(14)});
  ASSERT_EQ(State(game).findings_size(), 1);
  const auto clips = List(game);
  ASSERT_EQ(clips.size(), 1U);
  EXPECT_TRUE(clips[0].has_before());
}

TEST_F(ClipsTest, GoWhenTheyAreTooOldAndWhenNobodyWantsThemAnyMore) {
  Keep(30);
  const std::string old = NewGame(), young = NewGame();
  LayMisfit(old);
  LayMisfit(young);
  ASSERT_EQ(Files().size(), 6U);
  Age(Clips() / old / "finding-1", std::chrono::hours(24 * 30 + 1));
  Age(Clips() / young / "finding-1", std::chrono::hours(24 * 30 - 1));
  Restart();
  EXPECT_TRUE(List(old).empty());
  EXPECT_FALSE(fs::exists(Clips() / old));
  EXPECT_EQ(List(young).size(), 1U);
  Keep(0);
  EXPECT_TRUE(List(young).empty());
  EXPECT_TRUE(Files().empty());
}

TEST_F(ClipsTest, GoWithTheirGame) {
  Keep(30);
  const std::string game = NewGame(), other = NewGame();
  LayMisfit(game);
  LayMisfit(other);
  v1::DeleteGameRequest request;
  request.set_game_id(game);
  v1::DeleteGameResponse response;
  ASSERT_TRUE(Call(&v1::GameService::Stub::DeleteGame, request, &response).ok());
  EXPECT_FALSE(fs::exists(Clips() / game));
  EXPECT_EQ(List(other).size(), 1U);
  // A game that went another way, as to an archive.
  fs::rename(Clips() / other, Clips() / "gone");
  Restart();
  EXPECT_TRUE(Files().empty());
}

TEST_F(ClipsTest, ThatWereNotFinishedAreNotToldAndGo) {
  Keep(30);
  const std::string game = NewGame();
  LayMisfit(game);
  std::ofstream(Clips() / game / "finding-1" / "clip.json") << "{\"time_ms\": \"17";
  EXPECT_TRUE(List(game).empty());
  // Whoever settles it has nothing to settle.
  Report(game, {HandOver(7, 1, 0), StartTile(8), StartTile(9), StartTile(10)});
  Restart();
  EXPECT_TRUE(Files().empty());
}

TEST_F(ClipsTest, AreNotKeptWhereRoomIsScarce) {
  options_.quota_mb = 4;
  Keep(30);
  const std::string game = NewGame();
  std::ofstream(folder_.path() / "large") << std::string(4 << 20, 'x');
  LayMisfit(game);
  EXPECT_EQ(State(game).findings_size(), 1) << "the game goes on";
  EXPECT_TRUE(Files().empty());
  fs::remove(folder_.path() / "large");
  Report(game, {HandOver(7, 1, 0), StartTile(8), StartTile(9), StartTile(10)});
  LayMisfit(game, 11);
  EXPECT_EQ(List(game).size(), 1U);
}

TEST_F(ClipsTest, AreToldPageByPage) {
  Keep(30);
  const std::string game = NewGame();
  LayMisfit(game);
  Report(game, {HandOver(7, 1, 0), StartTile(8), StartTile(9), StartTile(10)});
  LayMisfit(game, 11);
  v1::ListClipsRequest request;
  request.set_game_id(game);
  request.set_page_size(1);
  v1::ListClipsResponse one, two;
  ASSERT_TRUE(List(request, &one).ok());
  ASSERT_EQ(one.clips_size(), 1);
  EXPECT_TRUE(one.clips(0).has_settled());
  request.set_page_token(one.next_page_token());
  ASSERT_TRUE(List(request, &two).ok());
  ASSERT_EQ(two.clips_size(), 1);
  EXPECT_FALSE(two.clips(0).has_settled());
  EXPECT_EQ(two.next_page_token(), "");
  request.set_page_size(17);
  EXPECT_EQ(List(request, &two).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  request.set_page_size(1);
  request.set_page_token("../../etc");
  EXPECT_EQ(List(request, &two).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  request.set_game_id("none");
  EXPECT_EQ(List(request, &two).error_code(), grpc::StatusCode::NOT_FOUND);
}

}  // namespace
}  // namespace tilewarden::services
