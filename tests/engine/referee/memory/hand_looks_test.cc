#include "engine/referee/memory/hand_looks.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

// A hand over the three by three cells around this one.
Look HandOver(Cell cell) {
  Look look;
  for (const Cell near : Around(cell)) look.cells[near].covered = true;
  return look;
}

TEST(HandLooks, HandsFitTheWayThatTheyFollowed) {
  HandLooks hands;
  hands.Remember(HandOver({1, 0}));
  hands.Remember(HandOver({2, 0}));
  const Cell laid = {9, 9};
  EXPECT_GT(hands.Fit({{1, 0}, {2, 0}}, laid), hands.Fit({{0, 1}, {0, 2}}, laid));
  EXPECT_GT(hands.Fit({{1, 0}, {2, 0}}, laid), hands.Fit({{2, 0}, {1, 0}}, laid));
}

TEST(HandLooks, AHandThatLaidTheTileSpeaksForNoWay) {
  HandLooks hands;
  hands.Remember(HandOver({5, 5}));
  EXPECT_GT(hands.Fit({}, {5, 5}), hands.Fit({}, {0, 0}));
}

TEST(HandLooks, CountsHandsThatWereRatherBesideTheArk) {
  HandLooks hands;
  hands.Remember(HandOver({5, 5}));
  hands.Remember(HandOver({0, 0}));
  EXPECT_EQ(hands.Beside({5, 5}, {0, 0}), 1);
  hands.Forget();
  EXPECT_EQ(hands.Beside({5, 5}, {0, 0}), 0);
}

TEST(HandLooks, TellsWhetherAHandEverCameNearATile) {
  HandLooks hands;
  hands.Remember(HandOver({5, 5}));
  hands.Remember(HandOver({0, 0}));
  EXPECT_TRUE(hands.EverNear({5, 5}));
  EXPECT_TRUE(hands.EverNear({7, 7})) << "the hand covers a corner beside it";
  EXPECT_FALSE(hands.EverNear({8, 5}));
  hands.Forget();
  EXPECT_FALSE(hands.EverNear({5, 5}));
}

}  // namespace
}  // namespace tilewarden::engine
