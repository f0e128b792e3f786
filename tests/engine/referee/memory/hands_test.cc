#include "engine/referee/memory/hands.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

TEST(Hands, AStreamShowsHandsOnceOneWasSeen) {
  Hands hands;
  EXPECT_FALSE(hands.EverSeen());
  hands.Saw(3);
  EXPECT_TRUE(hands.EverSeen());
  hands.Settled(4);
  EXPECT_TRUE(hands.EverSeen());
}

TEST(Hands, AStillLookEndsAVisit) {
  Hands hands;
  hands.Saw(3);
  EXPECT_TRUE(hands.SinceSettled());
  hands.Settled(4);
  EXPECT_FALSE(hands.SinceSettled());
  EXPECT_EQ(hands.LastSettled(), 4U);
  hands.Saw(5);
  EXPECT_TRUE(hands.SinceSettled());
  EXPECT_EQ(hands.LastSettled(), 4U);
}

TEST(Hands, NobodyCanSayWhatWasDoneBeforeTheFirstHandOrInAGap) {
  Hands hands;
  EXPECT_TRUE(hands.Unwatched(2));
  hands.Saw(3);
  EXPECT_FALSE(hands.Unwatched(2));
  EXPECT_TRUE(hands.Unwatched(0)) << "before the first look";
  hands.Missed(7);
  EXPECT_TRUE(hands.Unwatched(6));
  EXPECT_FALSE(hands.Unwatched(7));
}

}  // namespace
}  // namespace tilewarden::engine
