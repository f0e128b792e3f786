#include "engine/referee/memory/camera_habits.h"

#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

TEST(CameraHabits, LearnsWhichColourItSeesLate) {
  CameraHabits habits;
  const double unknown = habits.ShareSeenLater("blue");
  for (int i = 0; i < 10; ++i) habits.Set("red", Backdrop::kPlain, false);
  for (int i = 0; i < 4; ++i) habits.Set("blue", Backdrop::kEdge, i % 2 == 0);
  EXPECT_LT(habits.ShareSeenLater("red"), unknown);
  EXPECT_GT(habits.ShareSeenLater("blue"), 2 * unknown);
}

TEST(CameraHabits, LearnsWhereItSeesAColourLate) {
  CameraHabits habits;
  for (int i = 0; i < 8; ++i) habits.Set("blue", Backdrop::kPlain, false);
  for (int i = 0; i < 4; ++i) habits.Set("blue", Backdrop::kEdge, true);
  EXPECT_GT(habits.ShareSeenLater("blue", Backdrop::kEdge),
            2 * habits.ShareSeenLater("blue", Backdrop::kPlain));
}

TEST(CameraHabits, LearnsHowOftenAColourVanishesAndComesBack) {
  CameraHabits habits;
  const double unknown = habits.MissRate("blue", Backdrop::kPlain);
  for (int i = 0; i < 60; ++i) habits.Saw("red", Backdrop::kPlain, 0);
  for (int i = 0; i < 20; ++i) habits.Saw("blue", Backdrop::kPlain, i % 2);
  EXPECT_LT(habits.MissRate("red", Backdrop::kPlain), unknown);
  EXPECT_GT(habits.MissRate("blue", Backdrop::kPlain), 10 * unknown);
}

TEST(CameraHabits, LearnsHowManyCoatsOfArmsFollowersHide) {
  CameraHabits habits;
  const double unknown = habits.ShareOfHiddenCoats();
  habits.CoatUncovered(true);
  EXPECT_LT(habits.ShareOfHiddenCoats(), unknown);
  for (int i = 0; i < 3; ++i) habits.CoatUncovered(false);
  EXPECT_GT(habits.ShareOfHiddenCoats(), unknown);
}

}  // namespace
}  // namespace tilewarden::engine
