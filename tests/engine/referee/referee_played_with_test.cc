// Figures that the rules do not have: people are asked whether the game is played with them, once,
// and nobody is accused.
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/engine/referee/played_with_fixture.h"

namespace tilewarden::engine {
namespace {

class PlayedWithTest : public PlayingWithTest {
 protected:
  PlayedWithTest() : PlayingWithTest("base.c2", *Rules::Preset("c2")) {
    table_.unexpected[FigureKind::kAbbot] = 0.99;
  }

  void PlayAbbot(const std::string& colour, const std::string& tile, Cell cell, int segment) {
    Hand(cell);
    table_.Lay(tile, cell, 0);
    table_.Set(colour, cell, segment, FigureKind::kAbbot);
    Hand(cell);
    Look();
  }
  void RedsAbbotInAMonastery() { PlayAbbot("red", "B.B", {0, 1}, 0); }
  void BluesAbbotInAGarden() { PlayAbbot("blue", "B.Ug", {1, 0}, 3); }
};

TEST_F(PlayedWithTest, AnAbbotThatNobodyExpectsIsAskedAboutOnce) {
  RedsAbbotInAMonastery();
  Look();
  EXPECT_TRUE(referee_.questions().empty()) << "two looks are few";
  Look();
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_EQ(question.text, "I see an abbot. Are you playing with the abbot?");
  EXPECT_EQ(question.playing_with, FigureKind::kAbbot);
  EXPECT_EQ(question.cells, std::vector{OnBoard({0, 1})});
  ASSERT_EQ(question.answers.size(), 2U);
  EXPECT_EQ(question.answers[0].text, "Yes, we play with the abbot");
  EXPECT_EQ(question.answers[1].text, "No");
  BluesAbbotInAGarden();
  Looks(5);
  EXPECT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(KindOn({0, 1}), FigureKind::kFollower) << "until somebody answers, nothing changes";
  EXPECT_EQ(Codes(), Strings{});
  ExpectRestored();
}

TEST_F(PlayedWithTest, OneLookATurnIsEnough) {
  RedsAbbotInAMonastery();
  Play("B.U", {1, 0}, 0, "blue", 0);
  EXPECT_EQ(referee_.questions().size(), 1U);
}

TEST_F(PlayedWithTest, AFewDoubtfulLooksAskNothing) {
  table_.unexpected[FigureKind::kAbbot] = 0.9;
  RedsAbbotInAMonastery();
  Looks(6);
  EXPECT_TRUE(referee_.questions().empty()) << "no look was sure";
  table_.unexpected[FigureKind::kAbbot] = 0.99;
  Looks(2);
  table_.unexpected[FigureKind::kAbbot] = 0;
  Looks(2);
  table_.unexpected[FigureKind::kAbbot] = 0.99;
  Looks(2);
  EXPECT_TRUE(referee_.questions().empty()) << "the looks disagree";
}

TEST_F(PlayedWithTest, WhereNoAbbotMayStandItWasRatherMisread) {
  PlayAbbot("red", "B.U", {1, 0}, 0);  // on the road
  Looks(6);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(PlayedWithTest, NoIsRememberedForTheGame) {
  RedsAbbotInAMonastery();
  Looks(2);
  Answer(kNo);
  EXPECT_FALSE(referee_.rules().abbot);
  EXPECT_EQ(KindOn({0, 1}), FigureKind::kFollower);
  EXPECT_FALSE(referee_.undo_playing_with());
  Looks(5);
  EXPECT_TRUE(referee_.questions().empty());
  ExpectRestored();
  Restart();
  PlayAbbot("blue", "B.B", {1, 1}, 0);
  Looks(5);
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(PlayedWithTest, YesChangesTheGameFromItsBeginning) {
  RedsAbbotInAMonastery();
  Play("B.U", {1, 0}, 0, "blue", 0);
  ASSERT_EQ(Player("red").followers(), 6);
  Answer(kYes);
  EXPECT_TRUE(referee_.rules().abbot);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(KindOn({0, 1}), FigureKind::kAbbot) << "a turn before the answer";
  EXPECT_EQ(Player("red").followers(), 7);
  EXPECT_EQ(Player("red").abbots(), 0);
  EXPECT_EQ(Player("blue").abbots(), 1);
  ExpectRestored();
  // The camera has not been told yet; what it says of abbots counts already.
  Play("B.U", {-1, 0}, 0);  // red
  Restart();
  PlayAbbot("blue", "B.Ug", {2, 0}, 3);
  Looks(5);
  EXPECT_EQ(KindOn({0, 1}), FigureKind::kAbbot);
  EXPECT_EQ(KindOn({2, 0}), FigureKind::kAbbot);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(PlayedWithTest, AnAbbotInAGardenIsNoMistakeUntilSomebodySaysNo) {
  BluesAbbotInAGarden();
  Looks(5);
  EXPECT_EQ(Codes(), Strings{}) << "nobody is accused before the answer";
  table_.unexpected[FigureKind::kAbbot] = 0.5;
  PlayAbbot("red", "B.Vg", {2, 0}, 3);
  Looks(3);
  EXPECT_EQ(Codes(), Strings{}) << "of another one either, that is not clear";
  table_.unexpected[FigureKind::kAbbot] = 0.99;
  Answer(kYes);
  Looks(3);
  EXPECT_EQ(KindOn({1, 0}), FigureKind::kAbbot);
  EXPECT_EQ(KindOn({2, 0}), FigureKind::kAbbot);
  EXPECT_EQ(Codes(), Strings{});
  ExpectRestored();
}

TEST_F(PlayedWithTest, AnAbbotCalledHomeIsNotTakenEarlyUntilSomebodySaysNo) {
  RedsAbbotInAMonastery();
  Play("B.U", {1, 0}, 0, "blue", 0);
  Hand({0, 1});
  ASSERT_TRUE(table_.Take("red", {0, 1}));
  Looks(4);
  EXPECT_EQ(Codes(), Strings{});
  Answer(kNo);
  Looks(4);
  EXPECT_EQ(Codes(), Strings{"figure-taken-early"});
}

Rules WithOneFollower() {
  Rules rules = *Rules::Preset("c2");
  rules.followers = 1;
  return rules;
}

class PlayedWithFewTest : public PlayingWithTest {
 protected:
  PlayedWithFewTest() : PlayingWithTest("base.c2", WithOneFollower()) {
    table_.unexpected[FigureKind::kAbbot] = 0.99;
  }
};

TEST_F(PlayedWithFewTest, AnAbbotBesideAllFollowersIsNotOneTooMany) {
  Play("B.U", {1, 0}, 0, "red", 0);
  Play("B.V", {-1, 0}, 2, "blue", 0);
  Hand({0, 1});
  table_.Lay("B.B", {0, 1}, 0);
  table_.Set("red", {0, 1}, 0, FigureKind::kAbbot);
  Looks(5);
  EXPECT_EQ(Codes(), Strings{});
  Answer(kYes);
  Looks(3);
  EXPECT_EQ(KindOn({0, 1}), FigureKind::kAbbot);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(PlayedWithTest, AfterNoAFollowerInAGardenMustLeaveIt) {
  BluesAbbotInAGarden();
  Looks(3);
  Answer(kNo);
  Looks(3);
  EXPECT_EQ(Codes(), Strings{"garden-needs-abbot"});
}

TEST_F(PlayedWithTest, TheAnswerIsTakenBack) {
  RedsAbbotInAMonastery();
  BluesAbbotInAGarden();
  ASSERT_EQ(referee_.questions().size(), 1U);
  const std::uint32_t asked = referee_.questions().front().id;
  Looks(3);
  Answer(kYes);
  ASSERT_EQ(KindOn({1, 0}), FigureKind::kAbbot);
  EXPECT_EQ(referee_.undo_playing_with(), FigureKind::kAbbot);
  Play("B.U", {-1, 0}, 0);
  EXPECT_FALSE(referee_.undo_playing_with()) << "first the turn since";
  Take(referee_.UndoTurn());
  ASSERT_EQ(referee_.game()->turns().size(), 2U);
  EXPECT_TRUE(referee_.rules().abbot);
  Take(referee_.UndoTurn());
  EXPECT_EQ(referee_.game()->turns().size(), 2U);
  EXPECT_FALSE(referee_.rules().abbot);
  EXPECT_EQ(KindOn({0, 1}), FigureKind::kFollower);
  EXPECT_EQ(KindOn({1, 0}), FigureKind::kArk) << "in a garden no follower stands";
  ASSERT_EQ(referee_.questions().size(), 1U) << "the question is open again";
  EXPECT_GT(referee_.questions().front().id, asked);
  EXPECT_FALSE(referee_.undo_playing_with());
  ExpectRestored();
  table_.tiles.pop_back();
  // The camera expects abbots by now.
  table_.unexpected.clear();
  Looks(4);
  EXPECT_EQ(Codes(), Strings{});
  Answer(kNo);
  Looks(2);
  EXPECT_EQ(KindOn({0, 1}), FigureKind::kFollower);
  EXPECT_TRUE(referee_.questions().empty());
}

// Its turns were told apart from the rules.
TEST_F(PlayedWithTest, AnOlderLogStillLoads) {
  RedsAbbotInAMonastery();
  Looks(2);
  Answer(kYes);
  ASSERT_EQ(KindOn({0, 1}), FigureKind::kAbbot);
  std::vector<Event> older;
  for (const Event& event : log_) {
    older.push_back(event);
    auto* changed = std::get_if<RulesChanged>(&older.back());
    if (changed == nullptr) continue;
    ASSERT_EQ(changed->number, 1);
    const TurnsRevised revised{changed->number, std::exchange(changed->turns, {}), "answered",
                               RevisionCause::kAnswered};
    changed->number = 0;
    older.push_back(revised);
  }
  ASSERT_EQ(older.size(), log_.size() + 1);
  log_ = older;
  ExpectRestored();
}

TEST_F(PlayedWithTest, TheEndAnswersIt) {
  RedsAbbotInAMonastery();
  Looks(2);
  ASSERT_EQ(referee_.questions().size(), 1U);
  Take(referee_.End());
  EXPECT_TRUE(referee_.questions().empty());
  ExpectRestored();
}

}  // namespace
}  // namespace tilewarden::engine
