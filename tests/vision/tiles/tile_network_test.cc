// The naming network as it ships: on our own painted tiles, on what is no tile,
// on bad input; and, where ../shared is present, on its photographs with the
// corners of the labels.
#include "vision/tiles/tile_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/tiles/tile_set.h"
#include "nlohmann/json.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "services/boxes/printable_set.h"
#include "vision/picture/models_folder.h"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

TileNetwork Shipped() {
  auto network = TileNetwork::Load();
  if (!network.ok()) {
    ADD_FAILURE() << network.status();
    std::exit(1);
  }
  return std::move(*network);
}

// The picture on a brown table, its corners where the table picture has them.
struct OnTable {
  cv::Mat picture;
  std::array<cv::Point2f, 4> corners;
};

OnTable LayDown(const cv::Mat& tile) {
  const float side = 120;
  OnTable table;
  table.picture = cv::Mat(300, 300, CV_8UC3, cv::Scalar(60, 85, 110));
  table.corners = {{{95, 90}, {95 + side, 93}, {92 + side, 92 + side}, {90, 89 + side}}};
  const float last = static_cast<float>(tile.cols) - 0.5F;
  const std::vector<cv::Point2f> from = {
      {-0.5F, -0.5F}, {last, -0.5F}, {last, last}, {-0.5F, last}};
  const std::vector<cv::Point2f> to(table.corners.begin(), table.corners.end());
  cv::warpPerspective(tile, table.picture, cv::getPerspectiveTransform(from, to),
                      table.picture.size(), cv::INTER_LINEAR, cv::BORDER_TRANSPARENT);
  return table;
}

// Turn 0 and the turns that look the same to the rules.
int SmallestTurn(const engine::TileType& type, int turn) {
  for (const int period : {1, 2}) {
    bool same = true;
    for (std::size_t i = 0; i < 4; ++i) {
      same = same && type.edges[i] == type.edges[(i + static_cast<std::size_t>(period)) % 4];
    }
    if (same) return turn % period;
  }
  return turn;
}

TEST(TileNetwork, NamesTypeAndTurnOfTheBundledBoxWithoutEnrolment) {
  TileNetwork network = Shipped();
  const auto tiles = engine::TileSet::Load("base.c2");
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  std::vector<cv::Mat> patches;
  std::vector<std::string> codes;
  std::vector<int> turns;
  for (std::size_t i = 0; i < (*tiles)->types().size(); ++i) {
    const engine::TileType& type = (*tiles)->types()[i];
    const OnTable table = LayDown(services::PaintCopy(type, 0, services::kBundledBox, 128));
    for (int turn = 0; turn < 4; ++turn) {
      std::array<cv::Point2f, 4> corners = table.corners;
      // Seen from a corner further on, the tile is turned the other way.
      std::rotate(corners.begin(), corners.begin() + (4 - turn) % 4, corners.end());
      patches.push_back(CutPatch(table.picture, corners));
      // Gardens apart: the small painted plot is not told reliably (model card).
      codes.push_back(type.id.substr(0, 3));
      turns.push_back(SmallestTurn(type, turn));
    }
  }
  const auto scores = network.Name(patches);
  ASSERT_TRUE(scores.ok()) << scores.status();
  ASSERT_EQ(scores->size(), patches.size());
  int wrong = 0;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const TileScores& s = (*scores)[i];
    double sum = s.nothing;
    for (const TileReading& reading : s.readings) sum += reading.probability;
    EXPECT_NEAR(sum, 1, 0.05);
    wrong += s.readings.empty() || s.readings.front().tile.substr(0, 3) != codes[i] ||
             s.readings.front().rotation != turns[i];
  }
  // 32 types in four turns.
  EXPECT_EQ(patches.size(), 128U);
  EXPECT_LE(wrong, 2);
}

TEST(TileNetwork, StructureTurnsWithTheTile) {
  TileNetwork network = Shipped();
  const auto tiles = engine::TileSet::Load("base.c1");
  ASSERT_TRUE(tiles.ok());
  // Canonical: city north, roads east and south.
  const engine::TileType& type = (*tiles)->types()[static_cast<std::size_t>((*tiles)->Find("B.J"))];
  const OnTable table = LayDown(services::PaintCopy(type, 0, services::kBundledBox, 128));
  for (int turn = 0; turn < 4; ++turn) {
    std::array<cv::Point2f, 4> corners = table.corners;
    std::rotate(corners.begin(), corners.begin() + (4 - turn) % 4, corners.end());
    for (const bool averaged : {false, true}) {
      const auto scores = network.Name({CutPatch(table.picture, corners)},
                                       {.turns = averaged, .shifts = false, .tiles = {}});
      ASSERT_TRUE(scores.ok());
      for (int side = 0; side < 4; ++side) {
        const auto& edge = scores->front().structure.edges[static_cast<std::size_t>(side)];
        const auto likeliest = std::max_element(edge.begin(), edge.end()) - edge.begin();
        EXPECT_EQ("crfs"[likeliest], type.edges[static_cast<std::size_t>((side - turn + 4) % 4)])
            << "turn " << turn << " side " << side;
      }
    }
  }
}

TEST(TileNetwork, RefusesTheTable) {
  TileNetwork network = Shipped();
  cv::RNG random(3);
  std::vector<cv::Mat> patches;
  for (int i = 0; i < 40; ++i) {
    cv::Mat table(
        64, 64, CV_8UC3,
        cv::Scalar(random.uniform(20, 220), random.uniform(20, 220), random.uniform(20, 220)));
    cv::Mat noise(64, 64, CV_8UC3);
    random.fill(noise, cv::RNG::UNIFORM, 0, 12);
    patches.push_back(table + noise);
  }
  const auto scores = network.Name(patches);
  ASSERT_TRUE(scores.ok());
  int named = 0;
  for (const TileScores& s : *scores) {
    named += !s.readings.empty() && s.readings.front().probability > 0.5;
  }
  EXPECT_LE(named, 1);
}

TEST(TileNetwork, NamesOnlyWhatMayLieHere) {
  TileNetwork network = Shipped();
  const auto tiles = engine::TileSet::Load("base.c2");
  ASSERT_TRUE(tiles.ok());
  const engine::TileType& type =
      (*tiles)->types()[static_cast<std::size_t>((*tiles)->Find("B.Eg"))];
  const OnTable table = LayDown(services::PaintCopy(type, 0, services::kBundledBox, 128));
  const auto scores =
      network.Name({CutPatch(table.picture, table.corners)},
                   {.turns = true, .shifts = false, .tiles = {"B.E", "B.R", "B.V"}});
  ASSERT_TRUE(scores.ok());
  ASSERT_FALSE(scores->front().readings.empty());
  EXPECT_EQ(scores->front().readings.front().tile, "B.E");
  for (const TileReading& reading : scores->front().readings) {
    EXPECT_TRUE(reading.tile == "B.E" || reading.tile == "B.R" || reading.tile == "B.V" ||
                reading.tile == kOtherTile)
        << reading.tile;
  }
}

TEST(TileNetwork, WhatIsNotSaidToLieHereIsToldBesides) {
  TileNetwork network = Shipped();
  const auto tiles = engine::TileSet::Load("base.c1+river1.c1");
  ASSERT_TRUE(tiles.ok());
  Looks base, with_river;
  for (const engine::TileType& type : (*tiles)->types()) {
    if (!type.HasRiver()) base.tiles.push_back(type.id);
    if (type.HasRiver()) with_river.others.push_back(type.id);
  }
  with_river.tiles = base.tiles;
  for (const engine::TileType& type : (*tiles)->types()) {
    const OnTable table = LayDown(services::PaintCopy(type, 0, services::kBundledBox, 128));
    const std::vector<cv::Mat> patch = {CutPatch(table.picture, table.corners)};
    const TileScores without = network.Name(patch, base)->front();
    const TileScores with = network.Name(patch, with_river)->front();
    ASSERT_EQ(with.readings.size(), without.readings.size()) << type.id;
    for (std::size_t i = 0; i < with.readings.size(); ++i) {
      EXPECT_EQ(with.readings[i].tile, without.readings[i].tile);
      EXPECT_EQ(with.readings[i].probability, without.readings[i].probability);
    }
    EXPECT_EQ(with.nothing, without.nothing);
    EXPECT_TRUE(without.unexpected.empty());
    double river = 0;
    for (const TileReading& reading : with.unexpected) river += reading.probability;
    if (type.HasRiver()) {
      EXPECT_GE(river, 0.95) << type.id;
    } else {
      EXPECT_LE(river, 0.05) << type.id;
    }
  }
}

TEST(TileNetwork, WrongPatchesAndCodesAreErrors) {
  TileNetwork network = Shipped();
  EXPECT_EQ(network.Name({cv::Mat()}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(network.Name({cv::Mat(64, 32, CV_8UC3)}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(network.Name({cv::Mat(64, 64, CV_8UC1)}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(network.Name({}, {.turns = true, .shifts = false, .tiles = {"B.Z"}}).status().code(),
            absl::StatusCode::kInvalidArgument);
  const auto none = network.Name({});
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->empty());
}

TEST(TileNetwork, PatchesOfHostileCornersAreEmpty) {
  const cv::Mat picture(100, 100, CV_8UC3, cv::Scalar::all(90));
  EXPECT_TRUE(CutPatch(picture, {{{5, 5}, {5, 5}, {5, 5}, {5, 5}}}).empty());
  EXPECT_TRUE(CutPatch(picture, {{{5, 5}, {50, 50}, {50, 5}, {5, 50}}}).empty());
  EXPECT_TRUE(CutPatch(picture, {{{NAN, 5}, {50, 5}, {50, 50}, {5, 50}}}).empty());
  EXPECT_TRUE(CutPatch(picture, {{{1e30F, 5}, {50, 5}, {50, 50}, {5, 50}}}).empty());
  EXPECT_TRUE(CutPatch(picture, {{{500, 500}, {600, 500}, {600, 600}, {500, 600}}}).empty());
  EXPECT_TRUE(CutPatch(cv::Mat(), {{{5, 5}, {50, 5}, {50, 50}, {5, 50}}}).empty());
  const cv::Mat partly = CutPatch(picture, {{{70, 70}, {140, 70}, {140, 140}, {70, 140}}});
  EXPECT_EQ(partly.size(), cv::Size(64, 64));
}

TEST(TileNetwork, MissingAndTornModelsAreErrors) {
  EXPECT_EQ(TileNetwork::Load("no/such/folder").status().code(), absl::StatusCode::kNotFound);
  const fs::path folder = fs::path(testing::TempDir()) / "torn_tile_network";
  fs::create_directories(folder);
  const fs::path shipped = ModelsFolder();
  fs::copy_file(shipped / "tile_network.json", folder / "tile_network.json",
                fs::copy_options::overwrite_existing);
  std::ofstream(folder / "tile_network.onnx") << "torn";
  EXPECT_EQ(TileNetwork::Load(folder).status().code(), absl::StatusCode::kDataLoss);
  fs::copy_file(shipped / "tile_network.onnx", folder / "tile_network.onnx",
                fs::copy_options::overwrite_existing);
  EXPECT_TRUE(TileNetwork::Load(folder).ok());
  std::ofstream(folder / "tile_network.json") << "{\"format\": \"tilewarden.tile-network/1\"";
  EXPECT_EQ(TileNetwork::Load(folder).status().code(), absl::StatusCode::kDataLoss);
  fs::remove_all(folder);
}

// Floors of what scripts/evaluate-network measured, a little below.
struct Floor {
  const char* photograph;
  double right;
};

class Photographs : public testing::TestWithParam<Floor> {};

TEST_P(Photographs, AreNamedFromLabelCorners) {
  const fs::path boards = fs::path(SHARED_FOLDER) / "photos/boards";
  const fs::path file = boards / (std::string(GetParam().photograph) + ".jpg");
  if (!fs::exists(file)) GTEST_SKIP() << "no photographs beside the checkout";
  const cv::Mat picture = cv::imread(file.string());
  std::ifstream in(boards / (std::string(GetParam().photograph) + ".labels.json"));
  const json labels = json::parse(in);
  const auto set = engine::TileSet::Load("base.c2");
  ASSERT_TRUE(set.ok());
  std::vector<cv::Mat> patches;
  std::vector<std::string> codes, edges;
  for (const json& t : labels["tiles"]) {
    if (t["uncertain"] == true || t["cropped_by_image_border"] == true ||
        t["expansion_tile"] == true) {
      continue;
    }
    std::array<cv::Point2f, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      corners[i] = {t["corners_px"][i][0].get<float>(), t["corners_px"][i][1].get<float>()};
    }
    patches.push_back(CutPatch(picture, corners));
    codes.push_back("B." + t["tile_letter"].get<std::string>());
    edges.push_back(t["edges"]);
  }
  TileNetwork network = Shipped();
  const auto scores = network.Name(patches);
  ASSERT_TRUE(scores.ok()) << scores.status();
  int right = 0;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if ((*scores)[i].readings.empty()) continue;
    const TileReading& best = (*scores)[i].readings.front();
    const int type = (*set)->Find(best.tile.substr(0, 3));
    if (type < 0 || best.tile.substr(0, 3) != codes[i]) continue;
    bool same = true;
    for (std::size_t side = 0; side < 4; ++side) {
      same = same && edges[i][(side + static_cast<std::size_t>(best.rotation)) % 4] ==
                         (*set)->types()[static_cast<std::size_t>(type)].edges[side];
    }
    right += same;
  }
  ASSERT_FALSE(patches.empty());
  EXPECT_GE(static_cast<double>(right) / static_cast<double>(patches.size()), GetParam().right)
      << right << " of " << patches.size();
}

INSTANTIATE_TEST_SUITE_P(TileNetwork, Photographs,
                         testing::Values(Floor{"test_00", 0.98}, Floor{"test_32", 0.95},
                                         Floor{"test_36", 0.95}, Floor{"test_49", 0.98},
                                         Floor{"test_55", 0.95}, Floor{"c3_20", 0.98},
                                         Floor{"test_0", 0.9}, Floor{"test_03", 0.95}),
                         [](const auto& floor) { return std::string(floor.param.photograph); });

}  // namespace
}  // namespace tilewarden::vision
