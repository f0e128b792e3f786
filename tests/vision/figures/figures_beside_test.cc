// The supplies beside the board: counted on a resting table, and watched while a hand is there.
#include "vision/figures/figures_beside.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"
#include "tests/vision/figures/painted_scene.h"
#include "tests/vision/reader/loaded_networks.h"

namespace tilewarden::vision {
namespace {

const cv::Scalar kRed(40, 30, 200), kBlue(160, 75, 45);
const cv::Point2d kFirst(4.5, 0.5), kSecond(4.6, 1.6), kThird(-1.4, 1.2);

class FiguresBesideTest : public testing::Test {
 protected:
  FiguresBesideTest() : supplies_(Loaded().figures(), Loaded().kinds()) {
    options_.colours = {"red", "blue"};
  }

  void Look(const Scene& scene) {
    BoardPlaces places;
    for (const NamedTile& tile : scene.tiles) {
      const cv::Matx33d from_tile(1, 0, tile.cell.x, 0, 1, tile.cell.y, 0, 0, 1);
      places.tiles[tile.cell] = {tile.tile, cv::Matx33f(scene.plane.px_from_lattice * from_tile)};
    }
    supplies_.Look(scene.frame, PicturePyramid(scene.frame), {}, places, scene.plane, {}, options_);
  }

  static int Count(const std::vector<SightedFigure>& figures, const std::string& colour) {
    int count = 0;
    for (const SightedFigure& figure : figures) {
      count += figure.colours.front().colour == colour ? 1 : 0;
    }
    return count;
  }

  FiguresBeside supplies_;
  Options options_;
};

TEST_F(FiguresBesideTest, TheyAreCountedByColour) {
  Scene scene = MakeScene();
  Place(scene, kFirst, true, kRed);
  Place(scene, kSecond, true, kRed);
  Place(scene, kThird, true, kBlue);
  Place(scene, {1.5, 0.5}, true, kBlue);  // on the board
  Look(scene);
  EXPECT_EQ(Count(supplies_.figures(), "red"), 2);
  EXPECT_EQ(Count(supplies_.figures(), "blue"), 1);
}

TEST_F(FiguresBesideTest, OneThatIsTakenIsMissedAndOneThatCameIsFound) {
  Scene scene = MakeScene();
  Place(scene, kFirst, true, kRed);
  Look(scene);
  ASSERT_EQ(Count(supplies_.figures(), "red"), 1);
  Scene both = Copy(scene);
  Place(both, kSecond, true, kRed);
  Look(both);
  EXPECT_EQ(Count(supplies_.figures(), "red"), 2);
  Look(scene);
  EXPECT_EQ(Count(supplies_.figures(), "red"), 1);
}

TEST_F(FiguresBesideTest, WhileAHandIsThereOneIsGoneAndOneMayBeBelowIt) {
  const Scene empty = MakeScene();
  Scene scene = Copy(empty);
  Place(scene, kFirst, true, kRed);
  Place(scene, kThird, true, kBlue);
  Look(scene);
  ASSERT_EQ(supplies_.figures().size(), 2U);
  cv::Mat hand = cv::Mat::zeros(scene.frame.size(), CV_8U);
  EXPECT_EQ(supplies_.StillThere(scene.frame, hand).size(), 2U);

  // The red one was taken, the table's left is below the hand.
  cv::Mat taken = empty.frame.clone();
  const cv::Rect left(0, 0, taken.cols / 3, taken.rows);
  scene.frame(left).copyTo(taken(left));
  hand(left).setTo(255);
  const std::vector<SightedFigure> there = supplies_.StillThere(taken, hand);
  ASSERT_EQ(there.size(), 1U);
  EXPECT_EQ(there.front().colours.front().colour, "blue");
  EXPECT_LT(there.front().probability, 0.5) << "nobody knows";
}

TEST_F(FiguresBesideTest, AHandsShadowTakesNone) {
  Scene scene = MakeScene();
  Place(scene, kFirst, true, kRed);
  Look(scene);
  cv::Mat dark;
  scene.frame.convertTo(dark, CV_8U, 0.7);
  EXPECT_EQ(supplies_.StillThere(dark, {}).size(), 1U);
}

}  // namespace
}  // namespace tilewarden::vision
