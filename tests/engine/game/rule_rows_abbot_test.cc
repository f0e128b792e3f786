// Tests for the rows of the comparison of rules (RULES.md beside the checkout)
// on the abbot and the gardens, each named after its row.
#include "engine/game/box_rules.h"
#include "gtest/gtest.h"
#include "tests/engine/notation/written_game.h"

namespace tilewarden::engine {
namespace {

TEST(RuleRow, R13_RecallingTheAbbot) {
  const std::string set = "base.c2";
  const Lines turns = {"red B.B 0,1 r0 abbot 0", "red B.U 1,0 r0 follower 0"};
  Game game = Played(set, {"abbot true", "followers 1"}, turns);
  Turn recall;
  recall.tile = game.tile_set().Find("B.U");
  recall.cell = {2, 0};
  recall.recall = Cell{0, 1};
  EXPECT_FALSE(game.Check(recall).has_value());
  recall.deployment = {FigureKind::kFollower, 1};
  EXPECT_EQ(game.Check(recall)->code, "one-action");
  Lines last = turns;
  last.push_back("red B.U 2,0 r0 recall 0,1");
  EXPECT_EQ(Refused(set, {"abbot true", "followers 1", "recall_needs_meeple true"}, last),
            "none-in-supply");
  EXPECT_EQ(Refused(set, {"abbot true", "followers 2", "recall_needs_meeple true"}, last), "");
}

TEST(RuleRow, R14_ARecallScoresAtOnceAndNotACompletedFeature) {
  const Lines around = {"red B.B 0,1 r0 abbot 0", "blue B.U 1,0 r0",  "blue B.U -1,0 r0",
                        "blue B.E 1,1 r1",        "blue B.E -1,1 r3", "blue B.B 0,2 r0",
                        "blue B.E 1,2 r1"};
  Lines recall = around;
  recall.push_back("red B.E -1,2 r3 recall 0,1");
  EXPECT_EQ(Refused("base.c2", {"abbot true"}, recall), "recall-completed");
  recall.back() = "red B.U 2,0 r0 recall 0,1";
  EXPECT_EQ(Scores(Played("base.c2", {"abbot true"}, recall)), (Points{8, 0, 0}));
}

TEST(RuleRow, R15_OnlyAnAbbotStandsOnAGarden) {
  const Lines options = {"abbot true"};
  EXPECT_EQ(Refused("base.c2", options, {"red B.Ug 1,0 r0 follower 3"}), "garden-needs-abbot");
  EXPECT_EQ(Refused("base.c2", options, {"red B.Ug 1,0 r0 abbot 3"}), "");
  EXPECT_EQ(Refused("base.c2", options, {"red B.Ug 1,0 r0 abbot 0"}), "abbot-wrong-feature");
  const Refusal off = RefusalOf("base.c2", {}, {"red B.Ug 1,0 r0 abbot 3"});
  EXPECT_EQ(off.code, "no-such-figure");
  EXPECT_EQ(off.text, "This game is played without the abbot (option abbot).");
  const Game game =
      Played("base.c2", options,
             {"red B.Ug 1,0 r0 abbot 3", "blue B.E 0,-1 r2", "blue B.B 1,-1 r0", "blue B.B 2,-1 r0",
              "blue B.U 2,0 r0", "blue B.B 0,1 r0", "blue B.B 1,1 r0", "blue B.B 2,1 r0"});
  EXPECT_EQ(Scores(game), (Points{9, 0, 0}));
  EXPECT_EQ(game.score_items()[0].kind, "garden");
}

// Whoever plays with one puts him beside the box; other figures come with tiles of their own.
TEST(OptionThatBrings, TheAbbotAloneAndOnlyToTilesWhereHeMayStand) {
  const auto base = *TileSet::Load("base.c1");
  const auto option = OptionThatBrings(FigureKind::kAbbot, *base);
  ASSERT_TRUE(option);
  Rules rules = *Rules::Preset("c1");
  ASSERT_TRUE(rules.Set(option->name, option->value).ok());
  EXPECT_TRUE(rules.abbot);
  EXPECT_FALSE(OptionThatBrings(FigureKind::kAbbot, **TileSet::Load("ark")));
  for (const FigureKindEntry& entry : AllFigureKinds()) {
    if (entry.kind == FigureKind::kAbbot) continue;
    EXPECT_FALSE(OptionThatBrings(entry.kind, *base)) << entry.word;
  }
}

}  // namespace
}  // namespace tilewarden::engine
