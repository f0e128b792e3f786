// When what seems a hand is looked past.
#include "vision/reader/table_gate.h"

#include <vector>

#include "gtest/gtest.h"

namespace tilewarden::vision {
namespace {

using Look = RestingHand::Look;

TEST(RestingHand, EachLookIsDueOnceInARest) {
  RestingHand hand;
  std::vector<Look> due;
  for (const int quiet_ms : {0, 100, 200, 300, 400, 900, 1000, 1100, 60000}) {
    due.push_back(hand.Due(quiet_ms));
  }
  EXPECT_EQ(due,
            (std::vector<Look>{Look::kNone, Look::kNone, Look::kNone, Look::kBesideIt, Look::kNone,
                               Look::kNone, Look::kBelowIt, Look::kNone, Look::kNone}));
}

TEST(RestingHand, WhoMovesBeginsANewRest) {
  RestingHand hand;
  EXPECT_EQ(hand.Due(1000), Look::kBelowIt);
  EXPECT_EQ(hand.Due(0), Look::kNone);
  EXPECT_EQ(hand.Due(300), Look::kBesideIt);
  EXPECT_EQ(hand.Due(0), Look::kNone);
  EXPECT_EQ(hand.Due(2000), Look::kBelowIt);
}

}  // namespace
}  // namespace tilewarden::vision
