#include <array>
#include <memory>
#include <string>

#include "calibration/print/tile_painter.h"
#include "engine/tiles/tile_set.h"
#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "services/boxes/printable_set.h"

namespace tilewarden {
namespace {

std::shared_ptr<const engine::TileSet> BaseSet() {
  auto set = engine::TileSet::Load("base.c1");
  EXPECT_TRUE(set.ok()) << set.status();
  return *set;
}

// What lies in the middle of a side, told by colour alone: grass is green,
// city ground is ochre, a road is pale.
char GroundAtSide(const cv::Mat& tile, int side) {
  const int n = tile.cols, depth = n / 16, half = n / 40;
  const std::array<cv::Rect, 4> strips = {cv::Rect(n / 2 - half, 1, 2 * half, depth),
                                          cv::Rect(n - 1 - depth, n / 2 - half, depth, 2 * half),
                                          cv::Rect(n / 2 - half, n - 1 - depth, 2 * half, depth),
                                          cv::Rect(1, n / 2 - half, depth, 2 * half)};
  const cv::Scalar mean = cv::mean(tile(strips[static_cast<std::size_t>(side)]));
  const double b = mean[0], g = mean[1], r = mean[2];
  if (g > r) return 'f';
  return b > 0.72 * r ? 'r' : 'c';
}

double Difference(const cv::Mat& a, const cv::Mat& b) {
  return cv::norm(a, b, cv::NORM_L1) / static_cast<double>(a.total() * 3);
}

TEST(TilePainter, EveryCopyShowsItsEdges) {
  const auto set = BaseSet();
  for (std::size_t i = 0; i < set->types().size(); ++i) {
    const engine::TileType& type = set->types()[i];
    for (int copy = 0; copy < 2; ++copy) {
      const cv::Mat tile = services::PaintCopy(type, copy, 7, 256);
      ASSERT_EQ(tile.size(), cv::Size(256, 256));
      ASSERT_EQ(tile.type(), CV_8UC3);
      for (int side = 0; side < 4; ++side) {
        EXPECT_EQ(GroundAtSide(tile, side), type.edges[static_cast<std::size_t>(side)])
            << type.id << " copy " << copy << " side " << side;
      }
    }
  }
}

// Of tiles that differ by it alone: of each two, more than copies of one tile do, where it lies.
TEST(TilePainter, GoodsAndCathedralsAreSeen) {
  const auto set = engine::TileSet::Load("base.c1+inns.c1+traders.c1");
  ASSERT_TRUE(set.ok()) << set.status();
  const auto paint = [&](const char* id, int copy) {
    const int type = (*set)->Find(id);
    return services::PaintCopy((*set)->types()[static_cast<std::size_t>(type)], copy, 1, 128);
  };
  for (const auto& [one, other] : {std::pair("T.corner_grain", "T.corner_wine"),
                                   {"T.corner_city_cloth", "T.corner_city_grain"},
                                   {"T.through_road_grain", "T.through_road_wine"},
                                   {"I.cathedral", "B.C"}}) {
    const double copies = Difference(paint(one, 0), paint(one, 1));
    EXPECT_GT(Difference(paint(one, 0), paint(other, 0)), copies) << one << " and " << other;
  }
}

TEST(TilePainter, SameSeedSamePictureOtherSeedOtherPicture) {
  const auto set = BaseSet();
  const engine::TileType& type = set->types()[static_cast<std::size_t>(set->Find("B.D"))];
  const cv::Mat first = services::PaintCopy(type, 0, 1, 128);
  EXPECT_EQ(Difference(first, services::PaintCopy(type, 0, 1, 128)), 0);
  // Another copy and another box look different, though not like another tile.
  EXPECT_GT(Difference(first, services::PaintCopy(type, 1, 1, 128)), 4);
  EXPECT_GT(Difference(first, services::PaintCopy(type, 0, 2, 128)), 4);
  const engine::TileType& other = set->types()[static_cast<std::size_t>(set->Find("B.C"))];
  EXPECT_GT(Difference(first, services::PaintCopy(other, 0, 1, 128)),
            1.5 * Difference(first, services::PaintCopy(type, 1, 1, 128)));
}

TEST(TilePainter, CoatOfArmsIsBlueWhereTheLayoutPutsIt) {
  const auto set = BaseSet();
  const auto blue_at = [&](const char* id) {
    const engine::TileType& type = set->types()[static_cast<std::size_t>(set->Find(id))];
    const cv::Mat tile = services::PaintCopy(type, 0, 1, 256);
    int blue = 0;
    for (int y = 0; y < tile.rows; ++y) {
      for (int x = 0; x < tile.cols; ++x) {
        const auto& p = tile.at<cv::Vec3b>(y, x);
        blue += p[0] > 110 && p[0] > p[2] + 50;
      }
    }
    return blue;
  };
  EXPECT_GT(blue_at("B.C"), 150);
  EXPECT_GT(blue_at("B.M"), 150);
  EXPECT_LT(blue_at("B.N"), 20);
  EXPECT_LT(blue_at("B.R"), 20);
}

TEST(TilePainter, TheBackIsNoTile) {
  const cv::Mat back = calibration::PaintBack({.seed = 1, .side_px = 128});
  ASSERT_EQ(back.size(), cv::Size(128, 128));
  const cv::Scalar mean = cv::mean(back);
  EXPECT_GT(mean[0], mean[2]);  // bluer than any face
}

TEST(PaintedPack, HoldsEveryCopyOfTheBox) {
  const auto set = BaseSet();
  const auto pack = services::PaintedPack(*set, 0);
  EXPECT_EQ(pack.tile_set, "base.c1");
  EXPECT_EQ(pack.pictures.size(), static_cast<std::size_t>(set->total()));
  for (const auto& picture : pack.pictures) {
    EXPECT_GE(set->Find(picture.tile), 0);
    EXPECT_EQ(picture.picture.cols, calibration::ReferencePack::kSide_px);
  }
  const auto one_each = services::PaintedPack(*set, 1);
  EXPECT_EQ(one_each.pictures.size(), set->types().size());
  EXPECT_EQ(Difference(one_each.pictures[0].picture, pack.pictures[0].picture), 0);
}

}  // namespace
}  // namespace tilewarden
