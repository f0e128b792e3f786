#include "engine/referee/memory/claim_memory.h"

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
  for (const int tiles_around : {3, 3, 4, 4, 4, 6}) claims.NothingSeen({1, 2}, tiles_around);
  EXPECT_EQ(claims.ChancesMissed({1, 2}), 1) << "the last look may show that it went home";
  claims.NothingSeen({1, 2}, 6);
  EXPECT_EQ(claims.ChancesMissed({1, 2}), 2);
  claims.NothingSeen({2, 1}, 5);
  EXPECT_EQ(claims.ChancesMissed({2, 1}), 0);
}

}  // namespace
}  // namespace tilewarden::engine
