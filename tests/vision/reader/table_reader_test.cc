// Reading whole pictures: what is no picture is refused, a picture of nothing is
// a reading of nothing, and floors on rendered tables where they are at hand.
#include "vision/reader/table_reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "calibration/box/enrolment.h"
#include "calibration/common/picture_file.h"
#include "engine/tiles/tile_set.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "opencv2/imgproc.hpp"
#include "vision/reader/read_table.h"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;

const Networks& Loaded() {
  static const absl::StatusOr<Networks> networks = Networks::Load();
  return networks.value();
}

calibration::ReferencePack OneTilePack() {
  cv::Mat tile(128, 128, CV_8UC3, cv::Scalar(60, 150, 70));
  cv::rectangle(tile, {0, 0, 128, 30}, cv::Scalar(40, 110, 200), cv::FILLED);
  cv::rectangle(tile, {0, 70, 128, 16}, cv::Scalar(230, 230, 230), cv::FILLED);
  calibration::ReferencePack pack;
  pack.pictures.push_back({"B.D", tile});
  return pack;
}

TEST(TableReader, WhatIsNoPictureIsRefused) {
  const calibration::ReferencePack pack = OneTilePack();
  EXPECT_EQ(ReadTable(Loaded(), {}, pack).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadTable(Loaded(), cv::Mat(200, 200, CV_16UC3), pack).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadTable(Loaded(), cv::Mat(200, 200, CV_8U), pack).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(TableReader, NothingIsReadFromNothing) {
  const calibration::ReferencePack pack = OneTilePack();
  for (const cv::Size size : {cv::Size(1, 5000), cv::Size(47, 47), cv::Size(640, 480)}) {
    const auto sighting =
        ReadTable(Loaded(), cv::Mat(size, CV_8UC3, cv::Scalar(90, 110, 140)), pack);
    ASSERT_TRUE(sighting.ok()) << sighting.status();
    EXPECT_TRUE(sighting->tiles.empty());
    EXPECT_TRUE(sighting->figures.empty());
  }
}

TEST(TableReader, ASingleTileIsFoundWhereItLies) {
  const calibration::ReferencePack pack = OneTilePack();
  cv::Mat table(720, 1280, CV_8UC3, cv::Scalar(120, 90, 60)),
      mask(128, 128, CV_8U, cv::Scalar(255));
  cv::RNG rng(3);
  cv::Mat noise(table.size(), CV_8UC3);
  rng.fill(noise, cv::RNG::NORMAL, 8, 5);
  table += noise;
  const cv::Matx23d to(0.6, 0.08, 600, -0.08, 0.6, 300);
  cv::Mat moved, moved_mask;
  cv::warpAffine(pack.pictures[0].picture, moved, to, table.size());
  cv::warpAffine(mask, moved_mask, to, table.size(), cv::INTER_NEAREST);
  moved.copyTo(table, moved_mask);
  const auto sighting = ReadTable(Loaded(), table, pack);
  ASSERT_TRUE(sighting.ok()) << sighting.status();
  ASSERT_EQ(sighting->tiles.size(), 1U);
  const SightedTile& tile = sighting->tiles[0];
  EXPECT_EQ(tile.candidates.at(0).tile, "B.D");
  EXPECT_EQ(tile.candidates.at(0).rotation, 0);
  EXPECT_NEAR(tile.corners_px[0].x, 600, 4);
  EXPECT_NEAR(tile.corners_px[0].y, 300, 4);
}

// Four types with something of their own in every corner.
calibration::ReferencePack FourTilePack() {
  calibration::ReferencePack pack;
  cv::RNG rng(17);
  for (const char* name : {"B.A", "B.B", "B.C", "B.D"}) {
    cv::Mat tile(128, 128, CV_8UC3, cv::Scalar(60, 150, 70));
    for (int i = 0; i < 24; ++i) {
      const cv::Scalar colour(rng.uniform(20, 230), rng.uniform(20, 230), rng.uniform(20, 230));
      cv::circle(tile, {rng.uniform(0, 128), rng.uniform(0, 128)}, rng.uniform(6, 18), colour,
                 cv::FILLED);
    }
    pack.pictures.push_back({name, tile});
  }
  return pack;
}

cv::Mat BareTable() {
  cv::Mat table(720, 1280, CV_8UC3, cv::Scalar(120, 90, 60)), grain(table.size(), CV_8UC3);
  cv::RNG rng(3);
  rng.fill(grain, cv::RNG::NORMAL, 8, 5);
  return table + grain;
}

void Lay(const cv::Mat& tile, cv::Point2d north_west, cv::Mat& table) {
  const cv::Mat mask(128, 128, CV_8U, cv::Scalar(255));
  const cv::Matx23d to(0.6, 0, north_west.x, 0, 0.6, north_west.y);
  cv::Mat moved, moved_mask;
  cv::warpAffine(tile, moved, to, table.size());
  cv::warpAffine(mask, moved_mask, to, table.size(), cv::INTER_NEAREST);
  moved.copyTo(table, moved_mask);
}

// The first four tiles of a pack on a table, as a camera sees them that was shifted by so much;
// another picture in place of the fourth.
cv::Mat FourTiles(const calibration::ReferencePack& pack, double shift_px,
                  const cv::Mat& fourth = {}) {
  cv::Mat table = BareTable();
  for (int i = 0; i < 4; ++i) {
    const bool other = i == 3 && !fourth.empty();
    const cv::Mat& tile = other ? fourth : pack.pictures[static_cast<std::size_t>(i)].picture;
    Lay(tile, {500 + i % 2 * 78 + shift_px, 300.0 + i / 2 * 78}, table);
  }
  return table;
}

// A row whose seams show no edge, so that none of its tiles has an outline of its own.
TEST(TableReader, TilesWithoutSeamsAreFoundFromTheEndOfTheirRow) {
  const calibration::ReferencePack pack = FourTilePack();
  cv::Mat table = BareTable();
  for (int i = 0; i < 4; ++i) {
    Lay(pack.pictures[static_cast<std::size_t>(i)].picture, {500 + i * 76.8, 300}, table);
  }
  const auto sighting = ReadTable(Loaded(), table, pack);
  ASSERT_TRUE(sighting.ok()) << sighting.status();
  EXPECT_EQ(sighting->tiles.size(), 4U);
}

TEST(TableReader, ATileSetAsideIsNotTheBoardOnceALargerOneLiesThere) {
  const auto pack = std::make_shared<calibration::ReferencePack>(FourTilePack());
  pack->pictures[3] = OneTilePack().pictures[0];
  TableReader reader(Loaded(), pack);
  cv::Mat table = BareTable();
  Lay(pack->pictures[3].picture, {150, 120}, table);
  const auto alone = reader.Read(table, 0);
  ASSERT_TRUE(alone.ok()) << alone.status();
  ASSERT_EQ(alone->tiles.size(), 1U);
  table = FourTiles(*pack, 0);
  Lay(pack->pictures[3].picture, {150, 120}, table);
  const auto board = reader.Read(table, 2000);
  ASSERT_TRUE(board.ok()) << board.status();
  ASSERT_EQ(board->tiles.size(), 4U);
  for (const SightedTile& tile : board->tiles) EXPECT_GT(tile.corners_px[0].x, 490);
}

TEST(TableReader, ATileSetAsideIsSeenWhereItLiesUntilItIsTakenAway) {
  const calibration::ReferencePack pack = FourTilePack();
  TableReader reader(Loaded(), std::make_shared<calibration::ReferencePack>(pack));
  const cv::Mat board = FourTiles(pack, 0);
  cv::Mat aside = board.clone();
  Lay(pack.pictures[2].picture, {900, 520}, aside);
  std::int64_t time_ms = 0;
  const auto tiles = [&](const cv::Mat& frame) {
    for (int i = 0; i < 3; ++i) {
      const auto sighting = reader.Read(frame, time_ms += 2000);
      EXPECT_TRUE(sighting.ok()) << sighting.status();
      if (i == 2) return sighting->tiles;
    }
    return std::vector<SightedTile>();
  };
  ASSERT_EQ(tiles(board).size(), 4U);
  const std::vector<SightedTile> seen = tiles(aside);
  ASSERT_EQ(seen.size(), 5U);
  EXPECT_EQ(seen[4].candidates.at(0).tile, "B.C");
  EXPECT_NEAR(seen[4].corners_px[0].x, 900, 4);
  EXPECT_NEAR(seen[4].corners_px[0].y, 520, 4);
  // Five tiles east of the board's first one and nearly three south.
  EXPECT_EQ(seen[4].cell.x - seen[0].cell.x, 5);
  EXPECT_EQ(seen[4].cell.y - seen[0].cell.y, 3);
  EXPECT_EQ(tiles(aside).size(), 5U);
  // The camera is bumped.
  cv::Mat bumped = FourTiles(pack, 30);
  Lay(pack.pictures[2].picture, {930, 520}, bumped);
  EXPECT_EQ(tiles(bumped).size(), 5U);
  EXPECT_EQ(tiles(FourTiles(pack, 30)).size(), 4U);
}

TEST(TableReader, AMovedCameraIsToldOnceAndTheBoardFoundAgain) {
  for (const double shift_px : {4.0, 20.0, 60.0}) {
    const auto pack = std::make_shared<calibration::ReferencePack>(FourTilePack());
    TableReader reader(Loaded(), pack);
    const cv::Mat before = FourTiles(*pack, 0), after = FourTiles(*pack, shift_px);
    int told = 0;
    std::int64_t time_ms = 0;
    for (int i = 0; i < 5; ++i, time_ms += 200) {
      const auto sighting = reader.Read(before, time_ms);
      ASSERT_TRUE(sighting.ok()) << sighting.status();
      told += sighting->camera_moved;
    }
    EXPECT_EQ(told, 0) << "it stands still";
    Sighting last;
    for (int i = 0; i < 10; ++i, time_ms += 200) {
      auto sighting = reader.Read(after, time_ms);
      ASSERT_TRUE(sighting.ok()) << sighting.status();
      told += sighting->camera_moved;
      last = *std::move(sighting);
    }
    EXPECT_EQ(told, 1) << shift_px;
    ASSERT_EQ(last.tiles.size(), 4U) << shift_px;
    double west_px = 1e9;
    for (const SightedTile& tile : last.tiles) west_px = std::min(west_px, tile.corners_px[0].x);
    EXPECT_NEAR(west_px, 500 + shift_px, 2) << shift_px;
  }
}

// The fourth tile's like, but for an emblem.
cv::Mat WithEmblem(const cv::Mat& tile) {
  cv::Mat other = tile.clone();
  cv::circle(other, {96, 32}, 10, cv::Scalar(240, 240, 240), cv::FILLED);
  cv::circle(other, {96, 32}, 6, cv::Scalar(180, 60, 20), cv::FILLED);
  return other;
}

// What the fourth tile is called once the camera was bumped by a third of a tile.
std::string FourthAfterBump(const calibration::ReferencePack& pack, const cv::Mat& before,
                            const cv::Mat& after) {
  TableReader reader(Loaded(), std::make_shared<calibration::ReferencePack>(pack));
  Sighting last;
  std::int64_t time_ms = 0;
  for (const cv::Mat& look : {before, after}) {
    for (int i = 0; i < 8; ++i, time_ms += 200) {
      auto sighting = reader.Read(look, time_ms);
      if (!sighting.ok()) return sighting.status().ToString();
      last = *std::move(sighting);
    }
  }
  for (const SightedTile& tile : last.tiles) {
    if (tile.corners_px[0].x > 560 && tile.corners_px[0].y > 360) return tile.candidates[0].tile;
  }
  return "not seen";
}

TEST(TableReader, ABumpedCameraRenamesOnlyTilesThatWereExchanged) {
  calibration::ReferencePack pack = FourTilePack();
  const cv::Mat plain = pack.pictures[3].picture, emblem = WithEmblem(plain);
  pack.pictures.push_back({"X.E", emblem});
  cv::Mat unclear;
  cv::addWeighted(plain, 0.45, emblem, 0.55, 0, unclear);
  cv::Mat before = FourTiles(pack, 0), grain(before.size(), CV_16SC3), wide;
  cv::RNG rng(5);
  rng.fill(grain, cv::RNG::NORMAL, 0, 12);
  before.convertTo(wide, CV_16S);
  wide += grain;
  wide.convertTo(before, CV_8U);
  EXPECT_EQ(FourthAfterBump(pack, before, FourTiles(pack, 26)), "B.D");
  EXPECT_EQ(FourthAfterBump(pack, before, FourTiles(pack, 26, unclear)), "B.D")
      << "seen clearly before";
  EXPECT_EQ(FourthAfterBump(pack, before, FourTiles(pack, 26, emblem)), "X.E") << "exchanged";
}

struct Comparison {
  std::size_t right = 0, false_tiles = 0;
};

// What was read beside a file of truth, whose tiles have their type under
// `letter_key`. A tile that the labels leave uncertain is neither right nor false.
Comparison Compare(const Sighting& sighting, const fs::path& file, const char* letter_key) {
  constexpr double kSamePlace_px = 25;
  std::ifstream stream(file);
  const nlohmann::json truth = nlohmann::json::parse(stream);
  Comparison result;
  for (const SightedTile& tile : sighting.tiles) {
    Point at;
    for (const Point& c : tile.corners_px) at = {at.x + c.x / 4, at.y + c.y / 4};
    bool found = false;
    for (const nlohmann::json& t : truth["tiles"]) {
      Point there;
      for (const nlohmann::json& c : t["corners_px"]) {
        there = {there.x + c[0].get<double>() / 4, there.y + c[1].get<double>() / 4};
      }
      if (std::hypot(there.x - at.x, there.y - at.y) > kSamePlace_px) continue;
      found = true;
      if (t.value("uncertain", false) || !t[letter_key].is_string()) continue;
      // A garden copy ("B.Eg") is the plain type to the labels.
      const std::string letter = t[letter_key].get<std::string>().substr(0, 1);
      if (tile.candidates.front().tile.substr(0, 3) == "B." + letter) ++result.right;
    }
    if (!found) ++result.false_tiles;
  }
  return result;
}

// Types right of what lies on the rendered tables; wrong ones are capped apart.
TEST(TableReader, FloorsOnRenderedStills) {
  const fs::path tables = fs::path(SHARED_FOLDER) / "tables";
  if (!fs::exists(tables)) GTEST_SKIP() << "../shared is not here";
  const auto tiles = engine::TileSet::Load("base.c1");
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  std::vector<calibration::TypeToEnrol> types;
  for (const engine::TileType& type : (*tiles)->types()) types.push_back({type.id, type.upright});
  const auto enrolment = calibration::LoadPicture(tables / "enrol" / "enrol_wiki_easy.jpg");
  ASSERT_TRUE(enrolment.ok()) << enrolment.status();
  const auto pack = calibration::EnrolPicture(*enrolment, types);
  ASSERT_TRUE(pack.ok()) << pack.status();
  struct Floor {
    const char* still;
    std::size_t right, most_false;
  };
  for (const Floor& floor :
       {Floor{"still_wiki_b1_medium", 12, 0}, Floor{"still_wiki_b3_easy", 31, 0},
        Floor{"still_wiki_b6_easy", 55, 0}, Floor{"still_wiki_b2_hard", 20, 0}}) {
    const auto picture =
        calibration::LoadPicture(tables / "stills" / (std::string(floor.still) + ".jpg"));
    ASSERT_TRUE(picture.ok()) << picture.status();
    const auto sighting = ReadTable(Loaded(), *picture, *pack);
    ASSERT_TRUE(sighting.ok()) << sighting.status();
    const auto [right, false_tiles] =
        Compare(*sighting, tables / "stills" / (std::string(floor.still) + ".json"), "letter");
    EXPECT_GE(right, floor.right) << floor.still;
    EXPECT_LE(false_tiles, floor.most_false) << floor.still;
  }
}

TEST(TableReader, PublishedEditionsAreReadWithoutAPack) {
  const fs::path boards = fs::path(SHARED_FOLDER) / "photos" / "boards";
  if (!fs::exists(boards)) GTEST_SKIP() << "../shared is not here";
  struct Floor {
    const char* photo;
    std::size_t right;
    std::ptrdiff_t figures, most;  // on tiles
  };
  for (const Floor& floor :
       {Floor{"test_00", 72, 0, 2}, Floor{"test_0", 10, 3, 4}, Floor{"c3_20", 72, 0, 0}}) {
    const auto picture = calibration::LoadPicture(boards / (std::string(floor.photo) + ".jpg"));
    ASSERT_TRUE(picture.ok()) << picture.status();
    const auto sighting = ReadTableWithoutPack(Loaded(), *picture);
    ASSERT_TRUE(sighting.ok()) << sighting.status();
    // Some stand on tiles that the labels leave out, beside the board is anything.
    const auto figures = std::count_if(sighting->figures.begin(), sighting->figures.end(),
                                       [](const SightedFigure& f) { return f.cell.has_value(); });
    EXPECT_GE(figures, floor.figures) << floor.photo;
    EXPECT_LE(figures, floor.most) << floor.photo;
    const auto [right, false_tiles] =
        Compare(*sighting, boards / (std::string(floor.photo) + ".labels.json"), "tile_letter");
    EXPECT_GE(right, floor.right) << floor.photo;
    EXPECT_EQ(false_tiles, 0u) << floor.photo;
  }
}

TEST(TableReader, WithoutAPackNothingIsReadFromNothing) {
  for (const cv::Size size : {cv::Size(1, 5000), cv::Size(640, 480)}) {
    const auto sighting =
        ReadTableWithoutPack(Loaded(), cv::Mat(size, CV_8UC3, cv::Scalar(90, 110, 140)));
    ASSERT_TRUE(sighting.ok()) << sighting.status();
    EXPECT_TRUE(sighting->tiles.empty());
  }
  EXPECT_EQ(ReadTableWithoutPack(Loaded(), {}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      ReadTableWithoutPack(Loaded(), cv::Mat(200, 200, CV_8UC3, cv::Scalar(9, 9, 9)), {"B.Nothing"})
          .status()
          .code(),
      absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tilewarden::vision
