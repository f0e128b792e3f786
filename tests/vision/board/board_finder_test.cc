// Which of two boards that were found in one picture is believed.
#include "vision/board/board_finder.h"

#include "gtest/gtest.h"

namespace tilewarden::vision {
namespace {

constexpr float kSide_px = 80;
const cv::Size kPicture(1920, 1080);

// A row of tiles that are so wide, and unlike the pack's by this cost each.
Board Row(cv::Point2f from_px, int tiles, float wide_px, float cost) {
  Board board;
  for (int i = 0; i < tiles; ++i) {
    ReadCell read;
    read.tile_probability = 1;
    TileMatcher::Match match;
    match.cost = cost;
    const float x_px = from_px.x + static_cast<float>(i) * wide_px;
    match.px_from_tile = {wide_px, 0, x_px, 0, kSide_px, from_px.y, 0, 0, 1};
    read.candidates.push_back(match);
    board.tiles.emplace(LatticeCell{i, 0}, read);
  }
  return board;
}

TEST(BoardFinder, ARowThatIsCutAskewIsNotBelievedForItsMoreTiles) {
  const Board three = Row({1000, 500}, 3, kSide_px, 0.04F);
  const Board askew = Row({1000, 500}, 4, 0.75F * kSide_px, 0.25F);
  EXPECT_TRUE(IsBetter(three, askew, kPicture));
  EXPECT_FALSE(IsBetter(askew, three, kPicture));
}

TEST(BoardFinder, OfBoardsInDifferentPlacesTheOneWithMoreTilesIsBelieved) {
  const Board three = Row({1000, 500}, 3, kSide_px, 0.04F);
  const Board four = Row({200, 200}, 4, 0.75F * kSide_px, 0.25F);
  EXPECT_TRUE(IsBetter(four, three, kPicture));
  EXPECT_FALSE(IsBetter(three, four, kPicture));
}

TEST(BoardFinder, OfSingleTilesTheOneNearestToTheMiddleIsBelieved) {
  const Board middle = Row({900, 500}, 1, kSide_px, 0.1F);
  const Board border = Row({20, 20}, 1, kSide_px, 0.04F);
  EXPECT_TRUE(IsBetter(middle, border, kPicture));
  EXPECT_TRUE(IsBetter(border, Board(), kPicture)) << "any is better than none";
}

}  // namespace
}  // namespace tilewarden::vision
