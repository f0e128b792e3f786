// A board read by the pictures of a pack, on rendered tables.
#include <algorithm>
#include <cmath>
#include <vector>

#include "calibration/box/enrolment.h"
#include "engine/tiles/tile_set.h"
#include "gtest/gtest.h"
#include "services/boxes/printable_set.h"
#include "tests/virtual_table/story/still.h"
#include "tests/vision/reader/loaded_networks.h"
#include "vision/reader/read_table.h"

namespace tilewarden::vision {
namespace {

namespace vt = virtual_table;

// Each tile of the truth is read where it lies.
void ExpectAllRead(const Sighting& sighting, const nlohmann::json& truth) {
  for (const nlohmann::json& tile : truth["tiles"]) {
    Point there;
    for (const nlohmann::json& c : tile["canonical_corners_px"]) {
      there = {there.x + c[0].get<double>() / 4, there.y + c[1].get<double>() / 4};
    }
    const bool read =
        std::any_of(sighting.tiles.begin(), sighting.tiles.end(), [&](const SightedTile& seen) {
          constexpr double kSamePlace_px = 25;
          Point at;
          for (const Point& c : seen.corners_px) at = {at.x + c.x / 4, at.y + c.y / 4};
          return std::hypot(at.x - there.x, at.y - there.y) < kSamePlace_px &&
                 seen.candidates.front().tile == tile["tile"].get<std::string>();
        });
    EXPECT_TRUE(read) << tile["tile"];
  }
}

// Two tiles in a hard light, of which the pictures alone explain none.
TEST(BoardByPictures, WhatThePicturesDoNotExplainIsFoundAsWithoutThem) {
  const auto tiles = engine::TileSet::Load("base.c1");
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  vt::TileBox box(*tiles, 1);
  std::vector<calibration::TypeToEnrol> types;
  for (const engine::TileType& type : (*tiles)->types()) types.push_back({type.id, type.upright});
  const auto pack =
      calibration::EnrolPicture(vt::MakeEnrolment({.seed = 7701}, &box).picture, types);
  ASSERT_TRUE(pack.ok()) << pack.status();
  vt::StillPlan plan;
  plan.level = vt::Level::kHard;
  plan.seed = 7707;
  plan.turns = 1;
  const vt::Still still = vt::MakeStill(plan, &box);
  const auto sighting = ReadTable(Loaded(), still.picture, *pack);
  ASSERT_TRUE(sighting.ok()) << sighting.status();
  EXPECT_EQ(sighting->tiles.size(), 2u);
  ExpectAllRead(*sighting, still.truth);
}

// The networks know no tile of the Ark. As if seen from aside, its tiles' halves are squares.
TEST(BoardByPictures, AFewTilesAreNotTakenForTheirHalvesSeenFromAside) {
  const auto tiles = engine::TileSet::Load("ark");
  ASSERT_TRUE(tiles.ok()) << tiles.status();
  vt::TileBox box(*tiles, 1);
  calibration::ReferencePack pack;
  pack.tile_set = "ark";
  for (const engine::TileType& type : (*tiles)->types()) {
    pack.pictures.push_back(
        {type.id, services::PaintCopy(type, 0, box.box(), calibration::ReferencePack::kSide_px)});
  }
  for (const std::uint64_t seed : {88849, 88850}) {
    SCOPED_TRACE(seed);
    vt::StillPlan plan;
    plan.level = vt::Level::kMedium;
    plan.seed = seed;
    plan.turns = 2;
    plan.size_px = {1280, 720};
    const vt::Still still = vt::MakeStill(plan, &box);
    const auto sighting = ReadTable(Loaded(), still.picture, pack);
    ASSERT_TRUE(sighting.ok()) << sighting.status();
    EXPECT_EQ(sighting->tiles.size(), 3u);
    ExpectAllRead(*sighting, still.truth);
  }
}

}  // namespace
}  // namespace tilewarden::vision
