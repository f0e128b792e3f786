#include "services/table/by_hand.h"

#include "gtest/gtest.h"
#include "tests/services/support/played_game.h"

namespace tilewarden::services {
namespace {

// Of a game whose order of play was not known yet.
TEST(ByHand, ATurnOfNobodyStaysNobodysWhenItIsSentBackAsItWasShown) {
  const auto tiles = *engine::TileSet::Load("base.c1");
  const engine::Rules rules = *engine::Rules::Preset("c1");
  std::vector<engine::Event> events;
  const auto begun = *engine::Referee::Create(tiles, rules, {"red", "blue"}, true, &events);
  engine::Turn nobodys = *FromProto(SomeTurns(1).front(), begun);
  nobodys.player = -1;
  nobodys.deployment.reset();
  events.push_back(engine::TurnPlayed{nobodys, false, false, {}});
  auto referee = *engine::Referee::Restore(tiles, events);
  ASSERT_TRUE(referee.game()->turns().front() == nobodys);
  ASSERT_GE(referee.to_move(), 0);
  const auto judged = CorrectByHand(1, ToProto(nobodys, *referee.game()), referee);
  ASSERT_TRUE(judged.ok()) << judged.status();
  ASSERT_EQ(judged->index(), 0U);
  EXPECT_TRUE(referee.game()->turns().front() == nobodys);
  // Whose it was can be said.
  v1::Turn reds = ToProto(nobodys, *referee.game());
  reds.set_colour("red");
  ASSERT_TRUE(CorrectByHand(1, reds, referee).ok());
  EXPECT_EQ(referee.game()->turns().front().player, 0);
}

}  // namespace
}  // namespace tilewarden::services
