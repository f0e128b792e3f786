// Two types that differ by their coat of arms alone, and a figure that stands on it or beside it.
#include "vision/board/hidden_print.h"

#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

using calibration::ReferencePack;

const cv::Rect kArms(80, 20, 26, 26);

class HiddenPrintTest : public testing::Test {
 protected:
  static ReferencePack Pack() {
    ReferencePack pack;
    cv::Mat plain(ReferencePack::kSide_px, ReferencePack::kSide_px, CV_8UC3,
                  cv::Scalar(70, 160, 60));
    cv::rectangle(plain, {64, 0, 64, 64}, cv::Scalar(60, 110, 170), cv::FILLED);
    cv::Mat armed = plain.clone();
    cv::rectangle(armed, kArms, cv::Scalar(150, 60, 110), cv::FILLED);
    const cv::Mat other(plain.size(), CV_8UC3, cv::Scalar(230, 230, 230));
    pack.pictures = {{"B.P", plain}, {"B.O", armed}, {"B.X", other}};
    return pack;
  }

  // What a figure that covers this hides of the tile.
  static cv::Mat Covered(const cv::Rect& by) {
    cv::Mat covered = cv::Mat::zeros(ReferencePack::kSide_px, ReferencePack::kSide_px, CV_8U);
    covered(by).setTo(255);
    return covered;
  }

  int ReferenceOf(const std::string& tile) const {
    for (std::size_t i = 0; i < matcher_.references().size(); ++i) {
      const auto& reference = matcher_.references()[i];
      if (reference.tile == tile && reference.rotation == 0) return static_cast<int>(i);
    }
    return -1;
  }

  TileMatcher matcher_{Pack()};
  HiddenPrint hidden_{matcher_};
};

TEST_F(HiddenPrintTest, WhereAFigureHidesTheArmsBothAreLikely) {
  std::vector<TileCandidate> names = {{"B.P", 0, 0.98}};
  hidden_.Weigh(ReferenceOf("B.P"), Covered({70, 10, 44, 44}), names);
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(names[0].tile, "B.P");
  EXPECT_EQ(names[1].tile, "B.O");
  EXPECT_NEAR(names[1].probability, 0.98 * 0.25, 1e-9);
  EXPECT_NEAR(names[0].probability + names[1].probability, 0.98, 1e-9);
}

TEST_F(HiddenPrintTest, ArmsThatWereSeenToBeThereMayBeAFigureToo) {
  std::vector<TileCandidate> names = {{"B.O", 0, 0.9}, {"B.P", 0, 0.1}};
  hidden_.Weigh(ReferenceOf("B.O"), Covered({70, 10, 44, 44}), names);
  EXPECT_EQ(names[0].tile, "B.O");
  EXPECT_NEAR(names[0].probability, 0.75, 1e-9);
}

TEST_F(HiddenPrintTest, BesideTheArmsAFigureHidesNothing) {
  std::vector<TileCandidate> names = {{"B.P", 0, 0.98}};
  hidden_.Weigh(ReferenceOf("B.P"), Covered({10, 70, 44, 44}), names);
  ASSERT_EQ(names.size(), 1U);
  EXPECT_DOUBLE_EQ(names[0].probability, 0.98);
}

TEST_F(HiddenPrintTest, WhatWasInDoubtAnywayStaysSo) {
  std::vector<TileCandidate> names = {{"B.P", 0, 0.6}, {"B.O", 0, 0.4}};
  hidden_.Weigh(ReferenceOf("B.P"), Covered({70, 10, 44, 44}), names);
  EXPECT_NEAR(names[0].probability, 0.6, 1e-9);
  EXPECT_NEAR(names[1].probability, 0.4, 1e-9);
}

}  // namespace
}  // namespace tilewarden::vision
