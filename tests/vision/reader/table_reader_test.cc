// Reading whole pictures: what is no picture is refused, a picture of nothing is
// a reading of nothing, and what is laid, moved or exchanged is followed.
#include "vision/reader/table_reader.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"
#include "tests/vision/reader/loaded_networks.h"
#include "vision/reader/read_table.h"

namespace tilewarden::vision {
namespace {

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

void Lay(const cv::Mat& tile, cv::Point2d north_west, cv::Mat& table, double scale = 0.6) {
  const cv::Mat mask(128, 128, CV_8U, cv::Scalar(255));
  const cv::Matx23d to(scale, 0, north_west.x, 0, scale, north_west.y);
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

// As families have it: a tile is as large as a hand is elsewhere, and a city as brown.
TEST(TableReader, ATileLaidBelowANearCameraIsNoHand) {
  auto pack = std::make_shared<calibration::ReferencePack>(FourTilePack());
  cv::Mat& city = pack->pictures[2].picture;
  for (int y = 0; y < city.rows; ++y) {
    for (int x = 0; x < city.cols; ++x) {
      if ((x / 9 + y / 13) % 3 != 0) city.at<cv::Vec3b>(y, x) = {110, 150, 205};
    }
  }
  TableReader reader(Loaded(), pack);
  cv::Mat table = BareTable();
  Lay(pack->pictures[0].picture, {400, 240}, table, 1.5);
  Lay(pack->pictures[1].picture, {594, 240}, table, 1.5);
  const auto before = reader.Read(table, 0);
  ASSERT_TRUE(before.ok()) << before.status();
  ASSERT_EQ(before->tiles.size(), 2U);
  Lay(city, {788, 244}, table, 1.5);
  cv::circle(table, {1010, 270}, 38, {30, 30, 200}, cv::FILLED);  // a follower over its edge
  const auto laid = reader.Read(table, 2000);
  ASSERT_TRUE(laid.ok()) << laid.status();
  EXPECT_TRUE(laid->settled);
  EXPECT_EQ(laid->tiles.size(), 3U);
  // A hand there covers more than the place.
  cv::ellipse(table, {860, 430}, {150, 230}, 20, 0, 360, {120, 150, 205}, cv::FILLED);
  const auto hand = reader.Read(table, 4000);
  ASSERT_TRUE(hand.ok()) << hand.status();
  EXPECT_TRUE(hand->hand);
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

// An arm from the lower border to the board.
cv::Mat WithArm(cv::Mat picture) {
  cv::line(picture, {640, 730}, {600, 420}, cv::Scalar(120, 150, 205), 70);
  return picture;
}

// A hand lays the fourth tile.
TEST(TableReader, AFilmTellsWhatWasLaidSoonAfterTheHandHasLeft) {
  const calibration::ReferencePack pack = FourTilePack();
  TableReader reader(Loaded(), std::make_shared<calibration::ReferencePack>(pack));
  const cv::Mat three = FourTiles(pack, 0, BareTable()({0, 0, 128, 128})),
                four = FourTiles(pack, 0);
  const cv::Mat reached = WithArm(three.clone());
  std::int64_t time_ms = 0;
  const auto look = [&](const cv::Mat& picture) {
    const auto sighting = reader.Read(picture, time_ms += 40);
    EXPECT_TRUE(sighting.ok()) << sighting.status();
    return *sighting;
  };
  for (int i = 0; i < 10; ++i) EXPECT_EQ(look(three).tiles.size(), 3U);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(look(reached).hand) << i;
  const std::int64_t gone = time_ms + 40;
  while (time_ms < gone + 400) {
    const Sighting seen = look(four);
    EXPECT_EQ(seen.settled, time_ms - gone >= 120) << time_ms - gone;
    EXPECT_EQ(seen.tiles.size(), seen.settled ? 4U : 3U) << time_ms - gone;
  }
}

// A square board of so many rows, with the types of a pack in turn.
cv::Mat SquareBoard(const calibration::ReferencePack& pack, int rows) {
  cv::Mat table = BareTable();
  for (int i = 0; i < rows * rows; ++i) {
    const cv::Mat& tile = pack.pictures[static_cast<std::size_t>(i % 4)].picture;
    Lay(tile, {500.0 + i % rows * 78, 250.0 + i / rows * 78}, table);
  }
  return table;
}

// The lid of a box, from the lower border to over where the board lay.
cv::Mat WithBox(cv::Mat picture) {
  const cv::Rect lid(420, 200, 460, 520);
  cv::rectangle(picture, lid, cv::Scalar(150, 70, 40), cv::FILLED);
  cv::RNG rng(29);
  for (int i = 0; i < 40; ++i) {
    const cv::Point at(rng.uniform(lid.x + 40, lid.br().x - 40), rng.uniform(240, 680));
    cv::circle(picture, at, rng.uniform(8, 30),
               cv::Scalar(rng.uniform(120, 255), rng.uniform(20, 120), rng.uniform(0, 60)),
               cv::FILLED);
  }
  return picture;
}

// When a hand is seen no more, in ms after the picture came; -1 where it is still seen after 5 s.
int HandGoneAfter(const cv::Mat& board, const cv::Mat& after, std::size_t tiles,
                  const calibration::ReferencePack& pack) {
  TableReader reader(Loaded(), std::make_shared<calibration::ReferencePack>(pack));
  std::int64_t time_ms = 0;
  for (int i = 0; i < 10; ++i) {
    const auto sighting = reader.Read(board, time_ms += 100);
    EXPECT_TRUE(sighting.ok()) << sighting.status();
    if (i == 9) {
      EXPECT_EQ(sighting->tiles.size(), tiles);
    }
  }
  bool seen = false;
  for (int ms = 0; ms <= 5000; ms += 100) {
    const auto sighting = reader.Read(after, time_ms += 100);
    EXPECT_TRUE(sighting.ok()) << sighting.status();
    if (seen && !sighting->hand) return ms;
    seen = seen || sighting->hand;
  }
  return -1;
}

TEST(TableReader, ABoxWhereTheBoardWasClearedAwayIsNoHand) {
  const calibration::ReferencePack pack = FourTilePack();
  const int gone_ms = HandGoneAfter(SquareBoard(pack, 3), WithBox(BareTable()), 9, pack);
  EXPECT_GE(gone_ms, 1000) << "a hand may rest as long";
  EXPECT_LE(gone_ms, 1500);
}

TEST(TableReader, WhatHidesFewTilesOrShowsSkinMayBeAHand) {
  const calibration::ReferencePack pack = FourTilePack();
  EXPECT_EQ(HandGoneAfter(SquareBoard(pack, 2), WithBox(BareTable()), 4, pack), -1);
  cv::Mat arms = BareTable();
  cv::line(arms, {640, 760}, {620, 300}, cv::Scalar(120, 150, 205), 400);
  EXPECT_EQ(HandGoneAfter(SquareBoard(pack, 3), arms, 9, pack), -1);
}

// As a phone sends them: small pictures, and a sharp one when it is asked for it.
TEST(TableReader, SmallPicturesTellOfHandsAndAskForASharpOneWhenTheyHaveLeft) {
  const calibration::ReferencePack pack = FourTilePack();
  TableReader reader(Loaded(), std::make_shared<calibration::ReferencePack>(pack));
  const cv::Mat three = FourTiles(pack, 0, BareTable()({0, 0, 128, 128})),
                four = FourTiles(pack, 0);
  std::int64_t time_ms = 1000;
  const auto glance = [&](const cv::Mat& picture) {
    cv::Mat small, enlarged;
    cv::resize(picture, small, {480, 270}, 0, 0, cv::INTER_AREA);
    cv::resize(small, enlarged, picture.size(), 0, 0, cv::INTER_LINEAR);
    const auto sighting = reader.Glance(enlarged, time_ms += 80);
    EXPECT_TRUE(sighting.ok()) << sighting.status();
    return *sighting;
  };
  const auto first = reader.Read(three, time_ms);
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_EQ(first->tiles.size(), 3U);
  for (int i = 0; i < 6; ++i) {
    const Sighting seen = glance(three);
    if (i < 2) continue;
    EXPECT_TRUE(seen.settled) << i;
    EXPECT_FALSE(seen.wants_sharp) << "nothing happened since";
  }
  const cv::Mat reached = WithArm(three.clone());
  for (int i = 0; i < 6; ++i) {
    const Sighting seen = glance(reached);
    EXPECT_TRUE(seen.hand && !seen.settled && !seen.wants_sharp) << i;
  }
  const Sighting left = glance(four);
  EXPECT_TRUE(left.wants_sharp) << "the hand has left";
  EXPECT_FALSE(left.settled) << "nothing is concluded from a small picture";
  EXPECT_EQ(left.tiles.size(), 3U);
  const auto early = reader.Read(four, time_ms += 80);
  ASSERT_TRUE(early.ok()) << early.status();
  EXPECT_FALSE(early->settled) << "the hand may come back";
  EXPECT_TRUE(glance(four).wants_sharp);
  const auto laid = reader.Read(four, time_ms += 80);
  ASSERT_TRUE(laid.ok()) << laid.status();
  EXPECT_TRUE(laid->settled);
  EXPECT_EQ(laid->tiles.size(), 4U);
  const Sighting after = glance(four);
  EXPECT_TRUE(after.settled && !after.wants_sharp);
  EXPECT_EQ(after.tiles.size(), 4U);
  // Where no hand was seen, motion is waited out.
  EXPECT_FALSE(glance(three).wants_sharp);
  EXPECT_FALSE(glance(three).wants_sharp);
  EXPECT_TRUE(glance(three).wants_sharp);
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
