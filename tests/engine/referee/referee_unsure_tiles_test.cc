// Tiles that no look is sure of: the game never stands still in silence.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "tests/engine/referee/referee_fixture.h"

namespace tilewarden::engine {
namespace {

class UnsureTilesTest : public RefereeTest {
 protected:
  struct Reading {
    std::string tile;
    int rotation = 0;  // as it would lie on the table
    double probability = 0;
  };

  // How the tile on this cell is read from now on.
  void ReadAs(Cell cell, std::vector<Reading> readings) {
    cell_ = cell;
    readings_ = std::move(readings);
  }
  Sighting AsRead(Sighting look) {
    const auto laid = std::find_if(table_.tiles.begin(), table_.tiles.end(),
                                   [&](const auto& tile) { return tile.cell == cell_; });
    if (readings_.empty() || laid == table_.tiles.end() || !look.settled) return look;
    SightedTile& seen = look.tiles[static_cast<std::size_t>(laid - table_.tiles.begin())];
    const int turned = seen.candidates.front().rotation - laid->rotation;
    seen.candidates.clear();
    for (const Reading& reading : readings_) {
      if (reading.tile.empty()) continue;
      seen.candidates.push_back(
          {reading.tile, (reading.rotation + turned + 4) & 3, reading.probability});
    }
    return look;
  }
  void LookAgain(int looks = 1) {
    for (int i = 0; i < looks; ++i) Observe(AsRead(table_.Look()));
  }
  void LayUnsure(const std::string& tile, Cell cell, int rotation) {
    Hand(cell);
    table_.Lay(tile, cell, rotation);
    LookAgain(3);
  }
  void PlayNext(const std::string& tile, Cell cell, int rotation) {
    Hand(cell);
    table_.Lay(tile, cell, rotation);
    LookAgain();
  }
  std::size_t Turns() const { return referee_.game()->turns().size(); }
  int AnswerWith(const std::string& tile) const {
    const std::vector<Question::Answer>& answers = referee_.questions().front().answers;
    const auto found = std::find_if(answers.begin(), answers.end(), [&](const auto& answer) {
      return answer.turn.tile == tiles_->Find(tile);
    });
    return static_cast<int>(found - answers.begin());
  }

  const std::vector<Reading> kRoadOrBend = {{"B.U", 0, 0.32}, {"B.V", 1, 0.3}, {"B.B", 0, 0.2}};

 private:
  Cell cell_;
  std::vector<Reading> readings_;
};

TEST_F(UnsureTilesTest, ASecondTileThatWasReadWronglyIsReadAnewByTheNextLook) {
  ReadAs({1, 0}, {{"B.U", 0, 0.92}});
  PlayNext("B.V", {1, 0}, 1);
  ASSERT_EQ(TypeOn({1, 0}), "B.U");
  ReadAs({1, 0}, {});
  Hand({1, 0});
  table_.Set("red", {1, 0}, 0);
  LookAgain();
  ASSERT_EQ(Turns(), 1U);
  EXPECT_EQ(TypeOn({1, 0}), "B.V");
  ASSERT_TRUE(referee_.game()->turns().front().deployment.has_value());
  EXPECT_TRUE(Codes().empty());
}

TEST_F(UnsureTilesTest, ATileThatNoLookIsSureOfIsAskedAboutAndTheGameGoesOn) {
  PlayTwoRounds();
  ReadAs({3, 0}, kRoadOrBend);
  LayUnsure("B.U", {3, 0}, 0);
  ASSERT_EQ(Turns(), 8U);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const Question& question = referee_.questions().front();
  EXPECT_TRUE(question.which_tile);
  EXPECT_TRUE(question.text.starts_with("Which tile lies ")) << question.text;
  EXPECT_EQ(question.cells, std::vector<Cell>{OnBoard({3, 0})});
  ASSERT_EQ(question.answers.size(), 2U) << "the third may not lie there";
  EXPECT_EQ(TypeOn({3, 0}), "B.U") << "the likeliest meanwhile";
  PlayNext("B.B", {-1, 1}, 0);
  PlayNext("B.E", {0, 2}, 2);
  EXPECT_EQ(Turns(), 10U);
  EXPECT_EQ(referee_.questions().size(), 1U) << "asked once, and still open";
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(UnsureTilesTest, OneLookOrTwoAskNobodyAndAHandOverTheTileBeginsAnew) {
  PlayTwoRounds();
  ReadAs({3, 0}, kRoadOrBend);
  Hand({3, 0});
  table_.Lay("B.U", {3, 0}, 0);
  LookAgain(2);
  Hand({3, 0});
  LookAgain(2);
  EXPECT_EQ(Turns(), 7U);
  EXPECT_TRUE(referee_.questions().empty());
  LookAgain();
  EXPECT_EQ(referee_.questions().size(), 1U);
}

TEST_F(UnsureTilesTest, AHandThatWasTakenForATileIsTakenOutOnceMoreLooksShowNone) {
  PlayTwoRounds();
  ReadAs({3, 0}, {{"B.U", 0, 0.85}});
  PlayNext("B.U", {3, 0}, 0);  // a hand that lies still
  ASSERT_EQ(TypeOn({3, 0}), "B.U");
  std::erase_if(table_.tiles, [](const auto& tile) { return tile.cell == Cell{3, 0}; });
  Hand({0, 2});
  table_.Lay("B.E", {0, 2}, 2);
  table_.Set("blue", {0, 2}, 0);
  Look();
  ASSERT_EQ(Turns(), 9U) << "one look may have missed it";
  Looks(2);
  EXPECT_EQ(Turns(), 8U);
  EXPECT_EQ(TypeOn({3, 0}), "none");
  EXPECT_EQ(Codes(), Strings{}) << "nobody laid two tiles, and nobody took one";
  ASSERT_GE(TurnOn({0, 2}).player, 0);
  EXPECT_EQ(ColourOf(TurnOn({0, 2}).player), "blue");
}

TEST_F(UnsureTilesTest, TheAnswerIsTheTileAndNoLookContradictsIt) {
  PlayTwoRounds();
  ReadAs({3, 0}, kRoadOrBend);
  LayUnsure("B.V", {3, 0}, 1);
  ASSERT_EQ(referee_.questions().size(), 1U);
  const std::uint32_t id = referee_.questions().front().id;
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(id, AnswerWith("B.V"))));
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(TypeOn({3, 0}), "B.V");
  ReadAs({3, 0}, {{"B.U", 0, 0.95}});
  PlayNext("B.B", {-1, 1}, 0);
  LookAgain(4);
  EXPECT_EQ(TypeOn({3, 0}), "B.V");
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(UnsureTilesTest, AnAnswerOnlySaysWhichTileItIsAndNotWhoStandsOnIt) {
  PlayTwoRounds();
  ReadAs({1, -1}, {{"B.E", 3, 0.32}, {"B.J", 3, 0.3}});
  LayUnsure("B.J", {1, -1}, 3);
  ASSERT_EQ(referee_.questions().size(), 1U);
  Hand({1, -1});
  table_.Set("blue", {1, -1}, 0);
  LookAgain(2);
  ASSERT_TRUE(TurnOn({1, -1}).deployment.has_value());
  ASSERT_EQ(referee_.questions().size(), 1U) << "still open";
  const std::uint32_t id = referee_.questions().front().id;
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(id, AnswerWith("B.J"))));
  EXPECT_EQ(TypeOn({1, -1}), "B.J");
  EXPECT_TRUE(TurnOn({1, -1}).deployment.has_value());
  Hand({1, -1});
  table_.Take("blue", {1, -1});
  LookAgain(3);
  EXPECT_FALSE(TurnOn({1, -1}).deployment.has_value()) << "nobody said that it stands there";
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(UnsureTilesTest, ALookThatIsSureAfterAllPutsTheTileRightAndClosesTheQuestion) {
  PlayTwoRounds();
  ReadAs({3, 0}, kRoadOrBend);
  LayUnsure("B.V", {3, 0}, 1);
  PlayNext("B.B", {-1, 1}, 0);
  ASSERT_EQ(TypeOn({3, 0}), "B.U");
  ASSERT_EQ(referee_.questions().size(), 1U);
  ReadAs({3, 0}, {{"B.V", 1, 0.97}});
  LookAgain(4);
  EXPECT_EQ(TypeOn({3, 0}), "B.V");
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(UnsureTilesTest, ALookThatConfirmsTheTileClosesTheQuestion) {
  PlayTwoRounds();
  ReadAs({3, 0}, kRoadOrBend);
  LayUnsure("B.U", {3, 0}, 0);
  ASSERT_EQ(referee_.questions().size(), 1U);
  ReadAs({3, 0}, {{"B.U", 0, 0.97}});
  LookAgain();
  EXPECT_EQ(TypeOn({3, 0}), "B.U");
  EXPECT_TRUE(referee_.questions().empty());
}

TEST_F(UnsureTilesTest, ALaterTileThatFitsAnotherAnswerOnlyTellsAndAccusesNobody) {
  PlayTwoRounds();
  ReadAs({3, 0}, kRoadOrBend);
  LayUnsure("B.V", {3, 0}, 1);
  ASSERT_EQ(TypeOn({3, 0}), "B.U");
  PlayNext("B.E", {4, 0}, 2);  // a field beside it: no road may go on there
  EXPECT_EQ(Turns(), 9U);
  EXPECT_EQ(TypeOn({3, 0}), "B.V");
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(UnsureTilesTest, WhatHangsOnATileThatIsAskedAboutIsNobodysMistake) {
  PlayTwoRounds();
  ReadAs({3, 0}, kRoadOrBend);
  LayUnsure("B.U", {3, 0}, 0);
  PlayNext("B.C", {4, 0}, 0);  // a city, which fits neither answer
  LookAgain(4);
  EXPECT_EQ(Codes(), Strings{});
  ASSERT_EQ(referee_.questions().size(), 1U);
  const std::uint32_t id = referee_.questions().front().id;
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.Answer(id, AnswerWith("B.U"))));
  LookAgain(2);
  EXPECT_EQ(Codes(), Strings{"edge-mismatch"}) << "somebody said which tile it is";
}

TEST_F(UnsureTilesTest, ATileOfWhichNoReadingMayLieThereIsSaidToBeUnread) {
  PlayTwoRounds();
  ReadAs({3, 0}, {{"B.B", 0, 0.3}, {"B.E", 0, 0.25}});
  LayUnsure("B.U", {3, 0}, 0);
  EXPECT_EQ(Turns(), 7U);
  ASSERT_EQ(Codes(), Strings{"tile-unread"});
  EXPECT_EQ(referee_.findings().front().severity, Severity::kNote);
  EXPECT_EQ(referee_.findings().front().cells, std::vector<Cell>{OnBoard({3, 0})});
  ReadAs({3, 0}, {{"B.U", 0, 0.97}});
  LookAgain(4);
  EXPECT_EQ(Turns(), 8U);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(UnsureTilesTest, ATileThatNoLookCanNameIsSaidToBeUnread) {
  PlayTwoRounds();
  ReadAs({3, 0}, {{}});
  LayUnsure("B.U", {3, 0}, 0);
  EXPECT_EQ(Codes(), Strings{"tile-unread"});
  Hand({3, 0});
  table_.tiles.pop_back();
  ReadAs({3, 0}, {});
  LookAgain(3);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(UnsureTilesTest, ATileThatStaysAcrossItsCellIsSaidToBeUnread) {
  PlayTwoRounds();
  Hand({3, 0});
  table_.Lay("B.U", {3, 0}, 0);
  for (int i = 0; i < 3; ++i) {
    Sighting look = table_.Look();
    look.tiles.back().yaw_rad = 0.5;
    Observe(look);
  }
  EXPECT_EQ(Codes(), Strings{"tile-unread"});
  Hand({3, 0});
  LookAgain(2);
  EXPECT_EQ(Turns(), 8U);
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(UnsureTilesTest, TheOnlyReadingThatMayLieThereIsTakenAndSaidToBeUnread) {
  PlayTwoRounds();
  ReadAs({3, 0}, {{"B.U", 0, 0.15}});
  LayUnsure("B.U", {3, 0}, 0);
  EXPECT_EQ(Turns(), 8U);
  EXPECT_EQ(Codes(), Strings{"tile-unread"});
  Turn same = TurnOn({3, 0});
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.CorrectTurn(8, same)));
  EXPECT_EQ(Codes(), Strings{}) << "somebody said so";
}

TEST_F(UnsureTilesTest, ATileThatLiesApartWhileSomebodyThinksIsNotAskedAbout) {
  PlayTwoRounds();
  ReadAs({5, 0}, {{"B.U", 0, 0.32}, {"B.V", 1, 0.3}});
  LayUnsure("B.U", {5, 0}, 0);
  LookAgain(3);
  EXPECT_EQ(Turns(), 7U);
  EXPECT_TRUE(referee_.questions().empty());
  EXPECT_EQ(std::count(Codes().begin(), Codes().end(), "tile-unread"), 0);
}

TEST_F(UnsureTilesTest, ARestartKeepsTheQuestion) {
  PlayTwoRounds();
  ReadAs({3, 0}, kRoadOrBend);
  LayUnsure("B.U", {3, 0}, 0);
  referee_ = *Referee::Restore(tiles_, log_);
  LookAgain(3);
  EXPECT_EQ(Turns(), 8U);
  ASSERT_EQ(referee_.questions().size(), 1U);
  EXPECT_TRUE(referee_.questions().front().which_tile);
}

}  // namespace
}  // namespace tilewarden::engine
