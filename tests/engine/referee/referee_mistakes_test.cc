// Mistakes of people: when they are told, and that what was put right is cleared.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/engine/referee/referee_fixture.h"

namespace tilewarden::engine {
namespace {

Rules WithTileBuying() {
  Rules rules = *Rules::Preset("c1");
  rules.tile_buying = true;
  return rules;
}

class TileBuyingTest : public RefereeTest {
 protected:
  TileBuyingTest() : RefereeTest("base.c1", WithTileBuying()) {}
};

TEST_F(RefereeTest, EdgeMismatchIsToldAndClears) {
  PlayTwoRounds();
  Hand({0, -1});
  table_.Lay("B.U", {0, -1}, 1);  // a road into the start tile's city
  Look();
  EXPECT_EQ(Codes(), Strings{}) << "one look accuses nobody";
  Look();
  ASSERT_EQ(Codes(), Strings{"edge-mismatch"});
  const Finding finding = referee_.findings().front();
  EXPECT_EQ(finding.severity, Severity::kIllegal);
  EXPECT_EQ(finding.tile, "B.U");
  ASSERT_TRUE(finding.placement.has_value());
  EXPECT_EQ(finding.placement->cell, OnBoard({0, -1}));
  EXPECT_EQ(referee_.game()->turns().size(), 7U);
  const std::size_t events = log_.size();
  for (int i = 0; i < 5; ++i) Look();
  EXPECT_EQ(log_.size(), events) << "told once";
  Hand({0, -1});
  table_.tiles.pop_back();
  table_.Lay("B.U", {3, 0}, 0);
  Look();
  EXPECT_TRUE(Codes().empty());
  EXPECT_EQ(referee_.game()->turns().size(), 8U);
}

TEST_F(RefereeTest, TilesBeyondTheBoxAreTold) {
  PlayTwoRounds();
  Play("B.A", {3, 0}, 0);
  Play("B.A", {3, 1}, 2);
  EXPECT_TRUE(Codes().empty());
  Play("B.A", {-3, 0}, 0);  // the box has two
  Look();
  Look();
  EXPECT_EQ(Codes(), Strings{"no-copies-left"});
  Hand({-3, 0});
  table_.tiles.pop_back();
  Look();
  Look();
  Look();
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, ATileTurnedByFingersBesideItIsToldInTwoLooks) {
  PlayTwoRounds();
  Hand({1, 2});  // over the tile south of it
  table_.tiles[1].rotation = (table_.tiles[1].rotation + 1) % 4;
  Look();
  Look();
  EXPECT_EQ(Codes(), Strings{"tile-turned"});
}

TEST_F(RefereeTest, TileMovedIsToldAndNoTurn) {
  PlayTwoRounds();
  Hand({0, 1});
  table_.Take("blue", {0, 1});
  table_.TileAt({0, 1})->cell = {3, 1};
  Look();
  Look();
  EXPECT_EQ(referee_.game()->turns().size(), 7U);
  const Strings codes = Codes();
  EXPECT_EQ(std::count(codes.begin(), codes.end(), "tile-moved"), 1);
}

TEST_F(RefereeTest, TwoLooksAtAMistakeNeedNotSeeTheSameOfIt) {
  PlayTwoRounds();
  Hand({2, 0});
  const auto found = std::find_if(table_.tiles.begin(), table_.tiles.end(), [](const auto& tile) {
    return tile.cell == Cell{2, 0};
  });
  ASSERT_NE(found, table_.tiles.end());
  SimulatedTable::Tile tile = *found;
  table_.tiles.erase(found);
  Look();  // misses the tile where it lies now
  EXPECT_EQ(Codes(), Strings{});
  tile.cell = {4, 1};
  table_.tiles.push_back(tile);
  Look();
  EXPECT_EQ(Codes(), Strings{"tile-moved"});
}

TEST_F(RefereeTest, ATileBesideTheBoardCountsFromItsFirstLook) {
  PlayTwoRounds();
  Hand({6, 0});
  table_.tiles.push_back({{6, 0}, tiles_->Find("B.D"), 0});
  Sighting doubtful = table_.Look();
  for (SightedTile& tile : doubtful.tiles) {
    if (tile.candidates.front().tile == "B.D" && tile.cell != doubtful.tiles.front().cell) {
      tile.candidates.front().probability = 0.6;
    }
  }
  Observe(doubtful);
  Play("B.B", {-1, 1}, 0);  // the next tile: the other one is set aside
  Look();
  EXPECT_EQ(Codes(), Strings{"tile-fits"});
}

TEST_F(RefereeTest, ATileBesideTheBoardIsNobodysWhereSeveralTurnsWentUnseen) {
  PlayTwoRounds();
  Hand({6, 0});
  table_.tiles.push_back({{6, 0}, tiles_->Find("B.D"), 0});
  table_.tiles.push_back({{-2, 1}, tiles_->Find("B.E"), 3});
  Play("B.B", {-1, 1}, 0);  // one look for two turns and what lies beside the board
  Play("B.C", {-2, 0}, 0);
  Look();
  Look();
  EXPECT_TRUE(Codes().empty()) << "no look shows that somebody set it aside";
}

TEST_F(RefereeTest, TwoTilesOfOnePlayerAreTold) {
  PlayTwoRounds();
  Play("B.B", {-1, 1}, 0);             // blue's turn, without a figure
  Play("B.E", {-2, 1}, 3, "blue", 0);  // and again
  // In one look of a thousand a figure is seen in another colour: whoever were
  // accused on one look would be accused falsely in one game of twenty.
  EXPECT_TRUE(Codes().empty());
  Look();
  EXPECT_EQ(Codes(), Strings{"two-tiles"}) << "told at the second look";
  Hand({-2, 1});
  table_.Take("blue", {-2, 1});
  table_.tiles.pop_back();
  Look();
  Look();
  EXPECT_TRUE(Codes().empty());
  EXPECT_EQ(referee_.game()->turns().size(), 8U);
}

TEST_F(RefereeTest, AFigureOverTheSeamIsOnTheTileThatItWasSetOn) {
  PlayTwoRounds();
  Hand({0, -1});
  table_.Lay("B.N", {0, -1}, 1);  // its city goes on into the start tile's
  table_.Set("blue", {0, -1}, 0);
  // Its foot is just beyond the seam, on the start tile's half of the city.
  const auto over_the_seam = [&] {
    Sighting look = table_.Look();
    const auto cell_of = [&](const std::string& tile) {
      return std::find_if(
                 look.tiles.begin(), look.tiles.end(),
                 [&](const SightedTile& seen) { return seen.candidates.front().tile == tile; })
          ->cell;
    };
    const Cell from = cell_of("B.N"), to = cell_of("B.D");
    for (SightedFigure& figure : look.figures) {
      if (figure.cell != from) continue;
      figure.cell = to;
      figure.foot = {0.5 - 0.44 * (to.x - from.x), 0.5 - 0.44 * (to.y - from.y)};
    }
    return look;
  };
  Observe(over_the_seam());
  Observe(over_the_seam());
  EXPECT_TRUE(Codes().empty());
  const std::optional<Deployment> claim = referee_.game()->turns().back().deployment;
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->segment, 0);
  // One that is clearly on another tile is told.
  Hand({0, 0});
  table_.Set("green", {0, 0}, 1);
  Look();
  Look();
  EXPECT_EQ(Codes(), Strings{"figure-not-on-last-tile"});
}

TEST_F(RefereeTest, ASecondFigureIsToldThoughTheFirstWasMissedInItsLook) {
  PlayTwoRounds();
  Hand({1, -1});
  table_.Lay("B.E", {1, -1}, 0);
  table_.Set("blue", {1, -1}, 0);
  Unsee("blue", {1, -1});
  Hand({1, -1});
  Look();
  Hand({1, -1});
  Unsee("blue", {1, -1}, false);
  table_.Set("blue", {1, -1}, 1);
  Looks(2);
  EXPECT_EQ(Codes(), Strings{"two-figures"});
}

TEST_F(RefereeTest, OccupiedFeatureIsTold) {
  PlayTwoRounds();
  Play("B.U", {3, 0}, 0, "blue", 0);  // red's road
  EXPECT_EQ(Codes(), Strings{"feature-occupied"});
  EXPECT_FALSE(referee_.game()->turns().back().deployment.has_value());
  Hand({3, 0});
  table_.Take("blue", {3, 0});
  Look();
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, FiguresThatScoredMustGoHome) {
  PlayTwoRounds();
  Play("B.E", {0, -1}, 2, "blue", 0);  // completes the city of two tiles, and is seen
  EXPECT_EQ(Player("blue").score, 4);
  EXPECT_TRUE(Codes().empty()) << "there is time to take it home";
  Play("B.B", {-1, 1}, 0);
  EXPECT_EQ(Codes(), Strings{"figure-not-returned"});
  Hand({0, -1});
  table_.Take("blue", {0, -1});
  Look();
  Look();
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, AFigureIsLeftInPeaceWhileTheTileThatMadeItScoreIsTakenUpAgain) {
  PlayTwoRounds();
  Play("B.G", {0, -1}, 0, "blue", 0);
  Play("B.E", {0, -2}, 2);  // completes the city
  Hand({-1, 1});
  table_.Lay("B.B", {-1, 1}, 0);
  std::erase_if(table_.tiles, [](const auto& tile) { return tile.cell == Cell{0, -2}; });
  Look();
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeTest, AFigureThatScoredHasTimeUntilTheNextTileLies) {
  PlayTwoRounds();
  Play("B.E", {0, -1}, 2, "blue", 0);  // completes the city
  for (int i = 0; i < 3; ++i) {
    Hand({0, -1});
    Look();
  }
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeTest, AHandThatLingersMayYetTakeHomeWhatScored) {
  PlayTwoRounds();
  Play("B.E", {0, -1}, 2, "blue", 0);          // completes the city
  for (int i = 0; i < 15; ++i) Hand({0, -1});  // ten seconds
  Look();
  EXPECT_EQ(Codes(), Strings{});
  Looks(15);
  EXPECT_EQ(Codes(), Strings{"figure-not-returned"});
}

TEST_F(RefereeTest, FigureTakenEarlyIsToldAndClears) {
  PlayTwoRounds();
  Hand({1, 0});
  table_.Take("red", {1, 0});
  Look();
  Look();
  EXPECT_EQ(Codes(), Strings{"figure-taken-early"});
  Hand({1, 0});
  table_.Set("red", {1, 0}, 0);
  Look();
  EXPECT_TRUE(Codes().empty());
}

TEST_F(RefereeTest, AMistakePutRightByHandGoesAtOnce) {
  PlayTwoRounds();
  Hand({0, -1});
  table_.Lay("B.U", {0, -1}, 1);  // a road into the start tile's city
  Looks(2);
  ASSERT_EQ(Codes(), Strings{"edge-mismatch"});
  referee_.CorrectTurn(7, referee_.game()->turns().back());
  EXPECT_EQ(Codes(), Strings{"edge-mismatch"}) << "put right elsewhere";
  // It was another tile, says somebody.
  Turn turn;
  turn.player = referee_.to_move();
  turn.tile = tiles_->Find("B.C");
  turn.cell = OnBoard({0, -1});
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(referee_.PlayTurn(turn)));
  EXPECT_TRUE(Codes().empty());
  for (int i = 0; i < 4; ++i) Look();
  EXPECT_EQ(Codes(), Strings{}) << "the camera does not contradict a person";
}

TEST_F(RefereeTest, ATileThatAPersonConfirmsIsNotToldAnyMore) {
  PlayTwoRounds();
  Hand({1, 2});
  table_.tiles[1].rotation = (table_.tiles[1].rotation + 1) % 4;
  Look();
  Look();
  ASSERT_EQ(Codes(), Strings{"tile-turned"});
  referee_.CorrectTurn(1, referee_.game()->turns().front());
  EXPECT_EQ(Codes(), Strings{});
  for (int i = 0; i < 4; ++i) Look();
  EXPECT_EQ(Codes(), Strings{});
}

TEST_F(RefereeTest, TwoTilesOfOnePlayerAreRightOnceOneIsTakenBackByHand) {
  PlayTwoRounds();
  Play("B.B", {-1, 1}, 0);
  Play("B.E", {-2, 1}, 3, "blue", 0);
  Look();
  ASSERT_EQ(Codes(), Strings{"two-tiles"});
  const std::vector<Event> events = referee_.UndoTurn();
  EXPECT_TRUE(Codes().empty());
  // A viewer is told so, and a log says so.
  EXPECT_TRUE(std::holds_alternative<FindingCleared>(events.back()));
}

TEST_F(TileBuyingTest, ABoughtTileIsOutOfTurnUntilThePurchaseIsEntered) {
  PlayTwoRounds();
  Play("B.E", {1, -1}, 0);
  Play("B.B", {2, -1}, 0);
  Play("B.E", {0, -1}, 2, "red", 0);
  Hand({0, -1});
  table_.Take("red", {0, -1});
  Play("B.E", {0, -2}, 1);
  Play("B.E", {2, -2}, 3);
  Play("B.A", {2, -3}, 2);
  Play("B.E", {1, -3}, 2);
  ASSERT_EQ(Player("red").score, 4);
  const int seller = referee_.to_move();
  ASSERT_EQ(ColourOf(seller), "green");
  Play("B.C", {1, -2}, 0, "red", 0);
  Look();
  ASSERT_EQ(Codes(), Strings{"out-of-turn"});
  Turn bought = referee_.game()->turns().back();
  ASSERT_EQ(ColourOf(bought.player), "red");
  bought.purchase = Purchase{seller, 3};
  const int number = static_cast<int>(referee_.game()->turns().size());
  const auto corrected = referee_.CorrectTurn(number, bought);
  ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(corrected));
  Look();
  EXPECT_EQ(Codes(), Strings{});
  EXPECT_EQ(Player("green").score, 3);
  EXPECT_EQ(ColourOf(referee_.to_move()), "red") << "the seller's turn is over";
}

}  // namespace
}  // namespace tilewarden::engine
