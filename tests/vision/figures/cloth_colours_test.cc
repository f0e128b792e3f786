#include "vision/figures/cloth_colours.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"
#include "tests/vision/figures/painted_scene.h"
#include "vision/figures/figure_finder.h"

namespace tilewarden::vision {
namespace {

const std::vector<std::pair<std::string, cv::Scalar>> kFelts = {{"red", {40, 30, 200}},
                                                                {"blue", {160, 75, 45}},
                                                                {"green", {60, 105, 45}},
                                                                {"yellow", {55, 180, 220}},
                                                                {"black", {40, 38, 36}}};

// The board of MakeScene on this cloth; on its right half of another one.
Scene On(const cv::Scalar& cloth, const cv::Scalar& right, double brightness = 1) {
  Scene scene = MakeScene(brightness);
  cv::Mat table;
  cv::inRange(scene.frame, cv::Scalar::all(120 * brightness), cv::Scalar::all(120 * brightness),
              table);
  scene.frame.setTo(cloth * brightness, table);
  const cv::Rect half(scene.frame.cols / 2, 0, scene.frame.cols / 2, scene.frame.rows);
  scene.frame(half).setTo(right * brightness, table(half));
  return scene;
}

double Share(const std::vector<ClothColour>& cloth, const std::string& colour) {
  const auto found = std::find_if(cloth.begin(), cloth.end(),
                                  [&](const ClothColour& like) { return like.colour == colour; });
  return found == cloth.end() ? -1 : found->share;
}

std::vector<ClothColour> Look(const Scene& scene, const Options& options = {}) {
  FigureFinder finder;
  finder.Find(scene.frame, scene.tiles, scene.plane, {}, options);
  return finder.cloth();
}

TEST(ClothColours, FeltLooksLikeTheFiguresOfItsColour) {
  for (const double brightness : {1.0, 0.6}) {
    for (const auto& [colour, felt] : kFelts) {
      const std::vector<ClothColour> cloth = Look(On(felt, felt, brightness));
      for (const auto& [other, paint] : kFelts) {
        if (other == colour) {
          EXPECT_GT(Share(cloth, other), 0.9) << colour << " cloth, brightness " << brightness;
        } else {
          EXPECT_LT(Share(cloth, other), 0.1) << other << " on " << colour << " cloth";
        }
      }
    }
  }
}

TEST(ClothColours, GreyAndWoodLookLikeNoneOfThem) {
  for (const cv::Scalar& table : {cv::Scalar(120, 120, 120), cv::Scalar(65, 110, 154)}) {
    const std::vector<ClothColour> cloth = Look(On(table, table));
    for (const auto& [colour, paint] : kFelts) EXPECT_LT(Share(cloth, colour), 0.1) << colour;
  }
}

TEST(ClothColours, OfAPatternEachColourHasItsShare) {
  const std::vector<ClothColour> cloth = Look(On(kFelts[0].second, kFelts[1].second));
  EXPECT_NEAR(Share(cloth, "red"), 0.5, 0.1);
  EXPECT_NEAR(Share(cloth, "blue"), 0.5, 0.1);
}

TEST(ClothColours, AFigureIsNoClothAndOnlyThoseThatPlayAreTold) {
  Scene scene = On({120, 120, 120}, {120, 120, 120});
  for (const double x : {0.5, 1.5, 2.5}) Place(scene, {x, 2.15}, false, {40, 30, 200});
  Options options;
  options.colours = {"blue", "red"};
  const std::vector<ClothColour> cloth = Look(scene, options);
  ASSERT_EQ(cloth.size(), 2U);
  EXPECT_EQ(cloth.front().colour, "blue");
  EXPECT_LT(Share(cloth, "red"), 0.02);
}

TEST(ClothColours, WhereNoTilesLieNothingIsTold) {
  const Scene scene = MakeScene();
  FigureFinder finder;
  finder.Find(scene.frame, scene.tiles, scene.plane, {}, {});
  finder.Find(scene.frame, {}, scene.plane, {}, {});
  EXPECT_TRUE(finder.cloth().empty());
}

}  // namespace
}  // namespace tilewarden::vision
