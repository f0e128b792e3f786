// Claims that no look showed: how likely they are by what looks, hands and the camera tell in this
// game, and what is asked about them at its end.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "tests/engine/referee/referee_fixture.h"

namespace tilewarden::engine {
namespace {

class HiddenClaimsTest : public RefereeTest {
 protected:
  // A hand comes back to blue's tile, the look shows no figure, and then what it began is complete.
  // `looks`: how many show the tile before that.
  void PlayUnseenInMiddleOfTile(int looks) {  // its city runs through it
    PlayUnseen("B.G", {0, -1}, 0);
    Looks(looks - 1);
    Play("B.E", {0, -2}, 2);
  }
  void PlayUnseenAtEdgeOfTile(int looks) {  // its city is at the edge that no tile lies beyond
    PlayUnseen("B.E", {1, -1}, 0);
    Looks(looks - 1);
    Play("B.E", {1, -2}, 2);
  }
  // How likely blue set a figure at the edge of a tile on cloth of this colour.
  double ChanceOnCloth(const std::string& colour) {
    table_.cloth = colour;
    PlayTwoRounds();
    PlayUnseenAtEdgeOfTile(2);
    EXPECT_EQ(referee_.questions().size(), 1U);
    return ChanceAsked();
  }
  int TilesLeft() const {
    int left = 0;
    for (int tile = 0; tile < static_cast<int>(tiles_->types().size()); ++tile) {
      left += referee_.game()->TilesLeft(tile);
    }
    return left;
  }
  // By hand, in the south, completing nothing, until so few tiles are left. B.E, B.G and B.S
  // stay in the stack.
  void PlayByHandUntil(int left) {
    while (TilesLeft() > left) ASSERT_TRUE(PlayOneByHand(false));
    Look();
  }
  // False: there is no such answer.
  bool Answer(const std::string& text) {
    const Question question = referee_.questions().front();
    const auto answer = std::find_if(question.answers.begin(), question.answers.end(),
                                     [&](const Question::Answer& a) { return a.text == text; });
    if (answer == question.answers.end()) return false;
    referee_.Answer(question.id, static_cast<int>(answer - question.answers.begin()));
    return true;
  }

  // `blue_claims`: with a figure, if it is blue's turn.
  bool PlayOneByHand(bool blue_claims) {
    for (int tile = 0; tile < static_cast<int>(tiles_->types().size()); ++tile) {
      const std::string& type = tiles_->types()[static_cast<std::size_t>(tile)].id;
      if (referee_.game()->TilesLeft(tile) <= 0 || type == "B.E" || type == "B.G" ||
          type == "B.S") {
        continue;
      }
      for (const Placement& at : referee_.game()->LegalPlacements(tile)) {
        Turn turn;
        turn.player = referee_.to_move();
        turn.tile = tile;
        turn.cell = at.cell;
        turn.rotation = at.rotation;
        Turn on_table = turn;
        for (int i = turned_; i < 4; ++i) on_table.cell = {-on_table.cell.y, on_table.cell.x};
        on_table.rotation = (turn.rotation - turned_) & 3;
        if (on_table.cell.y <= 0) continue;
        if (blue_claims && ColourOf(turn.player) == "blue") {
          const auto claims = referee_.game()->LegalDeployments(turn.player, tile, at);
          if (claims.empty()) continue;
          turn.deployment = claims.front();
        }
        Game after = *referee_.game();
        const auto outcome = after.Apply(turn);
        if (!outcome || !outcome->items.empty()) continue;
        auto played = referee_.PlayTurn(turn);
        if (!std::holds_alternative<std::vector<Event>>(played)) continue;
        for (Event& event : std::get<std::vector<Event>>(played)) log_.push_back(event);
        table_.Lay(on_table);
        if (turn.deployment) table_.Set("blue", on_table.cell, turn.deployment->segment);
        return true;
      }
    }
    return false;
  }
};

TEST_F(HiddenClaimsTest, ATileSeenBareInAClearLookSaysThatNothingWasSetThere) {
  PlayTwoRounds();
  PlayUnseenInMiddleOfTile(2);
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(HiddenClaimsTest, ATileThatNoOtherLookShowedIsAskedAbout) {
  PlayTwoRounds();
  PlayUnseenInMiddleOfTile(1);
  EXPECT_EQ(referee_.questions().size(), 1U);
}

TEST_F(HiddenClaimsTest, AFigureNearBareClothIsEasilyMissedInAClearLook) {
  PlayTwoRounds();
  PlayUnseenAtEdgeOfTile(2);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_TRUE(referee_.questions().front().text.starts_with("Did blue set a figure on the tile"));
  EXPECT_GT(ChanceAsked(), 0.2) << "in plain view such a look would leave less than half as much";
}

TEST_F(HiddenClaimsTest, AFigureNearBareClothIsEasilyMissedAtEachChanceToSeeIt) {
  PlayTwoRounds();
  PlayUnseen("B.E", {1, -1}, 0);
  Look();
  Play("B.E", {2, -1}, 0);
  Look();
  Play("B.E", {1, -2}, 2);
  EXPECT_EQ(referee_.questions().size(), 1U);
}

TEST_F(HiddenClaimsTest, NearClothOfItsColourAFigureIsRatherMissedThanSeen) {
  EXPECT_GT(ChanceOnCloth("blue"), 0.5);
}

TEST_F(HiddenClaimsTest, ClothOfAnotherColourHidesNoMoreThanAny) {
  EXPECT_LT(ChanceOnCloth("green"), 0.5);
}

TEST_F(HiddenClaimsTest, InTheMiddleOfItsTileTheClothHidesNoFigure) {
  table_.cloth = "blue";
  PlayTwoRounds();
  PlayUnseenInMiddleOfTile(2);
  EXPECT_TRUE(referee_.questions().empty());
}

// No look shows blue's figure. Green's tile completes its city, and the hand that takes it home
// seems to be green's, who claims that city.
TEST_F(HiddenClaimsTest, WhatAConcludedClaimContradictsIsAskedAboutAndTheAnswerSettlesBoth) {
  Play("B.U", {1, 0}, 0, "red", 0);
  PlayUnseen("B.E", {1, -1}, 0);
  PlayUnseen("B.E", {1, -2}, 2);
  Play("B.V", {-1, 0}, 2, "red", 1);
  Play("B.B", {0, 1}, 0);
  Play("B.B", {1, 1}, 0, "green", 0);
  Play("B.U", {2, 0}, 0);
  Play("B.B", {2, 1}, 0, "blue", 0);
  ASSERT_EQ(Player("green").score, 4);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().cells,
            (std::vector<Cell>{OnBoard({1, -1}), OnBoard({1, -2})}));
  ASSERT_TRUE(Answer("Yes, on the city"));
  EXPECT_EQ(Player("blue").score, 4);
  EXPECT_EQ(Player("green").score, 0);
}

TEST_F(HiddenClaimsTest, WhereTheClaimIsAskedAboutItsTileIsAskedAboutAlone) {
  PlayTwoRounds();
  PlayUnseen("B.E", {1, -1}, 0);  // blue
  PlayUnseen("B.E", {1, -2}, 2);  // green
  Play("B.U", {3, 0}, 0);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().cells, std::vector<Cell>{OnBoard({1, -2})});
  ASSERT_TRUE(Answer("No"));
  Play("B.U", {4, 0}, 0);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().cells, std::vector<Cell>{OnBoard({1, -1})})
      << "then somebody took home an earlier one";
}

TEST_F(HiddenClaimsTest, WhereAColourWasSeenLateBeforeItsClaimsAreMissedRather) {
  PlayTwoRounds();
  PlayUnseen("B.E", {1, -1}, 0);  // blue
  Play("B.B", {-1, 1}, 0);
  Play("B.U", {3, 0}, 0);
  PlayUnseen("B.E", {2, -1}, 0);  // blue
  Play("B.B", {-1, 2}, 0);
  Play("B.U", {4, 0}, 0);
  for (const auto& [cell, segment] : {std::pair(Cell{1, -1}, 1), std::pair(Cell{2, -1}, 0)}) {
    table_.Set("blue", cell, segment);  // it was there all along
    Looks(2);
  }
  ASSERT_EQ(Player("blue").followers(), 4);
  PlayUnseenInMiddleOfTile(2);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_GT(ChanceAsked(), 0.1) << "no colour is missed so often from the start";
}

TEST_F(HiddenClaimsTest, WhereAPlayerSetsOneTooManyTheOneThatNoLookShowsIsAskedAbout) {
  PlayTwoRounds();
  while (Player("blue").followers() > 1 || ColourOf(referee_.to_move()) != "blue") {
    ASSERT_TRUE(PlayOneByHand(Player("blue").followers() > 1));
  }
  Play("B.G", {0, -1}, 0, "blue", 0);
  ASSERT_EQ(Player("blue").followers(), 0);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(PlayOneByHand(false));
  Unsee("blue", {0, -1});
  Play("B.E", {1, -1}, 0, "blue", 0);
  Looks(2);
  EXPECT_EQ(Codes(), Strings{}) << "a contradiction raises a doubt, and accuses nobody";
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().cells, std::vector<Cell>{OnBoard({0, -1})});
  ASSERT_TRUE(Answer("No"));
  Looks(2);
  EXPECT_TRUE(TurnOn({1, -1}).deployment.has_value());
}

TEST_F(HiddenClaimsTest, AFarmerThatNoLookShowedIsAskedAboutAsTheLastTilesAreDrawn) {
  PlayTwoRounds();
  PlayUnseen("B.E", {1, -1}, 0);  // blue
  Looks(2);
  PlayByHandUntil(9);
  EXPECT_TRUE(referee_.questions().empty()) << "the camera may see it yet";
  PlayByHandUntil(8);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_TRUE(Answer("Yes, on the field"));
  EXPECT_EQ(Player("blue").followers(), 5);
}

TEST_F(HiddenClaimsTest, AFigureThatIsNotBackInTheSupplyIsNoClaimOfWhatTheTileCompleted) {
  ShowSupplies();
  PlayTwoRounds();
  Hand({0, -1});  // blue completes the city and lays a farmer down, whom no look shows
  table_.Lay("B.E", {0, -1}, 2);
  table_.Set("blue", {0, -1}, 1);
  Unsee("blue", {0, -1});
  Hand({0, -1});
  Look();
  Play("B.B", {-1, 1}, 0);
  Play("B.U", {3, 0}, 0);
  EXPECT_EQ(Player("blue").score, 0);
  EXPECT_TRUE(referee_.questions().empty()) << "the camera may see it yet";
  PlayByHandUntil(8);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_TRUE(Answer("Yes, on the field"));
  EXPECT_EQ(Player("blue").followers(), 5);
  EXPECT_EQ(Player("blue").score, 0);
}

TEST_F(HiddenClaimsTest, AFigureThatWasAwayFromTheSupplyAndIsBackClaimedWhatTheTileCompleted) {
  ShowSupplies();
  PlayTwoRounds();
  Hand({0, -1});  // blue
  table_.Lay("B.E", {0, -1}, 2);
  Look();
  EXPECT_EQ(Player("blue").score, 0) << "the turn is not over";
  table_.Set("blue", {0, -1}, 0);
  Hand({0, -1});
  table_.Take("blue", {0, -1});
  Look();
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Player("blue").score, 4);
}

TEST_F(HiddenClaimsTest, WhereNoCoatOfArmsWasHiddenNobodyIsAskedAboutOneAtTheEnd) {
  PlayTwoRounds();
  Play("B.T", {0, -1}, 0, "blue", 0);
  PlayByHandUntil(8);
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(HiddenClaimsTest, WhereACoatOfArmsWasHiddenBeforePeopleAreAskedAboutOthersAtTheEnd) {
  PlayTwoRounds();
  Play("B.G", {0, -1}, 0, "blue", 0);  // in truth a B.F, its coat of arms under the follower
  Play("B.E", {0, -2}, 2);             // completes the city
  Hand({0, -1});
  table_.Take("blue", {0, -1});
  table_.TileAt({0, -1})->tile = tiles_->Find("B.F");
  Looks(2);
  Play("B.E", {2, -1}, 0);
  Play("B.T", {2, -2}, 0, "blue", 0);
  PlayByHandUntil(8);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question& question = referee_.questions().front();
  EXPECT_TRUE(question.text.ends_with(" show a coat of arms?")) << question.text;
  EXPECT_EQ(question.cells, std::vector<Cell>{OnBoard({2, -2})});
}

}  // namespace
}  // namespace tilewarden::engine
