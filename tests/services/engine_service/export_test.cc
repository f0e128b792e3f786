// Games exported over the service: what comes back is the game.
#include <google/protobuf/util/json_util.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "engine/notation/notation.h"
#include "services/records/jcz.h"
#include "tests/services/support/engine_fixture.h"
#include "tilewarden/v1/query.grpc.pb.h"

namespace tilewarden::services {
namespace {

class ExportTest : public EngineTest {
 protected:
  ExportTest() : queries_(v1::QueryService::NewStub(engine_->Channel())) {}

  grpc::Status Export(const std::string& game, v1::ExportFormat format) {
    v1::ExportGameRequest request;
    request.set_game_id(game);
    request.set_format(format);
    grpc::ClientContext context;
    return queries_->ExportGame(&context, request, &exported_);
  }

  std::string PlayedGame() {
    v1::CreateGameRequest request;
    request.set_request_id(NewId());
    request.set_place_start_tile(true);
    request.add_players()->set_colour("red");
    request.mutable_players(0)->set_name("=Ann, \"the\" Red");
    request.add_players()->set_colour("blue");
    v1::CreateGameResponse created;
    EXPECT_TRUE(Call(&v1::GameService::Stub::CreateGame, request, &created).ok());
    for (const v1::Turn& turn : SomeTurns(30)) Play(created.state().game_id(), turn);
    return created.state().game_id();
  }

  std::unique_ptr<v1::QueryService::Stub> queries_;
  v1::ExportGameResponse exported_;
};

TEST_F(ExportTest, NotationAndJczReplayToTheSameScores) {
  const std::string game = PlayedGame();
  const v1::GameState state = State(game);
  const auto expect_scores = [&](const absl::StatusOr<engine::Game>& replayed) {
    ASSERT_TRUE(replayed.ok()) << replayed.status();
    EXPECT_EQ(replayed->turns().size(), state.turn());
    for (std::size_t i = 0; i < replayed->players().size(); ++i) {
      EXPECT_EQ(replayed->players()[i].score, state.players(static_cast<int>(i)).score());
    }
  };
  ASSERT_TRUE(Export(game, v1::EXPORT_FORMAT_NOTATION).ok());
  const auto record = engine::ParseNotation(exported_.content());
  ASSERT_TRUE(record.ok()) << record.status();
  expect_scores(engine::Replay(*record));
  EXPECT_EQ(exported_.file_name(), "tilewarden-" + game + ".txt");

  const auto exported = Export(game, v1::EXPORT_FORMAT_JCZ);
  ASSERT_TRUE(exported.ok()) << exported.error_message();
  const auto saved = ReadJcz(exported_.content());
  ASSERT_TRUE(saved.ok()) << saved.status();
  expect_scores(engine::Replay(saved->record));
}

TEST_F(ExportTest, JsonIsTheState) {
  const std::string game = PlayedGame();
  ASSERT_TRUE(Export("", v1::EXPORT_FORMAT_JSON).ok());
  v1::GameState state;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(exported_.content(), &state).ok());
  EXPECT_EQ(state.ShortDebugString(), State(game).ShortDebugString());
  EXPECT_EQ(exported_.content_type(), "application/json");
}

TEST_F(ExportTest, CsvHoldsEveryScoreAndNoFormula) {
  const std::string game = PlayedGame();
  v1::EndGameRequest end;
  end.set_request_id(NewId());
  end.set_game_id(game);
  v1::EndGameResponse ended;
  ASSERT_TRUE(Call(&v1::GameService::Stub::EndGame, end, &ended).ok());
  const v1::GameState state = State(game);
  ASSERT_GT(state.score_items_size(), 0);
  ASSERT_TRUE(Export(game, v1::EXPORT_FORMAT_SCORES_CSV).ok());
  const std::vector<std::string> rows = absl::StrSplit(exported_.content(), "\r\n");
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(state.score_items_size()) + 2);
  EXPECT_EQ(rows.front(), "turn,colour,name,points,total,kind,reason");
  EXPECT_TRUE(rows.back().empty());
  for (const v1::Player& player : state.players()) {
    const auto last = std::find_if(rows.rbegin(), rows.rend(), [&](const std::string& row) {
      return absl::StrContains(row, "," + player.colour() + ",");
    });
    if (player.score() == 0) continue;
    ASSERT_NE(last, rows.rend());
    EXPECT_TRUE(absl::StrContains(*last, absl::StrCat(",", player.score(), ","))) << *last;
  }
  EXPECT_FALSE(absl::StrContains(exported_.content(), ",="));
  EXPECT_FALSE(absl::StrContains(exported_.content(), ",\"="));
}

TEST_F(ExportTest, WhatCannotBeExportedIsTold) {
  EXPECT_EQ(Export("none", v1::EXPORT_FORMAT_JSON).error_code(), grpc::StatusCode::NOT_FOUND);
  const std::string game = NewGame();
  EXPECT_EQ(Export(game, v1::EXPORT_FORMAT_UNSPECIFIED).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  v1::CreateGameRequest request;
  request.set_request_id(NewId());
  v1::CreateGameResponse created;
  ASSERT_TRUE(Call(&v1::GameService::Stub::CreateGame, request, &created).ok());
  EXPECT_EQ(Export(created.state().game_id(), v1::EXPORT_FORMAT_NOTATION).error_code(),
            grpc::StatusCode::FAILED_PRECONDITION);
}

}  // namespace
}  // namespace tilewarden::services
