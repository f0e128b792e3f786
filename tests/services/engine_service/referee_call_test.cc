// A hall of tables: players call the referee, referees go there, clocks run.
#include <string>

#include "google/protobuf/util/message_differencer.h"
#include "services/table/hall_facts.h"
#include "tests/services/support/engine_fixture.h"

namespace tilewarden::services {
namespace {

class RefereeCallTest : public EngineTest {
 protected:
  grpc::Status CallReferee(const std::string& game, bool withdrawn = false) {
    v1::CallRefereeRequest request;
    request.set_request_id(NewId());
    request.set_game_id(game);
    request.set_withdrawn(withdrawn);
    v1::CallRefereeResponse response;
    return Call(&v1::GameService::Stub::CallReferee, request, &response);
  }
  grpc::Status Answer(const std::string& game, v1::RefereeStep step) {
    v1::AnswerCallRequest request;
    request.set_request_id(NewId());
    request.set_game_id(game);
    request.set_step(step);
    v1::AnswerCallResponse response;
    return Call(&v1::GameService::Stub::AnswerCall, request, &response);
  }
  grpc::Status Limit(const std::string& game, std::uint32_t limit_s) {
    v1::LimitThinkingRequest request;
    request.set_request_id(NewId());
    request.set_game_id(game);
    request.set_limit_s(limit_s);
    v1::LimitThinkingResponse response;
    return Call(&v1::GameService::Stub::LimitThinking, request, &response);
  }
  v1::GameSummary Listed(const std::string& game) {
    v1::ListGamesResponse response;
    EXPECT_TRUE(Call(&v1::GameService::Stub::ListGames, v1::ListGamesRequest(), &response).ok());
    EXPECT_GT(response.now_ms(), 0);
    for (const auto& summary : response.games()) {
      if (summary.game_id() == game) return summary;
    }
    ADD_FAILURE() << "game " << game << " is not listed";
    return {};
  }
};

TEST_F(RefereeCallTest, ACallIsSeenAnsweredAndOver) {
  const std::string game = NewGame("Table 7");
  EXPECT_FALSE(Listed(game).has_call());
  ASSERT_TRUE(CallReferee(game).ok());
  const v1::RefereeCall called = Listed(game).call();
  EXPECT_GT(called.called_ms(), 0);
  EXPECT_EQ(called.coming_ms(), 0);
  EXPECT_EQ(State(game).call().called_ms(), called.called_ms());

  ASSERT_TRUE(CallReferee(game).ok()) << "once more changes nothing";
  EXPECT_EQ(Listed(game).call().called_ms(), called.called_ms());
  EXPECT_EQ(State(game).event_number(), 2U);

  ASSERT_TRUE(Answer(game, v1::REFEREE_STEP_COMING).ok());
  EXPECT_GE(Listed(game).call().coming_ms(), called.called_ms());
  ASSERT_TRUE(Answer(game, v1::REFEREE_STEP_NOT_COMING).ok());
  EXPECT_EQ(Listed(game).call().coming_ms(), 0);
  EXPECT_EQ(Listed(game).call().called_ms(), called.called_ms()) << "the call stands again";

  ASSERT_TRUE(Answer(game, v1::REFEREE_STEP_COMING).ok());
  ASSERT_TRUE(Answer(game, v1::REFEREE_STEP_DONE).ok());
  EXPECT_FALSE(Listed(game).has_call());
  EXPECT_FALSE(State(game).has_call());
  EXPECT_TRUE(Answer(game, v1::REFEREE_STEP_DONE).ok()) << "done already";
}

TEST_F(RefereeCallTest, PlayersTakeTheirCallBack) {
  const std::string game = NewGame();
  EXPECT_TRUE(CallReferee(game, true).ok()) << "there is none";
  EXPECT_EQ(State(game).event_number(), 1U);
  ASSERT_TRUE(CallReferee(game).ok());
  ASSERT_TRUE(Answer(game, v1::REFEREE_STEP_COMING).ok());
  ASSERT_TRUE(CallReferee(game, true).ok());
  EXPECT_FALSE(State(game).has_call());
}

TEST_F(RefereeCallTest, ARefereeMayGoWithoutACall) {
  const std::string game = NewGame();
  ASSERT_TRUE(Answer(game, v1::REFEREE_STEP_COMING).ok());
  EXPECT_EQ(Listed(game).call().called_ms(), 0);
  EXPECT_GT(Listed(game).call().coming_ms(), 0);
  ASSERT_TRUE(CallReferee(game).ok());
  EXPECT_GT(Listed(game).call().called_ms(), 0);
  EXPECT_GT(Listed(game).call().coming_ms(), 0) << "the referee is on the way all the same";
  ASSERT_TRUE(Answer(game, v1::REFEREE_STEP_DONE).ok());
  ASSERT_TRUE(Answer(game, v1::REFEREE_STEP_COMING).ok());
  ASSERT_TRUE(Answer(game, v1::REFEREE_STEP_NOT_COMING).ok());
  EXPECT_FALSE(Listed(game).has_call()) << "nobody called";
}

TEST_F(RefereeCallTest, ACallAndTheClockOutliveTheService) {
  const std::string game = NewGame();
  const auto turns = SomeTurns(3);
  for (const v1::Turn& turn : turns) Play(game, turn);
  ASSERT_TRUE(Limit(game, 1200).ok());
  ASSERT_TRUE(CallReferee(game).ok());
  ASSERT_TRUE(Answer(game, v1::REFEREE_STEP_COMING).ok());
  const v1::GameState before = State(game);
  const v1::GameSummary listed = Listed(game);
  Restart();
  using google::protobuf::util::MessageDifferencer;
  EXPECT_TRUE(MessageDifferencer::Equals(State(game), before)) << State(game).DebugString();
  EXPECT_TRUE(MessageDifferencer::Equals(Listed(game), listed)) << Listed(game).DebugString();
  EXPECT_EQ(before.clock().limit_ms(), 1'200'000);
  EXPECT_EQ(before.clock().running_since_ms(), 0) << "it stands still while the referee is called";
}

TEST_F(RefereeCallTest, WatchersSeeTheCallAndTheClock) {
  const std::string game = NewGame();
  Watch watch(games_.get(), game, 0);
  EXPECT_FALSE(watch.Next().state().has_call());
  ASSERT_TRUE(CallReferee(game).ok());
  const auto called = watch.Next();
  EXPECT_GT(called.event().revised().state().call().called_ms(), 0);
  EXPECT_EQ(called.event().revised().reason(), "") << "nothing of play was revised";
  ASSERT_TRUE(CallReferee(game, true).ok());
  EXPECT_FALSE(watch.Next().event().revised().state().has_call());
  Play(game, SomeTurns(1).front());
  const auto played = watch.Next();
  EXPECT_EQ(played.event().clock().running_since_ms(), played.event().time_ms());
}

TEST_F(RefereeCallTest, ARepeatedRequestHasOneEffect) {
  const std::string game = NewGame();
  v1::CallRefereeRequest request;
  request.set_request_id("call");
  request.set_game_id(game);
  v1::CallRefereeResponse first, second;
  ASSERT_TRUE(Call(&v1::GameService::Stub::CallReferee, request, &first).ok());
  ASSERT_TRUE(Answer(game, v1::REFEREE_STEP_DONE).ok());
  ASSERT_TRUE(Call(&v1::GameService::Stub::CallReferee, request, &second).ok());
  EXPECT_EQ(first.SerializeAsString(), second.SerializeAsString());
  EXPECT_FALSE(State(game).has_call()) << "a late repetition calls nobody again";
  request.set_withdrawn(true);
  EXPECT_EQ(Call(&v1::GameService::Stub::CallReferee, request, &second).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(RefereeCallTest, WrongRequestsAreRefused) {
  EXPECT_EQ(CallReferee("none").error_code(), grpc::StatusCode::NOT_FOUND);
  const std::string game = NewGame();
  EXPECT_EQ(Answer(game, v1::REFEREE_STEP_UNSPECIFIED).error_code(),
            grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(Limit(game, 24 * 60 * 60 + 1).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_TRUE(Limit(game, 24 * 60 * 60).ok());
  EXPECT_TRUE(Limit(game, 0).ok());
  EXPECT_EQ(State(game).clock().limit_ms(), 0);
}

TEST_F(RefereeCallTest, ADeviceThatCallsWithoutEndIsStopped) {
  const std::string game = NewGame();
  for (int i = 0; i < kMostCalls; ++i) {
    ASSERT_TRUE(CallReferee(game).ok()) << i;
    ASSERT_TRUE(CallReferee(game, true).ok()) << i;
  }
  Restart();
  EXPECT_EQ(CallReferee(game).error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_TRUE(Answer(game, v1::REFEREE_STEP_COMING).ok()) << "referees go on";
}

}  // namespace
}  // namespace tilewarden::services
