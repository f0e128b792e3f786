// Tests for the rows of the comparison of rules (RULES.md beside the checkout)
// on the Gingerbread Man and the Ark, each named after its row.
#include "engine/game/box_rules.h"
#include "gtest/gtest.h"
#include "tests/engine/notation/written_game.h"

namespace tilewarden::engine {
namespace {

TEST(RuleRow, R24_AnInnOnAnAnimalTileIsIgnored) {
  const Lines turns = {"red W.5 1,0 r0 follower 1", "blue B.A -1,0 r2"};
  EXPECT_EQ(Scores(Played("winter", {}, turns)), (Points{3, 0, 0}));
}

const std::string kGinger = "winter+gingerbread";

TEST(RuleRow, R25_HeComesWithHisBox) {
  EXPECT_TRUE(Played(kGinger, {}, {}).gingerbread_man().has_value());
  EXPECT_FALSE(Played(kGinger, {"gingerbread false"}, {}).gingerbread_man().has_value());
  EXPECT_FALSE(Played("winter", {}, {}).gingerbread_man().has_value());
  EXPECT_TRUE(RulesOfBox(*Played(kGinger, {}, {}).shared_tile_set())->gingerbread);
}

TEST(RuleRow, R25_TheGingerbreadManPaysEveryKnightWhenHeLeaves) {
  const Lines turns = {"red B.G 0,-1 r0 follower 0", "blue B.M 0,-2 r2",
                       "blue G.5 1,0 r0 gingerbread 1,0.0"};
  const Game game = Played(kGinger, {"gingerbread true"}, turns);
  // Three tiles with a coat of arms, which counts nothing.
  EXPECT_EQ(Scores(game), (Points{3, 0, 0}));
  EXPECT_EQ(game.gingerbread_man(), (Place{{1, 0}, 0}));
}

TEST(RuleRow, R26_HePaysBeforeTheCityScoresAndMovesAfter) {
  const Game game = Played(kGinger, {"gingerbread true"},
                           {"blue B.E 0,1 r2", "red B.E 0,-1 r2 follower 0 gingerbread 0,1.0"});
  const std::vector<ScoreItem> items = game.score_items();
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].kind, "gingerbread");
  EXPECT_EQ(items[0].points, 2);
  EXPECT_EQ(items[1].kind, "city");
  EXPECT_EQ(game.gingerbread_man(), (Place{{0, 1}, 0}));
}

TEST(RuleRow, R26_OrHeMovesBeforeTheCityScores) {
  // No points differ: he pays first in any case.
  const Lines turns = {"blue B.E 0,1 r2", "red B.E 0,-1 r2 follower 0 gingerbread 0,1.0"};
  const Game game = Played(kGinger, {"gingerbread true", "gingerbread_moves_first true"}, turns);
  EXPECT_EQ(Scores(game), Scores(Played(kGinger, {"gingerbread true"}, turns)));
  EXPECT_EQ(game.score_items()[0].kind, "gingerbread");
  EXPECT_EQ(game.gingerbread_man(), (Place{{0, 1}, 0}));
}

TEST(RuleRow, R27_ASymbolTileThatCompletesHisCity) {
  // The tile's other city and one beside it are open.
  const Lines turns = {"blue B.L 1,0 r0", "red G.5 0,-1 r1 gingerbread 1,0.0"};
  EXPECT_EQ(Refused(kGinger, {"gingerbread true"}, turns), "");
  EXPECT_EQ(Refused(kGinger, {"gingerbread true", "gingerbread_moves_twice true"}, turns),
            "gingerbread-must-move");
  const Lines twice = {"blue B.L 1,0 r0", "red G.5 0,-1 r1 gingerbread 1,0.0 0,-1.0"};
  EXPECT_EQ(Refused(kGinger, {"gingerbread true"}, twice), "gingerbread-bad-target");
  EXPECT_EQ(Refused(kGinger, {"gingerbread true", "gingerbread_moves_twice true"}, twice), "");
  // The order of play moves him in step 6b and again in 7a, without an exception.
  EXPECT_TRUE(Rules::Preset("winter")->gingerbread_moves_twice);
}

TEST(RuleRow, R27_WhereHeMayGoMoveByMove) {
  Turn turn = Record(kGinger, {}, {"red G.5 0,-1 r1"}).turns[0];
  const Place east = {{1, 0}, 0}, new_tile = {{0, -1}, 0};
  using Ways = std::vector<std::vector<Place>>;
  const Lines before = {"blue B.L 1,0 r0"};
  EXPECT_EQ(Played(kGinger, {"gingerbread_moves_twice false"}, before).GingerbreadWays(turn),
            (Ways{{east}, {new_tile}}));
  EXPECT_EQ(Played(kGinger, {"gingerbread_moves_twice true"}, before).GingerbreadWays(turn),
            (Ways{{east, new_tile}, {new_tile, east}}));
  EXPECT_TRUE(Played(kGinger, {}, {}).GingerbreadWays(Record(kGinger, {}, before).turns[0]).empty())
      << "no symbol";
}

// Step 7a: "All players with knights in the initial city receive points": the one he left last.
TEST(RuleRow, R27_TheFirstTargetsKnightsArePaidToo) {
  const Lines turns = {"blue B.L 1,0 r0 follower 0", "red G.5 0,-1 r1 gingerbread 1,0.0 0,-1.0"};
  const Game game = Played(kGinger, {"gingerbread_moves_twice true"}, turns);
  EXPECT_EQ(Scores(game), (Points{0, 1, 0}));
  EXPECT_EQ(game.gingerbread_man(), (Place{{0, -1}, 0}));
}

TEST(RuleRow, R28_WithoutAnotherOpenCityHeWaitsBesideTheBoard) {
  const Lines closed = {"red B.E 0,-1 r2 follower 0"};
  EXPECT_FALSE(Played(kGinger, {"gingerbread true"}, closed).gingerbread_man().has_value());
  Lines open = closed;
  open.push_back("blue B.L 1,0 r0");
  EXPECT_EQ(Refused(kGinger, {"gingerbread true"}, open), "");
  const Lines next = {"gingerbread true", "gingerbread_next_city true"};
  EXPECT_EQ(Refused(kGinger, next, open), "gingerbread-must-move");
  open.back() += " gingerbread 1,0.0";
  EXPECT_EQ(Refused(kGinger, next, open), "");
  // A city on the tile just laid may be his target, or not.
  const Lines onto = {"red G.5 1,0 r0 gingerbread 1,0.0"};
  EXPECT_EQ(Refused(kGinger, {"gingerbread true"}, onto), "");
  EXPECT_EQ(Refused(kGinger, {"gingerbread true", "gingerbread_to_new_tile false"}, onto),
            "gingerbread-bad-target");
}

const std::string kArk = "ark";
const Lines kSecond = {"ark second"};
// The first city is complete and the Ark on the start tile.
const Lines kArkEnters = {"red A.cfff.1 0,-1 r2 lands 0,0"};

TEST(RuleRow, R29_OneActionATurn) {
  Game game = Played(kArk, kSecond, kArkEnters);
  Turn both = Record(kArk, kSecond, {"red A.frfr.1 1,0 r0 follower 0"}).turns[0];
  EXPECT_FALSE(game.Check(both).has_value());
  both.ark_path = {{1, 0}};
  EXPECT_EQ(game.Check(both)->code, "one-action");
  // Doing nothing is explicit in the second edition only, and lawful in all.
  for (const char* edition : {"ark first", "ark second", "ark german"}) {
    EXPECT_EQ(Refused(kArk, {edition}, {"red A.frfr.1 1,0 r0"}), "");
  }
}

TEST(RuleRow, R30_TheArkEntersWithTheFirstCity) {
  EXPECT_EQ(Refused(kArk, kSecond, {"red A.cfff.1 0,-1 r2"}), "ark-must-be-placed");
  EXPECT_EQ(Refused(kArk, kSecond, {"red A.cfff.1 0,-1 r2 lands 1,0"}), "ark-bad-placement");
  const Game game = Played(kArk, kSecond, {"red A.cfff.1 0,-1 r2 follower 0 lands 0,-1"});
  EXPECT_EQ(Scores(game), (Points{4, 0, 0}));
  EXPECT_EQ(game.ark(), (Cell{0, -1}));
  EXPECT_EQ(Refused(kArk, kSecond, {"red A.frfr.1 1,0 r0 ark 0,0"}), "ark-not-placed");
}

TEST(RuleRow, R31_HowTheArkMoves) {
  const Lines board = After(kArkEnters, {"red A.frfr.1 1,0 r0 follower 0", "blue A.cfff.1 0,1 r2",
                                         "blue A.cfff.1 1,1 r2 follower 1"});
  const auto move = [&](const std::string& path) {
    return After(board, {"green A.frfr.1 2,0 r0 ark " + path});
  };
  EXPECT_EQ(Scores(Played(kArk, kSecond, move("1,0 1,1 0,1"))), (Points{1, 1, 0}));
  EXPECT_EQ(Refused(kArk, kSecond, move("1,1")), "ark-not-orthogonal");
  EXPECT_EQ(Refused(kArk, kSecond, move("-1,0")), "ark-off-board");
  EXPECT_EQ(Refused(kArk, kSecond, move("1,0 0,0")), "ark-backtrack");
  EXPECT_EQ(Refused(kArk, kSecond, move("1,0 1,1 0,1 0,0 0,-1 0,0")), "ark-distance");
  EXPECT_EQ(Refused(kArk, kSecond, move("1,0 1,1 0,1 0,0")), "ark-ends-on-start");
  // The first edition is silent about it.
  EXPECT_EQ(Refused(kArk, {"ark first"}, move("1,0 1,1 0,1 0,0")), "");
  EXPECT_EQ(Refused(kArk, {"ark first", "ark_ends_elsewhere true"}, move("1,0 1,1 0,1 0,0")),
            "ark-ends-on-start");
  // "If The Ark ends on a tile with a follower, that follower scores 1 point", also where it began.
  const Lines home = {"red A.cfff.1 0,-1 r2 follower 1 lands 0,-1", "red A.cfff.1 1,-1 r0",
                      "red A.frfr.1 1,0 r0", "green A.frfr.1 2,0 r0 ark 0,0 1,0 1,-1 0,-1"};
  EXPECT_EQ(Scores(Played(kArk, {"ark first"}, home)), (Points{1, 0, 0}));
}

TEST(RuleRow, R32_TheProphetDoublesACityAndLeaves) {
  const Game game = Played(kArk, kSecond, {"red A.cfff.1 0,-1 r2 prophet 0 lands 0,0"});
  EXPECT_EQ(Scores(game), (Points{8, 0, 0}));
  EXPECT_EQ(game.players()[0].prophets(), 0);
  EXPECT_TRUE(game.Figures().empty());
  EXPECT_EQ(Refused(kArk, kSecond, {"red A.frfr.1 1,0 r0 prophet 0"}), "prophet-only-in-city");
}

TEST(RuleRow, R33_Temples) {
  const std::string temple = "red A.frfr.5 1,0 r0 follower 3";
  EXPECT_EQ(Refused(kArk, kSecond, {"red A.frfr.5 1,0 r0 follower 0"}), "no-follower-on-temple");
  EXPECT_EQ(FinalScores(Played(kArk, kSecond, {temple})), (Points{3, 0, 0}));
  // The follower beside it counts as much as the one on the temple's tile.
  EXPECT_EQ(Scores(Played(kArk, kSecond,
                          {temple, "blue A.cfff.1 1,-1 r0", "blue A.cfff.1 1,1 r2",
                           "blue A.crfr.1 2,0 r0 follower 0"})),
            (Points{7, 7, 0}));
  // Whose it is, is told so too, as long as it pays.
  const Cell cross = {1, 0};
  EXPECT_EQ(Played(kArk, kSecond, {temple}).FeatureAt(cross, 0).owners, std::vector<int>{0});
  const Lines shared = {temple, "blue A.cfff.1 1,-1 r0 follower 0"};
  EXPECT_EQ(Played(kArk, kSecond, shared).FeatureAt(cross, 0).owners, (std::vector<int>{0, 1}));
  EXPECT_EQ(
      Played(kArk, kSecond,
             {temple, "blue A.cfff.1 1,-1 r0", "blue A.cfff.1 1,1 r2", "blue A.crfr.1 2,0 r0"})
          .FeatureAt(cross, 0)
          .owners,
      std::vector<int>{});
  // The tile that surrounds the temple completes a city beside it: its knight
  // goes home before the temple counts, or after.
  const Lines knight = {temple, "blue A.cfff.1 1,-1 r0", "blue A.cfff.1 1,1 r2",
                        "blue A.cfff.1 2,-1 r2", "blue A.crfr.1 2,0 r0 follower 0 lands 2,0"};
  EXPECT_EQ(Scores(Played(kArk, {"ark second"}, knight)), (Points{7, 4, 0}));
  EXPECT_EQ(Scores(Played(kArk, {"ark first"}, knight)), (Points{7, 11, 0}));
  EXPECT_FALSE(Rules::Preset("ark-1")->temples_after_cities);
  EXPECT_TRUE(Rules::Preset("ark-2")->temples_after_cities);
}

TEST(RuleRow, R34_TheGermanEdition) {
  const Lines german = {"ark german"};
  const Lines enters = {"red A.cfff.1 0,-1 r2 lands 0,0"};
  EXPECT_EQ(Scores(Played(kArk, german, enters)), (Points{2, 0, 0}));
  EXPECT_EQ(Refused(kArk, german, After(enters, {"blue A.frfr.1 1,0 r0 ark 1,0"})),
            "ark-needs-temple");
  // A follower on the temple, the Ark straight to it.
  const Lines temple = After(enters, {"blue A.frfr.5 1,0 r0 follower 0"});
  const Lines reaches = After(temple, {"green A.cfff.1 1,1 r2 ark 1,0"});
  EXPECT_EQ(Scores(Played(kArk, german, reaches)), (Points{2, 1, 3}));
  EXPECT_EQ(Refused(kArk, german, After(temple, {"green A.cfff.1 1,1 r2 ark 0,-1"})),
            "ark-needs-temple");
  EXPECT_EQ(Refused(kArk, {"ark german", "ark_to_temples false"},
                    After(enters, {"blue A.frfr.5 1,0 r0 follower 0"})),
            "no-follower-on-temple");
  // Followers stay "until the roads, cities and fields that they are on, are scored"; what becomes
  // of one on the temple no document says: it comes home, as from all else that is scored.
  const Lines around =
      After(temple, {"red A.cfff.1 1,-1 r0", "red A.crfr.1 2,0 r0", "red A.cfff.1 1,1 r2"});
  EXPECT_EQ(Scores(Played(kArk, german, around)), (Points{2, 7, 0}));
  EXPECT_EQ(Played(kArk, german, around).players()[1].followers(), 7);
  EXPECT_EQ(Played(kArk, {"ark german", "temple_follower_returns false"}, around)
                .players()[1]
                .followers(),
            6);
  // Completed with the Ark on it, the temple counts double.
  const Lines complete = After(reaches, {"red A.cfff.1 1,-1 r0", "red A.crfr.1 2,0 r0"});
  EXPECT_EQ(Scores(Played(kArk, german, complete)), (Points{2, 15, 3}));
}

TEST(RuleRow, R34_ReachingATemplePaysOnceOrEachTime) {
  const Lines twice = {"red A.cfff.1 0,-1 r2 lands 0,0", "blue A.frfr.5 1,0 r0",
                       "green A.frfr.5 2,0 r0 ark 1,0", "green A.cfff.1 1,1 r2 ark 2,0"};
  EXPECT_EQ(Scores(Played(kArk, {"ark german"}, twice)), (Points{2, 0, 6}));
  EXPECT_EQ(Scores(Played(kArk, {"ark german", "ark_temple_each_time false"}, twice)),
            (Points{2, 0, 3}));
}

TEST(RuleRow, R35_OasesScrollsSheepAndWolves) {
  EXPECT_EQ(FinalScores(Played(kArk, kSecond, {"red A.frfr.2 1,0 r0 follower 0"})),
            (Points{3, 0, 0}));
  EXPECT_EQ(Scores(Played(kArk, kSecond,
                          {"red A.cfcf.2 0,-1 r0 follower 0", "blue A.cfff.1 0,-2 r2 lands 0,0"})),
            (Points{8, 0, 0}));
  // Three sheep, then a wolf beside them.
  const Lines sheep = {"red A.cfff.3 0,1 r2 follower 1"};
  EXPECT_EQ(FinalScores(Played(kArk, kSecond, sheep)), (Points{6, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kArk, kSecond, After(sheep, {"blue A.cfff.4 1,1 r2"}))),
            (Points{4, 0, 0}));
  // Never below nothing.
  EXPECT_EQ(FinalScores(Played(kArk, kSecond, {"red A.cfff.4 0,1 r2 follower 1"})),
            (Points{0, 0, 0}));
}

}  // namespace
}  // namespace tilewarden::engine
