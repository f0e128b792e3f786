// What the contract promises of every method of a kind: changes that are repeated, lists that come
// in pages; and games that an earlier version kept.
#include <sqlite3.h>

#include <fstream>
#include <iterator>

#include "google/protobuf/util/message_differencer.h"
#include "services/store/store.h"
#include "tests/services/support/engine_fixture.h"
#include "tilewarden/v1/query.grpc.pb.h"
#include "tilewarden/v1/vision.grpc.pb.h"

namespace tilewarden::services {
namespace {

using google::protobuf::util::MessageDifferencer;
using Stub = v1::GameService::Stub;

class ContractTest : public EngineTest {
 protected:
  // Sends a change twice, and once more after a restart: the first answer each time, and one
  // effect. Then the same id with another game is refused.
  template <typename Request, typename Response>
  void ExpectOneEffect(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                    Response*),
                       const std::string& game, Request request) {
    const std::string name = Request::descriptor()->name();
    request.set_request_id(NewId());
    request.set_game_id(game);
    const std::uint64_t before = State(game).event_number();
    Response first, again;
    auto status = Call(method, request, &first);
    ASSERT_TRUE(status.ok()) << name << ": " << status.error_message();
    const std::uint64_t after = State(game).event_number();
    EXPECT_GT(after, before) << name;
    for (const bool restart : {false, true}) {
      if (restart) Restart();
      status = Call(method, request, &again);
      EXPECT_TRUE(status.ok()) << name << ": " << status.error_message();
      EXPECT_TRUE(MessageDifferencer::Equals(first, again)) << name;
      EXPECT_EQ(State(game).event_number(), after) << name;
    }
    request.set_game_id(NewGame());
    EXPECT_EQ(Call(method, request, &again).error_code(), grpc::StatusCode::INVALID_ARGUMENT)
        << name;
    request.set_request_id("");
    EXPECT_EQ(Call(method, request, &again).error_code(), grpc::StatusCode::INVALID_ARGUMENT)
        << name;
  }
};

TEST_F(ContractTest, EveryChangeThatIsRepeatedHasOneEffectAndTheFirstAnswer) {
  const std::string game = NewGame();
  const auto turns = SomeTurns(4);
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(Play(game, turns[static_cast<std::size_t>(i)]).has_event());
  v1::PlayTurnRequest play;
  *play.mutable_turn() = turns[3];
  ExpectOneEffect(&Stub::PlayTurn, game, play);
  v1::CorrectTurnRequest correct;
  correct.set_turn_number(1);
  *correct.mutable_turn() = turns[0];
  correct.mutable_turn()->clear_deployment();
  ExpectOneEffect(&Stub::CorrectTurn, game, correct);
  ExpectOneEffect(&Stub::UndoTurn, game, v1::UndoTurnRequest());
  v1::ChangePointsRequest points;
  points.mutable_change()->set_colour("red");
  points.mutable_change()->set_points(3);
  points.mutable_change()->set_reason("forgotten");
  ExpectOneEffect(&Stub::ChangePoints, game, points);
  ExpectOneEffect(&Stub::EndGame, game, v1::EndGameRequest());
}

TEST_F(ContractTest, ACameraThatJoinsTwiceBeginsOneGame) {
  v1::JoinGameRequest request;
  request.set_request_id("join");
  request.set_new_game(true);
  v1::JoinGameResponse first, again;
  for (v1::JoinGameResponse* response : {&first, &again}) {
    grpc::ClientContext context;
    ASSERT_TRUE(sightings_->JoinGame(&context, request, response).ok());
  }
  EXPECT_EQ(first.game_id(), again.game_id());
  v1::ListGamesResponse list;
  ASSERT_TRUE(Call(&Stub::ListGames, v1::ListGamesRequest(), &list).ok());
  EXPECT_EQ(list.games_size(), 1);
}

TEST_F(ContractTest, TurnsAreListedPageByPage) {
  const std::string game = NewGame();
  const auto turns = SomeTurns(7);
  for (const v1::Turn& turn : turns) Play(game, turn);
  const auto queries = v1::QueryService::NewStub(engine_->Channel());
  v1::ListTurnsRequest request;
  request.set_game_id(game);
  const auto list = [&](v1::ListTurnsResponse* response) {
    grpc::ClientContext context;
    return queries->ListTurns(&context, request, response);
  };
  v1::ListTurnsResponse all;
  ASSERT_TRUE(list(&all).ok());
  EXPECT_EQ(all.turns_size(), 7);
  EXPECT_TRUE(all.next_page_token().empty());
  request.set_page_size(3);
  v1::ListTurnsResponse together;
  std::vector<int> sizes;
  do {
    v1::ListTurnsResponse page;
    ASSERT_TRUE(list(&page).ok());
    sizes.push_back(page.turns_size());
    together.mutable_turns()->MergeFrom(page.turns());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(sizes, (std::vector<int>{3, 3, 1}));
  EXPECT_TRUE(MessageDifferencer::Equals(together, all));
  request.set_page_token("not a token");
  EXPECT_EQ(list(&all).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  request.clear_page_token();
  request.set_page_size(501);
  EXPECT_EQ(list(&all).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

// A log as the program kept it before its second version.
TEST(EarlierLogs, AreBroughtToThisVersionAndTheGameGoesOn) {
  const TempFolder folder;
  const auto file = folder.path() / "games.sqlite";
  std::ifstream in(TILEWARDEN_LOG_VERSION_1);
  const std::string sql{std::istreambuf_iterator<char>(in), {}};
  ASSERT_FALSE(sql.empty());
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(db);
  sqlite3_close(db);
  const auto version = [&] {
    sqlite3_stmt* statement = nullptr;
    sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
    sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &statement, nullptr);
    sqlite3_step(statement);
    const int found = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return found;
  };
  ASSERT_EQ(version(), 1);
  std::string game;
  for (const std::uint32_t turns : {3u, 4u}) {
    EngineServer::Options options{"", folder.path()};
    const auto engine = EngineServer::Start(options);
    ASSERT_TRUE(engine.ok()) << engine.status();
    const auto games = v1::GameService::NewStub((*engine)->Channel());
    v1::GetGameResponse got;
    {
      grpc::ClientContext context;
      ASSERT_TRUE(games->GetGame(&context, {}, &got).ok());
    }
    game = got.state().game_id();
    EXPECT_EQ(got.state().name(), "Sunday");
    EXPECT_EQ(got.state().players(0).name(), "Anna");
    EXPECT_EQ(got.state().turn(), turns);
    if (turns == 4) continue;
    // What lawfully fits south of the last tile.
    v1::ListChoicesRequest where;
    where.mutable_cell()->set_y(2);
    v1::ListChoicesResponse choices;
    {
      grpc::ClientContext context;
      ASSERT_TRUE(v1::QueryService::NewStub((*engine)->Channel())
                      ->ListChoices(&context, where, &choices)
                      .ok());
    }
    ASSERT_GT(choices.choices_size(), 0);
    v1::PlayTurnRequest play;
    play.set_request_id("after");
    play.set_game_id(game);
    play.mutable_turn()->set_tile(choices.choices(0).tile());
    play.mutable_turn()->set_rotation(choices.choices(0).rotation());
    *play.mutable_turn()->mutable_cell() = where.cell();
    v1::PlayTurnResponse played;
    {
      grpc::ClientContext context;
      ASSERT_TRUE(games->PlayTurn(&context, play, &played).ok());
    }
    EXPECT_EQ(played.event().number(), got.state().event_number() + 1);
  }
  EXPECT_GT(version(), 1);
  // The first answer to a request of then.
  const auto store = OpenSqliteStore(file);
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_TRUE((*store)->FindAnswer("turn-0")->has_value());
  EXPECT_EQ((*store)->ReadLog(game)->size(), 5u);
}

}  // namespace
}  // namespace tilewarden::services
