#include "engine/referee/memory/suspicions.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

class SuspicionsTest : public testing::Test {
 protected:
  static Condition Told(const char* code, Cell cell, double weight) {
    return Wrong(code, Severity::kIllegal, {cell}, "a sentence", weight);
  }
  // One look; which codes it raised.
  std::string Look(const std::vector<Condition>& wrong, bool visible = true,
                   bool after_hand = false) {
    auto [raised, cleared] = suspicions_.Weigh(
        wrong, open_, next_id_, {[=](const std::vector<Cell>&) { return visible; }, after_hand});
    std::string codes;
    for (const Finding& finding : raised) {
      EXPECT_EQ(finding.id, next_id_++);
      open_.push_back(finding);
      codes += finding.code + " ";
    }
    for (const std::uint32_t id : cleared) {
      EXPECT_EQ(std::erase_if(open_, [&](const Finding& f) { return f.id == id; }), 1U);
    }
    return codes;
  }

  Suspicions suspicions_;
  std::vector<Finding> open_;
  std::uint32_t next_id_ = 1;
};

TEST_F(SuspicionsTest, WhatOneLookTellsOnlyHalfIsRaisedByTheSecond) {
  EXPECT_EQ(Look({Told("tile-taken", {1, 0}, 0.5)}), "");
  EXPECT_EQ(Look({Told("tile-taken", {1, 0}, 0.5)}), "tile-taken ");
  EXPECT_EQ(Look({Told("tile-taken", {1, 0}, 0.5)}), "");
  EXPECT_EQ(open_.size(), 1U);
}

TEST_F(SuspicionsTest, ALookThatShowsNothingWrongEndsASuspicion) {
  Look({Told("tile-taken", {1, 0}, 0.5)});
  Look({});
  EXPECT_EQ(Look({Told("tile-taken", {1, 0}, 0.5)}), "");
}

TEST_F(SuspicionsTest, ALookThatDoesNotShowThePlaceEndsNothing) {
  Look({Told("tile-taken", {1, 0}, 0.5)});
  Look({}, false);
  EXPECT_EQ(Look({Told("tile-taken", {1, 0}, 0.5)}), "tile-taken ");
  Look({}, false);
  EXPECT_EQ(open_.size(), 1U);
  Look({});
  EXPECT_TRUE(open_.empty());
}

TEST_F(SuspicionsTest, WhatIsWrongWithOneTileIsRaisedOnceAsItWasSeenMostPlainly) {
  Condition moved = Told("tile-moved", {1, 0}, 0.5);
  moved.finding.cells.push_back({5, 5});
  Look({moved});
  EXPECT_TRUE(suspicions_.SeemedMoved({1, 0}, {5, 5}));
  EXPECT_FALSE(suspicions_.SeemedMoved({1, 0}, {4, 4}));
  EXPECT_EQ(Look({Told("tile-taken", {1, 0}, 0.5)}), "tile-moved ");
}

TEST_F(SuspicionsTest, AFigureThatOneLookMissesMayStillStandThereUnlessAHandCame) {
  Look({Told("two-figures", {1, 0}, 1)});
  Look({});
  EXPECT_EQ(open_.size(), 1U);
  Look({});
  EXPECT_TRUE(open_.empty());
  Look({Told("two-figures", {1, 0}, 1)});
  Look({}, true, true);
  EXPECT_TRUE(open_.empty());
}

TEST_F(SuspicionsTest, TheOrderOfPlayIsJudgedWhateverCanBeSeen) {
  Look({Told("out-of-turn", {1, 0}, 1)});
  Look({}, false);
  EXPECT_TRUE(open_.empty());
}

}  // namespace
}  // namespace tilewarden::engine
