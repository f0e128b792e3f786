// Figures that belong to nobody in a game without them: the Gingerbread Man. People are asked
// whether the game is played with him, and what he did before is told by where he was seen.
#include <string>
#include <variant>
#include <vector>

#include "tests/engine/referee/played_with_fixture.h"

namespace tilewarden::engine {
namespace {

constexpr FigureKind kMan = FigureKind::kGingerbreadMan;

class UnexpectedManTest : public PlayingWithTest {
 protected:
  UnexpectedManTest() : PlayingWithTest("winter+gingerbread", *Rules::Preset("winter")) {
    table_.unexpected[kMan] = 0.99;
    ManTo({0, 0}, 0);
  }
  void ManTo(Cell cell, int segment) { table_.MoveNeutral(kMan, Place{cell, segment}); }
  // The city east of red's, on one tile with it; the man goes to the latter.
  void PlayHisTile() {
    Hand({1, 0});
    table_.Lay("G.4", {1, 0}, 0);
    table_.Set("red", {1, 0}, 0);
    ManTo({1, 0}, 1);
    Hand({1, 0});
    Look();
  }
  Strings Colours() const {
    Strings colours;
    for (const PlayerState& player : referee_.game()->players()) colours.push_back(player.colour);
    return colours;
  }
  std::optional<Place> His() const { return referee_.game()->gingerbread_man(); }
  bool StandsIn(Cell cell, int segment) const {
    const Game& game = *referee_.game();
    if (!His()) return false;
    const std::vector<Place> city = game.FeatureAt(OnBoard(cell), segment).places;
    return std::find(city.begin(), city.end(), *His()) != city.end();
  }
  Strings Questions() const {
    Strings texts;
    for (const Question& question : referee_.questions()) texts.push_back(question.text);
    return texts;
  }
};

TEST_F(UnexpectedManTest, HeIsAskedAboutOnceAndIsNobodysMeanwhile) {
  Looks(2);
  EXPECT_EQ(Questions(), Strings{}) << "two looks are few";
  Look();
  ASSERT_EQ(Questions(), Strings{"I see the Gingerbread Man. Are you playing with him?"});
  const Question question = referee_.questions().front();
  EXPECT_EQ(question.playing_with, kMan);
  EXPECT_EQ(question.cells, std::vector{OnBoard({0, 0})});
  ASSERT_EQ(question.answers.size(), 2U);
  EXPECT_EQ(question.answers[0].text, "Yes, we play with the Gingerbread Man");
  EXPECT_EQ(question.answers[1].text, "No");
  PlayHisTile();
  Play("B.U", {-1, 0}, 0, "blue", 0);
  Looks(5);
  EXPECT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(Colours(), (Strings{"red", "blue"})) << "nobody plays the colour of his wood";
  EXPECT_EQ(Codes(), Strings{});
  ExpectRestored();
}

TEST_F(UnexpectedManTest, WithoutHisTilesNobodyIsAsked) {
  tiles_ = *TileSet::Load("winter");
  log_.clear();
  referee_ = *Referee::Create(tiles_, *Rules::Preset("winter"), {}, false, &log_);
  Looks(5);
  EXPECT_EQ(Questions(), Strings{});
}

TEST_F(UnexpectedManTest, YesMovesHimInEachTurnToWhereHeWasSeen) {
  PlayHisTile();
  Play("B.U", {-1, 0}, 0, "blue", 0);
  ASSERT_EQ(referee_.questions().size(), 1U);
  ASSERT_TRUE(TurnOn({1, 0}).gingerbread.empty());
  Answer(kYes);
  EXPECT_TRUE(referee_.rules().gingerbread);
  EXPECT_TRUE(StandsIn({1, 0}, 1));
  EXPECT_EQ(TurnOn({1, 0}).gingerbread, (std::vector{Place{OnBoard({1, 0}), 1}}));
  EXPECT_EQ(TurnOn({1, 0}).deployment, (Deployment{FigureKind::kFollower, 0}));
  ExpectRestored();
  // The camera has not been told yet; what it says of him counts already.
  Hand({1, -1});
  table_.Lay("G.1", {1, -1}, 0);
  ManTo({1, -1}, 0);
  Looks(4);
  EXPECT_TRUE(StandsIn({1, -1}, 0));
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(Questions(), Strings{}) << "looks showed all his ways";
}

TEST_F(UnexpectedManTest, WhereNoLookShowedHimPeopleAreAskedOnceItPays) {
  PlayHisTile();
  Play("B.U", {-1, 0}, 0, "blue", 0);
  Restart();  // what looks showed is forgotten
  Answer(kYes);
  ASSERT_EQ(TurnOn({1, 0}).gingerbread.size(), 1U);
  Hand({1, -1});
  table_.Lay("G.1", {1, -1}, 0);
  ManTo({1, -1}, 0);
  Looks(2);
  EXPECT_EQ(Questions(), Strings{"Where did the Gingerbread Man go in turn 1?"});
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(UnexpectedManTest, WhatLooksTookForAPlayersFigureIsGoneWithTheAnswer) {
  table_.unexpected[kMan] = 0.5;
  Play("B.U", {-1, 0}, 0, "blue", 0);
  Hand({1, 0});
  table_.Lay("G.4", {1, 0}, 0);
  ManTo({1, 0}, 1);
  Looks(2);
  ASSERT_EQ(KindOn({1, 0}), FigureKind::kFollower) << "taken for a black one";
  table_.unexpected[kMan] = 0.99;
  Play("B.B", {0, 1}, 0, "red", 0);
  Looks(4);
  EXPECT_EQ(Questions(), Strings{"I see the Gingerbread Man. Are you playing with him?"});
  EXPECT_EQ(Codes(), Strings{});
  Answer(kYes);
  EXPECT_EQ(KindOn({1, 0}), FigureKind::kArk) << "no player's";
  EXPECT_TRUE(StandsIn({1, 0}, 1));
  Looks(4);
  const Strings colours = Colours();
  EXPECT_EQ(std::count(colours.begin(), colours.end(), "black"), 0);
  EXPECT_EQ(Codes(), Strings{});
  ExpectRestored();
}

TEST_F(UnexpectedManTest, NoLeavesAPlayersFigureThatLooksLikeHim) {
  table_.MoveNeutral(kMan, std::nullopt);
  Hand({1, 0});
  table_.Lay("B.L", {1, 0}, 0);
  table_.Set("", {1, 0}, 0, kMan);  // in truth a black follower
  Hand({1, 0});
  Looks(3);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(Colours(), Strings{});
  Answer(kNo);
  Looks(3);
  EXPECT_FALSE(referee_.rules().gingerbread);
  EXPECT_EQ(Colours(), Strings{"black"});
  EXPECT_EQ(KindOn({1, 0}), FigureKind::kFollower);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(Questions(), Strings{});
  ExpectRestored();
}

TEST_F(UnexpectedManTest, TheAnswerIsTakenBack) {
  PlayHisTile();
  Play("B.U", {-1, 0}, 0, "blue", 0);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const std::vector<Turn> before = referee_.game()->turns();
  Answer(kYes);
  EXPECT_EQ(referee_.undo_playing_with(), kMan);
  ASSERT_NE(referee_.game()->turns(), before);
  Take(referee_.UndoTurn());
  EXPECT_FALSE(referee_.rules().gingerbread);
  EXPECT_EQ(referee_.game()->turns(), before);
  ASSERT_EQ(Questions(), Strings{"I see the Gingerbread Man. Are you playing with him?"});
  EXPECT_FALSE(referee_.undo_playing_with());
  ExpectRestored();
  // The camera expects him by now.
  table_.unexpected.clear();
  Looks(4);
  EXPECT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(Colours(), (Strings{"red", "blue"}));
  EXPECT_EQ(Codes(), Strings{});
  Answer(kYes);
  EXPECT_TRUE(StandsIn({1, 0}, 1));
  ExpectRestored();
}

TEST_F(UnexpectedManTest, WhereTheRulesLetHimNotHaveGoneNobodyIsAccused) {
  Play("B.U", {-1, 0}, 0, "blue", 0);
  Play("B.L", {1, 0}, 0, "red", 0);
  ManTo({1, 0}, 0);  // by a rule of their own
  Looks(3);
  ASSERT_EQ(referee_.questions().size(), 1U);
  Answer(kYes);
  Looks(5);
  EXPECT_EQ(Codes(), Strings{});
  ManTo({0, 0}, 0);
  Looks(2);
  ManTo({1, 0}, 0);
  Looks(4);
  EXPECT_EQ(Codes(), Strings{"gingerbread-moved"}) << "from where the game has him";
}

}  // namespace
}  // namespace tilewarden::engine
