// The finder network on our own rendered tables: floors, not goals.
#include "vision/tiles/tile_finder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "calibration/common/quad_finder.h"
#include "engine/tiles/tile_set.h"
#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"
#include "tests/virtual_table/story/still.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;
namespace vt = virtual_table;

TEST(TileFinder, AMissingOrTornFileIsSaid) {
  const auto folder = fs::temp_directory_path() / "tilewarden-tile-finder";
  fs::remove_all(folder);
  fs::create_directories(folder);
  EXPECT_EQ(TileFinder::Load(folder).status().code(), absl::StatusCode::kNotFound);
  std::ofstream(folder / "finder_network.onnx", std::ios::binary) << "no network at all";
  EXPECT_EQ(TileFinder::Load(folder).status().code(), absl::StatusCode::kDataLoss);
  fs::remove_all(folder);
}

TEST(TileFinder, FindsTheTilesOfRenderedTablesWhereTheyLie) {
  auto finder = TileFinder::Load();
  ASSERT_TRUE(finder.ok()) << finder.status();
  constexpr std::uint64_t kBox = 1021;
  vt::TileBox box(*engine::TileSet::Load("base.c1"), kBox);
  for (const vt::Level level : {vt::Level::kEasy, vt::Level::kMedium, vt::Level::kHard}) {
    vt::StillPlan plan;
    plan.level = level;
    plan.seed = kBox + static_cast<std::uint64_t>(level);
    plan.turns = 30;
    const vt::Still still = vt::MakeStill(plan, &box);
    const std::vector<FoundTile> found = finder->Find(still.picture).tiles;
    std::size_t seen = 0;
    for (const nlohmann::json& tile : still.truth["tiles"]) {
      std::array<cv::Point2f, 4> corners;
      for (std::size_t i = 0; i < 4; ++i) {
        corners[i] = {tile["canonical_corners_px"][i][0], tile["canonical_corners_px"][i][1]};
      }
      const double side = calibration::SideOf(corners);
      seen += std::any_of(found.begin(), found.end(), [&](const FoundTile& f) {
        const auto c = CornersOf(f.px_from_tile);
        return cv::norm(calibration::CentreOf(c) - calibration::CentreOf(corners)) < 0.15 * side &&
               std::abs(calibration::SideOf(c) / side - 1) < 0.15;
      });
    }
    const std::size_t tiles = still.truth["tiles"].size();
    EXPECT_GE(10 * seen, 8 * tiles) << "level " << static_cast<int>(level);
    // The truth leaves out tiles beside the board, if any; nothing else is taken for one in heaps.
    EXPECT_LE(found.size(), tiles + tiles / 3) << "level " << static_cast<int>(level);
  }
}

TEST(TileFinder, FindsNothingOnABareTable) {
  auto finder = TileFinder::Load();
  ASSERT_TRUE(finder.ok()) << finder.status();
  cv::Mat table(720, 1280, CV_8UC3, cv::Scalar(60, 90, 120));
  EXPECT_TRUE(finder->Find(table).tiles.empty()) << "plain";
  cv::RNG rng(3);
  cv::Mat noise(table.size(), CV_16SC3);
  rng.fill(noise, cv::RNG::NORMAL, 0, 12);
  cv::add(table, noise, table, cv::noArray(), CV_8UC3);
  EXPECT_TRUE(finder->Find(table).tiles.empty()) << "grain";
}

}  // namespace
}  // namespace tilewarden::vision
