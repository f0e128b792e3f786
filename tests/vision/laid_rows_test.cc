// Tiles laid out in rows are found in order, of art that nobody knows as well.
#include "vision/laid_rows.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "calibration/enrolment.h"
#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

constexpr int kSide = calibration::ReferencePack::kSide_px;

class LaidRowsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto network = TileNetwork::Load();
    ASSERT_TRUE(network.ok()) << network.status();
    network_ = *std::move(network);
  }
  std::optional<TileNetwork> network_;
};

// A tile that tells its number and its turn: a field with a bar at the top.
cv::Mat Card(int number) {
  cv::Mat card(kSide, kSide, CV_8UC3, cv::Scalar(60, 150, 70));
  cv::rectangle(card, {0, 0, kSide, 24}, cv::Scalar(40, 110, 200), cv::FILLED);
  cv::rectangle(card, {20 + 12 * number, 60, 12, 40}, cv::Scalar(230, 230, 230), cv::FILLED);
  return card;
}

// Cards in rows with gaps, a little turned, on a table with some noise. The last
// one may lie beside the rows, half way between the last two.
cv::Mat LaidOut(int rows, int columns, bool last_across = false) {
  cv::Mat table(900, 1200, CV_8UC3, cv::Scalar(120, 125, 130));
  cv::Mat noise(table.size(), CV_8UC3);
  cv::RNG rng(7);
  rng.fill(noise, cv::RNG::NORMAL, 10, 6);
  table += noise;
  for (int i = 0; i < rows * columns; ++i) {
    const bool across = last_across && i + 1 == rows * columns;
    const double angle = rng.uniform(-0.05, 0.05) + 0.12,
                 x = 200 + 160 * (i % columns) + (across ? 140 : 0),
                 y = 150 + 160 * (i / columns) - (across ? 60 : 0), c = std::cos(angle),
                 s = std::sin(angle);
    const cv::Matx23d to(c, -s, x - 60 * c + 60 * s, s, c, y - 60 * s - 60 * c);
    cv::Mat card = Card(i % 8), mask(card.size(), CV_8U, cv::Scalar(255)), moved, moved_mask;
    cv::warpAffine(card, moved, to, table.size());
    cv::warpAffine(mask, moved_mask, to, table.size(), cv::INTER_NEAREST);
    moved.copyTo(table, moved_mask);
  }
  return table;
}

TEST_F(LaidRowsTest, TilesInRowsAreFoundInOrder) {
  std::vector<calibration::TypeToEnrol> types;
  for (int i = 0; i < 8; ++i) types.push_back({"B." + std::string(1, 'A' + i), 0});
  types[2].upright = 1;
  const auto pack = EnrolRows(LaidOut(2, 4), types, *network_);
  ASSERT_TRUE(pack.ok()) << pack.status();
  for (int i = 0; i < 8; ++i) {
    const calibration::ReferencePicture& picture = pack->pictures[static_cast<std::size_t>(i)];
    EXPECT_EQ(picture.tile, types[static_cast<std::size_t>(i)].tile);
    const cv::Mat upright =
        calibration::Turned(picture.picture, types[static_cast<std::size_t>(i)].upright);
    EXPECT_LT(cv::norm(upright, Card(i), cv::NORM_L1) / (3 * kSide * kSide), 16) << i;
  }
}

// As many squares as types, but one is no tile of the rows: naming the others by
// their place would give all after it a wrong name.
TEST_F(LaidRowsTest, ASquareAcrossTheRowsIsNoTile) {
  const std::vector<calibration::TypeToEnrol> types(8, calibration::TypeToEnrol{"B.A", 0});
  const auto pack = EnrolRows(LaidOut(2, 4, true), types, *network_);
  ASSERT_FALSE(pack.ok());
  EXPECT_NE(std::string(pack.status().message()).find("not all in rows"), std::string::npos)
      << pack.status();
}

TEST_F(LaidRowsTest, MissingTilesAreCounted) {
  std::vector<calibration::TypeToEnrol> types(9, calibration::TypeToEnrol{"B.A", 0});
  const auto pack = EnrolRows(LaidOut(2, 4), types, *network_);
  ASSERT_FALSE(pack.ok());
  EXPECT_NE(std::string(pack.status().message()).find("9 were expected"), std::string::npos);
}

}  // namespace
}  // namespace tilewarden::vision
