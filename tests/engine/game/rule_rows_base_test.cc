// Tests for the rows of the comparison of rules (RULES.md beside the checkout)
// on the base game, each named after its row.
#include "engine/game/remarks.h"
#include "engine/game/stack.h"
#include "gtest/gtest.h"
#include "tests/engine/game/random_game.h"
#include "tests/engine/notation/written_game.h"

namespace tilewarden::engine {
namespace {

const std::string kBase = "base.c1";

// What people are told before they play.
bool SaysBefore(const Game& game, const std::string& words) {
  for (const std::string& step : SetUpSteps(game.tile_set(), game.rules())) {
    if (step.find(words) != std::string::npos) return true;
  }
  return false;
}

TEST(RuleRow, R01_AnyPlayerMayTakeTheFirstTurn) {
  EXPECT_EQ(Refused(kBase, {}, {"green B.U 1,0 r0"}), "");
  EXPECT_TRUE(SaysBefore(Played(kBase, {}, {}), "whoever lays the first tile"));
  EXPECT_TRUE(SaysBefore(Played(kBase, {"first_player youngest"}, {}), "youngest player begins"));
  EXPECT_TRUE(
      SaysBefore(Played(kBase, {"first_player youngest_decides"}, {}), "youngest player decides"));
  EXPECT_TRUE(SaysBefore(Played(kBase, {"first_player last_read"}, {}), "last read"));
  EXPECT_EQ(Rules::Preset("c1")->first_player, FirstPlayer::kFree);
  EXPECT_EQ(Rules::Preset("c3")->first_player, FirstPlayer::kYoungest);
  EXPECT_EQ(Rules::Preset("winter")->first_player, FirstPlayer::kYoungestDecides);
  EXPECT_EQ(Rules::Preset("ark-1")->first_player, FirstPlayer::kLastRead);
}

TEST(RuleRow, R02_ATileThatFitsNowhereIsSetAside) {
  const Lines closed = {"red B.E 0,-1 r2"};
  Lines turns = closed;
  turns.push_back("blue B.C aside");
  const int tile = Played(kBase, {}, {}).tile_set().Find("B.C");
  EXPECT_EQ(Played(kBase, {}, turns).TilesLeft(tile), 0);
  EXPECT_EQ(Played(kBase, {"unplaceable_returns true"}, turns).TilesLeft(tile), 1);
  EXPECT_EQ(Refused(kBase, {}, {"red B.C aside"}), "tile-fits");
}

TEST(RuleRow, R03_CityOfTwoTiles) {
  const Lines turns = {"red B.E 0,-1 r2 follower 0"};
  EXPECT_EQ(Scores(Played(kBase, {}, turns)), (Points{4, 0, 0}));
  EXPECT_EQ(Scores(Played(kBase, {"two_tile_city_points 2"}, turns)), (Points{2, 0, 0}));
}

TEST(RuleRow, R04_FarmsOfThreeEditions) {
  // Red has two farms at one city.
  const Lines turns = {"red B.U 1,0 r0 follower 1", "red B.E 0,-1 r2 follower 1"};
  EXPECT_EQ(FinalScores(Played(kBase, {}, turns)), (Points{6, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kBase, {"farm_scoring second"}, turns)), (Points{3, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kBase, {"farm_scoring first"}, turns)), (Points{4, 0, 0}));
  // Blue has one of them: the first edition counts farmers around the city.
  const Lines shared = {"red B.U 1,0 r0 follower 1", "blue B.E 0,-1 r2 follower 1"};
  EXPECT_EQ(FinalScores(Played(kBase, {}, shared)), (Points{3, 3, 0}));
  EXPECT_EQ(FinalScores(Played(kBase, {"farm_scoring first"}, shared)), (Points{4, 4, 0}));
}

TEST(RuleRow, R05_UnfinishedFeaturesAtTheEnd) {
  // Four tiles, of which one belongs to the city with two of its segments.
  const Lines without = {"gingerbread false"};
  const Lines turns = {"blue G.2 0,-1 r0", "red B.N -1,-1 r0 follower 0", "blue B.N -1,-2 r1",
                       "blue B.R 0,-2 r2"};
  const std::string set = "winter+gingerbread";
  EXPECT_EQ(FinalScores(Played(set, without, turns)), (Points{4, 0, 0}));
  EXPECT_EQ(FinalScores(Played(set, {"final_by_segment true", "gingerbread false"}, turns)),
            (Points{5, 0, 0}));
  EXPECT_EQ(FinalScores(Played(set, {"final_incomplete false", "gingerbread false"}, turns)),
            (Points{0, 0, 0}));
  EXPECT_TRUE(Rules::Preset("c1")->final_by_segment);
  EXPECT_TRUE(Rules::Preset("ark-1")->final_by_segment);
  EXPECT_FALSE(Rules::Preset("c2")->final_by_segment);
  EXPECT_FALSE(Rules::Preset("ark-2")->final_by_segment);
  // Footnote 38 tells of the second edition alone that it counts tiles.
  EXPECT_TRUE(Rules::Preset("ark-de")->final_by_segment);
}

TEST(RuleRow, R06_ACityAroundAnEmptyCell) {
  Lines turns = {"red B.G 0,1 r1 follower 0", "blue B.N -1,1 r1", "blue B.N 1,1 r2",
                 "blue B.G -1,2 r0",          "blue B.G 1,2 r0",  "blue B.N -1,3 r0",
                 "blue B.N 1,3 r3",           "blue B.G 0,3 r1"};
  EXPECT_EQ(Scores(Played(kBase, {}, turns)), (Points{16, 0, 0}));
  // "No holes in the city", say three booklets, and only the Ark's second edition that its cells
  // must be filled: it counts, and people are told which option decides.
  const std::vector<Refusal> remarks = RemarksOn(Played(kBase, {}, turns));
  ASSERT_FALSE(remarks.empty());
  EXPECT_EQ(remarks.back().code, "city-around-gap");
  EXPECT_EQ(remarks.back().cells, (std::vector<Cell>{{0, 2}}));
  EXPECT_NE(remarks.back().text.find("cities_must_be_filled"), std::string::npos);
  for (const Refusal& remark : RemarksOn(Played(kBase, {"cities_must_be_filled true"}, turns))) {
    EXPECT_NE(remark.code, "city-around-gap");
  }
  EXPECT_EQ(Scores(Played(kBase, {"cities_must_be_filled true"}, turns)), (Points{0, 0, 0}));
  turns.push_back("blue B.B 0,2 r0");
  EXPECT_EQ(Scores(Played(kBase, {"cities_must_be_filled true"}, turns)), (Points{16, 0, 0}));
}

TEST(RuleRow, R07_FarmersAndMeeples) {
  EXPECT_EQ(Refused(kBase, {}, {"red B.U 1,0 r0 follower 1"}), "");
  EXPECT_EQ(Refused(kBase, {"farmers false"}, {"red B.U 1,0 r0 follower 1"}), "farmers-off");
  EXPECT_EQ(Played(kBase, {}, {}).players()[0].followers(), 7);
  EXPECT_EQ(
      Refused(kBase, {"followers 1"}, {"red B.U 1,0 r0 follower 1", "red B.U 2,0 r0 follower 2"}),
      "none-in-supply");
  Game game = Played(kBase, {}, {});
  for (const char* colour : {"yellow", "black", "pink"}) {
    EXPECT_TRUE(game.AddPlayer(colour, 0).ok());
  }
  EXPECT_FALSE(game.AddPlayer("white", 0).ok());
  // "For 2 to 5 players": 2014, Winter, the Ark; Big Box 6 and later boxes have pink ones, too.
  for (const char* preset : {"c2", "winter", "ark-1", "ark-2", "ark-de"}) {
    EXPECT_EQ(Rules::Preset(preset)->max_players, 5) << preset;
  }
  EXPECT_EQ(Rules::Preset("c3")->max_players, 6);
  Game five = Played(kBase, {"max_players 5"}, {});
  EXPECT_TRUE(five.AddPlayer("yellow", 3).ok());
  EXPECT_TRUE(five.AddPlayer("black", 4).ok());
  EXPECT_FALSE(five.AddPlayer("pink", 5).ok());
}

TEST(RuleRow, R08_TheGameEndsWithTheLastTile) {
  Game game = Played(kBase, {"enforce_counts true"}, {});
  RandomPlayer player(game, 4);
  while (const auto turn = player.NextTurnOrSetAside(game)) {
    EXPECT_FALSE(game.IsOver());
    ASSERT_TRUE(game.Apply(*turn));
  }
  EXPECT_EQ(game.turns().size(), 71U);
  EXPECT_TRUE(game.IsOver());
  for (int tile = 0; tile < 24; ++tile) EXPECT_TRUE(game.LegalPlacements(tile).empty());
}

TEST(RuleRow, R08_OrWhenNoTileLeftCanBeLaid) {
  // A table of two cells: once both are taken nothing fits.
  const Lines turns = {"red B.U 1,0 r0"};
  EXPECT_FALSE(Played(kBase, {"area 0,0,1,0"}, {}).IsOver());
  EXPECT_TRUE(Played(kBase, {"area 0,0,1,0"}, turns).IsOver());
  // Under the older wording the tiles left are still drawn, one by one.
  EXPECT_FALSE(Played(kBase, {"area 0,0,1,0", "ends_when_none_fits false"}, turns).IsOver());
  EXPECT_FALSE(Rules::Preset("c1")->ends_when_none_fits);
  EXPECT_TRUE(Rules::Preset("c2")->ends_when_none_fits);
}

TEST(RuleRow, R09_BushesDoNotEndARoad) {
  // First-edition art shows bushes where the three roads of B.L meet.
  const Lines through = {"bushes_end_roads false"};
  const Lines turns = {"red B.L 1,0 r0 follower 3", "blue B.A -1,0 r2", "blue B.A 2,0 r0"};
  EXPECT_EQ(Scores(Played(kBase, {}, turns)), (Points{3, 0, 0}));
  EXPECT_EQ(Scores(Played(kBase, through, turns)), (Points{0, 0, 0}));
  Game game = Played(kBase, through, After(turns, {"blue B.A 1,1 r1"}));
  EXPECT_EQ(Scores(game), (Points{5, 0, 0}));
  while (game.Undo()) {
  }
  EXPECT_EQ(game.FeatureAt({0, 0}, 1).open_edges, 2);
  // Who stands on one of the three holds all of them.
  const Lines joins = {"red B.W 1,0 r0 follower 2", "blue B.L -1,0 r0 follower 2"};
  EXPECT_EQ(Refused(kBase, {}, joins), "");
  EXPECT_EQ(Refused(kBase, through, joins), "feature-occupied");
  // Houses end it, and later editions draw houses.
  EXPECT_EQ(Scores(Played("base.c2", through, turns)), (Points{3, 0, 0}));
}

TEST(RuleRow, R09_WhereRoadsEnd) {
  // Village and monastery.
  EXPECT_EQ(Scores(Played(kBase, {}, {"red B.W 1,0 r0 follower 2", "blue B.A -1,0 r2"})),
            (Points{3, 0, 0}));
  // City.
  EXPECT_EQ(Scores(Played(kBase, {}, {"red B.W 1,0 r0 follower 2", "blue B.S -1,0 r2"})),
            (Points{3, 0, 0}));
  // A loop.
  EXPECT_EQ(Scores(Played(kBase, {},
                          {"red B.V 0,1 r3 follower 0", "blue B.V 1,1 r0", "blue B.V 1,2 r1",
                           "blue B.V 0,2 r2"})),
            (Points{4, 0, 0}));
}

TEST(RuleRow, R10_TheTablesEdge) {
  const std::string area = "area -5,0,5,1";
  EXPECT_EQ(Refused(kBase, {area}, {"red B.E 0,-1 r2"}), "out-of-area");
  EXPECT_EQ(Refused(kBase, {}, {"red B.E 0,-1 r2"}), "");
  EXPECT_TRUE(Played(kBase, {area}, {}).LegalPlacements(2).empty());
  const Lines turns = {"red B.E 0,1 r2 follower 0"};
  EXPECT_EQ(Scores(Played(kBase, {area}, turns)), (Points{0, 0, 0}));
  Game game = Played(kBase, {area, "table_edge_completes true"}, turns);
  EXPECT_EQ(Scores(game), (Points{2, 0, 0}));
  EXPECT_TRUE(game.Undo());
  EXPECT_EQ(Scores(game), (Points{0, 0, 0}));
  // A monastery at the edge has fewer neighbours to wait for.
  EXPECT_EQ(Scores(Played(kBase, {"area 0,0,1,1", "table_edge_completes true"},
                          {"red B.B 0,1 r0 follower 0", "blue B.U 1,0 r0", "blue B.E 1,1 r1"})),
            (Points{9, 0, 0}));
}

TEST(RuleRow, R10_ShiftingTheBoard) {
  const std::string area = "area -1,-1,1,1";
  const Lines allowed = {area, "board_shift allowed"};
  const Lines second = {area, "board_shift second_table"};
  const Lines before = {"red B.U 1,0 r0"};
  const Lines shift = After(before, {"blue B.U 2,0 r0 table 0,-1,2,1"});
  EXPECT_EQ(Refused(kBase, {area}, After(before, {"blue B.U 2,0 r0"})), "out-of-area");
  EXPECT_EQ(Refused(kBase, {area}, shift), "board-shifted");
  EXPECT_EQ(Refused(kBase, allowed, shift), "");
  EXPECT_EQ(Refused(kBase, second, shift), "board-shifted");
  // A table keeps its size, a larger one keeps the old cells, tiles stay on it.
  EXPECT_EQ(Refused(kBase, allowed, After(before, {"blue B.U 2,0 r0 table -1,-1,2,1"})),
            "board-shifted");
  EXPECT_EQ(Refused(kBase, second, After(before, {"blue B.U 2,0 r0 table -1,-1,2,1"})), "");
  EXPECT_EQ(Refused(kBase, second, After(before, {"blue B.U 2,0 r0 table 0,-1,3,1"})),
            "board-shifted");
  const Refusal off = RefusalOf(kBase, allowed, After(before, {"blue B.U 2,0 r0 table 1,-1,3,1"}));
  EXPECT_EQ(off.code, "tiles-off-table");
  EXPECT_EQ(off.cells, (std::vector<Cell>{{0, 0}}));
  EXPECT_EQ(Refused(kBase, {}, shift), "board-shifted");
  // The edge stays where it is while it completes features.
  EXPECT_EQ(Refused(kBase, {area, "board_shift allowed", "table_edge_completes true"}, shift),
            "board-shifted");
  Game game = Played(kBase, allowed, shift);
  EXPECT_EQ(game.area(), (PlayingArea{0, -1, 2, 1}));
  EXPECT_TRUE(game.Undo());
  EXPECT_EQ(game.area(), (PlayingArea{-1, -1, 1, 1}));
}

TEST(RuleRow, R11_TilesInHand) {
  Rules rules;
  rules.hand = 3;
  Stack three({0, 1, 2, 3, 4, 5, 6, 7}, rules, 2);
  EXPECT_EQ(three.Choices(0), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(three.Choices(1), (std::vector<int>{3, 4, 5}));
  three.Laid(0, 1);
  EXPECT_EQ(three.Choices(0), (std::vector<int>{0, 2, 6}));
  // A tile that fits nowhere leaves the game, or goes back below the next one.
  three.SetAside(1, 3, 0);
  EXPECT_EQ(three.Choices(1), (std::vector<int>{4, 5, 7}));
  EXPECT_EQ(three.left(), 0U);
  rules.unplaceable_returns = true;
  Stack returns({0, 1, 2, 3, 4, 5, 6, 7}, rules, 2);
  returns.SetAside(1, 3, 1);
  returns.Laid(0, 0);
  EXPECT_EQ(returns.Choices(0), (std::vector<int>{1, 2, 7}));
  EXPECT_TRUE(SaysBefore(Played(kBase, {"hand 3"}, {}), "draws 3 tiles"));
}

TEST(RuleRow, R11_TheNextTileIsDrawnAtTheEndOfTheTurn) {
  Rules rules;
  Stack now({0, 1, 2}, rules, 2);
  EXPECT_EQ(now.left(), 3U);
  EXPECT_EQ(now.Choices(0), std::vector<int>{0});
  rules.draw_at_end = true;
  Stack ahead({0, 1, 2}, rules, 2);
  EXPECT_EQ(ahead.left(), 1U);
  ahead.Laid(0, 0);
  EXPECT_EQ(ahead.Choices(0), std::vector<int>{2});
  EXPECT_TRUE(SaysBefore(Played(kBase, {"draw_at_end true"}, {}), "at the end of the turn"));
}

TEST(RuleRow, R11_BuyingATile) {
  const Lines buying = {"tile_buying true"};
  // Blue has 4 points, and only the one tile with four city edges joins four caps.
  const Lines before = {"blue B.E 0,-1 r2 follower 0"};
  const Lines ring = {"blue B.E 0,-1 r2 follower 0",
                      "red B.U 1,0 r0",
                      "red B.U 2,0 r0",
                      "red B.B 0,1 r0",
                      "red B.E 1,1 r2",
                      "red B.E 0,2 r1",
                      "red B.B 2,1 r0",
                      "red B.E 2,2 r3",
                      "red B.B 0,3 r0",
                      "red B.E 1,3 r0"};
  const std::string middle = "blue B.C 1,2 r0";
  EXPECT_EQ(Refused(kBase, buying, After(ring, {middle})), "");
  const Game game = Played(kBase, buying, After(ring, {middle + " bought red 3 follower 0"}));
  EXPECT_EQ(Scores(game), (Points{3, 4 - 3 + 12, 0}));
  EXPECT_EQ(Refused(kBase, {}, After(ring, {middle + " bought red 3"})), "tile-not-for-sale");
  EXPECT_EQ(Refused(kBase, buying, After(ring, {middle + " bought red 5"})), "not-enough-points");
  EXPECT_EQ(Refused(kBase, buying, After(ring, {middle + " bought blue 1"})), "no-such-player");
  // Other tiles would do.
  EXPECT_EQ(Refused(kBase, buying, After(before, {"blue B.U 1,0 r0 bought red 1"})),
            "tile-not-for-sale");
}

TEST(RuleRow, R11_TheStartTileInTheBag) {
  const Lines mixed = {"start_tile_mixed true"};
  const Lines first = {"red B.W 0,0 r1 follower 1"};
  Game game = Played(kBase, mixed, first);
  EXPECT_EQ(game.PlacedTiles().size(), 1U);
  EXPECT_EQ(game.Figures().size(), 1U);
  EXPECT_EQ(Refused(kBase, mixed, {"red B.W 1,0 r0"}), "not-adjacent");
  EXPECT_TRUE(game.Undo());
  EXPECT_EQ(game.LegalPlacements(0).size(), 4U);
  EXPECT_EQ(game.TilesLeft(game.tile_set().Find("B.D")), 4);
  EXPECT_EQ(DrawPiles(game.tile_set(), game.rules())[0].size(), 72U);
  EXPECT_TRUE(SaysBefore(game, "goes into the bag"));
  // Without a start tile the Gingerbread Man waits beside the board.
  EXPECT_FALSE(Played("winter+gingerbread", {"gingerbread true", "start_tile_mixed true"}, {})
                   .gingerbread_man());
}

TEST(RuleRow, R11_HouseRules) {
  Game game = Played(kBase, {"hole_extra_turn true"},
                     {"red B.U 1,0 r0", "red B.B 0,1 r0", "red B.B 0,2 r0", "red B.B 1,2 r0",
                      "red B.B 2,2 r0", "red B.B 2,1 r0"});
  Turn hole;
  hole.tile = game.tile_set().Find("B.B");
  hole.cell = {1, 1};
  const auto outcome = game.Apply(hole);
  ASSERT_TRUE(outcome.has_value());
  EXPECT_TRUE(outcome->extra_turn);
  Rules in_the_bag;
  in_the_bag.start_tile_mixed = true;
  const auto tiles = TileSet::Load("base.c2+river1.c2");
  EXPECT_EQ(DrawPiles(**tiles, in_the_bag)[0].size(), DrawPiles(**tiles, Rules{})[0].size() + 1);
}

TEST(RuleRow, R12_TiesShareAndMeeplesDoNotDouble) {
  // Two roads with a meeple each become one.
  EXPECT_EQ(Refused(kBase, {}, {"red B.W 1,0 r0 follower 2", "blue B.U -1,0 r0 follower 0"}),
            "feature-occupied");
  const Lines joined = {"red B.U 1,0 r0 follower 0", "blue B.B 0,1 r0",
                        "blue B.B 1,1 r0",           "blue B.B 2,1 r0",
                        "blue B.B 3,1 r0",           "blue B.A 3,0 r0 follower 1",
                        "blue B.U 2,0 r0",           "blue B.A -1,0 r2"};
  EXPECT_EQ(Scores(Played(kBase, {}, joined)), (Points{5, 5, 0}));
}

}  // namespace
}  // namespace tilewarden::engine
