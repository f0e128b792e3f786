#include "engine/referee/memory/differences.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

bool Visible(Cell) { return true; }
bool Hidden(Cell) { return false; }

TEST(Differences, AHandThatComesLaterDidNotMakeIt) {
  Differences differences;
  EXPECT_FALSE(differences.Made(Difference::kFigureGone, {1, 0}, false));
  differences.EndLook(Visible);
  EXPECT_FALSE(differences.Made(Difference::kFigureGone, {1, 0}, true));
  EXPECT_TRUE(differences.Made(Difference::kTile, {1, 0}, true)) << "another difference";
}

TEST(Differences, WhatALookNoLongerShowsBeginsAnew) {
  Differences differences;
  differences.Made(Difference::kTile, {1, 0}, false);
  differences.EndLook(Visible);
  differences.EndLook(Hidden);
  EXPECT_FALSE(differences.Made(Difference::kTile, {1, 0}, true))
      << "a look that did not see the cell tells nothing";
  differences.EndLook(Visible);
  differences.EndLook(Visible);
  EXPECT_TRUE(differences.Made(Difference::kTile, {1, 0}, true));
}

TEST(Differences, AHandThatDidSomethingElseDidNotMakeThem) {
  Differences differences;
  differences.Made(Difference::kFigureGone, {1, 0}, true);
  differences.EndLook(Visible);
  differences.Made(Difference::kFigureGone, {1, 0}, true);
  differences.Made(Difference::kFigureGone, {2, 0}, true);
  differences.Made(Difference::kTile, {2, 0}, true);
  EXPECT_EQ(differences.First(Difference::kFigureGone), 1);
  differences.Explain(Difference::kFigureGone);
  EXPECT_EQ(differences.First(Difference::kFigureGone), 0);
  EXPECT_TRUE(differences.Made(Difference::kFigureGone, {1, 0}, false)) << "shown before";
  EXPECT_FALSE(differences.Made(Difference::kFigureGone, {2, 0}, true));
  EXPECT_TRUE(differences.Made(Difference::kTile, {2, 0}, false)) << "of another kind";
}

}  // namespace
}  // namespace tilewarden::engine
