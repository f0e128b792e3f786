// Tests for the rows of the comparison of rules (RULES.md beside the checkout)
// on the rivers, each named after its row.
#include <algorithm>

#include "engine/game/remarks.h"
#include "engine/game/stack.h"
#include "gtest/gtest.h"
#include "tests/engine/notation/written_game.h"

namespace tilewarden::engine {
namespace {

const std::string kRiver1 = "base.c2+river1.c2";
const std::string kRiver2 = "base.c2+river2.c2";

TEST(RuleRow, R16_TheRiverReplacesTheStartTile) {
  const Game game = Played(kRiver1, {}, {});
  EXPECT_EQ(game.tile_set().types()[static_cast<std::size_t>(game.PlacedTiles()[0].tile)].id,
            "R.spring");
  EXPECT_EQ(game.TilesLeft(game.tile_set().Find("B.D")), 3);
}

TEST(RuleRow, R17_TurnsOfTheRiver) {
  const Lines immediate = {"red R1.G -1,0 r3", "red R1.Jg -1,1 r2"};
  EXPECT_EQ(Refused(kRiver1, {}, immediate), "river-uturn");
  EXPECT_EQ(Refused(kRiver1, {"river free"}, immediate), "");
  const Lines between = {"red R1.G -1,0 r3", "red R1.D -1,1 r1", "red R1.Jg -1,2 r2"};
  EXPECT_EQ(Refused(kRiver1, {}, between), "");
  EXPECT_EQ(Refused(kRiver1, {"river_three true"}, between), "");
  EXPECT_EQ(Refused(kRiver1, {"river strict"}, between), "river-uturn");
  const Lines three = {"red R1.D -1,0 r0",  "red R1.G -2,0 r3", "red R1.D -2,1 r1",
                       "red R1.Jg -2,2 r2", "red R1.F -1,2 r0", "red R1.I 0,2 r1"};
  EXPECT_EQ(Refused(kRiver1, {}, three), "");
  EXPECT_EQ(Refused(kRiver1, {"river_three true"}, three), "river-uturn");
  EXPECT_EQ(Refused(kRiver1, {"river_away true"}, three), "river-uturn");
}

// "You cannot place a river curve in a direction where there are already river tiles", and the
// official answer: "Turning river the same way three times should also be considered prohibited".
TEST(RuleRow, R17_BothOfficialLimitsHoldAtOnce) {
  for (const char* preset : {"c1", "c2", "c3"}) {
    EXPECT_TRUE(Rules::Preset(preset)->river_away) << preset;
    EXPECT_TRUE(Rules::Preset(preset)->river_three) << preset;
    EXPECT_EQ(Rules::Preset(preset)->river, RiverTurns::kOfficial) << preset;
  }
  // Twice the same way with a straight tile between, on towards the spring's column: no third turn.
  const Lines third = {"red R1.D -1,0 r0",  "red R1.G -2,0 r3", "red R1.D -2,1 r1",
                       "red R1.Jg -2,2 r2", "red R1.F -1,2 r0", "red R1.I 0,2 r1"};
  const Refusal both = RefusalOf(kRiver1, {"river_away true", "river_three true"}, third);
  EXPECT_EQ(both.code, "river-uturn");
  EXPECT_NE(both.text.find("river_away"), std::string::npos);
  const Refusal three = RefusalOf(kRiver1, {"river_three true"}, third);
  EXPECT_NE(three.text.find("three times"), std::string::npos);
  // Whoever plays with free turns means all of them.
  EXPECT_EQ(Refused(kRiver1, {"river free", "river_away true", "river_three true"}, third), "");
  // As games wrote it when only one of them could be asked for.
  EXPECT_EQ(Refused(kRiver1, {"river three"}, third), "river-uturn");
  EXPECT_EQ(Refused(kRiver1, {"river away"}, third), "river-uturn");
}

std::vector<std::string> Remarks(const std::string& set, const Lines& options, const Lines& turns) {
  std::vector<std::string> codes;
  for (const Refusal& remark : RemarksOn(Played(set, options, turns))) codes.push_back(remark.code);
  return codes;
}

// "You must draw tiles from the River stack before drawing normal tiles", the fork "is to be placed
// first", and the lake lies at the bottom of the stack. A river that cannot go on is legal.
TEST(RuleRow, R18_R19_TheOrderOfTheRiverIsRemarkedOnNotRefused) {
  using Codes = std::vector<std::string>;
  EXPECT_EQ(Remarks(kRiver1, {}, {"red R1.D -1,0 r0"}), Codes{});
  EXPECT_EQ(Remarks(kRiver1, {}, {"red R1.D -1,0 r0", "blue B.B -1,1 r0"}), Codes{"river-first"});
  EXPECT_EQ(Remarks(kRiver1, {}, {"red R.lake -1,0 r2"}), Codes{"lake-last"});
  // Nothing of the river can be laid any more: land comes next.
  EXPECT_EQ(Remarks(kRiver1, {}, {"red R.lake -1,0 r2", "blue B.B -1,1 r0"}), Codes{});
  EXPECT_EQ(Remarks(kRiver2, {}, {"red R2.fork -1,0 r0"}), Codes{});
  EXPECT_EQ(Remarks(kRiver2, {}, {"red R2.pig -1,0 r3"}), Codes{"fork-first"});
  // In the bag everything comes as it comes.
  EXPECT_EQ(Remarks(kRiver1, {"river_shuffled true"}, {"red R.lake 0,0 r0"}), Codes{});
  EXPECT_EQ(Remarks("base.c2", {}, {"red B.B 0,1 r0"}), Codes{});
}

// "Select the river expansion you want and discard the others. However, you may combine The River
// and The River II." CutCassonne's three tiles "can be added to any river expansion".
TEST(RuleRow, R19_WhichRiversCombine) {
  EXPECT_TRUE(TileSet::Load("base.c1+river1.c1+river2.c1").ok());
  EXPECT_TRUE(TileSet::Load("base.c2+river2.c2+river1.c2").ok());
  for (const char* set : {"base.c2+river1.c2+river1.c3", "base.c2+river1.c2+river.20ae",
                          "base.c2+river.20ae+river2.c2"}) {
    const auto tiles = TileSet::Load(set);
    EXPECT_EQ(tiles.status().code(), absl::StatusCode::kInvalidArgument) << set;
    EXPECT_NE(std::string(tiles.status().message()).find("leave one out"), std::string::npos);
  }
  const auto rivers = [](const std::string& set) {
    int count = 0;
    const auto tiles = TileSet::Load(set);
    for (const TileType& type : (*tiles)->types()) count += type.HasRiver() ? 1 : 0;
    return count;
  };
  EXPECT_EQ(rivers("base.c2+cutcassonne"), 0);
  EXPECT_EQ(rivers("base.c2+river1.c2+cutcassonne"), rivers("base.c2+river1.c2") + 3);
}

TEST(RuleRow, R18_AnUnfinishedRiverIsLegal) {
  EXPECT_EQ(Refused(kRiver1, {}, {"red R1.D -1,0 r0", "blue B.B -1,1 r0"}), "");
  EXPECT_EQ(Refused(kRiver1, {}, {"red R1.D -1,0 r0", "blue R1.F -1,1 r0"}), "river-must-continue");
  EXPECT_EQ(Refused(kRiver1, {}, {"red R.lake -1,0 r2", "blue R1.F aside"}), "");
}

TEST(RuleRow, R19_ForkFirstAndOneSource) {
  const auto two = TileSet::Load(kRiver2);
  EXPECT_EQ(DrawPiles(**two, Rules{})[0], std::vector<int>{(*two)->Find("R2.fork")});
  const Game big = Played("base.c2+river.20ae", {}, {});
  EXPECT_EQ(big.PlacedTiles().size(), 2U);
  EXPECT_EQ(big.LegalPlacements(big.tile_set().Find("R1.D")).size(), 4U);
  // The double-sized source counts as two tiles.
  const Game::Feature field = big.FeatureAt({0, 0}, 1);
  EXPECT_EQ(field.cells.size(), 2U);
  const auto piles = DrawPiles(big.tile_set(), Rules{});
  EXPECT_EQ(piles[piles.size() - 2].size(), 2U);  // both lakes, in any order
}

TEST(RuleRow, R19_TheForkAndTwoRiversTogether) {
  const auto steps = [](const std::string& set, const Lines& options) {
    const Game game = Played(set, options, {});
    std::string all;
    for (const std::string& step : SetUpSteps(game.tile_set(), game.rules())) all += step + "\n";
    return all;
  };
  EXPECT_NE(steps(kRiver2, {}).find("The first player lays the fork"), std::string::npos);
  EXPECT_NE(steps(kRiver2, {"fork_by_youngest true"}).find("The youngest player lays the fork"),
            std::string::npos);
  const Game both = Played("base.c2+river1.c2+river2.c2", {}, {});
  int sources = 0, lakes = 0;
  for (const std::vector<int>& pile : DrawPiles(both.tile_set(), both.rules())) {
    for (const int tile : pile) {
      for (const Segment& s : both.tile_set().types()[static_cast<std::size_t>(tile)].segments) {
        sources += s.river_role == RiverRole::kSource ? 1 : 0;
        lakes += s.river_role == RiverRole::kLake ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(sources, 0);  // the one that there is lies on the table
  EXPECT_EQ(lakes, 2);    // River II's own two ends, without River I's lake
}

TEST(RuleRow, R19_TheDoubleSizedSourceCountsAsTwoTilesOrAsOne) {
  // A monastery that both halves touch, with a river tile at each end.
  const std::string set = "base.c2+river.20ae";
  const Lines turns = {"red R1.F -1,0 r0", "red R1.D 2,0 r0", "red B.B 0,1 r0 follower 0"};
  EXPECT_EQ(FinalScores(Played(set, {}, turns)), (Points{4, 0, 0}));
  EXPECT_EQ(FinalScores(Played(set, {"source_counts_once true"}, turns)), (Points{3, 0, 0}));
}

TEST(RuleRow, R20_VolcanoLakeAndBranches) {
  EXPECT_EQ(Refused(kRiver2, {}, {"red R2.volcano -1,0 r2 follower 1"}), "no-meeples-on-river");
  EXPECT_EQ(Refused(kRiver2, {"volcano_lake false"}, {"red R2.volcano -1,0 r2 follower 1"}), "");
  Game game = Played(kRiver2, {}, {});
  const Turn lake = Record(kRiver2, {}, {"red R2.volcano -1,0 r2"}).turns[0];
  EXPECT_TRUE(game.Apply(lake)->extra_turn);
  Game ordinary = Played(kRiver2, {"volcano_lake false"}, {});
  EXPECT_FALSE(ordinary.Apply(lake)->extra_turn);
  // The two branches meet around a corner.
  EXPECT_EQ(Refused(kRiver2, {"river free"},
                    {"red R2.fork -1,0 r0", "red R2.pig -1,1 r1", "red R2.bendg -2,1 r2",
                     "red R2.citybend -2,0 r3"}),
            "river-branches-joined");
}

TEST(RuleRow, R21_WhatSplitsTheField) {
  // Around the source the banks are one field; the river parts them elsewhere.
  EXPECT_EQ(Refused(kRiver1, {}, {"red R1.D -1,0 r0 follower 1", "blue R1.F -2,0 r0 follower 2"}),
            "feature-occupied");
  const Game bridge = Played(kRiver1, {}, {"red R1.K -1,0 r0"});
  int fields = 0;
  for (const Segment& s : bridge.tile_set()
                              .types()[static_cast<std::size_t>(bridge.tile_set().Find("R1.K"))]
                              .segments) {
    fields += s.kind == SegmentKind::kField ? 1 : 0;
  }
  EXPECT_EQ(fields, 4);  // a small bridge lets no field through
  const auto two = TileSet::Load(kRiver2);
  int under = 0;
  for (const Segment& s :
       (*two)->types()[static_cast<std::size_t>((*two)->Find("R2.E"))].segments) {
    under += s.kind == SegmentKind::kField ? 1 : 0;
  }
  EXPECT_EQ(under, 2);  // the large one does
}

TEST(RuleRow, R22_InnVolcanoAndPigHerdAreOffUnlessEnabled) {
  const Lines inn = {"red R2.D -1,0 r0 follower 0", "blue B.A -1,-1 r3"};
  EXPECT_EQ(FinalScores(Played(kRiver2, {}, inn)), (Points{2, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kRiver2, {"inns true"}, inn)), (Points{0, 0, 0}));
  Lines finished = inn;
  finished.push_back("blue B.A -1,1 r1");
  EXPECT_EQ(Scores(Played(kRiver2, {}, finished)), (Points{3, 0, 0}));
  EXPECT_EQ(Scores(Played(kRiver2, {"inns true"}, finished)), (Points{6, 0, 0}));
  const Lines herd = {"red R2.pig -1,0 r3 follower 1", "blue B.E 0,-1 r0", "blue B.E 0,-2 r2"};
  EXPECT_EQ(FinalScores(Played(kRiver2, {}, herd)), (Points{3, 0, 0}));
  EXPECT_EQ(FinalScores(Played(kRiver2, {"pig_herd true"}, herd)), (Points{4, 0, 0}));
}

TEST(RuleRow, R23_TheRiverLaidBackwardsOrFromItsFork) {
  const auto type = [](const Game& game, int tile) {
    return game.tile_set().types()[static_cast<std::size_t>(tile)].id;
  };
  const Game back = Played(kRiver1, {"river_start lake"}, {});
  EXPECT_EQ(type(back, back.PlacedTiles()[0].tile), "R.lake");
  auto piles = DrawPiles(back.tile_set(), back.rules());
  EXPECT_EQ(type(back, piles[1][0]), "R.spring");
  EXPECT_EQ(piles[1].size(), 1U);
  const Game fork = Played(kRiver2, {"river_start fork"}, {});
  EXPECT_EQ(type(fork, fork.PlacedTiles()[0].tile), "R2.fork");
  piles = DrawPiles(fork.tile_set(), fork.rules());
  EXPECT_EQ(piles[1].size(), 2U);  // source and lake come last
  // Three branches to go on with.
  EXPECT_EQ(fork.LegalPlacements(fork.tile_set().Find("R.spring")).size(), 3U);
}

TEST(RuleRow, R23_TheWholeRiverInTheBag) {
  const Lines shuffled = {"river_shuffled true"};
  Game game = Played(kRiver1, shuffled, {});
  EXPECT_TRUE(game.PlacedTiles().empty());
  EXPECT_EQ(DrawPiles(game.tile_set(), game.rules())[0].size(), 12U);
  // A curve in the middle of the river: the other arm may not turn on.
  EXPECT_EQ(Refused(kRiver1, shuffled, {"red R1.G 0,0 r0", "red R1.I 0,1 r2"}), "");
  EXPECT_EQ(Refused(kRiver1, shuffled, {"red R1.G 0,0 r0", "red R1.I 0,1 r1"}), "river-uturn");
  EXPECT_EQ(Refused(kRiver1, shuffled, {"red R1.G 0,0 r0", "red R1.I -1,0 r2"}), "");
  EXPECT_EQ(Refused(kRiver1, shuffled, {"red R1.G 0,0 r0", "red R1.I -1,0 r3"}), "river-uturn");
}

TEST(RuleRow, R23_SeveralSources) {
  const std::string both = "base.c2+river1.c2+river2.c2";
  const Game one = Played(both, {}, {}), two = Played(both, {"several_sources true"}, {});
  const int source = one.tile_set().Find("R.spring");
  EXPECT_EQ(one.TilesLeft(source), 0);
  EXPECT_EQ(two.TilesLeft(source), 1);
  const auto piles = DrawPiles(two.tile_set(), two.rules());
  const auto& ends = piles[piles.size() - 2];
  EXPECT_EQ(std::count(ends.begin(), ends.end(), source), 1);
}

// "Select only one lake tile and use two spring tiles. Lay the river in reverse order"; "Play the
// fork of the river first, and lay the spring last. The lakes are mixed in"; "Play both rivers
// backwards ... split the balance of the river tiles into two stacks".
TEST(RuleRow, R23_OneLakeAndTwoSpringsOrTheLakesMixedIn) {
  const std::string both = "base.c2+river1.c2+river2.c2";
  const auto tiles = TileSet::Load(both);
  const int spring = (*tiles)->Find("R.spring"), fork = (*tiles)->Find("R2.fork");
  const int volcano = (*tiles)->Find("R2.volcano");
  const auto has = [](const std::vector<int>& pile, int tile) {
    return std::count(pile.begin(), pile.end(), tile);
  };
  Rules rules;
  rules.river_start = RiverStart::kLake;
  rules.several_sources = rules.one_lake = true;
  const int lake = StartTile(**tiles, rules);
  ASSERT_GE(lake, 0);
  EXPECT_NE(lake, volcano);
  std::vector<std::vector<int>> piles = DrawPiles(**tiles, rules);
  EXPECT_EQ(piles[0], std::vector<int>{fork});
  EXPECT_EQ(piles[2], (std::vector<int>{spring, spring}));
  for (const auto& pile : piles) EXPECT_EQ(has(pile, volcano) + has(pile, lake), 0);

  rules.river_in_two_stacks = true;
  piles = DrawPiles(**tiles, rules);
  EXPECT_EQ(has(piles[0], fork), 1);
  EXPECT_EQ(has(piles[0], spring), 0);
  EXPECT_EQ(has(piles[1], spring), 1);
  EXPECT_EQ(piles[2], std::vector<int>{spring});
  EXPECT_LE(piles[0].size() - piles[1].size() + 1, 2U);

  Rules from_fork;
  from_fork.river_start = RiverStart::kFork;
  from_fork.lakes_mixed = true;
  const auto two = TileSet::Load(kRiver2);
  piles = DrawPiles(**two, from_fork);
  EXPECT_EQ(has(piles[0], (*two)->Find("R2.volcano")), 1);
  EXPECT_EQ(piles[1], std::vector<int>{(*two)->Find("R.spring")});
}

TEST(RuleRow, R23_TheRiverMovedToTheMiddle) {
  const Lines table = {"area -3,-1,1,1"};
  const Lines options = After(table, {"river_to_middle true"});
  const Lines river = {"red R1.D -1,0 r0", "blue R.lake -2,0 r2"};
  const std::string moved = "red B.B 0,1 r0 table -4,-1,0,1";
  EXPECT_EQ(Refused(kRiver1, table, After(river, {moved})), "board-shifted");
  EXPECT_EQ(Refused(kRiver1, options, After(river, {moved})), "");
  EXPECT_EQ(Refused(kRiver1, options, {"red R1.D -1,0 r0", moved}), "board-shifted");
  EXPECT_EQ(Refused(kRiver1, options,
                    After(river, {"red B.B 0,1 r0",
                                  "red B.B 0,-1 r0 table "
                                  "-4,-1,0,1"})),
            "board-shifted");
}

TEST(RuleRow, R23_HouseRulesOfTheRiver) {
  const Lines options = {"river_meeples false"};
  EXPECT_EQ(Refused(kRiver1, options, {"red R1.H -1,0 r0 follower 0"}), "no-meeples-on-river");
  EXPECT_EQ(Refused(kRiver1, options, {"red R.lake -1,0 r2 follower 1"}), "");
  // "You are not permitted to lay down any meeples until the entire river is down": nor on a start
  // tile that is mixed in.
  const Lines mixed = {"river_meeples false", "start_tile_mixed true"};
  const Lines start = {"red R1.D -1,0 r0", "blue B.D -1,-1 r0 follower 1"};
  EXPECT_EQ(Refused(kRiver1, mixed, start), "no-meeples-on-river");
  EXPECT_EQ(Refused(kRiver1, {"start_tile_mixed true"}, start), "");
  EXPECT_EQ(Refused(kRiver1, mixed, {"red R.lake -1,0 r2", "blue B.B -1,1 r0 follower 0"}), "");
  Rules shuffled;
  shuffled.river_shuffled = true;
  const auto two = TileSet::Load(kRiver2);
  EXPECT_EQ(DrawPiles(**two, shuffled).size(), 2U);
}

}  // namespace
}  // namespace tilewarden::engine
