// What is wrong with a camera's picture is told, each fault with its advice, and a
// good picture is left alone.
#include "calibration/camera/camera_check.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "calibration/camera/sharpness.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

using ::testing::HasSubstr;

// A table with things on it: dark and light squares on grey, slightly soft as a
// lens makes them.
cv::Mat Table() {
  cv::Mat table(720, 1280, CV_8UC3, cv::Scalar(70, 90, 110));
  for (int i = 0; i < 24; ++i) {
    const cv::Rect square(60 + i % 8 * 150, 80 + i / 8 * 210, 90, 90);
    cv::rectangle(table, square, cv::Scalar(190, 200, 205), cv::FILLED);
    cv::rectangle(table, {square.x + 25, square.y + 25, 40, 40}, cv::Scalar(40, 60, 50),
                  cv::FILLED);
  }
  cv::GaussianBlur(table, table, {}, 0.6);
  return table;
}

std::vector<cv::Mat> Frames(const cv::Mat& still, int count = 6, double noise = 2) {
  cv::RNG rng(7);
  std::vector<cv::Mat> frames;
  for (int i = 0; i < count; ++i) {
    cv::Mat grain(still.size(), CV_16SC3), frame;
    rng.fill(grain, cv::RNG::NORMAL, 0, noise);
    cv::add(still, grain, frame, cv::noArray(), CV_8U);
    frames.push_back(frame);
  }
  return frames;
}

// What is to change.
std::vector<std::string> Wrong(CameraCheck check) {
  if (!check.tile_px) check.tile_px = 90;
  std::vector<std::string> wrong;
  for (const auto& finding : Judge(check)) {
    EXPECT_EQ(finding.advice.empty(), finding.good) << finding.what;
    if (!finding.good) wrong.push_back(finding.what + "; " + finding.advice);
  }
  return wrong;
}

TEST(CameraCheckTest, GoodPictureIsLeftAlone) {
  const CameraCheck check = MeasureFrames(Frames(Table()));
  EXPECT_TRUE(Wrong(check).empty()) << Wrong(check).front();
  EXPECT_NEAR(*check.edge_spread_px, 0.7, 0.25);
  EXPECT_NEAR(*check.noise, 2, 0.4);
  EXPECT_LT(*check.flicker, 0.01);
}

TEST(CameraCheckTest, DarkPictureIsTold) {
  const auto wrong = Wrong(MeasureFrames(Frames(Table() * 0.25)));
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_THAT(wrong[0], HasSubstr("the picture is dark: switch on a lamp"));
}

TEST(CameraCheckTest, BlurredPictureIsTold) {
  cv::Mat soft, shaken;
  cv::GaussianBlur(Table(), soft, {}, 3);
  cv::blur(Table(), shaken, {11, 1});
  for (const cv::Mat& blurred : {soft, shaken}) {
    const auto wrong = Wrong(MeasureFrames(Frames(blurred)));
    ASSERT_EQ(wrong.size(), 1u);
    EXPECT_THAT(wrong[0], HasSubstr("blurred: focus on the table"));
  }
}

TEST(CameraCheckTest, GlareIsToldAndMarked) {
  cv::Mat shiny = Table();
  cv::ellipse(shiny, {640, 360}, {90, 60}, 0, 0, 360, cv::Scalar::all(255), cv::FILLED);
  const CameraCheck check = MeasureFrames(Frames(shiny));
  EXPECT_NEAR(check.glare, 3.14159 * 90 * 60 / (1280 * 720), 0.002);
  const auto wrong = Wrong(check);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_THAT(wrong[0], HasSubstr("move the lamp to the side"));
  const cv::Mat drawn = DrawCheck(shiny, Judge(check));
  // Red around it.
  EXPECT_GT(drawn.at<cv::Vec3b>(360, 640 + 90)[2], drawn.at<cv::Vec3b>(360, 640 + 90)[0] + 100);
}

TEST(CameraCheckTest, SpotsTooSmallToHideAnythingAreNoGlare) {
  cv::Mat picture = Table();
  for (int i = 0; i < 40; ++i)
    cv::circle(picture, {30 + 30 * i, 40}, 4, cv::Scalar::all(255), cv::FILLED);
  EXPECT_EQ(MeasureFrames({picture}).glare, 0);
}

TEST(CameraCheckTest, NoiseIsTold) {
  const CameraCheck check = MeasureFrames(Frames(Table(), 6, 12));
  EXPECT_NEAR(*check.noise, 12, 2.5);
  const auto wrong = Wrong(check);
  ASSERT_FALSE(wrong.empty());
  EXPECT_THAT(wrong.back(), HasSubstr("give more light"));
}

TEST(CameraCheckTest, FlickerIsToldAndAHandIsNot) {
  std::vector<cv::Mat> flickering, hand;
  for (int i = 0; i < 8; ++i) {
    flickering.push_back(Table() * (i % 2 == 0 ? 1.0 : 0.85));
    hand.push_back(Table());
    cv::rectangle(hand.back(), {100 + 100 * i, 100, 300, 620}, cv::Scalar(120, 150, 200),
                  cv::FILLED);
  }
  const auto wrong = Wrong(MeasureFrames(flickering));
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_THAT(wrong[0], HasSubstr("mains frequency"));
  EXPECT_LT(*MeasureFrames(hand).flicker, 0.01);
}

TEST(CameraCheckTest, SizeRateAndTilesAreJudged) {
  CameraCheck check = MeasureFrames(Frames(Table()));
  check.frames_per_s = 2;
  check.tile_px = 30;
  check.size_px = {640, 360};
  const auto wrong = Wrong(check);
  ASSERT_EQ(wrong.size(), 3u);
  EXPECT_THAT(wrong[0], HasSubstr("resolution: 640x360; set the camera to 1920x1080"));
  EXPECT_THAT(wrong[1], HasSubstr("frame rate: 2.0 a second"));
  EXPECT_THAT(wrong[2], HasSubstr("tiles: 30 px wide; bring the camera nearer"));
}

TEST(SharpnessTest, SpreadIsThatOfTheBlur) {
  cv::Mat sharp(400, 600, CV_8U, cv::Scalar(40));
  for (int x = 50; x < 600; x += 100)
    cv::rectangle(sharp, {x, 40, 50, 320}, cv::Scalar(210), cv::FILLED);
  for (const double sigma : {0.6, 1.0, 1.5, 2.5}) {
    cv::Mat blurred;
    cv::GaussianBlur(sharp, blurred, {}, sigma);
    ASSERT_TRUE(EdgeSpread_px(blurred).has_value());
    EXPECT_NEAR(*EdgeSpread_px(blurred), sigma, 0.15 + 0.15 * sigma);
  }
  EXPECT_FALSE(EdgeSpread_px(cv::Mat(200, 200, CV_8U, cv::Scalar(90))).has_value());
}

}  // namespace
}  // namespace tilewarden::calibration
