// Growing a board without pictures of its tiles, on our own painted tiles.
#include "vision/board/unaided_growth.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/tiles/tile_set.h"
#include "opencv2/imgproc.hpp"
#include "services/boxes/printable_set.h"

namespace tilewarden::vision {
namespace {

constexpr float kSide_px = 120;

class UnaidedGrowthTest : public testing::Test {
 protected:
  UnaidedGrowthTest() {
    auto network = TileNetwork::Load();
    auto tiles = engine::TileSet::Load("base.c2");
    if (!network.ok() || !tiles.ok()) {
      ADD_FAILURE() << network.status() << tiles.status();
      std::exit(1);
    }
    network_.emplace(*std::move(network));
    tiles_ = *std::move(tiles);
  }

  // Lays the next tile of the box with its north-west corner here, in sides of a tile.
  cv::Matx33f Lay(float column, float row) {
    const engine::TileType& type = tiles_->types()[laid_++ % tiles_->types().size()];
    const cv::Mat tile = services::PaintCopy(type, 0, services::kBundledBox, 120);
    const cv::Point at(cvRound((column + 1) * kSide_px), cvRound((row + 1) * kSide_px));
    tile.copyTo(picture_(cv::Rect(at, tile.size())));
    return {kSide_px, 0, static_cast<float>(at.x), 0, kSide_px, static_cast<float>(at.y), 0, 0, 1};
  }

  // What grows from this one tile.
  UnaidedBoard Grown(const UnaidedGrowth& growth, const cv::Matx33f& first) {
    UnaidedBoard board;
    auto scores = growth.Glance({{{0, 0}, first}});
    EXPECT_TRUE(scores.ok()) << scores.status();
    board.tiles.emplace(LatticeCell{0, 0}, UnaidedTile{first, scores->front()});
    EXPECT_TRUE(growth.Complete({}, board).ok());
    return board;
  }

  // Three rows of four; the first tile.
  cv::Matx33f LayTwelve() {
    cv::Matx33f first;
    for (int i = 0; i < 12; ++i) {
      const cv::Matx33f at = Lay(static_cast<float>(i % 4), static_cast<float>(i / 4));
      if (i == 0) first = at;
    }
    return first;
  }

  cv::Mat picture_ = cv::Mat(700, 1000, CV_8UC3, cv::Scalar(60, 85, 110));
  std::optional<TileNetwork> network_;
  std::shared_ptr<const engine::TileSet> tiles_;
  std::size_t laid_ = 0;
};

TEST_F(UnaidedGrowthTest, ABoardGrowsFromOneTile) {
  const cv::Matx33f first = LayTwelve();
  const PicturePyramid pyramid(picture_);
  const UnaidedGrowth growth(picture_, pyramid, *network_, {});
  EXPECT_EQ(Grown(growth, first).tiles.size(), 12u);
}

TEST_F(UnaidedGrowthTest, ATileThatLiesOffTheLatticeIsTakenInLast) {
  const cv::Matx33f first = LayTwelve();
  const cv::Matx33f off = Lay(4.27F, 1.2F);
  const PicturePyramid pyramid(picture_);
  const UnaidedGrowth growth(picture_, pyramid, *network_, {});
  UnaidedBoard board = Grown(growth, first);
  EXPECT_FALSE(CoversPlace(board, off));
  ASSERT_TRUE(growth.CompleteOffTheLattice(board).ok());
  EXPECT_EQ(board.tiles.size(), 13u);
  EXPECT_TRUE(CoversPlace(board, off));
}

TEST_F(UnaidedGrowthTest, AWholeBoardStaysAsItIs) {
  const cv::Matx33f first = LayTwelve();
  const PicturePyramid pyramid(picture_);
  const UnaidedGrowth growth(picture_, pyramid, *network_, {});
  UnaidedBoard board = Grown(growth, first);
  ASSERT_TRUE(growth.CompleteOffTheLattice(board).ok());
  EXPECT_EQ(board.tiles.size(), 12u);
}

// Two tiles more lie off, the second beside the first.
TEST_F(UnaidedGrowthTest, ARowGoesOnFromATileThatLiesOff) {
  const cv::Matx33f first = LayTwelve();
  const cv::Matx33f off = Lay(4.27F, 1.2F), next = Lay(5.27F, 1.2F);
  const PicturePyramid pyramid(picture_);
  const UnaidedGrowth growth(picture_, pyramid, *network_, {});
  UnaidedBoard board = Grown(growth, first);
  ASSERT_TRUE(growth.CompleteOffTheLattice(board).ok());
  EXPECT_TRUE(CoversPlace(board, off));
  EXPECT_TRUE(CoversPlace(board, next));
}

}  // namespace
}  // namespace tilewarden::vision
