// What `tilewarden rules replay` and `rules show` print.
#include "services/records/replay.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "tests/engine/notation/written_game.h"

namespace tilewarden::services {
namespace {

using engine::Game;
using engine::Lines;
using engine::Played;
using engine::Record;
using engine::RefusalOf;

std::string Joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

bool Holds(const std::vector<std::string>& lines, const std::string& text) {
  return Joined(lines).find(text) != std::string::npos;
}

const Lines kTurns = {"red B.E 0,-1 r2 follower 0", "blue B.U 1,0 r0 follower 1"};

TEST(ReplayText, TurnsSayWhatTheyScore) {
  Game game = Played("base.c1", {}, {});
  const auto record = Record("base.c1", {}, kTurns);
  auto outcome = game.Apply(record.turns[0]);
  EXPECT_EQ(Joined(DescribeTurn(game, record.turns[0], *outcome)),
            "1   red     B.E at (0, -1) r2, follower on the city 0\n"
            "      +4   red     completed city: 2 tiles  [(0, -1) (0, 0)]\n"
            "           red     takes a follower home from (0, -1)\n");
  outcome = game.Apply(record.turns[1]);
  EXPECT_EQ(Joined(DescribeTurn(game, record.turns[1], *outcome)),
            "2   blue    B.U at (1, 0) r0, follower on the field 1\n");
}

TEST(ReplayText, TheBoardShowsTilesAndFigures) {
  EXPECT_EQ(Joined(DrawBoard(Played("base.c1", {}, kTurns))),
            "        0      1   \n"
            "     .......       \n"
            "  -1 .......       \n"
            "     .#####.       \n"
            "     .#####..b.....\n"
            "   0 ==============\n"
            "     ..............\n"
            "# city  = road  . field  + monastery  R red  B blue  G green (small letters lie)\n");
  EXPECT_EQ(DrawBoard(Played("base.c1", {"start_tile_mixed true"}, {}))[0], "no tile lies yet");
}

TEST(ReplayText, TheScoreSheetAddsUp) {
  const auto sheet = ScoreSheet(Played("base.c1", {}, kTurns));
  EXPECT_TRUE(Holds(sheet, "red      4 points, 4 if the game ended now; at home: 7 followers"));
  EXPECT_TRUE(Holds(sheet, "  +4   turn 1   completed city: 2 tiles  [(0, -1) (0, 0)]"));
  EXPECT_TRUE(Holds(sheet, "blue     0 points, 3 if the game ended now; at home: 6 followers"));
  EXPECT_TRUE(Holds(sheet, "  +3   at the end farm beside 1 completed city"));
}

TEST(ReplayText, OpenFeaturesHaveTheirOdds) {
  const auto features = DescribeFeatures(Played("base.c1", {}, {}));
  EXPECT_TRUE(Holds(features,
                    "city at (0, 0) segment 0: 1 tiles, 1 open, worth 1 now and at least 4 when "
                    "complete, nobody's"));
  // 43 of the 71 tiles left have a city.
  EXPECT_TRUE(Holds(features, "(0, -1) next draw 60.6 %, in 3 draws 94.3 %: B.C x1"))
      << Joined(features);
}

TEST(ReplayText, TilesLeftAndWhereTheyFit) {
  const Game game = Played("base.c1", {}, kTurns);
  EXPECT_TRUE(Holds(DescribeTilesLeft(game), "69 tiles left: B.A x2"));
  EXPECT_TRUE(Holds(DescribeTilesLeft(game), "of these, nowhere fit: B.C"));
  EXPECT_TRUE(Holds(DescribeFit(game, game.tile_set().Find("B.C")), "B.C fits nowhere"));
  EXPECT_TRUE(Holds(DescribeFit(game, game.tile_set().Find("B.B")), "B.B can be laid"));
}

TEST(ReplayText, RefusalsSayRuleCellsAndSegments) {
  const auto why =
      RefusalOf("base.c1", {}, {"red B.W 1,0 r0 follower 2", "blue B.U -1,0 r0 follower 0"});
  EXPECT_EQ(DescribeRefusal(why),
            "feature-occupied: The road joins one with a figure on it: only an unoccupied "
            "feature may be claimed (Deploying a figure). Cells: (-1, 0) (1, 0). Segments: (-1, "
            "0).0 (1, 0).2.");
}

TEST(ReplayText, RulesNameTheirRows) {
  const auto rules = DescribeRules(*engine::Rules::Preset("c1"));
  EXPECT_EQ(rules.size(), engine::Rules::Options().size());
  EXPECT_TRUE(Holds(rules, "* final_by_segment = true"));
  EXPECT_TRUE(Holds(rules, "  two_tile_city_points = 4            row 3: "));
}

}  // namespace
}  // namespace tilewarden::services
