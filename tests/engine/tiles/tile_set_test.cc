#include <fstream>
#include <set>

#include "engine/game/stack.h"
#include "engine/tiles/compiled_tile.h"
#include "engine/tiles/tile_layout.h"
#include "engine/tiles/tile_set_file.h"
#include "gtest/gtest.h"

namespace tilewarden::engine {
namespace {

std::string Message(const absl::Status& status) { return std::string(status.message()); }

std::string ErrorOf(const std::string& text) {
  const auto file = ParseTileSetFile("format = 1\n" + text, "x.toml");
  EXPECT_FALSE(file.ok()) << text;
  return Message(file.status());
}

TEST(TileSet, BaseGameHasItsTiles) {
  const auto set = TileSet::Load("base.c1");
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ((*set)->types().size(), 24U);
  EXPECT_EQ((*set)->total(), 72);
  EXPECT_EQ((*set)->types()[static_cast<std::size_t>((*set)->start_tile())].id, "B.D");
  EXPECT_EQ((*set)->Find("B.X"), 23);
  EXPECT_EQ((*set)->Find("Z"), -1);
}

// Every set by itself or with the box that it needs, with its number of tiles.
TEST(TileSet, EverySetLoads) {
  const auto ids = TileSet::List();
  ASSERT_TRUE(ids.ok()) << ids.status();
  EXPECT_GE(ids->size(), 10U);
  for (const std::string& id : *ids) {
    auto set = TileSet::Load(id);
    if (!set.ok()) set = TileSet::Load("winter+" + id);
    ASSERT_TRUE(set.ok()) << set.status();
    int drawn = 1 + static_cast<int>((*set)->more_start_tiles().size());
    for (const auto& pile : DrawPiles(**set, Rules{})) drawn += static_cast<int>(pile.size());
    EXPECT_EQ(drawn, (*set)->total()) << id;
  }
}

TEST(TileSet, RiverReplacesTheStartTile) {
  const auto set = TileSet::Load("base.c2+river1.c2");
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ((*set)->types()[static_cast<std::size_t>((*set)->start_tile())].id, "R.spring");
  EXPECT_EQ((*set)->total(), 72 - 1 + 12);
  const auto piles = DrawPiles(**set, Rules{});
  ASSERT_EQ(piles.size(), 3U);
  EXPECT_EQ(piles[0].size(), 10U);
  EXPECT_EQ(piles[1], std::vector<int>{(*set)->Find("R.lake")});
  EXPECT_EQ(piles[2].size(), 71U);
  Rules mixed;
  mixed.start_tile_mixed = true;
  EXPECT_EQ(DrawPiles(**set, mixed)[0].size(), 11U);
}

TEST(TileSet, RiversTogetherHaveOneSourceAndStartWithTheFork) {
  const auto set = TileSet::Load("base.c2+river1.c2+river2.c2");
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_EQ((*set)->counts()[static_cast<std::size_t>((*set)->Find("R.spring"))], 1);
  EXPECT_EQ((*set)->counts()[static_cast<std::size_t>((*set)->Find("R.lake"))], 0);
  const auto piles = DrawPiles(**set, Rules{});
  EXPECT_EQ(piles[0], std::vector<int>{(*set)->Find("R2.fork")});
  EXPECT_EQ(piles[2], std::vector<int>{(*set)->Find("R2.volcano")});
}

// Inns & Cathedrals: 18 tiles with six inns and two cathedrals. Traders & Builders: 24, of
// which nine show wine, six grain and five cloth. Two of each box have gardens since 2014.
TEST(TileSet, TheFirstTwoExpansionsHaveTheirTiles) {
  for (const std::string edition : {"c1", "c2"}) {
    const auto set = TileSet::Load("base." + edition + "+inns." + edition + "+traders." + edition);
    ASSERT_TRUE(set.ok()) << set.status();
    EXPECT_EQ((*set)->total(), 72 + 18 + 24);
    int inns = 0, cathedrals = 0, gardens = 0;
    std::map<Goods, int> goods;
    for (std::size_t i = 0; i < (*set)->types().size(); ++i) {
      const TileType& type = (*set)->types()[i];
      const bool base = type.id[0] == 'B';
      for (const Segment& segment : type.segments) {
        inns += segment.inn ? (*set)->counts()[i] : 0;
        cathedrals += segment.cathedral ? (*set)->counts()[i] : 0;
        gardens += segment.kind == SegmentKind::kGarden && !base ? (*set)->counts()[i] : 0;
        if (segment.goods != Goods::kNone) goods[segment.goods] += (*set)->counts()[i];
      }
    }
    EXPECT_EQ(inns, 6);
    EXPECT_EQ(cathedrals, 2);
    EXPECT_EQ(gardens, edition == "c2" ? 4 : 0);
    EXPECT_EQ(goods,
              (std::map<Goods, int>{{Goods::kWine, 9}, {Goods::kGrain, 6}, {Goods::kCloth, 5}}));
  }
}

TEST(TileSet, UnknownSetSaysWhatThereIs) {
  const auto set = TileSet::Load("base.c9");
  EXPECT_EQ(set.status().code(), absl::StatusCode::kNotFound);
  EXPECT_NE(Message(set.status()).find("base.c1, base.c2"), std::string::npos);
  EXPECT_NE(Message(TileSet::Load("river9").status()).find("river1.c1"), std::string::npos);
  EXPECT_FALSE(TileSet::Load("base.c1", "no/such/folder").ok());
}

TEST(TileSet, UprightIsHowTheDocumentsPrintTheTile) {
  const auto set = TileSet::Load("base.c1");
  ASSERT_TRUE(set.ok());
  const std::map<std::string, std::string> printed = {
      {"B.A", "ffrf"}, {"B.F", "fcfc"}, {"B.G", "cfcf"}, {"B.I", "cffc"}, {"B.K", "cfrr"},
      {"B.O", "crrc"}, {"B.R", "ccfc"}, {"B.T", "ccrc"}, {"B.U", "rfrf"}, {"B.W", "frrr"}};
  for (const auto& [id, edges] : printed) {
    const TileType& type = (*set)->types()[static_cast<std::size_t>((*set)->Find(id))];
    std::string turned;
    for (const Side side : kSides) {
      turned += type.edges[static_cast<std::size_t>(Rotated(side, -type.upright))];
    }
    EXPECT_EQ(turned, edges) << id;
  }
}

TEST(TileSet, ErrorsNameFileLineAndTile) {
  const std::string tile = "[[tile]]\nid = \"T\"\nedges = ";
  EXPECT_EQ(ErrorOf(tile + "\"cff\"\nsegments = []"),
            "x.toml:2: tile T: \"edges\" must be four letters clockwise from north");
  EXPECT_EQ(ErrorOf(tile + "\"cfff\"\nsegments = [{ city = \"N\" }]"),
            "x.toml:2: tile T: half-edge 2 lies in no field");
  EXPECT_EQ(ErrorOf(tile + "\"cfff\"\nsegments = [{ city = \"E\" }]"),
            "x.toml:2: tile T: segment 0: edge E is 'f', not a city");
  EXPECT_EQ(ErrorOf(tile + "\"cfff\"\nsegments = [{ field = [2,3,4,5,6,7] }]"),
            "x.toml:2: tile T: edge N is 'c', but 0 segments own it");
  EXPECT_EQ(ErrorOf(tile + "\"cfff\"\nsegments = [{ city = \"N\" },\n{ field = [2,3,4,5,6,7] }]"),
            "x.toml:2: tile T: field 1 meets city 0 at a corner but is not said to border it");
  EXPECT_EQ(ErrorOf(tile + "\"ffff\"\nsegments = [{ field = [0,1,2,3] }, { field = [3,4,5,6,7] }]"),
            "x.toml:2: tile T: half-edge 3 lies in fields 0 and 1");
  EXPECT_EQ(ErrorOf(tile + "\"ffff\"\nsegments = [{ field = [0,2,3,4] }, { field = [1,5,6,7] }]"),
            "x.toml:2: tile T: edge N is one field, not two");
  EXPECT_EQ(ErrorOf(tile + "\"ffff\"\nsegments = [{ pond = true }]"),
            "x.toml:5: tile T: unknown key \"pond\"");
  EXPECT_EQ(ErrorOf(tile + "\"cccc\"\nsegments = [{ city = \"NESW\", goods = \"beer\" }]"),
            "x.toml:5: tile T: \"goods\" must be wine, grain or cloth");
  EXPECT_EQ(ErrorOf("[[set]]\nid = \"s\"\nname = \"S\"\ntotal = 3\ntiles = [[\"T\", 2]]"),
            "x.toml:6: set s: the counts sum to 2, but total says 3");
  EXPECT_EQ(ErrorOf("[[set]]\nid = \"s\"\nname = \"S\"\ntotal = 2\nstart = \"U\"\n"
                    "tiles = [[\"T\", 2]]"),
            "x.toml:2: set s: start tile U is not among the tiles");
  EXPECT_NE(ErrorOf("tile = [").find("x.toml:2: "), std::string::npos);
}

TEST(TileSet, LettersBeyondAsciiStandInCommentsOnly) {
  const auto error = [](const std::string& text) {
    return std::string(ParseTileSetFile(text, "own.toml").status().message());
  };
  EXPECT_EQ(error("\xEF\xBB\xBF# Fl\u00fcsse\nformat = 1\n"), "");
  const auto named = ParseTileSetFile(
      "format = 1\n[[set]]\nid = \"a\"\nname = \"Fl\\u00fcsse #\"\ntotal = 1\ntiles = [[\"T\", "
      "1]]\n",
      "own.toml");
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_EQ(named->sets[0].name, "Fl\u00fcsse #");
  for (const char* line : {"\u00fc = 2", "name = \"\u00fc\"", "name = \"\" \u00fc", "a = 1'\u00fc'",
                           "name = \"\"\"two", "name = \'\'\'two", "name = \"\\\" # \u00fc\""}) {
    EXPECT_EQ(error(std::string("format = 1\n\n\n") + line + "\n"),
              "own.toml:4: letters beyond ASCII stand in comments only (in texts, as \\u00e9), and "
              "a text ends on its line");
  }
}

// An owner's correction replaces a tile, wherever its file sorts.
TEST(TileSet, CorrectionsReplaceTiles) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "corrected";
  std::filesystem::create_directories(folder);
  const std::string assumed =
      "[[tile]]\nid = \"T\"\nedges = \"ffff\"\nassumed = true\nsegments = [{ field = "
      "[0,1,2,3,4,5,6,7] }]\n";
  std::ofstream(folder / "b.toml")
      << "format = 1\n[[set]]\nid = \"s\"\nname = \"S\"\nstart = \"T\"\ntotal = 1\ntiles = "
         "[[\"T\", 1]]\n"
      << assumed;
  for (const char* name : {"a.toml", "c.toml"}) {
    std::filesystem::remove(folder / "a.toml");
    std::ofstream(folder / name)
        << "format = 1\ncorrection = true\n[[tile]]\nid = \"T\"\nedges = \"ffff\"\nsegments = "
           "[{ monastery = true }, { field = [0,1,2,3,4,5,6,7] }]\n";
    const auto set = TileSet::Load("s", folder);
    ASSERT_TRUE(set.ok()) << set.status();
    EXPECT_EQ((*set)->types()[0].segments.size(), 2U);
    EXPECT_FALSE((*set)->types()[0].assumed);
    std::filesystem::remove(folder / name);
  }
}

void CheckPlaces(const TileSet& set) {
  for (const TileType& type : set.types()) {
    const TileLayout layout = LayOut(type);
    std::vector<int> area(type.segments.size());
    for (const std::int8_t segment : layout.raster) ++area[static_cast<std::size_t>(segment)];
    for (std::size_t i = 0; i < type.segments.size(); ++i) {
      EXPECT_GE(area[i], 20) << type.id << " segment " << i;
      if (type.segments[i].kind == SegmentKind::kRiver) continue;
      EXPECT_EQ(layout.SegmentAt(layout.segments[i].spot), static_cast<int>(i))
          << type.id << " segment " << i;
    }
  }
}

// Every segment of every tile has room for a figure, and its spot lies in it.
TEST(TileLayout, EveryPlaceForAFigureLiesInItsSegment) {
  const auto ids = TileSet::List();
  ASSERT_TRUE(ids.ok());
  for (const std::string& id : *ids) {
    auto set = TileSet::Load(id);
    if (!set.ok()) set = TileSet::Load("base.c2+river1.c2+" + id);
    if (!set.ok()) set = TileSet::Load("winter+" + id);
    ASSERT_TRUE(set.ok()) << set.status();
    CheckPlaces(**set);
  }
}

}  // namespace
}  // namespace tilewarden::engine
