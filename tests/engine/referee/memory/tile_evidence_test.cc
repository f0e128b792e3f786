#include "engine/referee/memory/tile_evidence.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

class TileEvidenceTest : public testing::Test {
 protected:
  TileEvidenceTest() : tiles_(*TileSet::Load("base.c1")), faces_(*tiles_) {}

  CellView Reads(const char* tile, int rotation, double probability) const {
    CellView view;
    view.tile = true;
    view.readings = {{tiles_->Find(tile), rotation, probability}};
    return view;
  }
  double ShareOf(const TileEvidence& evidence, const char* tile) const {
    double sum = 0;
    for (const TileReading& share : evidence.Shares()) {
      if (share.tile == tiles_->Find(tile)) sum += share.probability;
    }
    return sum;
  }

  std::shared_ptr<const TileSet> tiles_;
  TileFaces faces_;
};

TEST_F(TileEvidenceTest, LooksThatAgreeMakeAReadingSurer) {
  TileEvidence evidence;
  CellView doubtful = Reads("B.V", 0, 0.6);
  doubtful.readings.push_back({tiles_->Find("B.U"), 0, 0.4});
  evidence.Add(doubtful, faces_, true);
  const double once = ShareOf(evidence, "B.V");
  evidence.Add(doubtful, faces_, true);
  EXPECT_GT(ShareOf(evidence, "B.V"), once);
  EXPECT_EQ(evidence.looks(), 2);
}

TEST_F(TileEvidenceTest, ALaterLookAtWhatNobodyTouchesCountsLess) {
  TileEvidence first, second;
  first.Add(Reads("B.V", 0, 0.6), faces_, true);
  second = first;
  second.Add(Reads("B.V", 0, 0.6), faces_, true);
  const int v = tiles_->Find("B.V");
  const double one = first.LogLikelihoodOf(v, 0, faces_);
  EXPECT_NEAR(second.LogLikelihoodOf(v, 0, faces_), 1.5 * one, 1e-9);
}

TEST_F(TileEvidenceTest, WhatAFigureHidesIsHardlyClearerInTheNextLook) {
  TileEvidence evidence;
  CellView doubtful = Reads("B.D", 1, 0.93);
  doubtful.readings.push_back({tiles_->Find("B.L"), 1, 0.07});
  doubtful.figures.emplace_back();
  evidence.Add(doubtful, faces_, true);
  const double once = ShareOf(evidence, "B.D");
  evidence.Add(doubtful, faces_, true);
  EXPECT_NEAR(ShareOf(evidence, "B.D"), once, 0.01);
  // Somebody takes it away.
  doubtful.figures.clear();
  evidence.Add(doubtful, faces_, true);
  EXPECT_GT(ShareOf(evidence, "B.D"), once + 0.03);
}

TEST_F(TileEvidenceTest, AClearLookAtAnotherTileBeginsAnewOnlyWhereTheGameHasNone) {
  for (const bool free : {true, false}) {
    TileEvidence evidence;
    evidence.Add(Reads("B.V", 0, 0.98), faces_, free);
    evidence.Add(Reads("B.U", 0, 0.98), faces_, free);
    EXPECT_EQ(evidence.looks(), free ? 1 : 2);
    EXPECT_EQ(ShareOf(evidence, "B.V") == 0, free);
  }
}

TEST_F(TileEvidenceTest, WhatNoLookNamedIsAsUnlikelyAsSoManyLooksCanMakeIt) {
  TileEvidence evidence;
  const int unseen = tiles_->Find("B.C");
  EXPECT_EQ(evidence.LogLikelihoodOf(unseen, 0, faces_), 0);
  evidence.Add(Reads("B.V", 0, 0.9), faces_, true);
  const double once = evidence.LogLikelihoodOf(unseen, 0, faces_);
  evidence.Add(Reads("B.V", 0, 0.9), faces_, true);
  EXPECT_LT(once, -5);
  EXPECT_NEAR(evidence.LogLikelihoodOf(unseen, 0, faces_), 2 * once, 1e-9);
}

}  // namespace
}  // namespace tilewarden::engine
