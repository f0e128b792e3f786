// When a camera is taken to have been moved, and when not.
#include "vision/board/view_anchor.h"

#include <string>

#include "gtest/gtest.h"

namespace tilewarden::vision {
namespace {

constexpr float kSide_px = 80;

// Tiles of different types in a row; shifts in tile sides.
BoardPlaces Row(int tiles, float shift, int first = 0) {
  BoardPlaces row;
  for (int i = first; i < first + tiles; ++i) {
    const float west = kSide_px * (2 + static_cast<float>(i) + shift);
    row.tiles[{i, 0}] = {"B." + std::string(1, static_cast<char>('A' + i)),
                         cv::Matx33f(kSide_px, 0, west, 0, kSide_px, 200, 0, 0, 1)};
  }
  return row;
}

TEST(ViewAnchor, TilesThatLieStillAreNoMovedCamera) {
  ViewAnchor anchor;
  EXPECT_FALSE(anchor.Moved(Row(6, 0))) << "the first look";
  EXPECT_FALSE(anchor.Moved(Row(6, 0.01F))) << "half a millimetre is how well tiles are found";
  EXPECT_FALSE(anchor.Moved(Row(8, 0))) << "two more were laid";
}

TEST(ViewAnchor, MostTilesElsewhereAreAMovedCameraToldOnce) {
  ViewAnchor anchor;
  anchor.Moved(Row(6, 0));
  EXPECT_TRUE(anchor.Moved(Row(6, 0.045F))) << "two millimetres";
  EXPECT_FALSE(anchor.Moved(Row(6, 0.045F)));
  EXPECT_TRUE(anchor.Moved(Row(6, 1.045F))) << "a whole tile: others lie where these lay";
}

TEST(ViewAnchor, ATileThatSlidesIsNoMovedCamera) {
  ViewAnchor anchor;
  anchor.Moved(Row(6, 0));
  BoardPlaces tiles = Row(6, 0);
  tiles.tiles.at({2, 0}).px_from_tile(0, 2) += 0.3F * kSide_px;
  EXPECT_FALSE(anchor.Moved(tiles));
}

TEST(ViewAnchor, ACameraThatSinksSlowlyIsTold) {
  ViewAnchor anchor;
  int told = 0;
  for (int look = 0; look < 8; ++look)
    told += anchor.Moved(Row(6, 0.005F * static_cast<float>(look)));
  EXPECT_EQ(told, 1);
}

TEST(ViewAnchor, AClearedTableIsNoMovedCamera) {
  ViewAnchor anchor;
  anchor.Moved(Row(8, 0));
  EXPECT_FALSE(anchor.Moved(Row(1, 0.4F)));
  EXPECT_FALSE(anchor.Moved({}));
  EXPECT_FALSE(anchor.Moved(Row(3, 0))) << "the next game";
}

}  // namespace
}  // namespace tilewarden::vision
