// The Ark and its prophets in a game with its tiles and without them: people are asked by which
// edition they play, and the Ark went where it was seen.
#include <string>
#include <vector>

#include "tests/engine/referee/played_with_fixture.h"

namespace tilewarden::engine {
namespace {

Rules WithoutArk() {
  Rules rules = *Rules::Preset("ark-1");
  EXPECT_TRUE(rules.Set("ark", "none").ok());
  return rules;
}

class UnexpectedArkTest : public PlayingWithTest {
 protected:
  UnexpectedArkTest() : PlayingWithTest("ark", WithoutArk()) {
    table_.unexpected[FigureKind::kArk] = table_.unexpected[FigureKind::kProphet] = 0.99;
  }
  static constexpr int kFirst = 0, kSecond = 1, kGerman = 2, kNotPlayed = 3;

  void ArkTo(Cell cell) { table_.MoveNeutral(FigureKind::kArk, Place{cell, 0}); }
  // The first city is completed, and the Ark enters on its second tile; blue claims a road.
  void CompleteACity() {
    Hand({0, -1});
    table_.Lay("A.cfff.1", {0, -1}, 2);
    table_.Set("red", {0, -1}, 1);
    ArkTo({0, -1});
    Hand({0, -1});
    Look();
    Play("A.frfr.1", {1, 0}, 0, "blue", 0);
  }
  // A turn that sets nothing and moves the Ark.
  void MoveArk(Cell to) {
    Hand({2, 0});
    table_.Lay("A.frfr.3", {2, 0}, 0);
    ArkTo(to);
    Look();
  }
  std::optional<Cell> Ark() const { return referee_.game()->ark(); }
};

TEST_F(UnexpectedArkTest, TheQuestionNamesTheEditions) {
  CompleteACity();
  Looks(2);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_EQ(question.text, "I see the Ark. Are you playing with it?");
  EXPECT_EQ(question.playing_with, FigureKind::kArk);
  EXPECT_EQ(question.cells, std::vector{OnBoard({0, -1})});
  Strings answers;
  for (const Question::Answer& answer : question.answers) answers.push_back(answer.text);
  EXPECT_EQ(answers, (Strings{"Yes, by the first edition", "Yes, by the second edition",
                              "Yes, by the German edition", "No"}));
  Looks(5);
  EXPECT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(Codes(), Strings{});
  ExpectRestored();
}

TEST_F(UnexpectedArkTest, TheAnswerTakesTheArkWhereItWasSeen) {
  CompleteACity();
  MoveArk({1, 0});
  Looks(2);
  const int before = Player("blue").score;
  Answer(kFirst);
  EXPECT_EQ(referee_.rules().ark, ArkEdition::kFirst);
  EXPECT_TRUE(referee_.rules().final_by_segment) << "as that edition brings";
  EXPECT_EQ(TurnOn({0, -1}).ark_landing, OnBoard({0, -1}));
  EXPECT_EQ(TurnOn({2, 0}).ark_path, (std::vector{OnBoard({0, 0}), OnBoard({1, 0})}));
  EXPECT_EQ(Ark(), OnBoard({1, 0}));
  EXPECT_EQ(Player("blue").score, before + 1) << "it ended on blue's follower";
  EXPECT_EQ(Player("red").prophets(), 1);
  ExpectRestored();
  // The camera has not been told yet.
  Hand({3, 0});
  table_.Lay("A.frfr.4", {3, 0}, 0);
  ArkTo({2, 0});
  Looks(3);
  EXPECT_EQ(Ark(), OnBoard({2, 0}));
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(UnexpectedArkTest, WhereNoWayIsLegalNobodyIsAccused) {
  CompleteACity();
  ArkTo({1, 0});  // though blue claimed in this turn
  Looks(3);
  Answer(kSecond);
  EXPECT_EQ(referee_.rules().ark, ArkEdition::kSecond);
  EXPECT_TRUE(referee_.rules().cities_must_be_filled);
  Looks(5);
  EXPECT_EQ(Codes(), Strings{});
  Restart();
  Looks(5);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(UnexpectedArkTest, AProphetAsksTheSame) {
  Hand({0, -1});
  table_.Lay("A.cccr.1", {0, -1}, 0);
  table_.Set("red", {0, -1}, 0, FigureKind::kProphet);
  Hand({0, -1});
  Looks(3);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().text, "I see a prophet. Are you playing with the Ark?");
  EXPECT_EQ(referee_.questions().front().playing_with, FigureKind::kProphet);
  EXPECT_EQ(KindOn({0, -1}), FigureKind::kFollower) << "until somebody answers";
  Answer(kGerman);
  EXPECT_EQ(referee_.rules().ark, ArkEdition::kGerman);
  EXPECT_TRUE(referee_.rules().ark_to_temples);
  EXPECT_EQ(KindOn({0, -1}), FigureKind::kProphet);
  ArkTo({0, 0});
  Looks(5);
  EXPECT_TRUE(referee_.questions().empty()) << "about the Ark neither";
  EXPECT_EQ(Codes(), Strings{});
  ExpectRestored();
}

TEST_F(UnexpectedArkTest, AProphetWhoWentHomeBeforeTheAnswerDoubledHisCity) {
  Hand({0, -1});
  table_.Lay("A.cfff.1", {0, -1}, 2);
  table_.Set("red", {0, -1}, 0, FigureKind::kProphet);
  Hand({0, -1});
  Look();  // before he goes home
  ASSERT_TRUE(table_.Take("red", {0, -1}));
  Hand({0, -1});
  ArkTo({0, -1});
  Play("A.frfr.1", {1, 0}, 0, "blue", 0);
  Looks(3);
  const int before = Player("red").score;
  Answer(kFirst);
  EXPECT_EQ(TurnOn({0, -1}).deployment, (Deployment{FigureKind::kProphet, 0}));
  EXPECT_EQ(Player("red").score, 2 * before);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(UnexpectedArkTest, TheAnswerIsTakenBackWithAllThatTheEditionBrought) {
  CompleteACity();
  MoveArk({1, 0});
  Looks(2);
  const Rules before = referee_.rules();
  const std::vector<Turn> turns = referee_.game()->turns();
  Answer(kSecond);
  EXPECT_EQ(referee_.undo_playing_with(), FigureKind::kArk);
  Take(referee_.UndoTurn());
  EXPECT_EQ(referee_.rules(), before);
  EXPECT_EQ(referee_.game()->turns(), turns);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().playing_with, FigureKind::kArk);
  ExpectRestored();
  Looks(3);
  EXPECT_EQ(Codes(), Strings{});
  Answer(kNotPlayed);
  Looks(3);
  EXPECT_EQ(referee_.rules(), before);
  EXPECT_TRUE(referee_.questions().empty());
}

}  // namespace
}  // namespace tilewarden::engine
