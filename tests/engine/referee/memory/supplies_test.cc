#include "engine/referee/memory/supplies.h"

#include <vector>

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

// By the game seven of a colour lie there, after each turn.
const std::vector<int> kSeven(20, 7);

// The same count after each of these turns.
void See(Supplies* supplies, int from, int to, int beside) {
  for (int turn = from; turn <= to; ++turn) supplies->Saw("blue", turn, beside, 0);
}

double Speaks(const Supplies& supplies, int from, int to) {
  return supplies.SpeakForAnother("blue", kSeven, to)[static_cast<std::size_t>(from)];
}

TEST(Supplies, OneThatWasNeverSeenTellsNothing) { EXPECT_EQ(Speaks(Supplies(), 1, 9), 1); }

TEST(Supplies, OneThatIsShortSinceATurnSpeaksForAFigureThatWasSetInIt) {
  Supplies supplies;
  See(&supplies, 0, 9, 7);
  See(&supplies, 10, 13, 6);
  EXPECT_GT(Speaks(supplies, 10, 13), 20);
  EXPECT_LT(Speaks(supplies, 5, 13), 0.1) << "it was whole then";
  EXPECT_LT(Speaks(supplies, 12, 13), 0.1) << "it was short before";
}

TEST(Supplies, OneThatIsWholeSpeaksAgainstIt) {
  Supplies supplies;
  See(&supplies, 0, 9, 7);
  EXPECT_LT(Speaks(supplies, 5, 9), 0.1);
}

TEST(Supplies, OneOfWhichSomeAreNeverSeenSpeaksNoLessClearly) {
  Supplies supplies;
  See(&supplies, 0, 9, 5);
  See(&supplies, 10, 13, 4);
  EXPECT_GT(Speaks(supplies, 10, 13), 20);
  EXPECT_LT(Speaks(supplies, 5, 13), 0.1);
}

TEST(Supplies, OneThatNoLookReachesTellsNothing) {
  Supplies supplies;
  std::vector<int> supply;
  for (int turn = 0; turn < 20; ++turn) {
    supply.push_back(7 - turn / 4);
    supplies.Saw("blue", turn, 0, 0);
  }
  for (int turn = 1; turn < 20; ++turn) {
    EXPECT_NEAR(supplies.SpeakForAnother("blue", supply, 19)[static_cast<std::size_t>(turn)], 1,
                0.01);
  }
}

TEST(Supplies, OneThatIsCountedOtherwiseInEveryLookSaysLittle) {
  Supplies supplies;
  for (int turn = 0; turn < 20; ++turn) supplies.Saw("blue", turn, turn % 2 == 0 ? 4 : 5, 0);
  EXPECT_GT(Speaks(supplies, 18, 19), 0.2);
  EXPECT_LT(Speaks(supplies, 18, 19), 5);
}

TEST(Supplies, OfTheLastTwoLooksAfterATurnTheBetterOneCounts) {
  Supplies supplies;
  See(&supplies, 0, 9, 7);
  supplies.Saw("blue", 10, 6, 0);
  supplies.Saw("blue", 10, 7, 0);
  EXPECT_LT(Speaks(supplies, 10, 10), 1);
}

TEST(Supplies, ALookFromBeforeAFigureWasSetIsForgotten) {
  Supplies supplies;
  See(&supplies, 0, 9, 7);
  supplies.Saw("blue", 10, 7, 0);
  supplies.Saw("blue", 10, 6, 0);
  supplies.Saw("blue", 10, 6, 0);
  EXPECT_GT(Speaks(supplies, 10, 10), 5);
}

TEST(Supplies, OneThatScoredAndStandsThereYetIsCountedIn) {
  Supplies supplies;
  See(&supplies, 0, 9, 7);
  for (int turn = 10; turn < 13; ++turn) supplies.Saw("blue", turn, 6, 1);
  EXPECT_LT(Speaks(supplies, 10, 12), 0.1);
}

}  // namespace
}  // namespace tilewarden::engine
