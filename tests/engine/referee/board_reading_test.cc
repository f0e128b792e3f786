// One look's tiles weighed together: neighbours and copies decide what looks
// alike, and never hide what was clearly seen.
#include "engine/referee/board_reading.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

SightedTile Seen(Cell cell, std::vector<TileCandidate> candidates) {
  SightedTile tile;
  tile.cell = cell;
  tile.candidates = std::move(candidates);
  return tile;
}

class BoardReading : public ::testing::Test {
 protected:
  void SetUp() override {
    auto set = TileSet::Load("base.c1");
    ASSERT_TRUE(set.ok()) << set.status();
    set_ = *set;
  }
  std::shared_ptr<const TileSet> set_;
};

// A road comes from the west (D, turned as canonical: city north, road east and
// west): a monastery with a road to it fits, one without does not.
TEST_F(BoardReading, ANeighbourDecidesWhatLooksAlike) {
  const auto& d = set_->types()[static_cast<std::size_t>(set_->Find("B.D"))];
  int road = 0;
  while (d.edges[static_cast<std::size_t>(road)] != 'r') ++road;
  const int turn = (1 - road) & 3;  // road to the east
  const auto& a = set_->types()[static_cast<std::size_t>(set_->Find("B.A"))];
  int end = 0;
  while (a.edges[static_cast<std::size_t>(end)] != 'r') ++end;
  const int a_turn = (3 - end) & 3;  // road from the west
  const auto weighed = WeighTogether(
      {Seen({0, 0}, {{"B.D", turn, 0.99}}),
       Seen({1, 0}, {{"B.B", 0, 0.7}, {"B.A", a_turn, 0.2}, {"B.A", (a_turn + 1) & 3, 0.05}})},
      *set_);
  EXPECT_EQ(weighed[1].candidates.front().tile, "B.A");
  EXPECT_EQ(weighed[1].candidates.front().rotation, a_turn);
  double sum = 0;
  for (const TileCandidate& candidate : weighed[1].candidates) sum += candidate.probability;
  EXPECT_NEAR(sum, 0.95, 1e-9);

  // What is clearly seen stays, whatever the neighbour.
  const auto illegal = WeighTogether({Seen({0, 0}, {{"B.D", turn, 0.99}}),
                                      Seen({1, 0}, {{"B.B", 0, 0.995}, {"B.A", a_turn, 0.004}})},
                                     *set_);
  EXPECT_EQ(illegal[1].candidates.front().tile, "B.B");
}

TEST_F(BoardReading, TheBoxHoldsOnlySoManyCopies) {
  // One Q in the box, three R.
  ASSERT_EQ(set_->counts()[static_cast<std::size_t>(set_->Find("B.Q"))], 1);
  const std::vector<SightedTile> apart = {Seen({0, 0}, {{"B.Q", 0, 0.99}, {"B.R", 0, 0.01}}),
                                          Seen({5, 5}, {{"B.Q", 0, 0.8}, {"B.R", 0, 0.19}})};
  const auto weighed = WeighTogether(apart, *set_);
  EXPECT_EQ(weighed[0].candidates.front().tile, "B.Q");
  EXPECT_EQ(weighed[1].candidates.front().tile, "B.R");
  // Two that were clearly seen are two.
  const auto two = WeighTogether({Seen({0, 0}, {{"B.Q", 0, 0.9999}, {"B.R", 0, 0.0001}}),
                                  Seen({5, 5}, {{"B.Q", 0, 0.9999}, {"B.R", 0, 0.0001}})},
                                 *set_);
  EXPECT_EQ(two[0].candidates.front().tile, "B.Q");
  EXPECT_EQ(two[1].candidates.front().tile, "B.Q");
}

TEST_F(BoardReading, WhatIsNotOfTheSetIsLeftAlone) {
  const auto weighed =
      WeighTogether({Seen({0, 0}, {{"", 0, 0.6}, {"B.C", 0, 0.3}}), Seen({1, 0}, {})}, *set_);
  EXPECT_EQ(weighed[0].candidates.front().tile, "");
  EXPECT_NEAR(weighed[0].candidates.front().probability, 0.6, 1e-9);
  EXPECT_NEAR(weighed[0].candidates.back().probability, 0.3, 1e-9);
  EXPECT_TRUE(weighed[1].candidates.empty());
}

}  // namespace
}  // namespace tilewarden::engine
