// What a watch promises where resuming ends, and the stream of summaries for small screens. The
// rest is in engine_service/watch_game_test.cc.
#include <chrono>
#include <mutex>

#include "absl/strings/match.h"
#include "services/client/channel.h"
#include "services/client/watching.h"
#include "tests/services/support/engine_fixture.h"
#include "tests/services/support/eventually.h"

namespace tilewarden::services {
namespace {

// How many events a game keeps for viewers that come back, as game.proto says.
constexpr std::uint64_t kKept = 512;

class WatchTest : public EngineTest {
 protected:
  // A point more and less, again and again: an event each.
  void Events(const std::string& game, int count) {
    for (int i = 0; i < count; ++i) {
      v1::ChangePointsRequest request;
      request.set_request_id(NewId());
      request.set_game_id(game);
      request.mutable_change()->set_colour("red");
      request.mutable_change()->set_points(i % 2 == 0 ? 1 : -1);
      request.mutable_change()->set_reason("test");
      v1::ChangePointsResponse response;
      const auto status = Call(&v1::GameService::Stub::ChangePoints, request, &response);
      ASSERT_TRUE(status.ok()) << status.error_message();
    }
  }
};

TEST_F(WatchTest, AResumeNumberThatIsNotKeptAnyMoreIsToldSo) {
  const std::string game = NewGame();
  Events(game, kKept + 20);
  const std::uint64_t last = State(game).event_number();
  const auto refused = Watch(games_.get(), game, last - kKept - 1).Finish();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::OUT_OF_RANGE);
  EXPECT_TRUE(absl::StrContains(refused.error_message(), "watch again without a resume number"))
      << refused.error_message();
  // Everything that is kept, the oldest event first.
  Watch watch(games_.get(), game, last - kKept);
  for (std::uint64_t number = last - kKept + 1; number <= last; ++number) {
    ASSERT_EQ(watch.Next().event().number(), number);
  }
  // The same after a restart, which reads the log.
  Restart();
  EXPECT_EQ(Watch(games_.get(), game, 1).Finish().error_code(), grpc::StatusCode::OUT_OF_RANGE);
  EXPECT_EQ(Watch(games_.get(), game, last - kKept).Next().event().number(), last - kKept + 1);
  // And without one, the state.
  EXPECT_EQ(Watch(games_.get(), game, 0).Next().state().event_number(), last);
}

// As the page does (tests/display/unit/watcher.test.ts).
TEST_F(WatchTest, AViewerThatWasAwayForTooLongBeginsAnewByItself) {
  options_.listen = "127.0.0.1:0";
  Restart();
  options_.listen = engine_->address();
  const std::string game = NewGame();
  std::mutex mutex;
  std::vector<v1::WatchGameResponse> had;
  const Watching watching(ChannelTo(options_.listen), game, [&](const auto& message) {
    if (message.has_heartbeat()) return;
    const std::lock_guard lock(mutex);
    had.push_back(message);
  });
  const auto count = [&] {
    const std::lock_guard lock(mutex);
    return had.size();
  };
  ASSERT_TRUE(Eventually([&] { return count() == 1; }));
  // Where it cannot see it.
  const std::string address = std::exchange(options_.listen, "");
  Restart();
  Events(game, kKept + 20);
  options_.listen = address;
  Restart();
  ASSERT_TRUE(Eventually([&] { return count() == 2; }));
  Events(game, 1);
  ASSERT_TRUE(Eventually([&] { return count() == 3; }));
  const std::lock_guard lock(mutex);
  const std::uint64_t last = had[0].state().event_number() + kKept + 20;
  EXPECT_EQ(had[1].state().event_number(), last);
  EXPECT_EQ(had[2].event().number(), last + 1);
}

// For a watch face.
class SummaryWatch {
 public:
  SummaryWatch(v1::GameService::Stub* games, const std::string& game) {
    v1::WatchSummaryRequest request;
    request.set_game_id(game);
    stream_ = games->WatchSummary(&context_, request);
  }
  ~SummaryWatch() { context_.TryCancel(); }
  v1::WatchSummaryResponse Next() {
    v1::WatchSummaryResponse message;
    EXPECT_TRUE(stream_->Read(&message));
    return message;
  }
  grpc::Status Finish() { return stream_->Finish(); }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchSummaryResponse>> stream_;
};

TEST_F(WatchTest, SummariesTellWhoLeadsAndWhoseTurnItIsAfterEachTurn) {
  const std::string game = NewGame("Sunday");
  SummaryWatch watch(games_.get(), game);
  const v1::GameSummary first = watch.Next().summary();
  EXPECT_EQ(first.game_id(), game);
  EXPECT_EQ(first.name(), "Sunday");
  EXPECT_EQ(first.phase(), v1::GAME_PHASE_PLAYING);
  EXPECT_EQ(first.to_move(), "red");
  std::uint32_t turns = 0;
  for (const v1::Turn& turn : SomeTurns(30)) {
    Play(game, turn);
    const v1::GameSummary summary = watch.Next().summary();
    const v1::GameState state = State(game);
    EXPECT_EQ(summary.turn(), ++turns);
    EXPECT_EQ(summary.event_number(), state.event_number());
    EXPECT_EQ(summary.to_move(), state.to_move());
    ASSERT_EQ(summary.players_size(), 2);
    for (int p = 0; p < 2; ++p) EXPECT_EQ(summary.players(p).score(), state.players(p).score());
    EXPECT_LT(summary.ByteSizeLong(), 130u);
  }
  // The list of games tells the same.
  v1::ListGamesResponse list;
  ASSERT_TRUE(Call(&v1::GameService::Stub::ListGames, v1::ListGamesRequest(), &list).ok());
  EXPECT_EQ(list.games(0).to_move(), State(game).to_move());
}

TEST_F(WatchTest, ASummaryIsSmallWhateverPeopleAreCalled) {
  v1::CreateGameRequest request;
  request.set_request_id(NewId());
  request.set_place_start_tile(true);
  request.set_name(std::string(160, 'n'));
  for (const char* colour : {"red", "blue", "green", "yellow", "black", "pink"}) {
    v1::Player* player = request.add_players();
    player->set_colour(colour);
    player->set_name(std::string(160, 'p'));
  }
  v1::CreateGameResponse response;
  const auto status = Call(&v1::GameService::Stub::CreateGame, request, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  const auto message = SummaryWatch(games_.get(), response.state().game_id()).Next();
  EXPECT_LE(message.ByteSizeLong(), 2048u);
  EXPECT_EQ(message.summary().players_size(), 6);

  request.set_request_id(NewId());
  request.set_name(std::string(161, 'n'));
  EXPECT_EQ(Call(&v1::GameService::Stub::CreateGame, request, &response).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(WatchTest, ASlowWatchFaceGetsTheNewestSummaryAndNotTheOnesBefore) {
  const std::string game = NewGame();
  SummaryWatch watch(games_.get(), game);
  ASSERT_TRUE(watch.Next().has_summary());
  constexpr int kEvents = 2000;  // more than a connection holds
  Events(game, kEvents);
  const std::uint64_t last = State(game).event_number();
  std::uint64_t number = 0;
  int summaries = 0;
  while (number < last) {
    const auto message = watch.Next();
    if (!message.has_summary()) continue;
    EXPECT_GT(message.summary().event_number(), number);
    number = message.summary().event_number();
    ++summaries;
  }
  EXPECT_LT(summaries, kEvents);
}

TEST_F(WatchTest, SummariesHaveHeartbeatsToo) {
  const std::string game = NewGame();
  SummaryWatch watch(games_.get(), game);
  ASSERT_TRUE(watch.Next().has_summary());
  const auto begun = std::chrono::steady_clock::now();
  const auto message = watch.Next();
  EXPECT_TRUE(message.has_heartbeat());
  EXPECT_GT(message.heartbeat().time_ms(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(9));
  EXPECT_EQ(SummaryWatch(games_.get(), "none").Finish().error_code(), grpc::StatusCode::NOT_FOUND);
}

}  // namespace
}  // namespace tilewarden::services
