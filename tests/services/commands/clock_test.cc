// The machine's clock is set back and forth while games are played and watched: a child's play for
// whoever boots without a battery, and no reason for silence or loss.
#include "services/base/clock.h"

#include <chrono>
#include <fstream>

#include "services/client/channel.h"
#include "services/table/table.h"
#include "tests/services/support/played_game.h"
#include "tests/services/support/process_fixture.h"
#include "tilewarden/v1/game.grpc.pb.h"

namespace tilewarden::services {
namespace {

using Clock = std::chrono::steady_clock;

class ClockTest : public ProcessTest {
 protected:
  ClockTest() {
    Shift(0);
    setenv("TILEWARDEN_CLOCK_SHIFT", (folder_.path() / "shift").c_str(), 1);
    setenv("LD_PRELOAD", TILEWARDEN_SHIFTED_CLOCK, 1);
    // The sanitizer's library need not be the first one.
    setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
    engine_ = StartEngine("127.0.0.1:0");
    for (const char* name : {"LD_PRELOAD", "TILEWARDEN_CLOCK_SHIFT", "ASAN_OPTIONS"}) {
      unsetenv(name);
    }
  }
  void Shift(int seconds) {
    // At once for whoever reads it.
    const auto next = folder_.path() / "shift.next";
    std::ofstream(next) << seconds << "\n";
    std::filesystem::rename(next, folder_.path() / "shift");
  }

  absl::StatusOr<ChildProcess> engine_ = absl::UnknownError("");
};

TEST_F(ClockTest, HeartbeatsAndEventsGoOnWhenTheClockIsSet) {
  ASSERT_TRUE(engine_.ok()) << engine_.status();
  const auto games = v1::GameService::NewStub(ChannelTo(address_));
  v1::CreateGameRequest create;
  create.set_request_id("create");
  create.set_tile_set("base.c1");
  create.set_place_start_tile(true);
  for (const char* colour : {"red", "blue"}) create.add_players()->set_colour(colour);
  v1::CreateGameResponse created;
  {
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    ASSERT_TRUE(games->CreateGame(&context, create, &created).ok());
  }
  v1::WatchGameRequest request;
  request.set_game_id(created.state().game_id());
  grpc::ClientContext watching;
  const auto watch = games->WatchGame(&watching, request);
  v1::WatchGameResponse message;
  ASSERT_TRUE(watch->Read(&message));
  std::uint64_t number = message.state().event_number();
  const auto turns = SomeTurns(3);
  std::size_t turn = 0;
  // A day back, then two days ahead, then right again.
  for (const int shift : {-24 * 3600, 24 * 3600, 0}) {
    Shift(shift);
    const auto begun = Clock::now();
    ASSERT_TRUE(watch->Read(&message));
    EXPECT_LT(Clock::now() - begun, std::chrono::seconds(10)) << shift;
    ASSERT_TRUE(message.has_heartbeat()) << shift;
    EXPECT_NEAR(static_cast<double>(message.heartbeat().time_ms() - NowMs()) / 1000, shift, 30)
        << "the engine service has another clock";
    v1::PlayTurnRequest play;
    play.set_request_id(absl::StrCat("turn ", shift));
    play.set_game_id(request.game_id());
    *play.mutable_turn() = turns[turn++];
    v1::PlayTurnResponse played;
    grpc::ClientContext context;
    ASSERT_TRUE(games->PlayTurn(&context, play, &played).ok());
    ASSERT_TRUE(watch->Read(&message));
    EXPECT_EQ(message.event().number(), ++number) << shift;
  }
  watching.TryCancel();
  (void)watch->Finish();
  ExpectStops(&*engine_, SIGTERM);
}

}  // namespace
}  // namespace tilewarden::services
