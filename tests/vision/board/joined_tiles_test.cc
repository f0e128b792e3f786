// Tiles found one by one, joined to boards.
#include "vision/board/joined_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "vision/picture/geometry.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {
namespace {

// A board in perspective, as it is seen from aside.
const cv::Matx33d kAside(90, 14, 300, -6, 70, 200, -1e-2, 2.5e-2, 1);

// Its tiles as they are found: off by a little, any corner first, in any order.
std::vector<FoundTile> Found(const std::vector<LatticeCell>& cells,
                             const cv::Matx33d& px_from_lattice, std::uint64_t seed = 1) {
  cv::RNG rng(seed);
  std::vector<FoundTile> found;
  for (const LatticeCell& cell : cells) {
    std::array<cv::Point2f, 4> corners;
    const cv::Point2d off(rng.gaussian(0.02), rng.gaussian(0.02));
    const std::array<cv::Point2d, 4> kSquare = {cv::Point2d{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (std::size_t i = 0; i < 4; ++i) {
      corners[i] = Through(px_from_lattice, cv::Point2d(cell.x, cell.y) + kSquare[i] + off);
    }
    std::rotate(corners.begin(), corners.begin() + rng.uniform(0, 4), corners.end());
    found.push_back({PxFromTile(corners), 0.9});
  }
  for (std::size_t i = found.size(); i > 1; --i) {
    std::swap(found[i - 1], found[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(i)))]);
  }
  return found;
}

std::vector<LatticeCell> Rows(int columns, int rows,
                              const std::set<std::pair<int, int>>& without = {}) {
  std::vector<LatticeCell> cells;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      if (!without.contains({x, y})) cells.push_back({x, y});
    }
  }
  return cells;
}

// Columns and rows that its cells reach over.
cv::Size Extent(const JoinedTiles& joined) {
  int left = 1000, right = -1000, top = 1000, bottom = -1000;
  for (const auto& [cell, tile] : joined.tiles) {
    left = std::min(left, cell.x), right = std::max(right, cell.x);
    top = std::min(top, cell.y), bottom = std::max(bottom, cell.y);
  }
  return {right - left + 1, bottom - top + 1};
}

TEST(JoinedTiles, AllBesideOneAnotherAreOneBoardWhicheverCornerIsFirst) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto boards = JoinTiles(Found(Rows(6, 4), kAside, seed));
    ASSERT_EQ(boards.size(), 1U) << seed;
    EXPECT_EQ(boards[0].tiles.size(), 24U);
    const cv::Size extent = Extent(boards[0]);
    EXPECT_EQ(std::minmax(extent.width, extent.height), std::minmax(6, 4)) << seed;
    EXPECT_NEAR(boards[0].evidence, 24 * 0.9, 1e-6);
    // Each tile's sides go the lattice's ways.
    for (const auto& [cell, tile] : boards[0].tiles) {
      const auto next = boards[0].tiles.find({cell.x + 1, cell.y});
      if (next == boards[0].tiles.end()) continue;
      const auto c = CornersOf(tile.px_from_tile), n = CornersOf(next->second.px_from_tile);
      EXPECT_LT(cv::norm(c[1] - n[0]), 0.25 * cv::norm(c[1] - c[0])) << seed;
    }
  }
}

TEST(JoinedTiles, ARowThatWasMissedLeavesItOneBoard) {
  std::set<std::pair<int, int>> missed;
  for (int y = 0; y < 4; ++y) missed.insert({3, y});
  const auto boards = JoinTiles(Found(Rows(7, 4, missed), kAside));
  ASSERT_EQ(boards.size(), 1U);
  EXPECT_EQ(boards[0].tiles.size(), 24U);
  const cv::Size extent = Extent(boards[0]);
  EXPECT_EQ(std::max(extent.width, extent.height), 7);
}

TEST(JoinedTiles, WhatLiesOffTheLatticeIsNoneOfTheBoard) {
  std::vector<FoundTile> found = Found(Rows(5, 4), kAside);
  // One turned by a sixth of a right angle beside the board, one half a cell off.
  const double turn = std::numbers::pi / 8;
  const cv::Matx33d turned(std::cos(turn), -std::sin(turn), 6.3, std::sin(turn), std::cos(turn), 1,
                           0, 0, 1);
  const cv::Matx33d beside(1, 0, 5.5, 0, 1, 2.5, 0, 0, 1);
  for (const cv::Matx33d& where : {turned, beside}) {
    const auto one = Found({{0, 0}}, kAside * where);
    found.insert(found.end(), one.begin(), one.end());
  }
  const auto boards = JoinTiles(found);
  ASSERT_EQ(boards.size(), 3U);
  EXPECT_EQ(boards[0].tiles.size(), 20U);
  EXPECT_EQ(boards[1].tiles.size(), 1U);
  EXPECT_EQ(boards[2].tiles.size(), 1U);
}

TEST(JoinedTiles, OfNoTilesThereIsNoBoard) { EXPECT_TRUE(JoinTiles({}).empty()); }

}  // namespace
}  // namespace tilewarden::vision
