// The end of a game: a table that is cleared, and what is put right afterwards.
#include <variant>
#include <vector>

#include "tests/engine/referee/referee_fixture.h"

namespace tilewarden::engine {
namespace {

class RefereeEndTest : public RefereeTest {
 protected:
  // A game of two rounds, and the board is taken off the table.
  void Clear() {
    PlayTwoRounds();
    board_ = table_.tiles;
    table_.tiles.clear();
    table_.figures.clear();
  }
  // Until it is asked, or looks enough have passed.
  const Question* Asked() {
    for (int look = 0; look < 20 && referee_.questions().empty(); ++look) Look();
    return referee_.questions().empty() ? nullptr : &referee_.questions().front();
  }

  std::vector<SimulatedTable::Tile> board_;
};

TEST_F(RefereeEndTest, AClearedTableEndsTheGameAfterAQuestion) {
  Clear();
  Look();
  EXPECT_TRUE(referee_.questions().empty()) << "somebody may hold something before the camera";
  const Question* question = Asked();
  ASSERT_NE(question, nullptr);
  EXPECT_TRUE(question->table_cleared);
  ASSERT_EQ(question->answers.size(), 2U);
  EXPECT_EQ(Codes(), Strings{}) << "nobody is accused";
  const auto answered = referee_.Answer(question->id, 0);
  ASSERT_EQ(answered.index(), 0U);
  for (const Event& event : std::get<0>(answered)) log_.push_back(event);
  EXPECT_TRUE(referee_.ended());
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_TRUE(Referee::Restore(tiles_, log_)->ended());
}

TEST_F(RefereeEndTest, ANewStartTileAloneIsNoPlayOnTheOldBoard) {
  Clear();
  table_.tiles.push_back({{0, 0}, tiles_->start_tile(), 0});
  const auto turns = referee_.game()->turns().size();
  EXPECT_NE(Asked(), nullptr);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(referee_.game()->turns().size(), turns);
}

TEST_F(RefereeEndTest, TheQuestionGoesWhenTheBoardIsSeenAgain) {
  Clear();
  ASSERT_NE(Asked(), nullptr);
  table_.tiles = board_;
  Looks(2);  // much differs in the first
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_FALSE(referee_.ended());
}

TEST_F(RefereeEndTest, WhoPlaysOnIsNotAskedAgainUntilTheBoardWasSeen) {
  Clear();
  const Question* question = Asked();
  ASSERT_NE(question, nullptr);
  ASSERT_EQ(referee_.Answer(question->id, 1).index(), 0U);
  EXPECT_EQ(Asked(), nullptr);
  EXPECT_FALSE(referee_.ended());
}

TEST_F(RefereeEndTest, AnEndedGameIsPutRightAndScoredAnew) {
  PlayTwoRounds();
  for (const Event& event : referee_.End()) log_.push_back(event);
  const auto items = referee_.final_items().size();
  // Blue's monastery was nobody's after all.
  std::size_t number = 0;
  while (referee_.game()->turns()[number].cell != OnBoard({0, 1})) ++number;
  Turn turn = referee_.game()->turns()[number];
  ASSERT_TRUE(turn.deployment);
  turn.deployment.reset();
  const auto corrected = referee_.CorrectTurn(static_cast<int>(number) + 1, turn);
  ASSERT_EQ(corrected.index(), 0U);
  for (const Event& event : std::get<0>(corrected)) log_.push_back(event);
  EXPECT_TRUE(referee_.ended());
  EXPECT_LT(referee_.final_items().size(), items);
  EXPECT_EQ(referee_.corrected_after_end(), 1);
  EXPECT_EQ(referee_.ChangePoints("red", 3, "counted twice").index(), 0U);
  EXPECT_EQ(referee_.corrected_after_end(), 2);
  // And a restarted one agrees.
  const auto again = Referee::Restore(tiles_, log_);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->corrected_after_end(), 1);
  EXPECT_EQ(again->final_items().size(), referee_.final_items().size());
  // What nobody decided is no part of it.
  EXPECT_TRUE(referee_.UndoTurn().empty());
  EXPECT_EQ(referee_.PlayTurn(turn).index(), 1U);
}

TEST_F(RefereeEndTest, WhoEndsTheGameElsewhereHasAnsweredTheQuestion) {
  Clear();
  ASSERT_NE(Asked(), nullptr);
  for (const Event& event : referee_.End()) log_.push_back(event);
  EXPECT_TRUE(referee_.ended());
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_TRUE(Referee::Restore(tiles_, log_)->questions().empty());
}

TEST_F(RefereeEndTest, AQuestionThatIsStillOpenIsAnsweredAfterTheEnd) {
  misses_ = true;
  PlayTwoRounds();
  Play("B.E", {0, -1}, 2);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  for (const Event& event : referee_.End()) log_.push_back(event);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const std::optional<Deployment> had = referee_.game()->turns().back().deployment;
  const int other = question.answers[0].turn.deployment == had ? 1 : 0;
  const auto answered = referee_.Answer(question.id, other);
  ASSERT_EQ(answered.index(), 0U);
  for (const Event& event : std::get<0>(answered)) log_.push_back(event);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_NE(referee_.game()->turns().back().deployment, had);
  EXPECT_EQ(referee_.corrected_after_end(), 1);
  EXPECT_EQ(Referee::Restore(tiles_, log_)->corrected_after_end(), 1);
}

TEST_F(RefereeEndTest, WhatIsPutRightAfterTheEndIsNoLongerTold) {
  PlayTwoRounds();
  Hand({1, 2});
  table_.tiles[1].rotation = (table_.tiles[1].rotation + 1) % 4;
  Looks(2);
  ASSERT_EQ(Codes(), Strings{"tile-turned"});
  for (const Event& event : referee_.End()) log_.push_back(event);
  const auto corrected = referee_.CorrectTurn(1, referee_.game()->turns().front());
  ASSERT_EQ(corrected.index(), 0U);
  for (const Event& event : std::get<0>(corrected)) log_.push_back(event);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_TRUE(Referee::Restore(tiles_, log_)->findings().empty());
}

}  // namespace
}  // namespace tilewarden::engine
