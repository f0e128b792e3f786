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

TEST(CameraHabits, ExpectsToMissFiguresOnClothOfTheirColour) {
  CameraHabits habits;
  EXPECT_FALSE(habits.IsOfTheCloth("blue"));
  habits.SawCloth({{"blue", 0.9}, {"red", 0.1}});
  EXPECT_TRUE(habits.IsOfTheCloth("blue"));
  EXPECT_FALSE(habits.IsOfTheCloth("red"));
  EXPECT_GT(habits.ShareSeenLater("blue", Backdrop::kOwnCloth), 0.5);
  EXPECT_GT(habits.MissRate("blue", Backdrop::kOwnCloth),
            10 * habits.MissRate("blue", Backdrop::kEdge));
}

TEST(CameraHabits, LearnsThatItSeesAColourOnItsClothAllTheSame) {
  CameraHabits habits;
  habits.SawCloth({{"blue", 0.9}});
  const double unknown = habits.ShareSeenLater("blue", Backdrop::kOwnCloth);
  for (int i = 0; i < 6; ++i) habits.Set("blue", Backdrop::kOwnCloth, false);
  EXPECT_LT(habits.ShareSeenLater("blue", Backdrop::kOwnCloth), unknown / 2);
}

TEST(CameraHabits, OneLookInAnotherLightChangesNoCloth) {
  CameraHabits habits;
  habits.SawCloth({{"blue", 0.9}});
  habits.SawCloth({{"blue", 0}});
  habits.SawCloth({});
  EXPECT_TRUE(habits.IsOfTheCloth("blue"));
  for (int i = 0; i < 20; ++i) habits.SawCloth({{"blue", 0}});
  EXPECT_FALSE(habits.IsOfTheCloth("blue"));
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
