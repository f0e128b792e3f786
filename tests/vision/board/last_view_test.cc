// What is told of a picture by the one in which the board was read before.
#include "vision/board/last_view.h"

#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

constexpr float kSide_px = 120;

// Something of its own everywhere, as tiles have; shifted in the picture.
cv::Mat Art(double shift_px) {
  cv::Mat wide(720, 1280, CV_8UC3, cv::Scalar(60, 150, 70)), shifted;
  cv::RNG rng(17);
  for (int i = 0; i < 900; ++i) {
    const cv::Scalar colour(rng.uniform(20, 230), rng.uniform(20, 230), rng.uniform(20, 230));
    cv::circle(wide, {rng.uniform(0, 1280), rng.uniform(0, 720)}, rng.uniform(4, 14), colour,
               cv::FILLED);
  }
  cv::warpAffine(wide, shifted, cv::Matx23d(1, 0, shift_px, 0, 1, 0), wide.size());
  return shifted;
}

BoardPlaces FourTiles() {
  BoardPlaces places;
  for (int i = 0; i < 4; ++i) {
    const float west = 400 + kSide_px * static_cast<float>(i);
    places.tiles[{i, 0}] = {"B.A", {kSide_px, 0, west, 0, kSide_px, 300, 0, 0, 1}};
  }
  return places;
}

LastView ViewOfFourTiles() {
  LastView view;
  const cv::Mat picture = Art(0);
  view.Remember(picture, PicturePyramid(picture), FourTiles());
  return view;
}

TEST(LastView, InTheSamePictureNothingChanged) {
  const LastView view = ViewOfFourTiles();
  const cv::Mat same = Art(0);
  const CellWatch::Change change = view.ChangedCells(PicturePyramid(same));
  EXPECT_TRUE(change.cells.empty());
  EXPECT_FALSE(change.everywhere);
  EXPECT_FALSE(view.ChangedSomewhere(same));
}

TEST(LastView, AnotherTileIsAChangeOfItsCellAlone) {
  const LastView view = ViewOfFourTiles();
  cv::Mat other = Art(0);
  cv::rectangle(other, cv::Rect(640, 300, 120, 120), cv::Scalar(30, 40, 200), cv::FILLED);
  const CellWatch::Change change = view.ChangedCells(PicturePyramid(other));
  EXPECT_EQ(change.cells, (std::set<LatticeCell>{{2, 0}}));
  EXPECT_FALSE(change.everywhere);
  EXPECT_TRUE(view.ChangedCells(PicturePyramid(other), {{2, 0}}).cells.empty()) << "not looked at";
}

TEST(LastView, WhatIsLaidAwayFromTheBoardIsAChangeSomewhere) {
  const LastView view = ViewOfFourTiles();
  cv::Mat aside = Art(0);
  cv::rectangle(aside, cv::Rect(1000, 560, 110, 110), cv::Scalar(20, 20, 20), cv::FILLED);
  EXPECT_TRUE(view.ChangedCells(PicturePyramid(aside)).cells.empty());
  EXPECT_TRUE(view.ChangedSomewhere(aside));
}

TEST(LastView, AShiftIsTheWholeBoardsOnlyWhereEveryTileMovedClearly) {
  const LastView view = ViewOfFourTiles();
  const auto bumped = view.ShiftOfAll(Art(30));
  ASSERT_TRUE(bumped.has_value());
  EXPECT_NEAR((*bumped)(0, 2) / (*bumped)(2, 2), 30, 2);
  EXPECT_TRUE(view.Shift(Art(4)).has_value());
  EXPECT_FALSE(view.ShiftOfAll(Art(4)).has_value()) << "less than a tenth of a tile";
}

TEST(LastView, AMovedCameraCountsUntilTheBoardIsReadOrForgotten) {
  LastView nothing;
  nothing.NoteMovedCamera();
  EXPECT_FALSE(nothing.camera_moved()) << "no place was known";
  LastView view = ViewOfFourTiles();
  EXPECT_FALSE(view.camera_moved());
  view.NoteMovedCamera();
  EXPECT_TRUE(view.camera_moved());
  const cv::Mat picture = Art(30);
  view.Remember(picture, PicturePyramid(picture), FourTiles());
  EXPECT_FALSE(view.camera_moved());
  view.NoteMovedCamera();
  view.Forget();
  EXPECT_FALSE(view.camera_moved());
}

}  // namespace
}  // namespace tilewarden::vision
