// Floors on the rendered tables and the photographs of published editions, where they are at hand.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "calibration/box/enrolment.h"
#include "calibration/common/picture_file.h"
#include "engine/tiles/tile_set.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/vision/reader/loaded_networks.h"
#include "vision/reader/read_table.h"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;

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
       {Floor{"test_00", 72, 0, 4}, Floor{"test_0", 10, 3, 4}, Floor{"c3_20", 72, 0, 0}}) {
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

}  // namespace
}  // namespace tilewarden::vision
