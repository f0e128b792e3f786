#include "engine/referee/memory/cells.h"

#include <cstdint>
#include <memory>

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

TEST(CellMemory, OnlyTheFirstSightOfATileIsTheFirst) {
  CellMemory cell;
  cell.ShowedTile(3);
  cell.ShowedTileStill(5);
  cell.ShowedTileStill(7);
  EXPECT_EQ(cell.FirstSeen(), 3U);
  EXPECT_EQ(cell.FirstSettled(), 5U);
}

class CellMemoryTest : public testing::Test {
 protected:
  // A look at the known tile in which this share of the reading is that tile.
  void Show(double share, std::uint64_t sighting, bool figure = false) {
    cell_.ShowedKnown(share, CellView(), !figure, faces_, sighting);
  }
  std::shared_ptr<const TileSet> tiles_ = *TileSet::Load("base.c1");
  TileFaces faces_{*tiles_};
  CellMemory cell_;
};

TEST_F(CellMemoryTest, AReadingThatWasClearOnceStaysSo) {
  CellMemory& cell = cell_;
  cell.TakenDown(0.6, true, 1);
  EXPECT_TRUE(cell.TakenBySight());
  EXPECT_FALSE(cell.OnceClear());
  Show(0.97, 2);
  Show(0.3, 3);
  EXPECT_TRUE(cell.OnceClear());
  EXPECT_EQ(cell.LastRight(), 3U);
  Show(0.01, 4);
  EXPECT_EQ(cell.LastRight(), 3U);
}

TEST_F(CellMemoryTest, UnderAFigureNothingSmallIsClear) {
  Show(0.97, 1, true);
  EXPECT_TRUE(cell_.OnceClear());
  EXPECT_FALSE(cell_.OnceClearBare());
  EXPECT_EQ(cell_.bare_evidence().looks(), 0);
  Show(0.97, 2);
  EXPECT_TRUE(cell_.OnceClearBare());
  EXPECT_EQ(cell_.bare_evidence().looks(), 1);
}

TEST_F(CellMemoryTest, LooksWithoutTheTileCountInARow) {
  CellMemory& cell = cell_;
  cell.ShowedNone();
  cell.ShowedNone();
  EXPECT_EQ(cell.AbsentLooks(), 2);
  Show(0.9, 3);
  EXPECT_EQ(cell.AbsentLooks(), 0);
}

TEST_F(CellMemoryTest, WhatNoLookReadClearlyAndMoreLooksMissThanReadNeverLay) {
  cell_.TakenDown(0.6, true, 1);
  for (std::uint64_t sighting = 2; sighting < 5; ++sighting) Show(0.6, sighting);
  for (int look = 0; look < 4; ++look) {
    cell_.ShowedNone();
    EXPECT_FALSE(cell_.NeverLay()) << "four looks read it";
  }
  cell_.ShowedNone();
  EXPECT_TRUE(cell_.NeverLay());
}

TEST_F(CellMemoryTest, WhatManyLooksReadLiesUnderSomething) {
  cell_.TakenDown(0.6, true, 1);
  for (std::uint64_t sighting = 2; sighting < 8; ++sighting) Show(0.6, sighting);
  for (int look = 0; look < 20; ++look) cell_.ShowedNone();
  EXPECT_FALSE(cell_.NeverLay());
}

TEST_F(CellMemoryTest, WhatOneLookReadClearlyOrAPersonEnteredLay) {
  for (int look = 0; look < 9; ++look) cell_.ShowedNone();
  EXPECT_FALSE(cell_.NeverLay()) << "no look took it down";
  cell_.TakenDown(0.95, true, 10);
  for (int look = 0; look < 9; ++look) cell_.ShowedNone();
  EXPECT_FALSE(cell_.NeverLay());
}

TEST(Cells, AHandBesideACellHasNotCoveredIt) {
  Cells cells;
  cells[{1, 1}].Covered(7);
  EXPECT_EQ(cells.LastCovered({0, 0}), 0U);
  EXPECT_EQ(cells.LastCoveredAround({0, 0}), 7U);
  EXPECT_EQ(cells.LastCoveredAround({3, 0}), 0U);
}

TEST(Cells, AHandWasRatherOverTheOtherTileThatItLaid) {
  Cells cells;
  CellView laid, covered;
  laid.tile = covered.tile = covered.covered = true;
  cells[{0, 0}].visits().Remember(laid, 4, 1000, 2, 0.5);
  cells[{1, 0}].visits().Remember(covered, 4, 1000, 6, 0.5);
  const HandVisits::View view = cells.Find({0, 0})->visits().views().front();
  EXPECT_TRUE(cells.RatherElsewhere({0, 0}, view));
  EXPECT_FALSE(cells.RatherElsewhere({1, 0}, cells.Find({1, 0})->visits().views().front()));
}

TEST(Cells, AnEmptyCellIsForgottenUnlessAHandCameThere) {
  Cells cells;
  cells[{0, 0}].ShowedTile(1);
  cells[{1, 0}].ShowedTile(1);
  cells[{1, 0}].Covered(5);
  cells.EndLook(
      Look(), [](Cell) { return false; }, 4);
  EXPECT_EQ(cells.Find({0, 0}), nullptr);
  ASSERT_NE(cells.Find({1, 0}), nullptr);
  EXPECT_EQ(cells.Find({1, 0})->FirstSeen(), 0U);
  EXPECT_EQ(cells.Find({1, 0})->LastCovered(), 5U);
}

TEST(Cells, WhatWasUnderHandsIsUsedUpWhereTheTileIsSeen) {
  Cells cells;
  CellView covered;
  covered.covered = true;
  cells[{0, 0}].visits().Remember(covered, 1, 1000, 5, 0.5);
  Look look;
  look.cells[{0, 0}].hidden = true;
  cells.EndLook(
      look, [](Cell) { return true; }, 0);
  EXPECT_EQ(cells.Find({0, 0})->visits().CoveredLooks(), 1);
  look.cells[{0, 0}].hidden = false;
  cells.EndLook(
      look, [](Cell) { return true; }, 0);
  EXPECT_EQ(cells.Find({0, 0})->visits().CoveredLooks(), 0);
}

}  // namespace
}  // namespace tilewarden::engine
