#include "engine/referee/memory/supplies.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

TEST(Supplies, OneThatWasNeverSeenTellsNothing) {
  EXPECT_EQ(Supplies().SpeakForAnother("blue", 1, 9), 1);
}

TEST(Supplies, OneThatIsShortSinceATurnSpeaksForAFigureThatWasSetInIt) {
  Supplies supplies;
  for (int turn = 0; turn < 10; ++turn) supplies.Saw("blue", turn, 6, 6);
  for (int turn = 10; turn < 13; ++turn) supplies.Saw("blue", turn, 5, 6);
  EXPECT_GT(supplies.SpeakForAnother("blue", 10, 12), 10);
  EXPECT_LT(supplies.SpeakForAnother("blue", 5, 12), 1) << "it was whole then";
}

TEST(Supplies, OneThatIsWholeSpeaksAgainstIt) {
  Supplies supplies;
  for (int turn = 0; turn < 10; ++turn) supplies.Saw("blue", turn, 6, 6);
  EXPECT_LT(supplies.SpeakForAnother("blue", 5, 9), 0.1);
}

TEST(Supplies, OneThatIsOftenShortSaysLittle) {
  Supplies supplies;
  for (int turn = 0; turn < 20; ++turn) supplies.Saw("blue", turn, turn % 2 == 0 ? 4 : 5, 6);
  const double factor = supplies.SpeakForAnother("blue", 19, 19);
  EXPECT_GT(factor, 0.3);
  EXPECT_LT(factor, 3);
}

TEST(Supplies, TheBestLookOfATurnCounts) {
  Supplies supplies;
  for (int turn = 0; turn < 10; ++turn) supplies.Saw("blue", turn, 6, 6);
  supplies.Saw("blue", 10, 3, 6);
  supplies.Saw("blue", 10, 6, 6);
  EXPECT_LT(supplies.SpeakForAnother("blue", 10, 10), 1);
}

}  // namespace
}  // namespace tilewarden::engine
