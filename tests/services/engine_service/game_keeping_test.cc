// Games as they are kept: named, put away, found, deleted.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "services/boxes/own_tiles.h"
#include "services/table/games.h"
#include "services/table/remarks.h"
#include "tests/services/support/engine_fixture.h"

namespace tilewarden::services {
namespace {

class GameKeepingTest : public EngineTest {
 protected:
  std::string Begin(const std::string& name, const std::string& player) {
    v1::CreateGameRequest request;
    request.set_request_id(NewId());
    request.set_name(name);
    request.set_place_start_tile(true);
    request.add_players()->set_colour("red");
    request.mutable_players(0)->set_name(player);
    v1::CreateGameResponse response;
    EXPECT_TRUE(Call(&v1::GameService::Stub::CreateGame, request, &response).ok());
    return response.state().game_id();
  }
  grpc::Status Label(const std::string& id, const std::function<void(v1::LabelGameRequest&)>& how) {
    v1::LabelGameRequest request;
    request.set_request_id(NewId());
    request.set_game_id(id);
    how(request);
    v1::LabelGameResponse response;
    return Call(&v1::GameService::Stub::LabelGame, request, &response);
  }
  grpc::Status Delete(const std::string& id) {
    v1::DeleteGameRequest request;
    request.set_game_id(id);
    v1::DeleteGameResponse response;
    return Call(&v1::GameService::Stub::DeleteGame, request, &response);
  }
  std::vector<std::string> List(bool archived = false, const std::string& find = "") {
    v1::ListGamesRequest request;
    request.set_archived(archived);
    request.set_find(find);
    v1::ListGamesResponse response;
    EXPECT_TRUE(Call(&v1::GameService::Stub::ListGames, request, &response).ok());
    std::vector<std::string> names;
    for (const auto& game : response.games()) names.push_back(game.name());
    return names;
  }
};

using Names = std::vector<std::string>;

TEST_F(GameKeepingTest, ANewNameStaysAndThePlayGoesOn) {
  const std::string id = Begin("Frday", "Anna");
  ASSERT_TRUE(Label(id, [](auto& label) { label.set_name("Friday"); }).ok());
  EXPECT_EQ(State(id).name(), "Friday");
  EXPECT_EQ(State(id).event_number(), 2U);
  Restart();
  EXPECT_EQ(State(id).name(), "Friday");
  EXPECT_EQ(State(id).players(0).name(), "Anna");
  EXPECT_EQ(List(), Names{"Friday"});
  EXPECT_EQ(Label(id, [](auto& label) { label.set_name(std::string(161, 'x')); }).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Label("none", [](auto& label) { label.set_name("x"); }).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST_F(GameKeepingTest, AnArchivedGameIsOutOfTheWayAndComesBack) {
  const std::string old = Begin("Old", "Anna");
  const std::string id = Begin("New", "Anna");
  ASSERT_TRUE(Label(id, [](auto& label) { label.set_archived(true); }).ok());
  EXPECT_EQ(List(), Names{"Old"});
  EXPECT_EQ(List(true), Names{"New"});
  EXPECT_EQ(State("").game_id(), old) << "the newest game is the newest that is not put away";
  EXPECT_EQ(State(id).name(), "New") << "by its id it is found";
  Restart();
  EXPECT_EQ(List(true), Names{"New"});
  ASSERT_TRUE(Label(id, [](auto& label) { label.set_archived(false); }).ok());
  EXPECT_EQ(List(), (Names{"New", "Old"}));
}

TEST_F(GameKeepingTest, AGameIsFoundByItsNameOrAPlayers) {
  Begin("Friday", "Anna");
  Begin("Sunday", "Ben");
  EXPECT_EQ(List(false, "fri"), Names{"Friday"});
  EXPECT_EQ(List(false, "BEN"), Names{"Sunday"});
  EXPECT_EQ(List(false, "day"), (Names{"Sunday", "Friday"}));
  EXPECT_EQ(List(false, "Cleo"), Names{});
}

TEST_F(GameKeepingTest, ADeletedGameIsGoneAndTheOthersStay) {
  const std::string id = Begin("Secret evening", "Anna");
  const std::string other = Begin("Other", "Ben");
  ASSERT_TRUE(Delete(id).ok());
  v1::GetGameRequest get;
  get.set_game_id(id);
  v1::GetGameResponse got;
  EXPECT_EQ(Call(&v1::GameService::Stub::GetGame, get, &got).error_code(),
            grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Delete(id).error_code(), grpc::StatusCode::NOT_FOUND);
  Restart();
  EXPECT_EQ(List(), Names{"Other"});
  EXPECT_EQ(State(other).players(0).name(), "Ben");
}

// The games of a store of their own, without a service around them.
class KeptGamesTest : public testing::Test {
 protected:
  std::shared_ptr<Table> Begin(const std::string& name) {
    v1::CreateGameRequest request;
    request.set_name(name);
    request.set_place_start_tile(true);
    request.add_players()->set_colour("red");
    auto table = games_.Create(request, {});
    EXPECT_TRUE(table.ok()) << table.status();
    return *table;
  }

  const TempFolder folder_;
  const std::unique_ptr<Store> store_ = *OpenSqliteStore((folder_.path() / "games.db").string());
  Games games_{store_.get(), folder_.path() / OwnTiles::kFile};
};

TEST_F(KeptGamesTest, ACameraKnowsItsTableByTheNameThatTheGameBeganWith) {
  const auto table = Begin("Table 7");
  v1::LabelGameRequest label;
  label.set_name("Semi-final");
  const auto no_answer = [](const v1::GameSummary&) { return std::string(); };
  ASSERT_TRUE(table->Remark({"request", "what"}, LabelRemark(label), no_answer).ok());
  const auto open = games_.FindOpen("Table 7");
  ASSERT_TRUE(open.ok());
  EXPECT_EQ(*open, table);
  EXPECT_EQ(*games_.FindOpen("Semi-final"), nullptr);
}

TEST_F(KeptGamesTest, AGameThatACameraFollowsIsNotDeleted) {
  const auto table = Begin("Now");
  {
    const CameraView::Stream stream(&table->camera(), "base.c1");
    EXPECT_EQ(games_.Delete(table->id()).code(), absl::StatusCode::kFailedPrecondition);
  }
  EXPECT_TRUE(games_.Delete(table->id()).ok());
  EXPECT_EQ(games_.Find(table->id()).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(table->left().code(), absl::StatusCode::kNotFound) << "whoever holds it is told";
}

}  // namespace
}  // namespace tilewarden::services
