#include "engine/referee/memory/claim_memory.h"

#include <vector>

#include "engine/referee/model.h"
#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

TEST(ClaimMemory, KnowsWhichClaimsWereConcluded) {
  ClaimMemory claims;
  claims.Conclude({1, 2});
  EXPECT_TRUE(claims.Concluded({1, 2}));
  EXPECT_FALSE(claims.Concluded({2, 1}));
}

TEST(ClaimMemory, AFewMissedTurnsDoNotMakeAStreamThatMissesMany) {
  ClaimMemory claims;
  claims.CountTurn(true);
  claims.CountTurn(true);
  EXPECT_EQ(claims.ShareMissed(), 0);
  claims.CountTurn(true);
  EXPECT_EQ(claims.ShareMissed(), 1);
  claims.CountTurn(false);
  EXPECT_EQ(claims.ShareMissed(), 0.75);
}

TEST(ClaimMemory, AStreamThatShowsMostTurnsMissesNone) {
  ClaimMemory claims;
  for (int i = 0; i < 20; ++i) claims.CountTurn(i % 5 == 0);
  EXPECT_EQ(claims.ShareMissed(), 0);
}

TEST(ClaimMemory, KnowsWhereAHandCameBack) {
  ClaimMemory claims;
  claims.HandCameBack({1, 2});
  EXPECT_TRUE(claims.MayHaveSet({1, 2}));
  EXPECT_FALSE(claims.MayHaveSet({2, 1}));
}

TEST(ClaimMemory, CountsTheChancesToSeeWhatAHandSet) {
  ClaimMemory claims;
  claims.HandCameBack({1, 2});
  constexpr ChanceMissed kOpen = {{true, true, false, false}, 3}, kHalfOpen = {{true}, 5},
                         kClosed = {{}, 9};
  for (const int tiles_around : {3, 3}) claims.NothingSeen({1, 2}, tiles_around, kOpen);
  for (const int tiles_around : {4, 4, 4}) claims.NothingSeen({1, 2}, tiles_around, kHalfOpen);
  claims.NothingSeen({1, 2}, 6, kClosed);
  EXPECT_EQ(claims.ChancesMissed({1, 2}), (std::vector{kOpen, kHalfOpen}))
      << "the last look may show that it went home";
  claims.NothingSeen({1, 2}, 6, kClosed);
  EXPECT_EQ(claims.ChancesMissed({1, 2}), (std::vector{kOpen, kHalfOpen, kClosed}));
  claims.NothingSeen({2, 1}, 5, kOpen);
  EXPECT_TRUE(claims.ChancesMissed({2, 1}).empty());
}

TEST(ClaimMemory, LearnsHowOftenALongVisitSetsAFigure) {
  ClaimMemory claims;
  EXPECT_DOUBLE_EQ(claims.ShareOfLongVisits(), kLikelyVisit);
  for (int i = 0; i < 10; ++i) claims.CountLongVisit(true);
  EXPECT_GT(claims.ShareOfLongVisits(), 0.95);
  for (int i = 0; i < 10; ++i) claims.CountLongVisit(false);
  EXPECT_LT(claims.ShareOfLongVisits(), 0.6);
}

}  // namespace
}  // namespace tilewarden::engine
