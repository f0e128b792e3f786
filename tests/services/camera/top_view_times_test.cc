// When a sighting brings a picture for people.
#include "services/camera/top_view_times.h"

#include "gtest/gtest.h"

namespace tilewarden::services {
namespace {

TopViewTimes::Time At(int ms) { return TopViewTimes::Time(std::chrono::milliseconds(ms)); }

TEST(TopViewTimes, EveryTwoSecondsWhileTheTableLiesStill) {
  TopViewTimes times;
  ASSERT_TRUE(times.Due(true, false, At(0)));
  times.Sent(true, At(0));
  EXPECT_FALSE(times.Due(true, false, At(1900)));
  EXPECT_TRUE(times.Due(true, false, At(2000)));
}

TEST(TopViewTimes, AtOnceWhenTheTableHasComeToRest) {
  TopViewTimes times;
  times.Sent(true, At(0));
  EXPECT_FALSE(times.Due(false, true, At(200))) << "a hand is in the way";
  EXPECT_FALSE(times.Due(false, false, At(400))) << "it is gone, but something moves yet";
  EXPECT_TRUE(times.Due(true, false, At(600)));
  // Due until one was made, and then not again.
  EXPECT_TRUE(times.Due(true, false, At(800)));
  times.Sent(true, At(800));
  EXPECT_FALSE(times.Due(true, false, At(1000)));
}

TEST(TopViewTimes, OneOfATableThatMovesIsNotTheOneAtRest) {
  TopViewTimes times;
  times.Sent(true, At(0));
  EXPECT_TRUE(times.Due(false, false, At(2500)));
  times.Sent(false, At(2500));
  EXPECT_TRUE(times.Due(true, false, At(2700)));
}

TEST(TopViewTimes, NeverUnderAHand) {
  TopViewTimes times;
  EXPECT_FALSE(times.Due(false, true, At(0)));
  EXPECT_FALSE(times.Due(false, true, At(60'000)));
}

}  // namespace
}  // namespace tilewarden::services
