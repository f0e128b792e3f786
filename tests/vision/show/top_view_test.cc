// Pictures straightened to the tiles' lattice.
#include "vision/show/top_view.h"

#include <array>

#include "gtest/gtest.h"
#include "opencv2/calib3d.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

const std::array<cv::Scalar, 3> kColours = {cv::Scalar(20, 20, 200), cv::Scalar(20, 200, 20),
                                            cv::Scalar(200, 20, 20)};

// Three tiles of one colour each, in an L, as a camera sees them from the side.
struct SlantedTable {
  SlantedTable() : picture(720, 1280, CV_8UC3, cv::Scalar(90, 90, 90)) {
    const std::vector<cv::Point2f> square = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    const std::vector<cv::Point2f> seen = {{420, 180}, {760, 200}, {880, 560}, {330, 520}};
    const cv::Mat picture_from_board = cv::getPerspectiveTransform(square, seen);
    const std::array<LatticeCell, 3> cells = {LatticeCell{4, -3}, {5, -3}, {4, -2}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const float x = static_cast<float>(cells[i].x - 4), y = static_cast<float>(cells[i].y + 3);
      std::vector<cv::Point2f> corners = {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}};
      cv::perspectiveTransform(corners, corners, picture_from_board);
      SightedTile tile;
      tile.cell = cells[i];
      std::vector<cv::Point> polygon;
      for (std::size_t k = 0; k < 4; ++k) {
        tile.corners_px[k] = {corners[k].x, corners[k].y};
        polygon.emplace_back(corners[k]);
      }
      cv::fillConvexPoly(picture, polygon, kColours[i]);
      sighting.tiles.push_back(tile);
    }
  }
  cv::Mat picture;
  Sighting sighting;
};

TEST(TopView, EveryTileFillsItsCell) {
  const SlantedTable table;
  const auto view = StraightenToLattice(table.picture, table.sighting);
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->corner, (LatticeCell{3, -4}));
  EXPECT_EQ(view->columns, 4);
  EXPECT_EQ(view->rows, 4);
  const cv::Mat straight = cv::imdecode(view->jpeg, cv::IMREAD_COLOR);
  const int cell_px = straight.cols / view->columns;
  ASSERT_EQ(straight.rows, cell_px * view->rows);
  for (std::size_t i = 0; i < table.sighting.tiles.size(); ++i) {
    const LatticeCell cell = table.sighting.tiles[i].cell;
    const cv::Rect inside((cell.x - 3) * cell_px + 4, (cell.y + 4) * cell_px + 4, cell_px - 8,
                          cell_px - 8);
    const cv::Scalar mean = cv::mean(straight(inside));
    for (int channel = 0; channel < 3; ++channel) {
      EXPECT_NEAR(mean[channel], kColours[i][channel], 12) << "tile " << i;
    }
  }
}

TEST(TopView, StaysBelowTheMostBytes) {
  SlantedTable table;
  cv::randu(table.picture, 0, 255);  // compresses badly
  TopViewOptions options;
  options.most_bytes = 12'000;
  const auto view = StraightenToLattice(table.picture, table.sighting, options);
  ASSERT_TRUE(view.has_value());
  EXPECT_LE(view->jpeg.size(), options.most_bytes);
}

TEST(TopView, NothingWithoutTiles) {
  EXPECT_FALSE(StraightenToLattice(SlantedTable().picture, Sighting()).has_value());
}

}  // namespace
}  // namespace tilewarden::vision
