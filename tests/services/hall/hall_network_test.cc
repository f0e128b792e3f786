// Engine services of a hall on several machines: each shows a certificate of its own and lets
// devices in by tokens of its own. A device that joined each of them follows its game from one to
// the other; what one of them told it is of no use at the other.
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "services/access/addresses.h"
#include "services/base/clock.h"
#include "services/base/status.h"
#include "services/client/known_engines.h"
#include "services/client/watching.h"
#include "services/commands/network_options.h"
#include "services/engine_service/engine_server.h"
#include "services/table/table.h"
#include "tests/services/support/eventually.h"
#include "tests/services/support/fault_hall.h"
#include "tests/services/support/postgres_cluster.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

class HallNetworkTest : public testing::Test {
 protected:
  struct Machine {
    std::unique_ptr<EngineServer> engine;
    std::string address, token;
    KnownEngine Known() const { return {.fingerprint = engine->fingerprint(), .token = token}; }
  };
  Machine Start(const std::string& name) {
    const auto data = folder_.path() / name;
    auto engine = EngineServer::Start({"0.0.0.0:0", data, store_});
    EXPECT_TRUE(engine.ok()) << engine.status();
    const auto tokens = *TokenFile::Open(data / TokenFile::kFile);
    const auto token = tokens->Make({v1::ROLE_REFEREE, ""}, "tablet", 1, NowMs());
    EXPECT_TRUE(token.ok()) << token.status();
    const std::string address = ReachableAddress((*engine)->address());
    return {*std::move(engine), address, *token};
  }
  // A device that knows these.
  std::filesystem::path Knows(const std::string& device,
                              const std::vector<std::pair<std::string, KnownEngine>>& engines) {
    const auto file = folder_.path() / device / "engines.json";
    for (const auto& [address, known] : engines) {
      EXPECT_TRUE(KnownEngines(file).Keep(address, known).ok());
    }
    return file;
  }
  // Of one call, without turning elsewhere.
  static grpc::Status List(const std::string& address, const std::filesystem::path& known) {
    grpc::ClientContext context;
    v1::ListGamesResponse response;
    return v1::GameService::NewStub(EnginesAt(address, known).channel())
        ->ListGames(&context, {}, &response);
  }

  TempFolder folder_;
  const std::string store_ = PostgresCluster::Shared().NewDatabase();
  Machine one_ = Start("one"), two_ = Start("two");
};

TEST_F(HallNetworkTest, WhoJoinedEachFollowsAGameWithTheRightPinAndToken) {
  ASSERT_NE(one_.engine->fingerprint(), two_.engine->fingerprint());
  const auto known = Knows("tablet", {{one_.address, one_.Known()}, {two_.address, two_.Known()}});
  const std::string both = absl::StrCat(one_.address, ",", two_.address);
  Player player(EnginesAt(both, known));
  player.Begin();
  Order order;
  // Asks the wrong one first.
  const Watching watching(EnginesAt(absl::StrCat(two_.address, ",", one_.address), known),
                          player.game(), [&](const auto& message) { order.Take(message); });
  for (int i = 0; i < 4; ++i) player.PlayOne();
  EXPECT_TRUE(Eventually([&] { return order.sum().last == player.number(); }));
  one_.engine.reset();
  for (int i = 0; i < 4; ++i) player.PlayOne();
  player.CheckGame();
  EXPECT_TRUE(Eventually([&] { return order.sum().last == player.number(); }));
  EXPECT_EQ(order.sum().wrong, "");
  EXPECT_EQ(order.sum().states, 1);
}

TEST_F(HallNetworkTest, ATokenIsOfNoUseAtAnotherMachineAndNoCertificateStandsForAnother) {
  EXPECT_TRUE(List(one_.address, Knows("right", {{one_.address, one_.Known()}})).ok());
  // The right machine, shown the other's token.
  KnownEngine mixed = one_.Known();
  mixed.token = two_.token;
  EXPECT_EQ(List(one_.address, Knows("token", {{one_.address, mixed}})).error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
  // Another machine in its place: nothing is sent to it.
  EXPECT_EQ(List(two_.address, Knows("pin", {{two_.address, one_.Known()}})).error_code(),
            grpc::StatusCode::UNAVAILABLE);
}

TEST_F(HallNetworkTest, WhoDoesNotKnowTheLeaderIsToldWhereTheGameIs) {
  Player player(EnginesAt(two_.address, Knows("tablet", {{two_.address, two_.Known()}})));
  player.Begin();
  Engines engines = EnginesAt(one_.address, Knows("other", {{one_.address, one_.Known()}}));
  const grpc::Status refused = engines.Call([&](const auto& channel, auto* context) {
    v1::GetGameRequest request;
    request.set_game_id(player.game());
    v1::GetGameResponse response;
    return v1::GameService::NewStub(channel)->GetGame(context, request, &response);
  });
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(absl::StrContains(refused.error_message(), two_.address)) << refused.error_message();
}

TEST_F(HallNetworkTest, WhoIsShutOutAtOneIsStillLetInAtTheOther) {
  const auto known = Knows("tablet", {{one_.address, one_.Known()}, {two_.address, two_.Known()}});
  ASSERT_TRUE((*TokenFile::Open(folder_.path() / "one" / TokenFile::kFile))
                  ->Revoke(one_.token.substr(3, 10))
                  .ok());
  EXPECT_EQ(List(one_.address, known).error_code(), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(List(two_.address, known).ok());
}

}  // namespace
}  // namespace tilewarden::services
