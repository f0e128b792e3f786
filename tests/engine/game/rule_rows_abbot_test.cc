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

// Whoever plays with an abbot puts him beside the box; other figures come with tiles of their own.
TEST(OptionsThatBring, AFigureOnlyToTilesThatItIsPlayedWith) {
  const auto bring = [](FigureKind kind, const std::string& set) {
    Rules rules;
    const std::vector<RuleOption> ways = OptionsThatBring(kind, **TileSet::Load(set));
    for (const RuleOption& way : ways) EXPECT_TRUE(rules.Set(way.name, way.value).ok());
    EXPECT_EQ(HasKind(rules, kind), !ways.empty());
    return ways.size();
  };
  EXPECT_EQ(bring(FigureKind::kAbbot, "base.c1"), 1U);
  EXPECT_EQ(bring(FigureKind::kAbbot, "ark"), 0U);
  EXPECT_EQ(bring(FigureKind::kGingerbreadMan, "winter+gingerbread"), 1U);
  EXPECT_EQ(bring(FigureKind::kGingerbreadMan, "winter"), 0U);
  for (const std::string set : {"ark", "ark.crrf4"}) {
    EXPECT_EQ(bring(FigureKind::kArk, set), 3U) << "by its edition";
    EXPECT_EQ(bring(FigureKind::kProphet, set), 3U);
  }
  for (const FigureKindEntry& entry : AllFigureKinds()) {
    if (entry.kind == FigureKind::kAbbot || entry.kind == FigureKind::kFollower) continue;
    EXPECT_EQ(bring(entry.kind, "base.c1"), 0U) << entry.word;
  }
}

TEST(OptionsToSet, AnEditionOfTheArkIsSetBackWithAllThatItBrought) {
  Rules before = *Rules::Preset("c1");  // unfinished features by segment, as in two editions
  for (const std::string edition : {"first", "second", "german"}) {
    Rules after = before;
    ASSERT_TRUE(after.Set("ark", edition).ok());
    Rules back = after;
    for (const auto& [name, value] : OptionsToSet(after, before)) {
      ASSERT_TRUE(back.Set(name, value).ok());
    }
    EXPECT_EQ(back, before) << edition;
  }
  EXPECT_TRUE(OptionsToSet(before, before).empty());
}

}  // namespace
}  // namespace tilewarden::engine
