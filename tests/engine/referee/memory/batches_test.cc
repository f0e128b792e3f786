#include "engine/referee/memory/batches.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

// Red and blue lay monasteries, each with a figure, around the first one.
class BatchesTest : public testing::Test {
 protected:
  BatchesTest() : tiles_(*TileSet::Load("base.c1")), ledger_(*Ledger::Start(tiles_, Started())) {
    Play(0, {0, 1});
  }

  GameStarted Started() const {
    return {tiles_->id(), Rules().ToMap(), {"red", "blue"}, true, false};
  }
  void Play(int player, Cell cell) {
    Turn turn;
    turn.player = player;
    turn.tile = tiles_->Find("B.B");
    turn.cell = cell;
    const auto& segments = tiles_->types()[static_cast<std::size_t>(turn.tile)].segments;
    for (std::size_t s = 0; s < segments.size(); ++s) {
      if (segments[s].kind == SegmentKind::kMonastery) {
        turn.deployment = Deployment{FigureKind::kFollower, static_cast<int>(s)};
      }
    }
    const absl::Status folded = ledger_.Fold(TurnPlayed{turn, false, false, {}});
    ASSERT_TRUE(folded.ok()) << folded;
  }

  std::shared_ptr<const TileSet> tiles_;
  Ledger ledger_;
};

TEST_F(BatchesTest, TheOrderOfPlayTellsInWhichOrderTwoTilesWereLaid) {
  Play(0, {1, 1});
  Play(1, {-1, 1});
  ASSERT_FALSE(ledger_.order().violations.empty());
  const auto better = BetterOrder({2, {{{1, 1}, 8}, {{-1, 1}, 8}}}, ledger_);
  ASSERT_TRUE(better);
  EXPECT_EQ(better->number, 2);
  ASSERT_EQ(better->turns.size(), 2U);
  EXPECT_EQ(better->turns[0].cell, (Cell{-1, 1}));
  EXPECT_EQ(better->turns[0].player, 1);
}

TEST_F(BatchesTest, TurnsInTheOrderOfPlayStayAsTheyWereSeen) {
  Play(1, {1, 1});
  Play(0, {-1, 1});
  EXPECT_FALSE(BetterOrder({2, {{{1, 1}, 8}, {{-1, 1}, 9}}}, ledger_));
}

TEST_F(BatchesTest, ABatchOfWhichATileWasTakenBackIsNone) {
  Play(0, {1, 1});
  Play(1, {-1, 1});
  EXPECT_FALSE(BetterOrder({2, {{{1, 1}, 8}, {{0, 2}, 8}}}, ledger_));
}

TEST(Batches, ASingleTurnIsNone) {
  Batches batches;
  batches.Remember({1, {{{1, 1}, 8}}});
  EXPECT_TRUE(batches.all().empty());
}

TEST(Batches, TheOldestGiveWay) {
  Batches batches;
  for (int first = 1; first <= 6; ++first) batches.Remember({first, {{{1, 1}, 8}, {{2, 1}, 8}}});
  EXPECT_EQ(batches.all().size(), 4U);
  EXPECT_EQ(batches.all().front().first, 3);
}

}  // namespace
}  // namespace tilewarden::engine
