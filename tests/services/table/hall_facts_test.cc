#include "services/table/hall_facts.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "services/table/by_hand.h"
#include "tests/services/support/played_game.h"

namespace tilewarden::services {
namespace {

// A game of red and blue at times of the test's own.
class HallFactsTest : public testing::Test {
 protected:
  HallFactsTest() : HallFactsTest(true) {}
  explicit HallFactsTest(bool start_tile) {
    std::vector<engine::Event> events;
    referee_ = *engine::Referee::Create(tiles_, *engine::Rules::Preset("c1"), {"red", "blue"},
                                        start_tile, &events);
    FollowPlay(*referee_, 1'000, &facts_);
  }
  void Play(int turn, std::int64_t time_ms) {
    ASSERT_TRUE(PlayByHand(turns_[static_cast<std::size_t>(turn)], *referee_).ok());
    FollowPlay(*referee_, time_ms, &facts_);
  }
  void Fold(const engine::Event& event, std::int64_t time_ms) {
    ASSERT_TRUE(referee_->Fold(event).ok());
    FollowPlay(*referee_, time_ms, &facts_);
  }
  void Call(bool called, std::int64_t time_ms) {
    v1::LoggedCall record;
    if (called) record.mutable_call()->set_called_ms(time_ms);
    record.set_by_players(called);
    FollowCall(record, time_ms, &facts_);
  }
  std::int64_t Thought(const std::string& colour) const {
    const auto found = facts_.clock.thought_ms().find(colour);
    return found == facts_.clock.thought_ms().end() ? 0 : found->second;
  }

  const std::shared_ptr<const engine::TileSet> tiles_ = *engine::TileSet::Load("base.c1");
  const std::vector<v1::Turn> turns_ = SomeTurns(3);
  std::optional<engine::Referee> referee_;
  HallFacts facts_;
};

TEST_F(HallFactsTest, EachTurnCountsForWhoPlayedIt) {
  EXPECT_EQ(facts_.clock.began_ms(), 1'000);
  EXPECT_EQ(facts_.clock.running_since_ms(), 1'000);
  Play(0, 31'000);
  Play(1, 41'000);
  Play(2, 46'000);
  EXPECT_EQ(Thought("red"), 35'000);
  EXPECT_EQ(Thought("blue"), 10'000);
  EXPECT_EQ(facts_.clock.began_ms(), 1'000);
  EXPECT_EQ(facts_.clock.running_since_ms(), 46'000);
  EXPECT_EQ(facts_.clock.turn_ms(), 0);
}

TEST_F(HallFactsTest, TheClockStandsStillWhileTheRefereeIsCalled) {
  Call(true, 11'000);
  EXPECT_EQ(facts_.clock.running_since_ms(), 0);
  EXPECT_EQ(facts_.clock.turn_ms(), 10'000);
  Call(false, 611'000);
  EXPECT_EQ(facts_.clock.running_since_ms(), 611'000);
  Play(0, 616'000);
  EXPECT_EQ(Thought("red"), 15'000);
  // A tile that is laid meanwhile ends the turn, and the next one does not run yet.
  Call(true, 620'000);
  Play(1, 630'000);
  EXPECT_EQ(Thought("blue"), 4'000);
  EXPECT_EQ(facts_.clock.running_since_ms(), 0);
  EXPECT_EQ(facts_.clock.turn_ms(), 0);
  EXPECT_EQ(facts_.calls, 2);
}

TEST_F(HallFactsTest, ATurnTakenBackStartsTheTurnAnewAndGivesNoTimeBack) {
  Play(0, 31'000);
  ASSERT_FALSE(referee_->UndoTurn().empty());
  FollowPlay(*referee_, 40'000, &facts_);
  EXPECT_EQ(Thought("red"), 30'000);
  EXPECT_EQ(facts_.clock.running_since_ms(), 40'000);
}

TEST_F(HallFactsTest, TheClockStopsWithTheGameAndOutlastsAMachineThatIsSetBack) {
  Play(0, 500);
  EXPECT_EQ(Thought("red"), 0) << "the machine's clock was set back";
  ASSERT_FALSE(referee_->End().empty());
  FollowPlay(*referee_, 8'500, &facts_);
  EXPECT_EQ(facts_.clock.running_since_ms(), 0);
  EXPECT_EQ(facts_.clock.turn_ms(), 8'000);
}

TEST_F(HallFactsTest, TroubleCountsFromTheFirstThingOpenToTheLastOneClosed) {
  engine::Finding note;
  note.id = 1;
  note.code = "fork-first";
  note.severity = engine::Severity::kNote;
  note.text = "Worth knowing.";
  Fold(engine::FindingRaised{note}, 5'000);
  EXPECT_EQ(facts_.troubled_since_ms, 0) << "nothing needs fixing";
  engine::Finding illegal = note;
  illegal.id = 2;
  illegal.severity = engine::Severity::kIllegal;
  Fold(engine::FindingRaised{illegal}, 6'000);
  illegal.id = 3;
  Fold(engine::FindingRaised{illegal}, 7'000);
  EXPECT_EQ(facts_.troubled_since_ms, 6'000);
  Fold(engine::FindingCleared{2}, 8'000);
  EXPECT_EQ(facts_.troubled_since_ms, 6'000);
  Fold(engine::FindingCleared{3}, 9'000);
  EXPECT_EQ(facts_.troubled_since_ms, 0);
}

class WaitingTableTest : public HallFactsTest {
 protected:
  WaitingTableTest() : HallFactsTest(false) {}
};

TEST_F(WaitingTableTest, NoClockRunsBeforeTheStartTileLies) {
  EXPECT_EQ(facts_.clock.began_ms(), 0);
  EXPECT_EQ(facts_.clock.running_since_ms(), 0);
  Call(true, 2'000);
  Call(false, 3'000);
  EXPECT_EQ(facts_.clock.running_since_ms(), 0);
}

}  // namespace
}  // namespace tilewarden::services
