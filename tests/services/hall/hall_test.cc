// Several engine services that share a database: a game is found wherever its leader
// is, and goes on elsewhere when that one stops.
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "services/base/leader.h"
#include "services/camera/reporter.h"
#include "services/client/channel.h"
#include "services/client/engines.h"
#include "services/client/watching.h"
#include "services/engine_service/engine_server.h"
#include "services/gateway/gateway.h"
#include "tests/services/support/eventually.h"
#include "tests/services/support/fault_hall.h"
#include "tests/services/support/postgres_cluster.h"
#include "tests/services/support/raw_http.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

using namespace std::chrono_literals;

class HallTest : public testing::Test {
 protected:
  std::unique_ptr<EngineServer> Start(const std::string& name) {
    auto engine = EngineServer::Start({"127.0.0.1:0", folder_.path() / name, store_});
    EXPECT_TRUE(engine.ok()) << engine.status();
    return engine.ok() ? *std::move(engine) : nullptr;
  }
  static grpc::Status Get(const std::string& address, const std::string& game,
                          grpc::ClientContext* context) {
    v1::GetGameRequest request;
    request.set_game_id(game);
    v1::GetGameResponse response;
    return v1::GameService::NewStub(ChannelTo(address))->GetGame(context, request, &response);
  }

  PostgresCluster& cluster_ = PostgresCluster::Shared();
  const std::string store_ = cluster_.NewDatabase();
  TempFolder folder_;
};

TEST_F(HallTest, WhoAsksAnotherEngineServiceIsSentToTheLeader) {
  const auto one = Start("one"), two = Start("two");
  Player player(EnginesOf({one->address()}));
  player.Begin();
  player.PlayOne();
  grpc::ClientContext context;
  const grpc::Status refused = Get(two->address(), player.game(), &context);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(absl::StrContains(refused.error_message(), one->address()));
  const auto& metadata = context.GetServerTrailingMetadata();
  const auto leader = metadata.find(kLeaderMetadata);
  ASSERT_NE(leader, metadata.end());
  EXPECT_EQ(std::string(leader->second.data(), leader->second.size()), one->address());
  // The list of games is everybody's.
  grpc::ClientContext listing;
  v1::ListGamesResponse games;
  ASSERT_TRUE(
      v1::GameService::NewStub(ChannelTo(two->address()))->ListGames(&listing, {}, &games).ok());
  EXPECT_EQ(games.games_size(), 1);
}

TEST_F(HallTest, PlayAndWatchFollowAGameToAnotherEngineService) {
  auto one = Start("one");
  const auto two = Start("two");
  const std::vector<std::string> both = {two->address(), one->address()};
  Player player(EnginesOf({one->address(), two->address()}));
  player.Begin();
  Order order;
  const Watching watching(EnginesOf(both), player.game(),
                          [&](const auto& message) { order.Take(message); });
  for (int i = 0; i < 5; ++i) player.PlayOne();
  EXPECT_TRUE(Eventually([&] { return order.sum().last == player.number(); }));
  one.reset();
  for (int i = 0; i < 5; ++i) player.PlayOne();
  player.CheckGame();
  EXPECT_TRUE(Eventually([&] { return order.sum().last == player.number(); }));
  EXPECT_EQ(order.sum().wrong, "");
  EXPECT_EQ(order.sum().states, 1);
}

// As when its process was stopped for a while: nobody stays with it.
TEST_F(HallTest, ALeaderThatWasAwayGivesItsViewersUp) {
  const auto one = Start("one"), two = Start("two");
  Player player(EnginesOf({one->address(), two->address()}));
  player.Begin();
  Order order;
  const Watching watching(EnginesOf({one->address(), two->address()}), player.game(),
                          [&](const auto& message) { order.Take(message); });
  player.PlayOne();
  EXPECT_TRUE(Eventually([&] { return order.sum().last == player.number(); }));
  // Its sign of life comes too late, and two has been asked meanwhile.
  EXPECT_TRUE(Eventually([&] {
    cluster_.Run(store_, absl::StrCat("UPDATE tilewarden.engines SET alive_until = "
                                      "clock_timestamp() - interval '1 s' WHERE address = '",
                                      one->address(), "'"));
    grpc::ClientContext context;
    return Get(two->address(), player.game(), &context).ok();
  }));
  for (int i = 0; i < 3; ++i) player.PlayOne();
  EXPECT_TRUE(Eventually([&] { return order.sum().last == player.number(); }));
  EXPECT_EQ(order.sum().wrong, "");
  grpc::ClientContext context;
  EXPECT_EQ(Get(one->address(), player.game(), &context).error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

TEST_F(HallTest, TheGatewayFollowsForItsPages) {
  auto one = Start("one");
  const auto two = Start("two");
  Player player(EnginesOf({one->address(), two->address()}));
  player.Begin();
  player.PlayOne();
  Gateway::Options options;
  options.listen = "127.0.0.1:0";
  const auto gateway = Gateway::Start(options, EnginesOf({two->address(), one->address()}));
  ASSERT_TRUE(gateway.ok()) << gateway.status();
  const auto get = [&] {
    RawHttp http((*gateway)->url());
    v1::GetGameRequest request;
    request.set_game_id(player.game());
    http.Call("GetGame", request.SerializeAsString());
    EXPECT_EQ(http.ReadStatus(), 200);
    const auto [flags, message] = http.ReadFrame();
    v1::GetGameResponse response;
    EXPECT_EQ(flags, 0) << message;
    EXPECT_TRUE(response.ParseFromString(message));
    return response.state().event_number();
  };
  EXPECT_EQ(get(), player.number());
  one.reset();
  EXPECT_EQ(get(), player.number());
}

TEST_F(HallTest, ACameraFollowsToo) {
  auto one = Start("one");
  const auto two = Start("two");
  Reporter::Options options;
  options.tile_set = "base.c1";
  options.new_game = true;
  Reporter reporter(EnginesOf({one->address(), two->address()}), options, {});
  ASSERT_TRUE(reporter.Begin().ok());
  const std::string game = reporter.game_id();
  for (int sequence = 1; sequence <= 4; ++sequence) {
    v1::Sighting sighting;
    sighting.set_sequence(static_cast<std::uint64_t>(sequence));
    ASSERT_TRUE(reporter.Report(sighting).ok());
    if (sequence == 2) one.reset();
  }
  EXPECT_TRUE(reporter.Finish().ok());
  EXPECT_EQ(reporter.game_id(), game);
  grpc::ClientContext context;
  EXPECT_TRUE(Get(two->address(), game, &context).ok());
}

TEST_F(HallTest, WhileTheDatabaseIsAwayNothingIsShownThatMayNotLast) {
  const auto engine = Start("one");
  Player player(EnginesOf({engine->address()}));
  player.Begin();
  player.PlayOne();
  Order order;
  const Watching watching(EnginesOf({engine->address()}), player.game(),
                          [&](const auto& message) { order.Take(message); });
  EXPECT_TRUE(Eventually([&] { return order.sum().last == player.number(); }));
  cluster_.Stop();
  std::atomic<bool> played = false;
  std::thread playing([&] {
    player.PlayOne();
    played = true;
  });
  EXPECT_TRUE(Eventually([&] { return player.unavailable > 2; }));
  EXPECT_FALSE(played);
  EXPECT_EQ(order.sum().last, 2u);
  // Once nobody can know any more who leads.
  EXPECT_TRUE(Eventually([&] {
    grpc::ClientContext context;
    const grpc::Status asked = Get(engine->address(), player.game(), &context);
    return asked.error_code() == grpc::StatusCode::UNAVAILABLE &&
           absl::StrContains(asked.error_message(), "the database");
  }));
  cluster_.Start();
  playing.join();
  player.CheckGame();
  EXPECT_TRUE(Eventually([&] { return order.sum().last == player.number(); }));
  EXPECT_EQ(order.sum().wrong, "");
}

}  // namespace
}  // namespace tilewarden::services
