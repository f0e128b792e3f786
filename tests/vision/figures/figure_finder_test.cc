#include "vision/figures/figure_finder.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"
#include "tests/vision/figures/figure_scoring.h"
#include "tests/vision/figures/painted_scene.h"
#include "vision/picture/camera_pose.h"
#include "vision/picture/geometry.h"

namespace tilewarden::vision {
namespace {

TEST(CameraPose, IsFoundFromATiltedPlane) {
  const Scene scene = MakeScene();
  const CameraPose pose = EstimateCameraPose(scene.plane.px_from_lattice, scene.frame.size());
  EXPECT_NEAR(pose.focal_px, 960, 30);
  EXPECT_NEAR(pose.height, 14 * std::cos(0.45), 0.6);
  // What stands leans away from the camera, the more the higher.
  const cv::Point2d foot(1.5, 1), low = pose.OnTable(foot, 0.1), high = pose.OnTable(foot, 0.3);
  EXPECT_GT((low - foot).dot(foot - pose.centre), 0);
  EXPECT_GT(cv::norm(high - foot), 2.5 * cv::norm(low - foot));
}

TEST(FigureFinder, EmptyBoardHasNone) {
  const Scene scene = MakeScene();
  EXPECT_TRUE(FigureFinder().Find(scene.frame, scene.tiles, scene.plane, {}, {}).empty());
  EXPECT_TRUE(FigureFinder().Find(scene.frame, {}, scene.plane, {}, {}).empty());
}

TEST(FigureFinder, ShadowIsNone) {
  Scene scene = MakeScene();
  cv::Mat half = scene.frame(cv::Rect(0, 0, 660, 720));
  half.convertTo(half, CV_8U, 0.7);
  EXPECT_TRUE(FigureFinder().Find(scene.frame, scene.tiles, scene.plane, {}, {}).empty());
}

TEST(FigureFinder, PlaceColourAndPose) {
  for (const double brightness : {1.0, 0.55}) {
    Scene scene = MakeScene(brightness);
    const cv::Point2d standing(0.4, 0.3), lying(1.55, 1.2), over_the_seam(2.02, 0.75);
    const auto paint = [&](double b, double g, double r) {
      return cv::Scalar(b, g, r) * brightness;
    };
    Place(scene, standing, true, paint(40, 30, 200));
    Place(scene, lying, false, paint(160, 75, 45));
    Place(scene, over_the_seam, true, paint(55, 180, 220));
    const auto figures = FigureFinder().Find(scene.frame, scene.tiles, scene.plane, {}, {});
    ASSERT_EQ(figures.size(), 3U);
    for (const SightedFigure& f : figures) {
      ASSERT_TRUE(f.cell.has_value());
      const cv::Point2d at(f.cell->x + f.foot.x, f.cell->y + f.foot.y);
      const std::string colour = f.colours.front().colour;
      const cv::Point2d truth =
          colour == "red" ? standing : (colour == "blue" ? lying : over_the_seam);
      EXPECT_LT(cv::norm(at - truth), 0.06) << colour << " at " << at;
      EXPECT_EQ(f.standing_probability > 0.5, colour != "blue") << colour;
      EXPECT_GT(f.probability, 0.6);
      EXPECT_LT(cv::norm(at - truth), 3 * f.foot_sigma) << colour << " at " << at;
      EXPECT_LT(f.foot_sigma, 0.08) << colour;
    }
  }
}

TEST(FigureFinder, TwoThatTouchAreTwo) {
  Scene scene = MakeScene();
  Place(scene, {1.40, 0.25}, true, {40, 30, 200});
  Place(scene, {1.72, 0.25}, true, {160, 75, 45});
  const auto figures = FigureFinder().Find(scene.frame, scene.tiles, scene.plane, {}, {});
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_NE(figures[0].colours.front().colour, figures[1].colours.front().colour);
}

TEST(FigureFinder, AtTheBoardsRimIsFound) {
  Scene scene = MakeScene();
  const cv::Point2d foot(0.03, 1.5);  // half of it over the bare table
  Place(scene, foot, true, {165, 100, 205});
  const auto figures = FigureFinder().Find(scene.frame, scene.tiles, scene.plane, {}, {});
  ASSERT_EQ(figures.size(), 1U);
  EXPECT_EQ(figures[0].colours.front().colour, "pink");
  EXPECT_EQ(figures[0].cell, (LatticeCell{0, 1}));
}

TEST(FigureFinder, WhoLiesHalfOverTheEdgeIsOnTheTile) {
  Scene scene = MakeScene();
  Place(scene, {-0.06, 1.5}, false, {165, 100, 205});
  Place(scene, {-0.5, 0.5}, false, {40, 30, 200});
  const auto figures = FigureFinder().Find(scene.frame, scene.tiles, scene.plane, {}, {});
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].colours.front().colour, "pink");
  EXPECT_EQ(figures[0].cell, (LatticeCell{0, 1}));
  EXPECT_EQ(figures[0].foot.x, 0);
  EXPECT_NEAR(figures[0].foot.y, 0.5, 0.06);
  EXPECT_FALSE(figures[1].cell) << "it lies beside the board";
}

TEST(FigureFinder, PlacesBeyondTheHorizonSayNothing) {
  Scene scene = MakeScene();
  // The row of cells behind the board lies on the horizon, and the next beyond it.
  scene.plane.px_from_lattice = {100, 0, 200, 0, 100, 300, 0, -0.5, 1};
  scene.tiles.resize(1);
  const std::vector<cv::Point2f> square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  std::vector<cv::Point2f> corners;
  cv::perspectiveTransform(square, corners, scene.plane.px_from_lattice);
  std::copy(corners.begin(), corners.end(), scene.tiles[0].corners_px.begin());
  FigureFinder finder;
  for (const SightedFigure& figure : finder.Find(scene.frame, scene.tiles, scene.plane, {}, {})) {
    EXPECT_TRUE(std::isfinite(figure.foot_px.x) && std::isfinite(figure.foot_px.y));
  }
  (void)finder.FindAgain(scene.frame, scene.tiles, scene.plane, {}, {{0, 0}, {0, 1}}, {});
}

TEST(FigureFinder, WhatAHandHidesIsNotReported) {
  Scene scene = MakeScene();
  Place(scene, {1.5, 0.25}, true, {40, 30, 200});
  const cv::Mat everywhere(90, 160, CV_8U, cv::Scalar(255));
  EXPECT_TRUE(FigureFinder().Find(scene.frame, scene.tiles, scene.plane, everywhere, {}).empty());
}

// By both witnesses: looks at a scene, and again at it once it is another, told
// which cells changed; and that it sees what a first look at the other one sees.
void ExpectSeenAgain(const Scene& before, const Scene& now, const std::set<LatticeCell>& changed,
                     std::size_t figures) {
  absl::StatusOr<FigureNetwork> network = FigureNetwork::Load();
  ASSERT_TRUE(network.ok()) << network.status();
  for (FigureNetwork* by : {static_cast<FigureNetwork*>(nullptr), &*network}) {
    const auto tiles_of = [&](const Scene& scene) {
      std::vector<NamedTile> tiles = scene.tiles;
      if (by != nullptr) {
        for (NamedTile& tile : tiles) tile.expected = cv::Mat();
      }
      return tiles;
    };
    FigureFinder finder(by);
    (void)finder.Find(before.frame, tiles_of(before), before.plane, {}, {});
    const auto again = finder.FindAgain(now.frame, tiles_of(now), now.plane, {}, changed, {});
    const auto anew = FigureFinder(by).Find(now.frame, tiles_of(now), now.plane, {}, {});
    SCOPED_TRACE(by == nullptr ? "by pictures" : "by look");
    ASSERT_EQ(again.size(), figures);
    ASSERT_EQ(anew.size(), figures);
    for (const SightedFigure& figure : anew) {
      const auto same = std::find_if(again.begin(), again.end(), [&](const SightedFigure& other) {
        return other.cell == figure.cell &&
               other.colours.front().colour == figure.colours.front().colour;
      });
      ASSERT_NE(same, again.end()) << figure.colours.front().colour;
      EXPECT_NEAR(same->foot.x, figure.foot.x, 0.03);
      EXPECT_NEAR(same->foot.y, figure.foot.y, 0.03);
      EXPECT_EQ(same->standing_probability > 0.5, figure.standing_probability > 0.5);
    }
  }
}

TEST(FigureFinderAgain, AFigureComesAndAnotherGoes) {
  const Scene empty = MakeScene();
  Scene one = Copy(empty);
  Place(one, {0.4, 0.3}, true, {40, 30, 200});
  Scene two = Copy(one);
  Place(two, {1.55, 1.2}, false, {160, 75, 45});
  ExpectSeenAgain(empty, one, {{0, 0}, {0, -1}}, 1);
  ExpectSeenAgain(one, two, {{1, 1}}, 2);
  ExpectSeenAgain(two, one, {{1, 1}}, 1);
  ExpectSeenAgain(one, one, {}, 1);
}

TEST(FigureFinderAgain, OneIsPutBesideAnother) {
  Scene one = MakeScene();
  Place(one, {1.40, 0.25}, true, {40, 30, 200});
  Scene two = Copy(one);
  Place(two, {1.72, 0.25}, true, {160, 75, 45});
  ExpectSeenAgain(one, two, {{1, 0}, {1, -1}}, 2);
}

TEST(FigureFinderAgain, WhoLeansOverATileThatHardlyChangedIsSeenWhole) {
  const Scene empty = MakeScene();
  Scene one = Copy(empty);
  // Half of it lies on the tile to the north.
  Place(one, {0.5, 1.02}, false, {40, 30, 200});
  ExpectSeenAgain(empty, one, {{0, 1}}, 1);
}

TEST(FigureFinderAgain, ATileIsLaidAtTheRimOrBeyondIt) {
  Scene whole = MakeScene();
  Place(whole, {2.5, 0.5}, false, {40, 30, 200});
  for (const bool beyond : {false, true}) {
    Scene before = MakeScene();
    TakeAway(before, {2, 0});
    if (beyond) TakeAway(before, {2, 1});
    // The tiles that came are told by the tiles, not by the cells.
    ExpectSeenAgain(before, whole, {}, 1);
  }
}

TEST(FigureFinderAgain, AnotherLightIsSeenEverywhere) {
  Scene bright = MakeScene(), dim = MakeScene(0.6);
  Place(bright, {0.4, 0.3}, true, {40, 30, 200});
  Place(dim, {0.4, 0.3}, true, cv::Scalar(40, 30, 200) * 0.6);
  Place(dim, {2.3, 1.4}, false, cv::Scalar(55, 180, 220) * 0.6);
  ExpectSeenAgain(bright, dim, {}, 2);
}

// The scene as one sees it who knows the tiles by name alone.
std::vector<SightedFigure> ByLook(const Scene& scene, const cv::Mat& hand_mask = {}) {
  absl::StatusOr<FigureNetwork> network = FigureNetwork::Load();
  EXPECT_TRUE(network.ok()) << network.status();
  std::vector<NamedTile> tiles = scene.tiles;
  for (NamedTile& tile : tiles) tile.expected = cv::Mat();
  return FigureFinder(&*network).Find(scene.frame, tiles, scene.plane, hand_mask, {});
}

TEST(FigureFinderByLook, PlaceAndColour) {
  Scene scene = MakeScene();
  const std::vector<std::pair<cv::Point2d, std::string>> truth = {
      {{0.4, 0.3}, "red"}, {{1.55, 1.2}, "blue"}, {{2.02, 0.75}, "yellow"}};
  Place(scene, truth[0].first, true, {40, 30, 200});
  Place(scene, truth[1].first, false, {160, 75, 45});
  Place(scene, truth[2].first, true, {55, 180, 220});
  const auto figures = ByLook(scene);
  ASSERT_EQ(figures.size(), 3U);
  for (const auto& [foot, colour] : truth) {
    const auto found = std::find_if(figures.begin(), figures.end(), [&](const auto& f) {
      return f.cell &&
             cv::norm(cv::Point2d(f.cell->x + f.foot.x, f.cell->y + f.foot.y) - foot) < 0.1;
    });
    ASSERT_NE(found, figures.end()) << colour << " at " << foot;
    EXPECT_EQ(found->colours.front().colour, colour);
  }
}

TEST(FigureFinderByLook, NoneWhereThereIsNoneOrAHand) {
  Scene scene = MakeScene();
  EXPECT_TRUE(ByLook(scene).empty());
  Place(scene, {1.5, 0.25}, true, {40, 30, 200});
  EXPECT_EQ(ByLook(scene).size(), 1U);
  EXPECT_TRUE(ByLook(scene, cv::Mat(90, 160, CV_8U, cv::Scalar(255))).empty());
}

TEST(FigureFinderByBoth, TheNetworkFindsWhatHardlyDiffersFromItsTileAndTheRestOnce) {
  absl::StatusOr<FigureNetwork> network = FigureNetwork::Load();
  ASSERT_TRUE(network.ok()) << network.status();
  Scene scene = MakeScene();
  EXPECT_TRUE(FigureFinder(&*network).Find(scene.frame, scene.tiles, scene.plane, {}, {}).empty());
  Place(scene, {0.4, 0.3}, true, {40, 30, 200});
  const cv::Point2d hidden(1.5, 1.3);
  const cv::Point2d px = Through(scene.plane.px_from_lattice, hidden);
  const cv::Vec3b meadow = scene.frame.at<cv::Vec3b>(cv::Point(px));
  Place(scene, hidden, true, cv::Scalar(meadow) * 0.7);
  const auto by_pictures = FigureFinder().Find(scene.frame, scene.tiles, scene.plane, {}, {});
  const auto by_both = FigureFinder(&*network).Find(scene.frame, scene.tiles, scene.plane, {}, {});
  EXPECT_EQ(by_pictures.size(), 1U);
  ASSERT_EQ(by_both.size(), 2U);
  for (const SightedFigure& figure : by_both) {
    ASSERT_TRUE(figure.cell.has_value());
    EXPECT_EQ(figure.colours.front().colour, figure.cell->x == 0 ? "red" : "green");
  }
}

// As a round lake may look to the network like a blue figure.
TEST(FigureFinderByBoth, WhatThePrintShowsIsNoFigureThoughItLooksLikeOne) {
  absl::StatusOr<FigureNetwork> network = FigureNetwork::Load();
  ASSERT_TRUE(network.ok()) << network.status();
  Scene scene = MakeScene();
  Place(scene, {1.5, 0.3}, true, {40, 30, 200});
  ASSERT_EQ(FigureFinder(&*network).Find(scene.frame, scene.tiles, scene.plane, {}, {}).size(), 1U);
  PrintWhatIsSeen(scene, {1, 0});
  EXPECT_EQ(ByLook(scene).size(), 1U);
  EXPECT_TRUE(FigureFinder(&*network).Find(scene.frame, scene.tiles, scene.plane, {}, {}).empty());
}

TEST(FigureNetwork, AMissingOrTornFileIsSaid) {
  const auto folder = std::filesystem::temp_directory_path() / "tilewarden-figure-network";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  EXPECT_EQ(FigureNetwork::Load(folder).status().code(), absl::StatusCode::kNotFound);
  std::ofstream(folder / "figure_network.onnx", std::ios::binary) << "no network at all";
  EXPECT_EQ(FigureNetwork::Load(folder).status().code(), absl::StatusCode::kDataLoss);
  std::filesystem::remove_all(folder);
}

// Floors, not goals: what is reached on the rendered tables given true tiles.
TEST(FigureFinder, RenderedTables) {
  const std::filesystem::path tables =
      std::filesystem::path(TILEWARDEN_SOURCE_DIR) / "../shared/tables";
  if (!std::filesystem::exists(tables)) GTEST_SKIP() << "../shared/tables is not here";
  for (const char* sequence : {"sequence/truth.json", "sequence_scoring/truth.json"}) {
    const FigureCounts n = ScoreFigures(tables, sequence);
    EXPECT_GE(n.found, 0.99 * n.figures) << sequence;
    EXPECT_GE(n.colour, 0.99 * n.figures) << sequence;
    EXPECT_GE(n.feature, 0.98 * n.figures) << sequence;
    EXPECT_EQ(n.wrong, 0) << sequence;
  }
}

}  // namespace
}  // namespace tilewarden::vision
