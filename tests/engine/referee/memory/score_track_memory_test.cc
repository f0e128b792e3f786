#include "engine/referee/memory/score_track.h"
#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

class ScoreTrackMemoryTest : public testing::Test {
 protected:
  // A look that shows red's marker on this field; what it tells.
  std::optional<Finding> Look(int field, const Finding* open = nullptr, bool in_question = false) {
    SightedScoreTrack track;
    track.hidden_fields = hidden_;
    track.markers.push_back({{{field, 0.97}}, {{"red", 0.98}}, 0.98, 0.9});
    return memory_.Review("red", {&track, time_ms_ += 2000, 0.5, open, in_question});
  }
  std::optional<Finding> AfterLooks(int looks, int field, bool in_question = false) {
    std::optional<Finding> told;
    for (int i = 0; i < looks; ++i) told = Look(field, nullptr, in_question);
    return told;
  }

  ScoreTrackMemory memory_;
  std::vector<int> hidden_;
  std::int64_t time_ms_ = 0;
};

TEST_F(ScoreTrackMemoryTest, AMarkerThatWasForgottenIsToldAfterTheNextTurn) {
  memory_.Scored(1, {{"red", 4}});
  EXPECT_FALSE(AfterLooks(5, 0));
  memory_.Scored(2, {{"red", 4}});
  const auto told = AfterLooks(5, 0);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->marker->field, 0);
  EXPECT_EQ(told->marker->points, 4);
}

TEST_F(ScoreTrackMemoryTest, AMarkerOnItsWayFromTheScoreBeforeIsRight) {
  memory_.Scored(1, {{"red", 4}});
  memory_.Scored(2, {{"red", 9}});
  EXPECT_FALSE(AfterLooks(5, 6));
}

TEST_F(ScoreTrackMemoryTest, NothingIsToldWhileAQuestionMayChangeTheScoresOrItsFieldIsHidden) {
  memory_.Scored(1, {{"red", 4}});
  EXPECT_FALSE(AfterLooks(5, 0));
  memory_.Scored(2, {{"red", 4}});
  EXPECT_FALSE(AfterLooks(5, 0, true));
  hidden_ = {4};
  EXPECT_FALSE(AfterLooks(5, 0));
  hidden_.clear();
  EXPECT_TRUE(AfterLooks(5, 0));
}

TEST_F(ScoreTrackMemoryTest, WhatWasToldHoldsUntilALookShowsItRight) {
  memory_.Scored(1, {{"red", 4}});
  EXPECT_FALSE(AfterLooks(5, 0));
  memory_.Scored(2, {{"red", 4}});
  const auto told = AfterLooks(5, 0);
  ASSERT_TRUE(told);
  const SightedScoreTrack nobody;
  EXPECT_TRUE(memory_.Review("red", {&nobody, time_ms_, 0.5, &*told, false}));
  EXPECT_FALSE(Look(4, &*told));
}

}  // namespace
}  // namespace tilewarden::engine
