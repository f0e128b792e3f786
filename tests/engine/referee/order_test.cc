// Whose turn it was, from the colours of the figures.
#include "engine/referee/order.h"

#include <vector>

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

TEST(TurnOrder, OneCycleLengthLeft) {
  // Nobody, pink, black, red, nobody, pink: four play.
  const TurnOrder order = DeduceOrder({-1, 0, 1, 2, -1, 0}, 0, false);
  EXPECT_EQ(order.players, 4);
  EXPECT_EQ(order.cycle, (std::vector<int>{-1, 0, 1, 2}));
  EXPECT_EQ(order.movers, (std::vector<int>{-1, 0, 1, 2, -1, 0}));
  EXPECT_EQ(order.next, 1);
  EXPECT_EQ(DeduceOrder({0, 1, 2}, 0, false).players, 0) << "no colour came back";
  EXPECT_EQ(DeduceOrder({0, -1, -1, -1, 0}, 0, false).players, 0) << "two or four";
}

TEST(TurnOrder, ViolationsFollowTheFigure) {
  const TurnOrder order = DeduceOrder({0, 1, 2, 0, 2, 1, 0}, 0, false);
  ASSERT_EQ(order.violations.size(), 1U);
  EXPECT_EQ(order.violations[0], (TurnOrder::Violation{5, TurnOrder::Breach::kOutOfTurn, 2, 1}));
  EXPECT_EQ(order.next, 1) << "the turn that was passed over has been made up for";
  const TurnOrder twice = DeduceOrder({0, 1, 0, 1, 1}, 0, false);
  ASSERT_EQ(twice.violations.size(), 1U);
  EXPECT_EQ(twice.violations[0].breach, TurnOrder::Breach::kTwoTiles);
}

TEST(TurnOrder, TheLastPlaceIsTheLastPlayers) {
  // Green, the third of four, has had no figure yet, and sets the first one in
  // yellow's turn: a second tile of the same player.
  const TurnOrder order = DeduceOrder({0, 1, -1, 2, 0, 1, -1, 3}, 0, false);
  ASSERT_EQ(order.violations.size(), 1U);
  EXPECT_EQ(order.violations[0], (TurnOrder::Violation{8, TurnOrder::Breach::kTwoTiles, 3, 2}));
  EXPECT_EQ(order.cycle, (std::vector<int>{0, 1, 3, 2}));
}

TEST(TurnOrder, OfPlayersWhoAreKnownTheLastPlaceIsKnownToo) {
  // Three have figures on a board that was found; two of them set others since.
  const TurnOrder order = DeduceOrder({0, -1, 2}, 3, false);
  EXPECT_EQ(order.players, 3);
  EXPECT_EQ(order.movers, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(order.next, 0);
  EXPECT_EQ(DeduceOrder({0, -1, -1}, 3, false).players, 0) << "who of the others is next?";
  EXPECT_EQ(DeduceOrder({0, 1, -1, 0, 1}, 2, false).players, 3) << "one had no figure there";
}

TEST(TurnOrder, OneMisreadColourIsNoOrder) {
  // Red, blue, green, yellow, and then red's figure was taken for green: green and
  // yellow did not take turns.
  const TurnOrder misread = DeduceOrder({-1, 0, 1, 2, 1}, 0, false);
  EXPECT_EQ(misread.players, 0);
  EXPECT_TRUE(misread.violations.empty());
  EXPECT_EQ(DeduceOrder({-1, 0, 1, 2, 1, 0}, 0, false).players, 0);
  EXPECT_TRUE(DeduceOrder({-1, 0, 1, 2, 1, 0, 1, 2}, 0, false).violations.empty());
  // Once red is read right, the order is known.
  const TurnOrder right = DeduceOrder({-1, 0, 1, 2, 3, 0, 1, 2}, 0, false);
  EXPECT_EQ(right.players, 4);
  EXPECT_EQ(right.next, 3);
}

}  // namespace
}  // namespace tilewarden::engine
