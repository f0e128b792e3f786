// The past is read with the present: what was doubtful is kept and weighed anew, everything is in
// one account, and the referee learns what its camera misses.
#include <algorithm>
#include <string>
#include <vector>

#include "tests/engine/referee/referee_fixture.h"

namespace tilewarden::engine {
namespace {

class RefereeDoubtsTest : public RefereeTest {
 protected:
  bool Told(const std::string& code) const {
    return std::any_of(log_.begin(), log_.end(), [&](const Event& event) {
      const auto* raised = std::get_if<FindingRaised>(&event);
      return raised != nullptr && raised->finding.code == code;
    });
  }
};

TEST_F(RefereeDoubtsTest, WhatWasDoubtfulIsKeptForAsLongAsTheGameLasts) {
  PlayTwoRounds();
  PlayUnseen("B.E", {1, -1}, 0);  // blue
  PlayTwoMoreRounds();
  table_.Set("blue", {1, -1}, 1);  // it lay there all along
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_TRUE(TurnOn({1, -1}).deployment.has_value());
  EXPECT_NE(Reasons().back().find("turn 8: blue has a farmer"), std::string::npos);
}

TEST_F(RefereeDoubtsTest, AClaimOnWhichNoPointHangsIsNotAskedAbout) {
  PlayTwoRounds();
  PlayUnseen("B.G", {0, -1}, 0);  // blue
  PlayTwoMoreRounds();
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(RefereeDoubtsTest, EachNewLookFromWhichItWasHiddenMakesAClaimLessLikely) {
  PlayTwoRounds();
  PlayUnseen("B.G", {0, -1}, 0);  // blue
  Look();
  Play("B.V", {-1, -1}, 1);
  Look();
  Play("B.V", {1, -1}, 2);
  Look();
  Play("B.E", {0, -2}, 2);
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(RefereeDoubtsTest, WhereHandsComeBackOnlyToSetFiguresOneThatCameBackDidRatherSo) {
  PlayTwoRounds();
  Play("B.E", {0, 2}, 2, "blue", 0);
  Play("B.E", {1, 2}, 2, "green", 0);
  PlayUnseen("B.G", {0, -1}, 0);  // red
  Play("B.E", {0, -2}, 2);        // completes its city
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_GT(ChanceAsked(), 0.1);
}

TEST_F(RefereeDoubtsTest, WhereHandsComeBackForNothingNobodyIsAskedWhyOneDid) {
  PlayTwoRounds();
  PlayUnseen("B.E", {0, 2}, 2);
  PlayUnseen("B.E", {1, 2}, 2);
  PlayUnseen("B.B", {3, 1}, 0);
  PlayUnseen("B.E", {3, 2}, 2);
  PlayUnseen("B.E", {2, 2}, 2);
  PlayUnseen("B.G", {0, -1}, 0);
  Play("B.E", {0, -2}, 2);  // completes its city
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(RefereeDoubtsTest, AnOwnersSupplyThatIsOneShortSaysThatAClaimIsMissing) {
  ShowSupplies();
  PlayTwoRounds();
  Hand({0, -1});  // blue; no look shows the hand that sets a figure, nor the figure
  table_.Lay("B.G", {0, -1}, 0);
  table_.Set("blue", {0, -1}, 0);
  Unsee("blue", {0, -1});
  Look();
  PlayTwoMoreRounds();
  Play("B.V", {-1, 1}, 0);
  Play("B.V", {4, 2}, 3);
  EXPECT_TRUE(referee_.questions().empty()) << "nothing hangs on it yet";
  Play("B.E", {0, -2}, 2);
  EXPECT_EQ(Codes(), Strings{}) << "a contradiction raises a doubt, and accuses nobody";
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_TRUE(referee_.questions().front().text.starts_with("Did blue set a figure on the tile"));
  EXPECT_EQ(referee_.questions().front().points_at_stake, 6);
}

TEST_F(RefereeDoubtsTest, AnOwnersSupplyThatIsWholeSaysThatNoClaimIsMissing) {
  ShowSupplies();
  PlayTwoRounds();
  PlayUnseen("B.G", {0, -1}, 0);  // blue's hand came back, for nothing
  Play("B.E", {0, -2}, 2);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeDoubtsTest, FiguresThatCameHomeAreInTheSupplyAgain) {
  ShowSupplies();
  PlayTwoRounds();
  Play("B.G", {0, -1}, 0, "blue", 0);
  Play("B.E", {0, -2}, 2);
  Hand({0, -1});
  table_.Take("blue", {0, -1});
  Look();
  EXPECT_EQ(Player("blue").followers(), 6);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(RefereeDoubtsTest, WhereOneColourOftenVanishesAndComesBackItIsNotSoonCalledTaken) {
  PlayTwoRounds();
  for (int i = 0; i < 6; ++i) {
    Unsee("blue", {0, 1});
    Looks(2);
    Unsee("blue", {0, 1}, false);
    Look();
  }
  Play("B.E", {1, -1}, 0, "blue", 1);
  Play("B.E", {0, 2}, 2);
  EXPECT_EQ(Codes(), Strings{});
  Hand({1, -1});
  ASSERT_TRUE(table_.Take("blue", {1, -1}));
  Looks(2);
  EXPECT_EQ(Codes(), Strings{}) << "the camera may have lost it, as it lost the other";
  Looks(3);
  EXPECT_EQ(Codes(), Strings{"figure-taken-early"}) << "it is gone";
}

TEST_F(RefereeDoubtsTest, WhereAllAreSeenAFigureThatIsGoneIsToldAtTheSecondLook) {
  PlayTwoRounds();
  Play("B.E", {1, -1}, 0, "blue", 1);
  Play("B.E", {0, 2}, 2);
  Hand({1, -1});
  ASSERT_TRUE(table_.Take("blue", {1, -1}));
  Looks(2);
  EXPECT_EQ(Codes(), Strings{"figure-taken-early"});
}

TEST_F(RefereeDoubtsTest, ALookInWhichManyFiguresAreGoneAtOnceAccusesNobody) {
  PlayTwoRounds();
  Hand({1, 1});
  for (const auto& [colour, cell] : {std::pair("red", Cell{1, 0}), std::pair("blue", Cell{0, 1}),
                                     std::pair("green", Cell{1, 1})}) {
    Unsee(colour, cell);
  }
  Looks(4);
  EXPECT_FALSE(Told("figure-taken-early"));
}

TEST_F(RefereeDoubtsTest, ALookThatShowsManyNewFiguresIsNotBelievedAlone) {
  PlayTwoRounds();
  Play("B.B", {-1, 1}, 0);  // blue, with no figure
  const std::size_t events = log_.size();
  Hand({1, 1});
  const auto figures = table_.figures;
  for (const Cell cell : {Cell{-1, 0}, Cell{2, 0}, Cell{0, 0}, Cell{-1, 1}}) {
    table_.Set("blue", cell, 0);
  }
  Look();
  table_.figures = figures;
  Looks(2);
  EXPECT_EQ(log_.size(), events) << "nothing was concluded";
}

TEST_F(RefereeDoubtsTest, WhereSeveralTilesLookDifferentPeopleAreAskedToSeeToIt) {
  PlayTwoRounds();
  PlayTwoMoreRounds();
  for (const Cell cell : {Cell{0, 2}, Cell{1, 2}, Cell{4, 1}}) {
    table_.TileAt(cell)->tile = tiles_->Find("B.C");
  }
  Hand({1, 2});
  Looks(4);
  EXPECT_EQ(Codes(), Strings{"board-differs"});
  for (const Cell cell : {Cell{0, 2}, Cell{1, 2}, Cell{4, 1}}) {
    table_.TileAt(cell)->tile = tiles_->Find("B.E");
  }
  Looks(3);
  EXPECT_EQ(Codes(), Strings{});
}

}  // namespace
}  // namespace tilewarden::engine
