// What a figure claims on a tile, by where it is and by its pose.
#include "engine/tiles/figure_segments.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/tiles/tile_set_folder.h"
#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

std::string Likeliest(const std::string& tile, const FigurePlace& figure) {
  const auto folder = TileSetFolder::Read(TileSet::DefaultFolder());
  EXPECT_TRUE(folder.ok()) << folder.status();
  const TileType type = folder->tiles.at(tile);
  const std::vector<double> likelihoods = SegmentLikelihoods(type, FaceOf(type), figure);
  const auto best = std::max_element(likelihoods.begin(), likelihoods.end());
  return std::string(
      ToString(type.segments[static_cast<std::size_t>(best - likelihoods.begin())].kind));
}

TEST(SegmentLikelihoods, WhoStandsBesideTheMonasteryIsItsMonk) {
  EXPECT_EQ(Likeliest("B.B", {{0.5, 0.25}, 0.03, 0.95}), "monastery");
}

TEST(SegmentLikelihoods, WhoLiesThereIsAFarmer) {
  EXPECT_EQ(Likeliest("B.B", {{0.5, 0.25}, 0.03, 0.05}), "field");
}

TEST(SegmentLikelihoods, WhoStandsFarFromAllElseIsOnTheField) {
  EXPECT_EQ(Likeliest("B.B", {{0.08, 0.08}, 0.02, 0.95}), "field");
}

TEST(SegmentLikelihoods, WhoStandsBesideANarrowRoadIsOnIt) {
  EXPECT_EQ(Likeliest("B.U", {{0.5, 0.42}, 0.03, 0.95}), "road");
}

TEST(SegmentLikelihoods, WhoStandsASeventhOfATileBesideARoadIsStillOnIt) {
  EXPECT_EQ(Likeliest("B.U", {{0.5, 0.36}, 0.03, 0.98}), "road");
}

TEST(SegmentLikelihoods, WhoLiesBesideARoadFarms) {
  EXPECT_EQ(Likeliest("B.U", {{0.5, 0.36}, 0.03, 0.1}), "field");
}

TEST(SegmentLikelihoods, WhoIsAmidARoadIsOnItThoughThePoseIsInDoubt) {
  EXPECT_EQ(Likeliest("B.U", {{0.5, 0.5}, 0.01, 0.3}), "road");
}

TEST(FaceOf, AreasAreSharesOfTheWholeTile) {
  const auto folder = TileSetFolder::Read(TileSet::DefaultFolder());
  ASSERT_TRUE(folder.ok()) << folder.status();
  for (const auto& [id, type] : folder->tiles) {
    double all = 0;
    for (const double area : FaceOf(type).areas) all += area;
    EXPECT_NEAR(all, 1, 1e-9) << id;
  }
}

}  // namespace
}  // namespace tilewarden::engine
