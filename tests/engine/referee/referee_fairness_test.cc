// A fair word: people are told what they did, not what the camera missed. What it missed is taken
// into the game when it shows, or asked about.
#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tests/engine/referee/referee_fixture.h"

namespace tilewarden::engine {
namespace {

class RefereeFairnessTest : public RefereeTest {};

TEST_F(RefereeFairnessTest, AFarmerSeenLaterWasSetInHisTurn) {
  PlayTwoRounds();
  PlayUnseen("B.E", {1, -1}, 0);  // blue
  Play("B.B", {-1, 1}, 0);
  Play("B.U", {3, 0}, 0);
  table_.Set("blue", {1, -1}, 1);  // it lay there all along
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  ASSERT_TRUE(TurnOn({1, -1}).deployment.has_value());
  EXPECT_EQ(TurnOn({1, -1}).deployment->segment, 1);
  EXPECT_EQ(Player("blue").followers(), 5);
  const std::string reason = Reasons().back();
  EXPECT_NE(reason.find("turn 8: blue has a farmer"), std::string::npos) << reason;
  EXPECT_NE(reason.find("seen later"), std::string::npos) << reason;
}

TEST_F(RefereeFairnessTest, AFigureThatComesToLightBesideANewTileWasSetInItsTurn) {
  PlayTwoRounds();
  PlayUnseen("B.E", {1, -1}, 0);  // blue
  Hand({2, -1});                  // green's hand covers it too
  table_.Lay("B.E", {2, -1}, 0);
  table_.Set("blue", {1, -1}, 1);
  Looks(3);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_TRUE(TurnOn({1, -1}).deployment.has_value());
}

TEST_F(RefereeFairnessTest, AHandThatSetsAFigureOnAnOldTileIsTold) {
  PlayTwoRounds();
  Play("B.E", {1, -1}, 0);  // blue, with no figure
  Play("B.B", {-1, 1}, 0);
  Hand({1, -1});
  table_.Set("blue", {1, -1}, 1);
  Looks(2);
  EXPECT_EQ(Codes(), Strings{"figure-not-on-last-tile"});
  EXPECT_FALSE(TurnOn({1, -1}).deployment.has_value());
}

TEST_F(RefereeFairnessTest, WhereEitherMayBeTrueTheTurnIsAskedAbout) {
  PlayTwoRounds();
  PlayUnseen("B.E", {1, -1}, 0);  // blue: a hand came back, and set something or nothing
  Play("B.B", {-1, 1}, 0);
  Hand({1, -1});
  table_.Set("blue", {1, -1}, 1);
  Looks(3);
  EXPECT_EQ(Codes(), Strings{});
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_TRUE(question.text.starts_with("Was the blue farmer ")) << question.text;
  EXPECT_TRUE(question.text.ends_with(" set there in turn 8?")) << question.text;
  ASSERT_EQ(question.answers.size(), 2U);
  const int no = question.answers[0].turn.deployment ? 1 : 0;
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(question.id, no)));
  Looks(2);
  EXPECT_EQ(Codes(), Strings{"figure-not-on-last-tile"}) << "somebody said so";
}

TEST_F(RefereeFairnessTest, AFigureThatIsMissedWhereNobodyWasIsNotCalledTaken) {
  PlayTwoRounds();
  ASSERT_TRUE(table_.Take("blue", {0, 1}));
  Looks(10);
  EXPECT_EQ(Codes(), Strings{});
  Hand({0, 1});  // comes too late to have taken it
  Looks(3);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(Player("blue").followers(), 6);
}

TEST_F(RefereeFairnessTest, AFigureLostBesideANewTileIsNotCalledTaken) {
  PlayTwoRounds();
  Hand({0, 2});
  table_.Lay("B.E", {0, 2}, 2);
  table_.Take("blue", {0, 1});
  Looks(4);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeFairnessTest, AFigureThatAHandTookElsewhereBeforeItLaidATileIsToldAsTaken) {
  PlayTwoRounds();
  Hand({0, 1});
  ASSERT_TRUE(table_.Take("blue", {0, 1}));
  Play("B.U", {3, 0}, 0);
  EXPECT_EQ(Codes(), Strings{}) << "one look may have missed it";
  Look();
  EXPECT_EQ(Codes(), Strings{"figure-taken-early"});
  Hand({0, 1});
  table_.Set("blue", {0, 1}, 0);
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(Player("blue").followers(), 6);
}

TEST_F(RefereeFairnessTest, AFigureThatVanishedWhereNoHandWasAsATileCameIsNotCalledTaken) {
  PlayTwoRounds();
  ASSERT_TRUE(table_.Take("blue", {0, 1}));
  Play("B.U", {3, 0}, 0);
  Looks(4);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeFairnessTest, AFigureThatVanishedBesideANewTileIsAskedAboutOnceItScores) {
  PlayTwoRounds();
  Play("B.G", {0, -1}, 0, "blue", 0);
  Hand({1, -1});  // green's hand covers it too
  ASSERT_TRUE(table_.Take("blue", {0, -1}));
  table_.Lay("B.E", {1, -1}, 0);
  Looks(3);
  EXPECT_TRUE(referee_.questions().empty()) << "no point hangs on it yet, and a look may show it";
  EXPECT_EQ(Codes(), Strings{});
  Play("B.E", {-1, -1}, 0);  // red
  Play("B.E", {0, -2}, 2);   // completes the city
  EXPECT_EQ(Player("blue").score, 6);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_TRUE(question.figure_taken);
  EXPECT_TRUE(question.text.starts_with("Did blue take the figure ")) << question.text;
  EXPECT_EQ(question.points_at_stake, 6);
  const int yes = question.answers[0].turn.deployment ? 1 : 0;
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(question.id, yes)));
  EXPECT_EQ(Player("blue").score, 0);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeFairnessTest, AFigureThatShowsAgainBeforeItScoresIsNotAskedAbout) {
  PlayTwoRounds();
  Play("B.G", {0, -1}, 0, "blue", 0);
  Hand({1, -1});
  Unsee("blue", {0, -1});
  table_.Lay("B.E", {1, -1}, 0);
  Looks(3);
  Unsee("blue", {0, -1}, false);
  Look();
  Play("B.E", {0, -2}, 2);
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(RefereeFairnessTest, AFigureOfTheLastTileMayBeTakenBackUntilTheNextIsLaid) {
  PlayTwoRounds();
  Play("B.E", {1, -1}, 0, "blue", 1);
  Look();
  Hand({1, -1});
  ASSERT_TRUE(table_.Take("blue", {1, -1}));
  Looks(3);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_FALSE(TurnOn({1, -1}).deployment.has_value());
}

TEST_F(RefereeFairnessTest, AFigureThatMayHaveBeenSetLateAndIsTakenBackIsAskedAbout) {
  PlayTwoRounds();
  PlayUnseen("B.E", {1, -1}, 0);  // blue
  Play("B.B", {-1, 1}, 0);
  Hand({2, -1});  // red's hand covers it too
  table_.Lay("B.E", {2, -1}, 0);
  table_.Set("blue", {1, -1}, 1);
  Looks(3);
  ASSERT_TRUE(TurnOn({1, -1}).deployment.has_value());
  Hand({1, -1});
  ASSERT_TRUE(table_.Take("blue", {1, -1}));
  Looks(3);
  EXPECT_EQ(Codes(), Strings{});
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_TRUE(question.text.starts_with("Was the blue farmer ")) << question.text;
  const int no = question.answers[0].turn.deployment ? 1 : 0;
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(question.id, no)));
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(Player("blue").followers(), 6);
}

TEST_F(RefereeFairnessTest, AFigureReadElsewhereWhereNobodyWasIsNotCalledMoved) {
  PlayTwoRounds();
  table_.Take("red", {1, 0});
  table_.Set("red", {1, 0}, 1);
  Looks(5);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeFairnessTest, AFigureThatAHandMovedIsTold) {
  PlayTwoRounds();
  Hand({1, 0});
  table_.Take("red", {1, 0});
  table_.Set("red", {1, 0}, 1);
  Looks(2);
  EXPECT_EQ(Codes(), Strings{"figure-moved"});
}

TEST_F(RefereeFairnessTest, ATileReadOtherwiseWhereNobodyWasIsNotCalledTurnedOrChanged) {
  PlayTwoRounds();
  table_.TileAt({1, 0})->rotation ^= 1;
  Looks(5);
  EXPECT_EQ(Codes(), Strings{});
  table_.TileAt({1, 0})->rotation ^= 1;
  table_.TileAt({1, 0})->tile = tiles_->Find("B.V");
  Looks(5);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeFairnessTest, ATileThatAHandExchangedIsTold) {
  PlayTwoRounds();
  Hand({-1, 0});
  table_.TileAt({-1, 0})->tile = tiles_->Find("B.V");
  Looks(2);
  EXPECT_EQ(Codes(), Strings{"tile-changed"});
}

TEST_F(RefereeFairnessTest, ATileThatWasNeverClearIsSeenBetterAndNotCalledExchanged) {
  PlayTwoRounds();
  const std::size_t laid = table_.tiles.size();  // and where it is among those that a look shows
  const auto look_misread = [&] {
    Sighting look = table_.Look();
    const int rotation = look.tiles[laid].candidates.front().rotation;
    look.tiles[laid].candidates = {{"B.V", rotation, 0.8}, {"B.U", rotation, 0.19}};
    Observe(look);
  };
  Hand({3, 0});
  table_.Lay("B.U", {3, 0}, 0);
  look_misread();
  Hand({-1, 1});
  table_.Lay("B.B", {-1, 1}, 0);
  for (int i = 0; i < 2; ++i) look_misread();
  ASSERT_EQ(TypeOn({3, 0}), "B.V");
  Hand({3, 0});
  for (int i = 0; i < 4; ++i) {
    Look();
    EXPECT_EQ(Codes(), Strings{});
  }
  EXPECT_EQ(TypeOn({3, 0}), "B.U");
}

TEST_F(RefereeFairnessTest, WhatWasDoneInAGapOfTheLooksIsToldThoughNoHandWasSeen) {
  PlayTwoRounds();
  Sighting elsewhere = table_.Look();
  elsewhere.tiles.clear();
  elsewhere.figures.clear();
  Observe(elsewhere);
  table_.Take("blue", {0, 1});
  Looks(2);
  EXPECT_EQ(Codes(), Strings{"figure-taken-early"});
}

TEST_F(RefereeFairnessTest, ATileThatIsMissedWhereNobodyWasIsNotCalledGone) {
  PlayTwoRounds();
  std::erase_if(table_.tiles, [](const auto& tile) { return tile.cell == Cell{-1, 0}; });
  Looks(5);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeFairnessTest, ACoatOfArmsThatAFollowerCoveredShowsWhenHeLeaves) {
  PlayTwoRounds();
  Play("B.G", {0, -1}, 0, "blue", 0);  // read without the coat of arms that he covers
  ASSERT_EQ(Codes(), Strings{});
  ASSERT_EQ(TypeOn({0, -1}), "B.G");
  Play("B.E", {0, -2}, 2);  // completes the city
  EXPECT_EQ(Player("blue").score, 6);
  Hand({0, -1});
  table_.Take("blue", {0, -1});
  table_.TileAt({0, -1})->tile = tiles_->Find("B.F");
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(TypeOn({0, -1}), "B.F");
  EXPECT_EQ(Player("blue").score, 8);
}

TEST_F(RefereeFairnessTest, ATileReadBeforeTheFollowerCameStaysWhatItWas) {
  PlayTwoRounds();
  Play("B.F", {0, -1}, 0);
  Hand({0, -1});
  table_.Set("blue", {0, -1}, 0);
  table_.TileAt({0, -1})->tile = tiles_->Find("B.G");  // he covers the coat of arms
  Looks(2);
  Play("B.B", {-1, 1}, 0);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(TypeOn({0, -1}), "B.F");
}

TEST_F(RefereeFairnessTest, TooManyOfATypeMeansThatOneWasReadWrongly) {
  PlayTwoRounds();
  Play("B.T", {0, -1}, 0, "blue", 0);  // in truth a B.S, its coat of arms under the follower
  Play("B.T", {0, -2}, 0);             // the only one of the box
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(TypeOn({0, -1}), "B.S");
  EXPECT_EQ(TypeOn({0, -2}), "B.T");
  EXPECT_TRUE(TurnOn({0, -1}).deployment.has_value());
}

TEST_F(RefereeFairnessTest, ADoubtfulReadingOfWhichNoCopyIsLeftMayHaveItsCoatOfArmsUnderAFigure) {
  PlayTwoRounds();
  Play("B.T", {0, -1}, 0);  // the only one of the box
  Hand({0, -2});
  table_.Lay("B.T", {0, -2}, 0);  // in truth a B.S, its coat of arms under the follower
  table_.Set("green", {0, -2}, 0);
  Hand({0, -2});
  for (int i = 0; i < 3; ++i) {
    Sighting look = table_.Look();
    const auto green = std::find_if(look.figures.rbegin(), look.figures.rend(), [&](const auto& f) {
      return f.colours.front().colour == "green" && f.cell;
    });
    for (SightedTile& tile : look.tiles) {
      if (tile.cell != *green->cell) continue;
      tile.candidates.resize(1);
      const int as_laid = tile.candidates.front().rotation;
      tile.candidates.front().probability = 0.27;
      // None of these may lie there.
      for (const int turned : {0, 1}) tile.candidates.push_back({"B.U", as_laid ^ turned, 0.24});
      tile.candidates.push_back({"B.B", as_laid, 0.24});
    }
    Observe(look);
  }
  EXPECT_EQ(TypeOn({0, -2}), "B.S");
  EXPECT_TRUE(TurnOn({0, -2}).deployment.has_value());
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeFairnessTest, WhatTheCountToldIsReadAgainOnceACopyTooManyIsTakenAway) {
  PlayTwoRounds();
  Play("B.T", {0, -1}, 0, "blue", 0);
  Play("B.T", {0, -2}, 0);  // of another box
  Look();
  ASSERT_EQ(TypeOn({0, -1}), "B.S");
  Hand({0, -2});
  table_.tiles.pop_back();
  Looks(3);
  EXPECT_EQ(TypeOn({0, -1}), "B.T");
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeFairnessTest, WhereEitherOfTwoMayHaveBeenReadWronglyPeopleAreAskedWhich) {
  PlayTwoRounds();
  Play("B.T", {0, -1}, 0, "blue", 0);
  Play("B.E", {2, -1}, 0);
  Play("B.T", {2, -2}, 0, "red", 0);
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_EQ(referee_.questions().front().text, "Which of these tiles shows a coat of arms?");
}

TEST_F(RefereeFairnessTest, ACoatOfArmsThatShowedWhenTheFollowerLeftIsNotReadAwayAgain) {
  PlayTwoRounds();
  const auto clear_looks = [&] {
    for (int i = 0; i < 4; ++i) {
      Sighting look = table_.Look();
      for (SightedTile& tile : look.tiles) {
        tile.candidates.resize(1);
        tile.candidates.front().probability = 0.999;
      }
      Observe(look);
    }
  };
  Hand({0, -1});
  table_.Lay("B.G", {0, -1}, 0);  // in truth a B.F, its coat of arms under the follower
  table_.Set("blue", {0, -1}, 0);
  clear_looks();
  Hand({0, -2});
  table_.Lay("B.E", {0, -2}, 2);  // completes the city
  clear_looks();
  Hand({0, -1});
  ASSERT_TRUE(table_.Take("blue", {0, -1}));
  table_.TileAt({0, -1})->tile = tiles_->Find("B.F");
  clear_looks();
  EXPECT_EQ(TypeOn({0, -1}), "B.F");
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeFairnessTest, ACoatOfArmsUnderAFollowerWhomNoLookShowedShowsWhenHeLeaves) {
  PlayTwoRounds();
  PlayUnseen("B.G", {0, -1}, 0);  // in truth a B.F: blue's follower covers its coat of arms
  Look();
  ASSERT_EQ(TypeOn({0, -1}), "B.G");
  Play("B.E", {0, -2}, 2);  // completes the city
  Hand({0, -1});
  table_.TileAt({0, -1})->tile = tiles_->Find("B.F");
  Looks(2);
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(TypeOn({0, -1}), "B.F");
}

TEST_F(RefereeFairnessTest, AClaimThatNoLookShowedIsAskedAboutOnceItScores) {
  PlayTwoRounds();
  PlayUnseen("B.G", {0, -1}, 0);  // blue
  EXPECT_TRUE(referee_.questions().empty()) << "the camera may see it yet";
  Play("B.E", {0, -2}, 2);  // completes the city
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question question = referee_.questions().front();
  EXPECT_TRUE(question.text.starts_with("Did blue set a figure on the tile")) << question.text;
  EXPECT_EQ(question.points_at_stake, 6);
  const auto city =
      std::find_if(question.answers.begin(), question.answers.end(),
                   [](const Question::Answer& a) { return a.text == "Yes, on the city"; });
  ASSERT_NE(city, question.answers.end());
  referee_.Answer(question.id, static_cast<int>(city - question.answers.begin()));
  EXPECT_EQ(Player("blue").score, 6);
}

}  // namespace
}  // namespace tilewarden::engine
