// Claims that the referee did not see while they were made: concluded, asked about, or
// told in the right colour later.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/referee/model.h"
#include "tests/engine/referee/referee_fixture.h"

namespace tilewarden::engine {
namespace {

TEST_F(RefereeTest, FigureSetAfterTheTurnAmendsIt) {
  Play("B.U", {1, 0}, 0);
  ASSERT_FALSE(referee_.game()->turns()[0].deployment.has_value());
  Hand({1, 0});
  table_.Set("red", {1, 0}, 0);
  Look();
  ASSERT_TRUE(referee_.game()->turns()[0].deployment.has_value());
  EXPECT_EQ(referee_.game()->turns()[0].player, 0);
  EXPECT_EQ(referee_.game()->players()[0].colour, "red");
}

TEST_F(RefereeTest, ClaimUnderTheHandIsConcluded) {
  PlayTwoRounds();
  Hand({0, -1});
  table_.Lay("B.E", {0, -1}, 2);
  table_.Set("blue", {0, -1}, 0);
  Hand({0, -1});  // nothing of the figure is seen
  table_.Take("blue", {0, -1});
  const std::vector<Event> events = Look();
  ASSERT_FALSE(events.empty());
  const auto* played = std::get_if<TurnPlayed>(&events.front());
  ASSERT_NE(played, nullptr);
  EXPECT_TRUE(played->inferred);
  EXPECT_EQ(Player("blue").score, 4);
  EXPECT_EQ(Player("blue").followers(), 6);
}

TEST_F(RefereeTest, WithoutASecondVisitNothingIsConcluded) {
  PlayTwoRounds();
  Play("B.E", {0, -1}, 2);
  EXPECT_EQ(Player("blue").score, 0);
}

TEST_F(RefereeTest, AClaimOfWhoeverItIsSurvivesARestart) {
  Hand({0, -1});
  table_.Lay("B.E", {0, -1}, 2);
  table_.Set("red", {0, -1}, 0);
  Hand({0, -1});
  table_.Take("red", {0, -1});
  Look();
  ASSERT_TRUE(std::holds_alternative<ClaimPending>(log_.back()));
  auto restored = Referee::Restore(tiles_, log_);
  ASSERT_TRUE(restored.ok()) << restored.status();
  referee_ = *std::move(restored);
  Play("B.U", {1, 0}, 0, "blue", 0);
  Play("B.U", {-1, 0}, 0);
  Play("B.V", {-2, 0}, 2, "red", 1);
  Play("B.U", {2, 0}, 0);
  Play("B.B", {0, 1}, 0, "green", 0);
  Play("B.B", {1, 1}, 0, "red", 0);
  ASSERT_EQ(referee_.game()->turns().size(), 7U);
  ASSERT_GE(referee_.to_move(), 0);
  EXPECT_EQ(ColourOf(referee_.game()->turns().front().player), "red");
  EXPECT_EQ(Player("red").score, 4);
}

TEST_F(RefereeTest, AHandThatCameBackToWhatTheTileCompletedClaimedIt) {
  PlayTwoRounds();
  Hand({0, -1});
  table_.Lay("B.E", {0, -1}, 2);
  Hand({0, -1});
  Look();
  EXPECT_EQ(Player("blue").score, 4);
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(RefereeTest, AVisitLongerThanToLayATileThatCompletedSomethingClaimedIt) {
  PlayTwoRounds();
  LayBlueAndComeBackUnseen();
  EXPECT_EQ(Player("blue").score, 4);
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(RefereeTest, AHandThatCameBesideWhatTheTileCompletedIsAskedAbout) {
  PlayTwoRounds();
  Play("B.E", {0, -1}, 2);
  ASSERT_TRUE(referee_.questions().empty());
  Hand({0, 2});  // far from it
  Look();
  EXPECT_TRUE(referee_.questions().empty());
  Hand({0, 1});  // beside it, and no look shows it over the tile
  Look();
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().cells, std::vector<Cell>{OnBoard({0, -1})});
  EXPECT_EQ(Player("blue").score, 0) << "the likelier story is told meanwhile";
}

TEST_F(RefereeTest, AHandBesideWhatTheFirstTileCompletedIsAskedAboutOnceItIsKnownWhoseItWas) {
  Play("B.E", {0, -1}, 2);
  Hand({0, 1});
  Look();
  EXPECT_TRUE(referee_.questions().empty());
  Play("B.U", {1, 0}, 0, "blue", 0);
  Play("B.U", {-1, 0}, 0);
  Play("B.V", {-2, 0}, 2, "red", 1);
  Play("B.U", {2, 0}, 0);
  Play("B.B", {0, 1}, 0, "green", 0);
  Play("B.B", {1, 1}, 0, "red", 0);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().cells, std::vector<Cell>{OnBoard({0, -1})});
  EXPECT_EQ(Player("red").score, 0);
}

TEST_F(RefereeTest, AHandBesideATileThatCompletedNothingIsNoClaim) {
  PlayTwoRounds();
  Play("B.E", {0, 2}, 2);
  Hand({0, 4});
  Look();
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(RefereeTest, AHandBesideTheTileThatLaidTheNextOneIsNoClaim) {
  PlayTwoRounds();
  Play("B.E", {0, -1}, 2);
  Hand({0, 1});
  Play("B.B", {0, 2}, 0);
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(RefereeTest, UntilAHandHasShownWhatItComesBackForPeopleAreAsked) {
  misses_ = true;  // no look shows the hands that set the others
  PlayTwoRounds();
  LayBlueAndComeBackUnseen();
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_GT(ChanceAsked(), kSureStory) << "a player who is known would not be asked";
  EXPECT_EQ(Player("blue").score, 4) << "the likelier story is told meanwhile";
}

TEST_F(RefereeTest, ADoubtfulClaimIsAskedAndTheAnswerApplied) {
  PlayTwoRounds();
  MissAFigureOfBlue();  // so a hand may have set another, which no look shows
  LayBlueAndComeBackUnseen();
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_EQ(question.cells, std::vector<Cell>{OnBoard({0, -1})});
  ASSERT_EQ(question.answers.size(), 2U);
  EXPECT_TRUE(question.answers[0].turn.deployment.has_value());
  EXPECT_EQ(Player("blue").score, 4) << "the likelier story is told meanwhile";

  // A restarted referee asks the same.
  auto restored = Referee::Restore(tiles_, log_);
  ASSERT_TRUE(restored.ok()) << restored.status();
  ASSERT_EQ(restored->questions().size(), 1U);
  EXPECT_EQ(restored->questions().front().text, question.text);

  Play("B.B", {-1, 1}, 0);  // play goes on
  EXPECT_TRUE(std::holds_alternative<Refusal>(referee_.Answer(question.id, 2)));
  EXPECT_TRUE(std::holds_alternative<Refusal>(referee_.Answer(question.id + 1, 0)));
  const auto answered = referee_.Answer(question.id, 1);
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(answered));
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Player("blue").score, 0);
  EXPECT_EQ(Player("blue").followers(), 5) << "the one seen late";
  EXPECT_EQ(referee_.game()->turns().size(), 12U);
  Look();
  Look();
  EXPECT_EQ(Player("blue").score, 0) << "a person's word stands";
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(RefereeTest, WhereLooksAreMissedAClaimThatNoneShowedIsAskedAbout) {
  misses_ = true;
  PlayTwoRounds();
  Play("B.E", {0, -1}, 2);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  ASSERT_EQ(question.answers.size(), 2U);
  const int no = question.answers[0].turn.deployment ? 1 : 0;
  ASSERT_FALSE(question.answers[static_cast<std::size_t>(no)].turn.deployment.has_value());
  referee_.Answer(question.id, 1 - no);
  EXPECT_EQ(Player("blue").score, 4);
  referee_.CorrectTurn(8, question.answers[static_cast<std::size_t>(no)].turn);
  EXPECT_EQ(Player("blue").score, 0);
}

TEST_F(RefereeTest, AMisreadColourIsReadAgain) {
  PlayTwoRounds();
  Hand({-1, 1});
  table_.Lay("B.B", {-1, 1}, 0);
  table_.Set("blue", {-1, 1}, 0);
  Sighting misread = table_.Look();
  for (SightedFigure& figure : misread.figures) {
    if (figure.colours.front().colour == "blue") {
      figure.colours = {{"grey", 0.95}, {"blue", 0.05}};
    }
  }
  Observe(misread);
  for (int i = 0; i < 4; ++i) Look();
  EXPECT_EQ(referee_.game()->players().size(), 3U);
  EXPECT_EQ(ColourOf(referee_.game()->turns().back().player), "blue");
  ASSERT_TRUE(referee_.game()->turns().back().deployment.has_value());
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, HiddenCellsConcludeNothing) {
  PlayTwoRounds();
  const std::size_t events = log_.size();
  table_.figures.clear();
  Sighting covered = table_.Look();
  covered.hidden_cells.clear();
  for (const SightedTile& tile : covered.tiles) covered.hidden_cells.push_back(tile.cell);
  for (int i = 0; i < 5; ++i) {
    covered.sequence += 1;
    Observe(covered);
  }
  EXPECT_EQ(log_.size(), events);
}

}  // namespace
}  // namespace tilewarden::engine
