// Tiles as somebody draws them: fields from everything else, a figure's place, the
// owner's file and its text.
#include <algorithm>
#include <set>
#include <string>

#include "engine/tiles/tile_fields.h"
#include "engine/tiles/tile_layout.h"
#include "engine/tiles/tile_set.h"
#include "engine/tiles/tile_set_file.h"
#include "engine/tiles/tile_set_folder.h"
#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

TileSetFolder Everything() {
  auto folder = TileSetFolder::Read(TileSet::DefaultFolder());
  EXPECT_TRUE(folder.ok()) << folder.status();
  return *std::move(folder);
}

TileType Tile(const std::string& id) { return Everything().tiles.find(id)->second; }

TileSetFile Own(const std::string& text) {
  auto file = ParseTileSetFile("format = 1\ncorrection = true\n" + text, "own.toml");
  EXPECT_TRUE(file.ok()) << file.status();
  return *std::move(file);
}

// What parts a field on these has to be said by hand: a road that ends at a
// monastery by the river or at one of two cities, roads that end alone, a bridge, cities
// that enclose a field or reach a corner of the tile.
const std::set<std::string> kByHand = {"C.09",
                                       "G.4",
                                       "G.5",
                                       "I.crossing",
                                       "I.four_cities",
                                       "I.four_citiesg",
                                       "I.spur",
                                       "R1.H",
                                       "R2.E",
                                       "R2.city_end",
                                       "T.corner_city_cloth",
                                       "T.corner_city_grain",
                                       "T.corner_roads_cloth",
                                       "T.roads_city",
                                       "T.spur_corner_grain",
                                       "T.spur_road_wine",
                                       "T.three_cities_cloth",
                                       "T.through_city_cloth",
                                       "T.through_city_wine",
                                       "T.two_corners_wine"};

TEST(DrawFields, GivesTheFieldsOfEveryTileThatTheDocumentsHave) {
  int plain = 0;
  for (const auto& [id, tile] : Everything().tiles) {
    EXPECT_EQ(HasPlainFields(tile), !kByHand.contains(id)) << id;
    plain += HasPlainFields(tile) ? 1 : 0;
    TileType drawn = tile;
    DrawFields(&drawn);
    EXPECT_TRUE(CheckTile(drawn).ok()) << id << ": " << CheckTile(drawn);
  }
  EXPECT_GE(plain, 130);
}

TEST(DrawFields, KeepsWhatLiesOnAFieldThatStays) {
  TileType tile = Tile("B.D");
  for (Segment& s : tile.segments) {
    if (s.half_edges == 0b01111000) s.sheep = 2;
  }
  tile.segments.push_back({SegmentKind::kMonastery});
  DrawFields(&tile);
  EXPECT_EQ(tile.segments[2].kind, SegmentKind::kMonastery);
  EXPECT_EQ(tile.segments[4].half_edges, 0b01111000);
  EXPECT_EQ(tile.segments[4].sheep, 2);
}

TEST(TileSetText, ReadAgainEveryFileSaysTheSame) {
  for (const TileSetFile& file : Everything().files) {
    const std::string text = ToText(file);
    const auto again = ParseTileSetFile(text, file.path);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->tiles, file.tiles) << file.path;
    EXPECT_EQ(ToText(*again), text) << file.path;
    ASSERT_EQ(again->sets.size(), file.sets.size());
    for (std::size_t i = 0; i < file.sets.size(); ++i) {
      EXPECT_EQ(again->sets[i].tiles, file.sets[i].tiles);
      EXPECT_EQ(again->sets[i].last, file.sets[i].last);
      EXPECT_EQ(again->sets[i].beside_start.size(), file.sets[i].beside_start.size());
    }
  }
}

TEST(TileSetText, NamesAreQuoted) {
  TileSetFile file;
  file.sets.push_back({});
  file.sets[0].id = "a\"b\\c";
  file.sets[0].tiles = {{"T", 1}};
  const auto again = ParseTileSetFile(ToText(file), "x.toml");
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->sets[0].id, file.sets[0].id);
}

TEST(FigurePlace, StandsWhereTheOwnerSays) {
  TileType tile = Tile("B.D");
  tile.segments[0].spot = Point{0.4, 0.1};
  ASSERT_TRUE(CheckTile(tile).ok()) << CheckTile(tile);
  EXPECT_EQ(LayOut(tile).segments[0].spot, (Point{0.4, 0.1}));
}

TEST(FigurePlace, LiesOnItsOwnSegment) {
  TileType tile = Tile("B.D");
  tile.segments[0].spot = Point{0.5, 0.9};
  const auto status = CheckTile(tile);
  EXPECT_EQ(
      status.message(),
      "segment 0: its figure would not stand on this city but on the field that is segment 3");
}

TEST(FigurePlace, IsTwoNumbersOfATile) {
  for (const char* spot : {"[0.5]", "[0.5, 1.5]", "\"middle\"", "[0.5, nan]"}) {
    const auto file = ParseTileSetFile(
        std::string("format = 1\n[[tile]]\nid = \"T\"\nedges = \"cccc\"\nsegments = [{ city = "
                    "\"NESW\", spot = ") +
            spot + " }]\n",
        "x.toml");
    ASSERT_FALSE(file.ok()) << spot;
    EXPECT_NE(file.status().message().find("x.toml:5: tile T: \"spot\" must be two numbers"),
              std::string::npos)
        << file.status();
  }
}

TEST(OwnersFile, CorrectsTilesAndAddsASet) {
  const TileSetFile own =
      Own("[[set]]\nid = \"home\"\nname = \"Ours\"\ntotal = 2\ntiles = [[\"H.1\", 2]]\n"
          "[[tile]]\nid = \"H.1\"\nedges = \"cccc\"\nsegments = [{ city = \"NESW\" }]\n"
          "[[tile]]\nid = \"B.X\"\nedges = \"cccc\"\nsegments = [{ city = \"NESW\" }]\n");
  const auto folder = TileSet::DefaultFolder();
  const auto set = TileSet::Load("base.c1+home", folder, &own);
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ((*set)->total(), 74);
  const auto edges = [&](const char* id) {
    const auto& type = (*set)->types()[static_cast<std::size_t>((*set)->Find(id))];
    return std::string(type.edges.begin(), type.edges.end());
  };
  EXPECT_EQ(edges("B.X"), "cccc");
  EXPECT_EQ(edges("B.W"), "frrr");
  const auto ids = TileSet::List(folder, &own);
  ASSERT_TRUE(ids.ok());
  EXPECT_EQ(std::count(ids->begin(), ids->end(), "home"), 1);
  EXPECT_FALSE(TileSet::Load("base.c1+home").ok()) << "it is in that file alone";
}

}  // namespace
}  // namespace tilewarden::engine
