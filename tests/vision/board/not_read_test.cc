// What is told of a board that was seen and not read: a row of tiles in a made-up picture.
#include "vision/board/not_read.h"

#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"
#include "vision/picture/lattice_cells.h"

namespace tilewarden::vision {
namespace {

constexpr float kSide_px = 100;
const cv::Size kPicture(1000, 600);

cv::Matx33f TileAt(float x_px, float y_px) {
  return {kSide_px, 0, x_px, 0, kSide_px, y_px, 0, 0, 1};
}

class NotReadTest : public testing::Test {
 protected:
  NotReadTest() {
    view_.cover.probability =
        cv::Mat(kPicture.height / 10, kPicture.width / 10, CV_32F, cv::Scalar(0));
    view_.cover.place_from_px = {0.1, 0, -0.45, 0, 0.1, -0.45, 0, 0, 1};
    view_.boards.resize(1);
  }

  // Three tiles in a row from there on, which the finder saw and which were read.
  void Lay(float x_px) {
    std::map<LatticeCell, cv::Matx33f> laid;
    for (int x = -1; x <= 3; ++x) {
      const cv::Matx33f at = TileAt(x_px + kSide_px * static_cast<float>(x), 250);
      if (x == -1 || x == 3) {
        places_.beside[{x, 0}] = at;
        continue;
      }
      laid[{x, 0}] = at;
      places_.tiles[{x, 0}] = {"B.A", at};
      view_.boards[0].tiles[{x, 0}] = {at, 1};
      See(at);
    }
    lattice_.Fit(laid);
  }

  // The finder says that a tile lies there.
  void See(const cv::Matx33f& at) {
    const cv::Rect px(cvRound(at(0, 2)), cvRound(at(1, 2)), cvRound(kSide_px), cvRound(kSide_px));
    const cv::Rect shown = px & cv::Rect({}, kPicture);
    cv::rectangle(view_.cover.probability,
                  cv::Rect(shown.x / 10, shown.y / 10, shown.width / 10, shown.height / 10),
                  cv::Scalar(1), cv::FILLED);
  }

  std::vector<NotRead> Told(bool named = true) {
    return *FindNotRead(view_, places_, lattice_, kPicture,
                        [&](const cv::Matx33f&) -> absl::StatusOr<bool> { return named; });
  }

  TableView view_;
  BoardPlaces places_;
  Lattice lattice_;
};

TEST_F(NotReadTest, AWholeBoardIsToldAsOne) {
  Lay(350);
  EXPECT_THAT(Told(), testing::IsEmpty());
}

TEST_F(NotReadTest, ATileThatTheBorderCutsIsTold) {
  Lay(40);
  EXPECT_THAT(Told(), testing::IsEmpty()) << "bare table at the border";
  See(TileAt(-60, 250));
  const auto told = Told();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].why, NotReadWhy::kCutByBorder);
  EXPECT_EQ(told[0].cell, (LatticeCell{-1, 0}));
  EXPECT_NEAR(told[0].corners_px[0].x, -60, 1);
}

TEST_F(NotReadTest, ARowThatGoesOnIsTold) {
  Lay(350);
  See(TileAt(650, 250));
  const auto told = Told();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].why, NotReadWhy::kUnreadable);
  EXPECT_EQ(told[0].cell, (LatticeCell{3, 0}));
}

TEST_F(NotReadTest, AHoleInTheBoardThatLooksLikeATileIsNone) {
  Lay(350);
  for (const LatticeCell& side : kBeside) {
    const LatticeCell cell{3 + side.x, side.y};
    places_.tiles[cell] = {"B.A", TileAt(350 + kSide_px * static_cast<float>(cell.x),
                                         250 + kSide_px * static_cast<float>(cell.y))};
  }
  See(TileAt(650, 250));
  view_.cover.probability *= 0.88;
  EXPECT_THAT(Told(/*named=*/false), testing::IsEmpty());
  EXPECT_EQ(Told().size(), 1U) << "what can be named is a tile";
}

TEST_F(NotReadTest, TilesOutsideTheLatticeAreToldOnceTheyAreNamed) {
  Lay(350);
  // Half a tile off its row, touching the board.
  view_.boards.resize(2);
  view_.boards[1].tiles[{0, 0}] = {TileAt(655, 300), 0.9};
  EXPECT_THAT(Told(/*named=*/false), testing::IsEmpty()) << "a cup";
  const auto told = Told();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].why, NotReadWhy::kOutside);
}

TEST_F(NotReadTest, ATileThatWasSetAsideIsNoPartOfTheBoardButTwoTogetherMayBe) {
  Lay(350);
  view_.boards.resize(2);
  view_.boards[1].tiles[{0, 0}] = {TileAt(800, 40), 0.9};
  EXPECT_THAT(Told(), testing::IsEmpty());
  view_.boards[1].tiles[{0, 1}] = {TileAt(800, 140), 0.9};
  EXPECT_EQ(Told().size(), 2U);
}

TEST_F(NotReadTest, FieldsOfAScoreTrackAreNoneThoughAFewPassForTiles) {
  Lay(350);
  view_.boards.resize(2);
  for (int i = 0; i < 6; ++i) {
    view_.boards[1].tiles[{i, 0}] = {TileAt(300 + kSide_px * static_cast<float>(i), 40), 0.9};
  }
  const auto told =
      FindNotRead(view_, places_, lattice_, kPicture,
                  [](const cv::Matx33f& at) -> absl::StatusOr<bool> { return at(0, 2) < 450; });
  ASSERT_TRUE(told.ok());
  EXPECT_THAT(*told, testing::IsEmpty());
}

TEST_F(NotReadTest, WhatIsReadLaterIsToldNoMore) {
  Lay(350);
  See(TileAt(650, 250));
  const NotRead part = Told().at(0);
  EXPECT_FALSE(IsRead(part, places_));
  places_.tiles[{3, 0}] = {"B.A", TileAt(655, 248)};
  EXPECT_TRUE(IsRead(part, places_));
}

}  // namespace
}  // namespace tilewarden::vision
