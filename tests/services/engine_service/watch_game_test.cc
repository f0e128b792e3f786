// What viewers of one game are sent. Where resuming ends is in client/watch_test.cc.
#include <chrono>
#include <cstdint>

#include "tests/services/support/engine_fixture.h"

namespace tilewarden::services {
namespace {

using Stub = v1::GameService::Stub;

using GameServiceTest = EngineTest;

TEST_F(GameServiceTest, WatchSendsTheStateThenEveryEventInOrder) {
  const std::string game = NewGame();
  const auto turns = SomeTurns(12);
  for (int i = 0; i < 4; ++i) Play(game, turns[static_cast<std::size_t>(i)]);
  Watch watch(games_.get(), game, 0);
  const auto first = watch.Next();
  ASSERT_TRUE(first.has_state());
  EXPECT_EQ(first.state().turn(), 4u);
  std::uint64_t number = first.state().event_number();
  for (std::size_t i = 4; i < turns.size(); ++i) {
    Play(game, turns[i]);
    const auto message = watch.Next();
    ASSERT_TRUE(message.has_event());
    EXPECT_EQ(message.event().number(), ++number);
    EXPECT_EQ(message.event().turn_played().turn(), i + 1);
    EXPECT_EQ(message.event().players_size(), 2);
  }
  Watch resumed(games_.get(), game, number - 3);
  for (std::uint64_t expected = number - 2; expected <= number; ++expected) {
    EXPECT_EQ(resumed.Next().event().number(), expected);
  }
}

TEST_F(GameServiceTest, WatchesThatCannotBeAreToldWhy) {
  const std::string game = NewGame();
  EXPECT_EQ(Watch(games_.get(), "none", 0).Finish().error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Watch(games_.get(), game, 1000).Finish().error_code(), grpc::StatusCode::OUT_OF_RANGE);
}

TEST_F(GameServiceTest, ASilentWatchGetsHeartbeats) {
  const std::string game = NewGame();
  Watch watch(games_.get(), game, 0);
  ASSERT_TRUE(watch.Next().has_state());
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(watch.Next().has_heartbeat());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(9));
}

TEST_F(GameServiceTest, AViewerThatDoesNotReadDelaysNobody) {
  const std::string game = NewGame();
  Watch lazy(games_.get(), game, 0);
  Watch eager(games_.get(), game, 0);
  ASSERT_TRUE(eager.Next().has_state());
  // Undo and redo give many large messages (a state each).
  const auto turns = SomeTurns(20);
  for (const v1::Turn& turn : turns) Play(game, turn);
  for (std::size_t i = 0; i < turns.size(); ++i) ASSERT_TRUE(eager.Next().has_event());
  for (int i = 0; i < 700; ++i) {
    v1::UndoTurnRequest undo;
    undo.set_request_id(NewId());
    undo.set_game_id(game);
    v1::UndoTurnResponse undone;
    ASSERT_TRUE(Call(&Stub::UndoTurn, undo, &undone).ok());
    ASSERT_TRUE(eager.Next().event().has_revised());
    ASSERT_TRUE(Play(game, turns.back()).has_event());
    ASSERT_TRUE(eager.Next().has_event());
  }
  const std::uint64_t last = State(game).event_number();
  std::uint64_t number = 0;
  int states = 0;
  while (number < last) {
    const auto message = lazy.Next();
    if (message.has_state()) {
      ++states;
      number = message.state().event_number();
    } else if (message.has_event()) {
      ASSERT_EQ(message.event().number(), ++number);
    }
  }
  EXPECT_GE(states, 1);
}

}  // namespace
}  // namespace tilewarden::services
