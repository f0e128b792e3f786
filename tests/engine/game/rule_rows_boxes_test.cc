// Tests for the rows on Inns & Cathedrals and Traders & Builders (engine/RULES.md), each
// named after its row.
#include "engine/game/box_rules.h"
#include "engine/game/stack.h"
#include "gtest/gtest.h"
#include "tests/engine/notation/written_game.h"

namespace tilewarden::engine {
namespace {

const std::string kInns = "base.c1+inns.c1";
const std::string kTraders = "base.c1+traders.c1";

// What the last of these turns led to.
Outcome LastOutcome(const std::string& set, const Lines& options, Lines turns) {
  const Turn last = Record(set, options, turns).turns.back();
  turns.pop_back();
  Game game = Played(set, options, turns);
  return *game.Apply(last);
}

// Whether its player may take another turn.
bool MayMoveAgain(const Lines& turns) { return LastOutcome(kTraders, {}, turns).extra_turn; }

TEST(RuleRow, R36_ARoadWithAnInnPays2ATileCompleteAndNothingUnfinished) {
  const Lines open = {"red I.inn_straight 1,0 r0 follower 0"};
  const Lines complete = After(open, {"blue B.A 2,0 r0", "green B.A -1,0 r2"});
  EXPECT_EQ(Scores(Played(kInns, {}, complete)), (Points{8, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kInns, {}, open)), (Points{0, 0, 0}));
  EXPECT_EQ(Scores(Played(kInns, {"inns false"}, complete)), (Points{4, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kInns, {"inns false"}, open)), (Points{2, 0, 0}));
}

// "Without these expansions, ignore their features": with the box, a river's inn counts.
TEST(RuleRow, R36_TheBoxBringsItsRulesAlsoToARiver) {
  const auto rules = [](const std::string& set) { return *RulesOfBox(**TileSet::Load(set), "c1"); };
  EXPECT_FALSE(rules("base.c1+river2.c1").inns);
  EXPECT_TRUE(rules("base.c1+river2.c1+inns.c1").inns);
  EXPECT_TRUE(rules("base.c1+inns.c1").cathedrals);
  EXPECT_EQ(rules("base.c1+inns.c1").large_followers, 1);
  EXPECT_FALSE(rules("base.c1+river2.c1").pig_herd);
  EXPECT_TRUE(rules("base.c1+river2.c1+traders.c1").pig_herd);
  EXPECT_FALSE(rules("base.c1+inns.c1").goods);
}

// The cathedral north of the start tile, with an end on each of its other sides.
const Lines kCathedral = {"red I.cathedral 0,-1 r0 follower 0"};
const Lines kCathedralCity =
    After(kCathedral, {"blue B.E 0,-2 r2", "green B.E 1,-1 r3", "blue B.E -1,-1 r1"});

TEST(RuleRow, R37_ACityWithACathedralPays3ATileCompleteAndNothingUnfinished) {
  EXPECT_EQ(Scores(Played(kInns, {}, kCathedralCity)), (Points{15, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kInns, {}, kCathedral)), (Points{0, 0, 0}));
  EXPECT_EQ(Scores(Played(kInns, {"cathedrals false"}, kCathedralCity)), (Points{10, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kInns, {"cathedrals false"}, kCathedral)), (Points{2, 0, 0}));
}

TEST(RuleRow, R37_ACoatOfArmsPays3TooAndASecondCathedralNothingMore) {
  // North of the cathedral a coat of arms, and beyond it the other cathedral.
  const Lines turns =
      After(kCathedral,
            {"blue B.F 0,-2 r0", "blue I.cathedral 0,-3 r0", "green B.E 1,-1 r3",
             "green B.E -1,-1 r1", "blue B.E 1,-3 r3", "blue B.E -1,-3 r1", "blue B.E 0,-4 r2"});
  EXPECT_EQ(Scores(Played(kInns, {}, turns)), (Points{3 * (9 + 1), 0, 0}));
}

// Two roads that a third tile joins, and the ends of the one that they become.
Lines JoinedRoads(const std::string& red, const std::string& blue) {
  return {"red B.U 1,0 r0 " + red + " 0",
          "green B.B 1,1 r0",
          "green B.B 2,1 r0",
          "green B.B 3,1 r0",
          "blue B.U 3,0 r0 " + blue + " 0",
          "green B.U 2,0 r0",
          "green B.A -1,0 r2",
          "green B.A 4,0 r0"};
}

TEST(RuleRow, R38_ALargeFollowerCountsAsTwo) {
  EXPECT_EQ(Scores(Played(kInns, {}, JoinedRoads("follower", "follower"))), (Points{6, 6, 0}));
  EXPECT_EQ(Scores(Played(kInns, {}, JoinedRoads("large_follower", "follower"))),
            (Points{6, 0, 0}));
  EXPECT_EQ(Scores(Played(kInns, {}, JoinedRoads("large_follower", "large_follower"))),
            (Points{6, 6, 0}));
}

TEST(RuleRow, R38_EachPlayerHasOneLargeFollowerThatComesHome) {
  const Lines set = {"red B.U 1,0 r0 large_follower 0"};
  EXPECT_EQ(Played(kInns, {}, set).players()[0].Supply(FigureKind::kLargeFollower), 0);
  EXPECT_EQ(Played(kInns, {}, set).players()[0].followers(), 7);
  EXPECT_EQ(Refused(kInns, {}, After(set, {"red B.A -1,0 r2 large_follower 0"})), "none-in-supply");
  EXPECT_EQ(Refused(kInns, {"large_followers 2"}, After(set, {"red B.A -1,0 r2 large_follower 0"})),
            "");
  EXPECT_EQ(Refused(kInns, {"large_followers 0"}, set), "no-such-figure");
  const Lines complete = After(set, {"blue B.A 2,0 r0", "green B.A -1,0 r2"});
  EXPECT_EQ(Played(kInns, {}, complete).players()[0].Supply(FigureKind::kLargeFollower), 1);
  // It claims what a follower claims, and so it is in the way like one.
  EXPECT_EQ(Refused(kInns, {}, After(set, {"blue B.U 2,0 r0 large_follower 0"})),
            "feature-occupied");
  EXPECT_EQ(Refused("base.c2+inns.c2", {}, {"red I.inn_straightg 1,0 r0 large_follower 3"}),
            "garden-needs-abbot");
}

const Lines kFollower = {"red B.U 1,0 r0 follower 0"};
const Lines kWithBuilder = After(kFollower, {"red B.U 2,0 r0 builder 0"});

TEST(RuleRow, R39_TheBuilderJoinsARoadOrCityOfItsOwnersFollower) {
  EXPECT_EQ(Refused(kTraders, {}, kWithBuilder), "");
  EXPECT_EQ(Refused(kTraders, {}, {"red B.U 1,0 r0 builder 0"}), "needs-own-follower");
  EXPECT_EQ(Refused(kTraders, {}, After(kFollower, {"blue B.U 2,0 r0 builder 0"})),
            "needs-own-follower");
  EXPECT_EQ(Refused(kTraders, {}, After(kFollower, {"red B.U 2,0 r0 builder 1"})),
            "builder-wrong-feature");
  EXPECT_EQ(Refused(kTraders, {}, After(kWithBuilder, {"red B.U 3,0 r0 builder 0"})),
            "none-in-supply");
  EXPECT_EQ(Refused(kTraders, {"builders 2"}, After(kWithBuilder, {"red B.U 3,0 r0 builder 0"})),
            "");
  EXPECT_EQ(Refused(kTraders, {"builders 0"}, kWithBuilder), "no-such-figure");
}

TEST(RuleRow, R39_WhoeverExtendsTheFeatureOfTheOwnBuilderMayTakeASecondPartOfTheTurn) {
  EXPECT_FALSE(MayMoveAgain(kFollower));
  EXPECT_FALSE(MayMoveAgain(kWithBuilder)) << "the builder came only now";
  EXPECT_TRUE(MayMoveAgain(After(kWithBuilder, {"red B.U 3,0 r0"})));
  EXPECT_TRUE(MayMoveAgain(After(kWithBuilder, {"red B.U -1,0 r0"})));
  EXPECT_FALSE(MayMoveAgain(After(kWithBuilder, {"red B.B 0,1 r0"}))) << "on another feature";
  EXPECT_FALSE(MayMoveAgain(After(kWithBuilder, {"blue B.U 3,0 r0"}))) << "nobody else may";
}

TEST(RuleRow, R39_ThereIsNoChainOfDoubleTurns) {
  const Lines second = After(kWithBuilder, {"red B.U 3,0 r0", "red B.U 4,0 r0"});
  EXPECT_FALSE(MayMoveAgain(second));
  // The next turn is another one, and so it is after a second part that was not taken ("may").
  EXPECT_TRUE(MayMoveAgain(After(second, {"blue B.B 0,1 r0", "red B.U 5,0 r0"})));
  EXPECT_TRUE(
      MayMoveAgain(After(kWithBuilder, {"red B.U 3,0 r0", "blue B.B 0,1 r0", "red B.U 4,0 r0"})));
}

TEST(RuleRow, R39_ATileThatFitsNowhereDoesNotUseUpTheSecondPart) {
  const Lines closed = After(kWithBuilder, {"blue B.E 0,-1 r2", "red B.U 3,0 r0", "red B.C aside"});
  EXPECT_FALSE(MayMoveAgain(After(closed, {"red B.U 4,0 r0"})));
}

TEST(RuleRow, R39_TheBuilderComesHomeWithTheFeatureAndCountsForNothing) {
  const Lines complete = After(kWithBuilder, {"blue B.A -1,0 r2", "red B.A 3,0 r0"});
  const Game game = Played(kTraders, {}, complete);
  EXPECT_EQ(Scores(game), (Points{5, 0, 0}));
  EXPECT_EQ(game.players()[0].Supply(FigureKind::kBuilder), 1);
  EXPECT_TRUE(game.Figures().empty());
  // The tile that completes it gives the second part too, which may set the builder again.
  EXPECT_TRUE(MayMoveAgain(complete));
  const Lines city = {"red B.G 0,-1 r0 follower 0", "red B.U 1,0 r0 follower 0",
                      "red B.U 2,0 r0 builder 0", "blue B.A -1,0 r2", "red B.A 3,0 r0"};
  EXPECT_EQ(Refused(kTraders, {}, After(city, {"red B.G 0,-2 r0 builder 0"})), "");
  // Red's builder beside two followers of blue: blue has the majority.
  const Lines shared = {
      "red B.U 1,0 r0 follower 0", "red B.U 2,0 r0 builder 0", "green B.B 2,1 r0",
      "green B.B 3,1 r0",          "green B.B 4,1 r0",         "blue B.U 4,0 r0 follower 0",
      "green B.U 3,0 r0",          "green B.A -1,0 r2",        "green B.A 5,0 r0"};
  EXPECT_EQ(Scores(Played(kTraders, {}, shared)), (Points{7, 7, 0}));
}

// Red's farm north of the road, beside a city of two tiles.
const Lines kFarm = {"red B.U 1,0 r0 follower 1", "green B.E 0,-1 r2"};
const Lines kFarmWithPig = After(kFarm, {"red B.U 2,0 r0 pig 1"});

TEST(RuleRow, R40_ThePigAddsOneForEachCityOfItsOwnersFarm) {
  EXPECT_EQ(FinalScores(Played(kTraders, {}, kFarm)), (Points{3, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kTraders, {}, kFarmWithPig)), (Points{4, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kTraders, {"farm_scoring second"}, kFarmWithPig)),
            (Points{4, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kTraders, {"farm_scoring first"}, kFarmWithPig)), (Points{5, 0, 0}));
  const Game game = Played(kTraders, {}, kFarmWithPig);
  EXPECT_EQ(game.ScoreIfEndedNow()[0].reason, "farm beside 1 completed city, with a pig");
  EXPECT_EQ(game.FeatureAt({1, 0}, 1).worth_now, 4);
}

TEST(RuleRow, R40_ThePigStandsOnlyWithAFarmerOfItsOwner) {
  EXPECT_EQ(Refused(kTraders, {}, {"red B.U 1,0 r0 pig 1"}), "needs-own-follower");
  EXPECT_EQ(Refused(kTraders, {}, After(kFarm, {"blue B.U 2,0 r0 pig 1"})), "needs-own-follower");
  EXPECT_EQ(Refused(kTraders, {}, After(kFarm, {"red B.U 2,0 r0 pig 0"})), "pig-wrong-feature");
  EXPECT_EQ(Refused(kTraders, {"pigs 0"}, kFarmWithPig), "no-such-figure");
  EXPECT_EQ(Refused(kTraders, {"farmers false"}, {"red B.U 1,0 r0 pig 1"}), "farmers-off");
}

TEST(RuleRow, R40_AnotherPlayersPigGivesNothingAndASecondOneNothingMore) {
  // Blue's farm north of the city joins red's.
  const Lines tied = {"red B.U 1,0 r0 follower 1", "blue B.E 0,-1 r2 follower 1",
                      "green B.B 1,-1 r0", "red B.U 2,0 r0 pig 1"};
  EXPECT_EQ(FinalScores(Played(kTraders, {}, tied)), (Points{4, 3, 0}));
  EXPECT_EQ(FinalScores(Played(kTraders, {"farm_scoring first"}, tied)), (Points{5, 4, 0}));
  EXPECT_EQ(
      FinalScores(Played(kTraders, {"pigs 2"}, After(kFarmWithPig, {"red B.U 3,0 r0 pig 1"}))),
      (Points{4, 0, 0}));
}

// "This bonus is in addition to the points given by the pig" (The River).
TEST(RuleRow, R40_APigHerdAddsToThePig) {
  const std::string set = "base.c1+river2.c1+traders.c1";
  const Lines turns = {"red R2.fork -1,0 r0", "red R2.pig -1,1 r1 follower 1", "blue B.E 0,1 r1",
                       "blue B.E 1,1 r3", "red B.B 0,2 r0 pig 1"};
  EXPECT_EQ(FinalScores(Played(set, {"pigs 0"}, {turns.begin(), turns.end() - 1})),
            (Points{4, 0, 0}));
  EXPECT_EQ(FinalScores(Played(set, {}, turns)), (Points{5, 0, 0}));
}

// Red's knight in a city that trades in wine; blue completes it.
const Lines kWine = {"red T.through_wine 0,-1 r0 follower 0", "blue B.E 0,-2 r2"};

TEST(RuleRow, R41_WhoeverCompletesACityTakesItsGoods) {
  const Game game = Played(kTraders, {}, kWine);
  EXPECT_EQ(Scores(game), (Points{6, 0, 0}));
  EXPECT_EQ(game.TokensOf(0), GoodsTokens{});
  EXPECT_EQ(game.TokensOf(1), (GoodsTokens{{Goods::kWine, 1}}));
  EXPECT_EQ(FinalScores(game), (Points{6, 10, 0}));
  const std::vector<ScoreItem> items = game.ScoreIfEndedNow();
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].kind, "goods");
  EXPECT_EQ(items[0].reason, "most wine: 1 token");
  EXPECT_EQ(items[0].cells, (std::vector<Cell>{{0, -2}, {0, -1}, {0, 0}}));
  EXPECT_EQ(FinalScores(Played(kTraders, {"goods false"}, kWine)), (Points{6, 0, 0}));
  // Whether anybody stands there is no matter.
  EXPECT_EQ(FinalScores(Played(kTraders, {}, {"red T.through_wine 0,-1 r0", "blue B.E 0,-2 r2"})),
            (Points{0, 10, 0}));
  // A city that is not complete keeps them.
  EXPECT_EQ(FinalScores(Played(kTraders, {}, {"red T.through_wine 0,-1 r0"})), (Points{0, 0, 0}));
}

TEST(RuleRow, R41_MostOfAKindPay10ToAllWhoTie) {
  const Lines second = {"green B.E 1,-1 r0", "green T.through_road_wine 1,-2 r2",
                        "green B.E 1,-3 r2"};
  EXPECT_EQ(FinalScores(Played(kTraders, {}, After(kWine, second))), (Points{6, 10, 10}));
  // Grain is another kind, and two of it in one city are two tokens.
  const Lines grain = {"red T.corner_grain 0,-1 r2", "red T.road_corner_grain -1,-1 r0",
                       "green B.E -1,-2 r2"};
  const Game game = Played(kTraders, {}, grain);
  EXPECT_EQ(game.TokensOf(2), (GoodsTokens{{Goods::kGrain, 2}}));
  EXPECT_EQ(FinalScores(game), (Points{0, 0, 10}));
}

TEST(RuleRow, R41_TokensAreTakenBackWithTheTurnAndStayWithTheirPlayer) {
  Game game = Played(kTraders, {}, kWine);
  ASSERT_TRUE(game.AddPlayer("black", 0).ok());
  EXPECT_EQ(game.TokensOf(2), (GoodsTokens{{Goods::kWine, 1}}));
  EXPECT_EQ(game.TokensOf(1), GoodsTokens{});
  ASSERT_TRUE(game.Undo());
  EXPECT_EQ(game.TokensOf(2), GoodsTokens{});
}

TEST(RuleRow, R41_PeopleAreToldWhatToTake) {
  const auto says = [](const std::string& set, const std::string& words) {
    const Game game = Played(set, {}, {});
    for (const std::string& step : SetUpSteps(game.tile_set(), game.rules())) {
      if (step.find(words) != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_TRUE(says(kTraders, "goods tokens lie beside the board: 9 wine, 6 grain and 5 cloth."));
  EXPECT_TRUE(says(kTraders, "takes 7 followers, a builder and a pig."));
  EXPECT_TRUE(says(kInns, "takes 7 followers and a large follower."));
}

TEST(RuleRow, R42_InnsAndCathedralsBringsASixthColour) {
  EXPECT_EQ(RulesOfBox(**TileSet::Load("base.c2"))->max_players, 5);
  EXPECT_EQ(RulesOfBox(**TileSet::Load("base.c2+inns.c2"))->max_players, 6);
  EXPECT_EQ(RulesOfBox(**TileSet::Load("base.c2+traders.c2"))->max_players, 5);
}

}  // namespace
}  // namespace tilewarden::engine
