// Points that a person gives or takes: beside the turns, whatever becomes of them.
#include <limits>

#include "absl/strings/match.h"
#include "engine/notation/notation.h"
#include "tests/services/support/engine_fixture.h"
#include "tilewarden/v1/query.grpc.pb.h"

namespace tilewarden::services {
namespace {

using Stub = v1::GameService::Stub;

class PointsTest : public EngineTest {
 protected:
  grpc::Status Change(const std::string& game, const std::string& colour, int points,
                      const std::string& reason) {
    v1::ChangePointsRequest request;
    request.set_request_id(NewId());
    request.set_game_id(game);
    request.mutable_change()->set_colour(colour);
    request.mutable_change()->set_points(points);
    request.mutable_change()->set_reason(reason);
    v1::ChangePointsResponse response;
    return Call(&Stub::ChangePoints, request, &response);
  }

  std::string PlayedGame() {
    const std::string game = NewGame();
    for (const v1::Turn& turn : SomeTurns(12)) EXPECT_TRUE(Play(game, turn).has_event());
    return game;
  }

  void Undo(const std::string& game) {
    v1::UndoTurnRequest request;
    request.set_request_id(NewId());
    request.set_game_id(game);
    v1::UndoTurnResponse response;
    ASSERT_TRUE(Call(&Stub::UndoTurn, request, &response).ok());
  }

  static const v1::Player& Of(const v1::GameState& state, const std::string& colour) {
    for (const v1::Player& player : state.players()) {
      if (player.colour() == colour) return player;
    }
    return v1::Player::default_instance();
  }

  static std::vector<v1::ScoreItem> ByHand(const v1::GameState& state) {
    std::vector<v1::ScoreItem> items;
    for (const v1::ScoreItem& item : state.score_items()) {
      if (item.kind() == "by-hand") items.push_back(item);
    }
    return items;
  }

  grpc::Status Export(const std::string& game, v1::ExportFormat format, std::string* content) {
    v1::ExportGameRequest request;
    request.set_game_id(game);
    request.set_format(format);
    v1::ExportGameResponse response;
    grpc::ClientContext context;
    const auto status =
        v1::QueryService::NewStub(engine_->Channel())->ExportGame(&context, request, &response);
    *content = response.content();
    return status;
  }
};

TEST_F(PointsTest, StandBesideTheirReasonAndTheTurnsStayAsTheyWere) {
  const std::string game = PlayedGame();
  const v1::GameState before = State(game);
  ASSERT_TRUE(Change(game, "red", 3, "the road was longer").ok());
  ASSERT_TRUE(Change(game, "blue", -2, "counted twice").ok());
  const v1::GameState after = State(game);
  EXPECT_EQ(Of(after, "red").score(), Of(before, "red").score() + 3);
  EXPECT_EQ(Of(after, "red").live_score(), Of(before, "red").live_score() + 3);
  EXPECT_EQ(Of(after, "blue").score(), Of(before, "blue").score() - 2);
  EXPECT_EQ(after.score_items_size(), before.score_items_size() + 2);
  EXPECT_EQ(after.turn(), before.turn());
  const auto items = ByHand(after);
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].points(), 3);
  EXPECT_EQ(items[0].reason(), "the road was longer");
  EXPECT_EQ(items[0].turn(), 12U);
}

TEST_F(PointsTest, StayWhenTurnsAreTakenBackAndAfterARestart) {
  const std::string game = PlayedGame();
  ASSERT_TRUE(Change(game, "red", 3, "the road was longer").ok());
  const int with_turn = Of(State(game), "red").score();
  Undo(game);
  const v1::GameState undone = State(game);
  ASSERT_EQ(ByHand(undone).size(), 1U);
  Restart();
  EXPECT_EQ(State(game).SerializeAsString().size(), undone.SerializeAsString().size());
  EXPECT_EQ(Of(State(game), "red").score(), Of(undone, "red").score());
  Play(game, SomeTurns(12).back());
  EXPECT_EQ(Of(State(game), "red").score(), with_turn);
}

TEST_F(PointsTest, DecideWhoWins) {
  const std::string game = NewGame();
  ASSERT_TRUE(Change(game, "blue", 1, "played first").ok());
  Watch watch(games_.get(), game, State(game).event_number());
  v1::EndGameRequest end;
  end.set_request_id(NewId());
  end.set_game_id(game);
  v1::EndGameResponse ended;
  ASSERT_TRUE(Call(&Stub::EndGame, end, &ended).ok());
  const v1::GameEvent told = watch.Next().event();
  ASSERT_TRUE(told.has_ended());
  ASSERT_EQ(told.ended().winners_size(), 1);
  EXPECT_EQ(told.ended().winners(0), "blue");
  // Found out later: it counts, and the game says so.
  ASSERT_TRUE(Change(game, "red", 1, "late").ok());
  EXPECT_EQ(State(game).phase(), v1::GAME_PHASE_ENDED);
  EXPECT_EQ(State(game).corrected_after_end(), 1U);
  EXPECT_EQ(Of(State(game), "red").score(), Of(ended.state(), "red").score() + 1);
}

TEST_F(PointsTest, ViewersAreToldWithTheReason) {
  const std::string game = PlayedGame();
  Watch watch(games_.get(), game, State(game).event_number());
  ASSERT_TRUE(Change(game, "red", 3, "the road was longer").ok());
  const v1::GameEvent told = watch.Next().event();
  EXPECT_EQ(told.revised().reason(), "the road was longer");
  EXPECT_EQ(Of(told.revised().state(), "red").score(), Of(State(game), "red").score());
}

TEST_F(PointsTest, ArePreviewedAndThenNothingHasChanged) {
  const std::string game = PlayedGame();
  const v1::GameState before = State(game);
  v1::PreviewChangeRequest request;
  request.set_game_id(game);
  request.mutable_points()->set_colour("red");
  request.mutable_points()->set_points(5);
  request.mutable_points()->set_reason("why");
  v1::PreviewChangeResponse response;
  grpc::ClientContext context;
  ASSERT_TRUE(v1::QueryService::NewStub(engine_->Channel())
                  ->PreviewChange(&context, request, &response)
                  .ok());
  EXPECT_EQ(Of(response.state(), "red").score(), Of(before, "red").score() + 5);
  EXPECT_EQ(State(game).event_number(), before.event_number());
}

TEST_F(PointsTest, ChangesThatSayNothingAreRefused) {
  const std::string game = NewGame();
  const auto kWrong = grpc::StatusCode::INVALID_ARGUMENT;
  EXPECT_EQ(Change(game, "green", 1, "why").error_code(), kWrong);
  EXPECT_EQ(Change(game, "red", 0, "why").error_code(), kWrong);
  EXPECT_EQ(Change(game, "red", 501, "why").error_code(), kWrong);
  // It has no opposite, and two of them would be nothing.
  EXPECT_EQ(Change(game, "red", std::numeric_limits<int>::min(), "why").error_code(), kWrong);
  EXPECT_EQ(Change(game, "red", 1, "").error_code(), kWrong);
  EXPECT_EQ(Change(game, "red", 1, std::string(201, 'x')).error_code(), kWrong);
  EXPECT_EQ(Change("none", "red", 1, "why").error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_TRUE(ByHand(State(game)).empty());
}

TEST_F(PointsTest, AreExportedWhereTheFormatHasAPlaceForThem) {
  const std::string game = PlayedGame();
  ASSERT_TRUE(Change(game, "red", 3, "the road was longer").ok());
  std::string content;
  ASSERT_TRUE(Export(game, v1::EXPORT_FORMAT_NOTATION, &content).ok());
  EXPECT_TRUE(absl::StrContains(content, "# by hand: red +3, the road was longer")) << content;
  EXPECT_TRUE(engine::ParseNotation(content).ok());
  ASSERT_TRUE(Export(game, v1::EXPORT_FORMAT_SCORES_CSV, &content).ok());
  EXPECT_TRUE(absl::StrContains(content, "by-hand,the road was longer")) << content;
  EXPECT_EQ(Export(game, v1::EXPORT_FORMAT_JCZ, &content).error_code(),
            grpc::StatusCode::FAILED_PRECONDITION);
}

}  // namespace
}  // namespace tilewarden::services
