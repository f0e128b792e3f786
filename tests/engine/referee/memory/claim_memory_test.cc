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

TEST(ClaimMemory, LearnsWhichColourThisCameraSeesLate) {
  ClaimMemory claims;
  const double unknown = claims.ShareSeenLater("blue");
  for (int i = 0; i < 10; ++i) claims.CountFigure("red", false);
  for (int i = 0; i < 4; ++i) claims.CountFigure("blue", i % 2 == 0);
  EXPECT_LT(claims.ShareSeenLater("red"), unknown);
  EXPECT_GT(claims.ShareSeenLater("blue"), 2 * unknown);
}

TEST(ClaimMemory, KnowsWhereAHandCameBack) {
  ClaimMemory claims;
  claims.HandCameBack({1, 2});
  EXPECT_TRUE(claims.MayHaveSet({1, 2}));
  EXPECT_FALSE(claims.MayHaveSet({2, 1}));
}

}  // namespace
}  // namespace tilewarden::engine
