// Tables seen from far aside, on our own rendered tables: floors, not goals.
#include "vision/board/table_views.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "calibration/common/quad_finder.h"
#include "engine/tiles/tile_set.h"
#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"
#include "tests/virtual_table/story/still.h"
#include "vision/picture/geometry.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {
namespace {

namespace vt = virtual_table;

// A picture taken from above as a camera sees it that looks from `tilt` radians aside; the far side
// is the top, turned by `direction`. Small and far away, as there.
cv::Matx33d FromAside(cv::Size size, double tilt, double direction) {
  const double focal = size.width;
  const cv::Matx33d k(focal, 0, 0.5 * size.width, 0, focal, 0.5 * size.height, 0, 0, 1);
  const double cd = std::cos(direction), sd = std::sin(direction);
  const double ct = std::cos(tilt), st = std::sin(tilt);
  const cv::Matx33d turn(cd, -sd, 0, sd, cd, 0, 0, 0, 1);
  // A plane a focal length away, turned about its middle.
  const cv::Matx33d plane(1, 0, 0, 0, ct, 0, 0, -st / focal, 1);
  const cv::Matx33d centre(1, 0, -0.5 * size.width, 0, 1, -0.5 * size.height, 0, 0, 1);
  return centre.inv() * turn * plane * turn.t() * centre;
}

std::size_t SeenInPlace(const TableView& view, const vt::Still& still, const cv::Matx33d& aside) {
  std::size_t seen = 0;
  if (view.boards.empty()) return 0;
  for (const nlohmann::json& tile : still.truth["tiles"]) {
    std::array<cv::Point2f, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      corners[i] = Through(aside, cv::Point2d(tile["canonical_corners_px"][i][0],
                                              tile["canonical_corners_px"][i][1]));
    }
    const cv::Point2f middle = calibration::CentreOf(corners);
    const double near = 0.2 * calibration::SideOf(corners);
    const auto& found = view.boards.front().tiles;
    seen += std::any_of(found.begin(), found.end(), [&](const auto& one) {
      return cv::norm(Through(one.second.px_from_tile, {0.5F, 0.5F}) - middle) < near;
    });
  }
  return seen;
}

vt::Still FromAbove() {
  constexpr std::uint64_t kBox = 1042;
  vt::TileBox box(*engine::TileSet::Load("base.c1"), kBox);
  vt::StillPlan plan;
  plan.seed = kBox;
  plan.turns = 25;
  return vt::MakeStill(plan, &box);
}

TEST(TableViews, ABoardSeenFromFarAsideIsOneBoard) {
  auto finder = TileFinder::Load();
  ASSERT_TRUE(finder.ok()) << finder.status();
  constexpr std::uint64_t kBox = 1041;
  vt::TileBox box(*engine::TileSet::Load("base.c1"), kBox);
  vt::StillPlan plan;
  plan.level = vt::Level::kMedium;
  plan.seed = kBox;
  plan.turns = 40;
  const vt::Still still = vt::MakeStill(plan, &box);
  const std::size_t tiles = still.truth["tiles"].size();
  for (const double direction : {0.0, 2.0}) {
    SCOPED_TRACE(direction);
    const cv::Matx33d aside = FromAside(still.picture.size(), 1.0, direction);
    cv::Mat picture;
    cv::warpPerspective(still.picture, picture, cv::Mat(aside), still.picture.size(),
                        cv::INTER_AREA, cv::BORDER_REPLICATE);
    // It shows why there are two ways to look: as it is, the board falls apart.
    EXPECT_LT(2 * SeenInPlace(ViewTable(picture, *finder), still, aside), tiles);
    EXPECT_GE(10 * SeenInPlace(ViewTableFromAside(picture, *finder), still, aside), 7 * tiles);
  }
}

TEST(TableViews, FromAboveOneLookIsEnough) {
  auto finder = TileFinder::Load();
  ASSERT_TRUE(finder.ok()) << finder.status();
  const vt::Still still = FromAbove();
  const std::size_t tiles = still.truth["tiles"].size();
  EXPECT_GE(10 * SeenInPlace(ViewTable(still.picture, *finder), still, cv::Matx33d::eye()),
            9 * tiles);
}

// How many looks `read` gets where it reads a board of `read_tiles` tiles, so wide as high.
int LooksAt(const vt::Still& still, TileFinder& finder, std::size_t read_tiles, float wide) {
  int looks = 0;
  const absl::Status status = ReadFromBestSide(
      still.picture, finder, [&](const TableView&) -> absl::StatusOr<TileOutlines> {
        ++looks;
        return TileOutlines(read_tiles, cv::Matx33f(100 * wide, 0, 0, 0, 100, 0, 0, 0, 1));
      });
  EXPECT_TRUE(status.ok()) << status;
  return looks;
}

TEST(TableViews, WhereMostTilesLookSquareNobodyLooksFromAside) {
  auto finder = TileFinder::Load();
  ASSERT_TRUE(finder.ok()) << finder.status();
  const vt::Still still = FromAbove();
  const std::size_t most = still.truth["tiles"].size() * 2 / 3;
  EXPECT_EQ(LooksAt(still, *finder, most, 0.95F), 1);
  EXPECT_EQ(LooksAt(still, *finder, most, 0.7F), 2);
  EXPECT_EQ(LooksAt(still, *finder, 3, 0.95F), 2) << "so few of a board say nothing of the others";
}

// So many side by side from x on, so wide as high.
TileOutlines InRow(int tiles, float x, float wide) {
  TileOutlines row;
  for (int i = 0; i < tiles; ++i) {
    const float from = x + 100 * wide * static_cast<float>(i);
    row.emplace_back(100 * wide, 0.F, from, 0.F, 100.F, 0.F, 0.F, 0.F, 1.F);
  }
  return row;
}

TEST(TableViews, HalvesOfTilesCoverNoMoreThanTheTiles) {
  EXPECT_FALSE(CoversMore(InRow(4, 0, 0.5F), InRow(2, 0, 1)));
  EXPECT_FALSE(CoversMore(InRow(4, 0, 0.55F), InRow(2, 0, 1))) << "outlined beyond it";
  TileOutlines overlapping = InRow(2, 100, 0.55F);
  overlapping.push_back(InRow(1, 0, 1.1F).front());
  EXPECT_FALSE(CoversMore(overlapping, InRow(2, 0, 1))) << "one tile, and the halves of another";
  EXPECT_TRUE(CoversMore(InRow(3, 0, 1), InRow(2, 0, 1)));
  EXPECT_TRUE(CoversMore(InRow(3, 0, 1), InRow(4, 0, 0.5F)));
  EXPECT_FALSE(CoversMore(InRow(2, 500, 1), InRow(2, 0, 1))) << "as much elsewhere";
  EXPECT_TRUE(CoversMore(InRow(1, 0, 0.5F), {}));
  EXPECT_FALSE(CoversMore({}, {}));
}

TEST(TableViews, ABareTableHasNoBoard) {
  auto finder = TileFinder::Load();
  ASSERT_TRUE(finder.ok()) << finder.status();
  const cv::Mat bare(480, 640, CV_8UC3, cv::Scalar(60, 90, 120));
  EXPECT_TRUE(ViewTable(bare, *finder).boards.empty());
  EXPECT_TRUE(ViewTableFromAside(bare, *finder).boards.empty());
}

}  // namespace
}  // namespace tilewarden::vision
