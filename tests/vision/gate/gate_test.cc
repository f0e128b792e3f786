#include "vision/gate/gate.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "engine/tiles/tile_set.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "tests/virtual_table/story/still.h"
#include "vision/gate/hand_mask.h"
#include "vision/gate/light_change.h"

namespace tilewarden::vision {
namespace {

cv::Mat Noisy(cv::Mat picture, int seed) {
  cv::Mat noise(picture.size(), CV_16SC3), sum;
  cv::RNG rng(static_cast<std::uint64_t>(seed));
  rng.fill(noise, cv::RNG::NORMAL, 0, 3);
  picture.convertTo(sum, CV_16SC3);
  sum += noise;
  sum.convertTo(picture, CV_8UC3);
  return picture;
}

// A table with grain and a few tiles, the same each time but for its noise.
cv::Mat Table(int seed) {
  cv::Mat picture(540, 960, CV_8UC3);
  for (int y = 0; y < picture.rows; ++y) {
    for (int x = 0; x < picture.cols; ++x) {
      const int grain = static_cast<int>(12 * std::sin(y * 0.11 + std::sin(x * 0.013) * 2));
      picture.at<cv::Vec3b>(y, x) = {static_cast<uchar>(70 + grain),
                                     static_cast<uchar>(100 + grain),
                                     static_cast<uchar>(135 + grain)};
    }
  }
  for (int i = 0; i < 4; ++i) {
    cv::rectangle(picture, cv::Rect(380 + 46 * i, 240, 45, 45), {80, 170, 70}, cv::FILLED);
  }
  return Noisy(picture, seed);
}

cv::Mat WithArm(cv::Mat picture, int reach) {
  cv::rectangle(picture, cv::Rect(300, 540 - reach, 70, reach), {120, 150, 205}, cv::FILLED);
  cv::circle(picture, {335, 540 - reach}, 48, {120, 150, 205}, cv::FILLED);
  return picture;
}

cv::Mat Brighter(const cv::Mat& picture, double gain) {
  cv::Mat out;
  picture.convertTo(out, CV_8U, gain);
  return out;
}

TEST(Gate, SparseLooksTellAnArmFromNone) {
  Gate gate;
  EXPECT_TRUE(gate.Look(Table(1), 0).settled);
  const GateResult arm = gate.Look(WithArm(Table(2), 260), 2000);
  EXPECT_TRUE(arm.hand);
  EXPECT_FALSE(arm.settled);
  ASSERT_FALSE(arm.hand_mask.empty());
  const double scale = arm.hand_mask.cols / 960.0;
  EXPECT_TRUE(
      arm.hand_mask.at<uchar>(static_cast<int>(450 * scale), static_cast<int>(335 * scale)));
  EXPECT_FALSE(
      arm.hand_mask.at<uchar>(static_cast<int>(100 * scale), static_cast<int>(800 * scale)));
  const GateResult after = gate.Look(Table(3), 4000);
  EXPECT_FALSE(after.hand);
  EXPECT_TRUE(after.settled);
}

TEST(Gate, TellsSkinFromWhatElseReachesIn) {
  const auto with_bar = [](int seed, const cv::Scalar& colour) {
    cv::Mat picture = Table(seed);
    picture += cv::Scalar(40, 40, 0);  // a table that is not of skin's colour
    cv::rectangle(picture, cv::Rect(300, 280, 90, 260), colour, cv::FILLED);
    return picture;
  };
  for (const bool skin : {true, false}) {
    Gate gate;
    cv::Mat bare = Table(1);
    bare += cv::Scalar(40, 40, 0);
    gate.Look(bare, 0);
    const GateResult look =
        gate.Look(with_bar(2, skin ? cv::Scalar(120, 150, 205) : cv::Scalar(90, 40, 20)), 2000);
    EXPECT_TRUE(look.hand) << skin;
    EXPECT_EQ(look.shows_skin, skin);
  }
}

TEST(Gate, NewTileAwayFromTheBorderIsNoHand) {
  Gate gate;
  gate.Look(Table(1), 0);
  cv::Mat placed = Table(2);
  cv::rectangle(placed, cv::Rect(380, 286, 45, 45), {60, 120, 220}, cv::FILLED);
  const GateResult look = gate.Look(placed, 2000);
  EXPECT_FALSE(look.hand);
  EXPECT_TRUE(look.settled);
}

TEST(Gate, LampSwitchedOnIsNoHand) {
  Gate gate;
  gate.Look(Table(1), 0);
  const GateResult look = gate.Look(Brighter(Table(2), 1.5), 2000);
  EXPECT_FALSE(look.hand);
  EXPECT_TRUE(look.settled);
  EXPECT_TRUE(gate.Look(Brighter(WithArm(Table(3), 260), 1.5), 4000).hand);
}

TEST(Gate, PhoneInWhichASwitchedLampIsMirroredIsNoHand) {
  Gate gate;
  const auto with_phone = [](int seed, const cv::Scalar& glass) {
    cv::Mat picture = Table(seed);
    cv::rectangle(picture, cv::Rect(0, 380, 170, 90), glass, cv::FILLED);
    return picture;
  };
  gate.Look(with_phone(1, {30, 40, 50}), 0);
  const cv::Mat lit = with_phone(2, {0, 20, 250});
  EXPECT_FALSE(gate.Look(Brighter(lit, 1.5), 2000).hand);
  // In light that stays, what changes so has come over the table.
  gate.Look(with_phone(3, {30, 40, 50}), 4000);
  EXPECT_TRUE(gate.Look(with_phone(4, {0, 20, 250}), 6000).hand);
}

// Of the arm only what lies over tiles can be seen, and that does not reach the border.
TEST(Gate, ArmInASleeveOfTheTablesColourIsSeenOverTiles) {
  const auto with_tiles = [](int seed) {
    cv::Mat picture = Table(seed);
    cv::rectangle(picture, cv::Rect(250, 100, 500, 340), {60, 160, 80}, cv::FILLED);
    return picture;
  };
  Gate gate;
  gate.Look(with_tiles(1), 0);
  cv::Mat arm = with_tiles(2);
  const cv::Mat table = Table(2);
  cv::Mat sleeve(arm.size(), CV_8U, cv::Scalar(0));
  cv::line(sleeve, {480, 539}, {480, 250}, cv::Scalar(255), 60);
  table.copyTo(arm, sleeve);
  cv::circle(arm, {480, 220}, 46, {120, 150, 205}, cv::FILLED);
  EXPECT_TRUE(gate.Look(arm, 2000).hand);
  EXPECT_FALSE(gate.Look(with_tiles(3), 4000).hand);
}

// From far away tiles and hands look small. Of this one its sleeve is of the table's colour.
TEST(HandMask, SmallBareHandIsToldByHowLargeTilesAre) {
  const cv::Mat cloth(144, 256, CV_32FC3, cv::Scalar(130, 60, 30));
  cv::Mat picture = cloth.clone(), foreign = cv::Mat::zeros(cloth.size(), CV_8U);
  for (const cv::Mat& to : {picture, foreign}) {
    const cv::Scalar colour = to.channels() == 3 ? cv::Scalar(120, 150, 205) : cv::Scalar(255);
    cv::ellipse(to, {120, 70}, {19, 11}, 30, 0, 360, colour, cv::FILLED);
  }
  const auto places = [](float side) {
    return std::vector<TilePlace>{
        {cv::Point2f{20, 20}, {20 + side, 20}, {20 + side, 20 + side}, {20, 20 + side}}};
  };
  const auto told = [&](const std::vector<TilePlace>& beside) {
    return cv::countNonZero(HandsAmong(foreign, picture, cloth, beside)) > 0;
  };
  EXPECT_TRUE(told(places(10)));
  EXPECT_FALSE(told(places(30))) << "two tiles are as large";
  EXPECT_FALSE(told({}));
}

// The felt is like skin itself, and so is not all of the hand: neither tells by its colour alone.
TEST(HandMask, DarkHandInASleeveOfARedFeltIsAHand) {
  const cv::Mat felt(90, 160, CV_32FC3, cv::Scalar(45, 35, 130));
  cv::Mat picture = felt.clone(), foreign = cv::Mat::zeros(felt.size(), CV_8U);
  cv::ellipse(picture, {90, 48}, {38, 20}, 0, 0, 360, {42, 54, 84}, cv::FILLED);
  cv::ellipse(picture, {90, 62}, {24, 7}, 0, 0, 360, {20, 22, 24}, cv::FILLED);
  cv::ellipse(foreign, {90, 48}, {38, 20}, 0, 0, 360, cv::Scalar(255), cv::FILLED);
  EXPECT_GT(cv::countNonZero(HandsAmong(foreign, picture, felt, {})), 0);
}

// So much of the picture is dark then that a lamp seems to have been switched, and the board that
// lay there has an outline, too.
TEST(HandMask, ArmRightAcrossTheTableIsNoMirroredLamp) {
  const auto told = [](const cv::Rect& place) {
    cv::Mat before(90, 160, CV_32FC3, cv::Scalar(60, 100, 40)), now = before.clone();
    cv::Mat thing = cv::Mat::zeros(before.size(), CV_8U);
    before(place).setTo(cv::Scalar(150, 190, 200));
    now(place).setTo(cv::Scalar(30, 30, 130));
    thing(place).setTo(255);
    DropGhosts(now, before, 1.2 * kSwitchedLamp, thing, thing, thing);
    return cv::countNonZero(thing) > 0;
  };
  EXPECT_TRUE(told({0, 40, 160, 30}));
  EXPECT_FALSE(told({0, 40, 30, 20})) << "a phone";
}

TEST(Gate, ArmInTheFirstLookIsForgottenOnceItHasGone) {
  Gate gate;
  gate.Look(WithArm(Table(1), 260), 0);
  EXPECT_FALSE(gate.Look(Table(2), 2000).hand);
  EXPECT_TRUE(gate.Look(WithArm(Table(3), 200), 4000).hand);
}

TEST(Gate, ArmInTheFirstLookIsForgottenThoughTilesWereLaidWhereItWas) {
  Gate gate;
  gate.Look(WithArm(Table(1), 260), 0);
  cv::Mat laid = Table(2);
  for (int i = 0; i < 15; ++i) {
    cv::rectangle(laid, cv::Rect(270 + 46 * (i % 3), 210 + 46 * (i / 3), 45, 45),
                  i % 2 == 0 ? cv::Scalar(40, 30, 250) : cv::Scalar(230, 250, 240), cv::FILLED);
  }
  EXPECT_FALSE(gate.Look(laid, 2000).hand);
  EXPECT_TRUE(gate.Look(WithArm(laid.clone(), 200), 4000).hand);
}

// A sleeve much like the table passes for a shadow as it comes, but not what it uncovers as it
// leaves: the table would be a hand from then on.
TEST(Gate, HandMissedInTwoLooksIsForgottenOnceItHasGone) {
  const auto with_hand = [](int seed, int reach) {
    cv::Mat picture = Table(seed);
    cv::Mat sleeve = picture(cv::Rect(440, 540 - reach, 80, reach));
    sleeve *= 0.76;
    cv::circle(picture, {480, 540 - reach}, 50, {120, 150, 205}, cv::FILLED);
    return picture;
  };
  Gate gate;
  gate.Look(Table(1), 0);
  EXPECT_TRUE(gate.Look(with_hand(2, 200), 2000).settled) << "it is missed";
  EXPECT_TRUE(gate.Look(with_hand(3, 240), 4000).settled) << "and again";
  const GateResult bare = gate.Look(Table(4), 6000);
  EXPECT_FALSE(bare.hand);
  EXPECT_TRUE(bare.settled);
  EXPECT_TRUE(gate.Look(WithArm(Table(5), 260), 8000).hand);
  EXPECT_TRUE(gate.Look(Table(6), 10000).settled);
}

// A cloth of such stripes, a few tiles wide each, in turn.
cv::Mat Striped(int seed, const std::vector<cv::Scalar>& stripes) {
  constexpr int kWidth_px = 40;
  cv::Mat picture(540, 960, CV_8UC3);
  for (int x = 0; x < picture.cols; x += kWidth_px) {
    const auto i = static_cast<std::size_t>(x / kWidth_px) % stripes.size();
    picture(cv::Rect(x, 0, kWidth_px, picture.rows)).setTo(stripes[i]);
  }
  return Noisy(picture, seed);
}

const cv::Scalar kWhite = {200, 215, 220}, kBlue = {120, 70, 30};

// Of a white sleeve only what hides other stripes shows: nothing tells it from a white cloth that a
// sleeve with such stripes has left.
TEST(Gate, SleeveTakenForAGhostIsForgottenOnceItHasGone) {
  const auto cloth = [](int seed) { return Striped(seed, {kBlue, kWhite}); };
  const auto with_sleeve = [&](int seed) {
    cv::Mat picture = cloth(seed), noise = Striped(seed + 100, {kWhite});
    noise(cv::Rect(300, 240, 150, 300)).copyTo(picture(cv::Rect(300, 240, 150, 300)));
    return picture;
  };
  Gate gate;
  gate.Look(cloth(1), 0);
  EXPECT_TRUE(gate.Look(with_sleeve(2), 2000).settled) << "it is missed";
  EXPECT_TRUE(gate.Look(cloth(3), 4000).settled);
  EXPECT_TRUE(gate.Look(cloth(4), 6000).settled);
}

// A hand's leaving explains what moved last: the score need not wait for more stillness.
TEST(Gate, DenseVideoSettlesSoonAfterAHandHasLeft) {
  Gate gate;
  std::int64_t now = 0;
  for (; now < 400; now += 40) gate.Look(Table(static_cast<int>(now)), now);
  for (int reach = 60; reach < 300; reach += 40, now += 40) {
    const GateResult look = gate.Look(WithArm(Table(reach), reach), now);
    EXPECT_FALSE(look.settled) << now;
    EXPECT_TRUE(look.moving) << now;
  }
  const std::int64_t gone = now;
  for (; now < gone + 1000; now += 40) {
    const GateResult look = gate.Look(Table(static_cast<int>(now)), now);
    EXPECT_FALSE(look.hand) << now;
    const std::int64_t since = now - gone;
    EXPECT_EQ(look.settled, since >= 120) << since;
  }
}

TEST(Gate, WhatRollsAfterTheHandHasLeftIsWaitedForLonger) {
  Gate gate;
  std::int64_t now = 0;
  for (; now < 400; now += 40) gate.Look(Table(static_cast<int>(now)), now);
  for (int reach = 60; reach < 300; reach += 40, now += 40) {
    gate.Look(WithArm(Table(reach), reach), now);
  }
  const auto with_figure = [](int x, std::int64_t at) {
    cv::Mat picture = Table(static_cast<int>(at));
    cv::circle(picture, {x, 300}, 14, {40, 40, 200}, cv::FILLED);
    return picture;
  };
  for (int x = 400; x < 480; x += 20, now += 40) {
    EXPECT_FALSE(gate.Look(with_figure(x, now), now).settled) << now;
  }
  const std::int64_t rests = now - 40;
  for (; now < rests + 1000; now += 40) {
    EXPECT_EQ(gate.Look(with_figure(460, now), now).settled, now - rests >= 300) << now - rests;
  }
}

// A sharp picture showed the hand; the small ones since showed it leave.
TEST(Gate, WhatMovedBeforeTheHandLeftIsNotCalledMotionAfterwards) {
  Gate gate;
  std::int64_t now = 0;
  const auto look = [&](const cv::Mat& picture, Gate::Kind kind) {
    return gate.Look(picture, now += 70, kind);
  };
  for (int i = 0; i < 10; ++i) look(Table(i), Gate::Kind::kEnlarged);
  for (int reach = 100; reach < 300; reach += 40) {
    look(WithArm(Table(reach), reach), Gate::Kind::kEnlarged);
  }
  EXPECT_TRUE(look(WithArm(Table(9), 300), Gate::Kind::kSharp).hand);
  look(Table(11), Gate::Kind::kEnlarged);
  EXPECT_EQ(look(Table(12), Gate::Kind::kEnlarged).settles_in_ms, 50);
  const GateResult sharp = look(Table(13), Gate::Kind::kSharp);
  EXPECT_FALSE(sharp.moving);
  EXPECT_TRUE(sharp.settled);
}

// As a phone sends them: many small pictures, and a sharp one when the table rests.
TEST(Gate, ASharpPictureAfterSmallOnesIsNotCalledMotion) {
  const auto with_print = [](int seed) {
    cv::Mat picture = Table(seed);
    for (int y = 100; y < 400; y += 4) {
      cv::line(picture, {100, y}, {250, y}, {250, 250, 250}, 1);
    }
    return picture;
  };
  const auto enlarged = [&](int seed) {
    cv::Mat small, picture;
    cv::resize(with_print(seed), small, {240, 135}, 0, 0, cv::INTER_NEAREST);
    cv::resize(small, picture, {960, 540}, 0, 0, cv::INTER_LINEAR);
    return picture;
  };
  Gate gate;
  GateResult look;
  for (int i = 0; i < 20; ++i) {
    const bool sharp = i % 3 == 2;
    look = gate.Look(sharp ? with_print(i) : enlarged(i), 100 * i,
                     sharp ? Gate::Kind::kSharp : Gate::Kind::kEnlarged);
    if (i > 5) {
      EXPECT_TRUE(look.settled) << i;
    }
  }
  // What moves is seen by either.
  cv::Mat arm = WithArm(enlarged(30), 300);
  EXPECT_TRUE(gate.Look(arm, 2000, Gate::Kind::kEnlarged).moving);
  EXPECT_FALSE(gate.Look(WithArm(with_print(31), 300), 2100).settled);
}

TEST(Gate, MugLeftAtTheBorderIsTakenInAfterAWhile) {
  Gate gate;
  gate.Look(Table(1), 0);
  const auto with_mug = [](int seed) {
    cv::Mat picture = Table(seed);
    cv::circle(picture, {30, 300}, 90, {200, 60, 40}, cv::FILLED);
    return picture;
  };
  EXPECT_TRUE(gate.Look(with_mug(2), 2000).hand);
  EXPECT_TRUE(gate.Look(with_mug(3), 10000).hand);
  EXPECT_FALSE(gate.Look(with_mug(4), 30000).hand);
  EXPECT_FALSE(gate.Look(with_mug(5), 32000).hand);
}

// Where a lamp was switched, what seems a hand and lies still is a shadow or a mirrored lamp.
TEST(Gate, WhatASwitchedLampLeavesAtTheBorderIsTakenInSoon) {
  const auto with_shine = [](int seed) {
    cv::Mat picture = Brighter(Table(seed), 1.5);
    cv::circle(picture, {30, 300}, 90, {200, 60, 40}, cv::FILLED);
    return picture;
  };
  Gate gate;
  gate.Look(Table(1), 0);
  EXPECT_TRUE(gate.Look(with_shine(2), 2000).hand) << "it may be one that came with the light";
  EXPECT_TRUE(gate.Look(with_shine(3), 3000).hand);
  EXPECT_TRUE(gate.Look(with_shine(4), 4000).settled);
  EXPECT_TRUE(gate.Look(with_shine(5), 5000).settled);
}

TEST(Gate, AnArmThatMovesAsALampIsSwitchedIsAHand) {
  Gate gate;
  gate.Look(Table(1), 0);
  for (int look = 1; look <= 8; ++look) {
    const int reach = look % 2 == 0 ? 260 : 180;
    EXPECT_TRUE(gate.Look(Brighter(WithArm(Table(look + 1), reach), 1.5), 1000 * look).hand)
        << look;
  }
}

TEST(Gate, WhatLiesAtTheBorderIsTakenInThoughHandsComeAndGo) {
  Gate gate;
  gate.Look(Table(1), 0);
  const auto with_mug = [](int seed, bool arm) {
    cv::Mat picture = Table(seed);
    cv::circle(picture, {30, 300}, 90, {200, 60, 40}, cv::FILLED);
    return arm ? WithArm(picture, 260) : picture;
  };
  std::int64_t now = 2000;
  for (int look = 0; look < 11; ++look, now += 2000) {
    EXPECT_TRUE(gate.Look(with_mug(look + 2, look % 3 == 1), now).hand) << look;
  }
  // The arm alone is left of it, and then nothing.
  const GateResult arm = gate.Look(with_mug(20, true), now);
  EXPECT_TRUE(arm.hand);
  EXPECT_FALSE(arm.hand_mask.at<uchar>(arm.hand_mask.rows * 300 / 540, 4));
  EXPECT_FALSE(gate.Look(with_mug(21, false), now + 2000).hand);
}

TEST(Gate, BumpedCameraIsNoHand) {
  Gate gate;
  gate.Look(Table(1), 0);
  const auto bumped = [](const cv::Mat& picture) {
    cv::Mat warp = cv::getRotationMatrix2D({480, 270}, 1.2, 1), out;
    warp.at<double>(0, 2) += 25;
    warp.at<double>(1, 2) -= 14;
    cv::warpAffine(picture, out, warp, picture.size(), cv::INTER_LINEAR, cv::BORDER_REFLECT);
    return out;
  };
  EXPECT_FALSE(gate.Look(bumped(Table(2)), 2000).hand);
  EXPECT_TRUE(gate.Look(bumped(WithArm(Table(3), 260)), 4000).hand);
  EXPECT_FALSE(gate.Look(bumped(Table(4)), 6000).hand);
}

// A checked cloth below a lamp, whose light stays where it is when the camera is bumped.
class CheckedCloth : public testing::Test {
 protected:
  CheckedCloth() : tiles_(*engine::TileSet::Load("base.c1")), box_(tiles_, 1) {}

  cv::Mat Seen(double share_of_bump) {
    virtual_table::StillPlan plan;
    plan.seed = 6;
    plan.level = virtual_table::Level::kMedium;
    plan.table = virtual_table::TableKind::kCheckedCloth;
    plan.turns = 2;
    plan.size_px = {640, 360};
    plan.nudge = {
        {18 * share_of_bump, -12 * share_of_bump}, 2 * share_of_bump, 1 + 0.02 * share_of_bump};
    return virtual_table::MakeStill(plan, &box_).picture;
  }

 private:
  std::shared_ptr<const engine::TileSet> tiles_;
  virtual_table::TileBox box_;
};

TEST_F(CheckedCloth, CameraBumpedOverItIsNoHand) {
  Gate gate;
  gate.Look(Seen(0), 0);
  const cv::Mat bumped = Seen(1);
  const GateResult look = gate.Look(bumped, 2000);
  EXPECT_FALSE(look.hand);
  EXPECT_TRUE(look.camera_moved);
  cv::Mat arm = bumped.clone();
  cv::line(arm, {320, 359}, {320, 200}, {120, 150, 205}, 60);
  EXPECT_TRUE(gate.Look(arm, 4000).hand);
}

// In a film that shows the camera on its way as well.
TEST_F(CheckedCloth, CameraThatWasSeenToMoveIsNoHandOnceItRests) {
  Gate gate;
  std::int64_t now = 0;
  for (const cv::Mat still = Seen(0); now < 600; now += 100) gate.Look(still, now);
  for (const double way : {0.3, 0.7}) {
    gate.Look(Seen(way), now);
    now += 100;
  }
  GateResult look;
  const cv::Mat bumped = Seen(1);
  for (const std::int64_t end = now + 600; now < end; now += 100) look = gate.Look(bumped, now);
  EXPECT_FALSE(look.hand);
  EXPECT_TRUE(look.settled);
}

// What it covers has a clear outline, it has none: as if it had been there before and left.
TEST(Gate, HandMuchLikeTheTableThatCoversFiguresIsTold) {
  const auto table = [](int seed, bool laid, bool hand) {
    cv::Mat picture(540, 960, CV_8UC3, cv::Scalar(70, 100, 140));
    if (laid) cv::rectangle(picture, cv::Rect(300, 200, 110, 110), {80, 170, 70}, cv::FILLED);
    for (int i = 0; i < 6; ++i) {
      cv::circle(picture, {700 + 45 * i, i % 2 == 0 ? 260 : 410}, 22, {200, 60, 30}, cv::FILLED);
    }
    if (hand) {
      cv::ellipse(picture, {700, 340}, {210, 105}, 0, 0, 360, {62, 100, 160}, cv::FILLED);
      cv::rectangle(picture, cv::Rect(700, 260, 260, 150), {62, 100, 160}, cv::FILLED);
    }
    return Noisy(picture, seed);
  };
  Gate gate;
  gate.Look(table(1, false, false), 0);
  EXPECT_TRUE(gate.Look(table(2, true, false), 2000).settled);
  EXPECT_TRUE(gate.Look(table(3, true, true), 4000).hand);
  EXPECT_TRUE(gate.Look(table(4, true, false), 6000).settled);
}

TEST(Gate, AnotherPictureIsReported) {
  Gate gate;
  gate.Look(Table(1), 0);
  cv::Mat other(9, 16, CV_8UC3);
  cv::RNG(5).fill(other, cv::RNG::UNIFORM, 0, 255);
  cv::resize(other, other, {960, 540}, 0, 0, cv::INTER_NEAREST);
  EXPECT_TRUE(gate.Look(other, 2000).camera_moved);
  EXPECT_FALSE(gate.Look(other, 4000).camera_moved);
}

TEST(Gate, HiddenCellsLieUnderTheHand) {
  TablePlane plane;
  plane.px_from_lattice = cv::Matx33d(100, 0, 0, 0, 100, 0, 0, 0, 1);
  cv::Mat mask = cv::Mat::zeros(50, 100, CV_8U);  // of a frame of 1000 x 500
  mask(cv::Rect(0, 0, 15, 10)).setTo(255);        // cell (0, 0) and half of (1, 0)
  const auto hidden = HiddenCells(mask, {1000, 500}, plane, {{0, 0}, {1, 0}, {2, 0}, {0, 1}});
  EXPECT_EQ(hidden, (std::vector<LatticeCell>{{0, 0}, {1, 0}}));
  EXPECT_TRUE(HiddenCells({}, {1000, 500}, plane, {{0, 0}}).empty());
}

// Every frame of the rendered sequences: an arm or none, each look seconds apart.
TEST(Gate, RenderedSequences) {
  const std::filesystem::path tables =
      std::filesystem::path(TILEWARDEN_SOURCE_DIR) / "../shared/tables";
  if (!std::filesystem::exists(tables)) GTEST_SKIP() << "../shared/tables is not here";
  for (const char* sequence : {"sequence", "sequence_scoring"}) {
    std::ifstream in(tables / sequence / "truth.json");
    const nlohmann::json truth = nlohmann::json::parse(in);
    Gate gate;
    std::int64_t now = 0;
    for (const nlohmann::json& entry : truth["timeline"]) {
      const std::string file = entry["file"];
      const cv::Mat frame = cv::imread((tables / sequence / file).string());
      const GateResult look = gate.Look(frame, now += 2000);
      EXPECT_EQ(look.settled, entry["settled"].get<bool>()) << sequence << " " << file;
      EXPECT_EQ(look.hand, !entry["settled"].get<bool>()) << sequence << " " << file;
    }
  }
}

}  // namespace
}  // namespace tilewarden::vision
