// Tiles laid out in rows are found in order, of art that nobody knows as well.
#include "vision/tiles/laid_rows.h"

#include <optional>
#include <string>
#include <vector>

#include "calibration/box/enrolment.h"
#include "gtest/gtest.h"
#include "tests/calibration/box/laid_cards.h"

namespace tilewarden::vision {
namespace {

using calibration::Card;
using calibration::LaidOut;

class LaidRowsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto network = TileNetwork::Load();
    ASSERT_TRUE(network.ok()) << network.status();
    network_ = *std::move(network);
  }
  std::optional<TileNetwork> network_;
};

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
    EXPECT_LT(cv::norm(upright, Card(i), cv::NORM_L1) /
                  (3 * calibration::kCardSide_px * calibration::kCardSide_px),
              16)
        << i;
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
