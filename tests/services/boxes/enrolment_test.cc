// Names for tiles that lie in any order: by what is seen of them and by how many
// copies the box has, together; and the list that a person puts right.
#include "services/boxes/enrolment.h"

#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "services/boxes/assignment.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const engine::TileSet> Base() { return *engine::TileSet::Load("base.c1"); }

// A tile that the network takes for these types, upright; what lies on it unknown.
vision::LooseTile Seen(const std::vector<std::pair<std::string, double>>& names) {
  vision::LooseTile tile;
  for (const auto& [code, probability] : names) {
    tile.scores.readings.push_back({code, 0, probability});
  }
  for (auto& edge : tile.scores.structure.edges) edge.fill(0.25);
  auto& structure = tile.scores.structure;
  structure.monastery = structure.coat_of_arms = structure.garden = structure.one_city = 0.5;
  return tile;
}

std::string NameOf(const TileProposal& proposal, const engine::TileSet& tiles) {
  return tiles.types()[static_cast<std::size_t>(proposal.type)].id;
}

TEST(Assignment, IsTheCheapestOfAll) {
  EXPECT_THAT(Assign({}), ElementsAre());
  EXPECT_THAT(Assign({{3, 1, 2}}), ElementsAre(1));
  // Taking the best for the first row would cost the others more.
  EXPECT_THAT(Assign({{1, 2, 9}, {1, 9, 9}, {9, 3, 4}}), ElementsAre(1, 0, 2));
  EXPECT_THAT(Assign({{-5, -4, 0, 0}, {-5, -1, 0, 0}}), ElementsAre(1, 0));
}

TEST(Proposals, AClearTileIsNamedForSure) {
  const auto tiles = Base();
  const auto proposals = ProposeTypes({{Seen({{"B.D", 0.999}})}}, *tiles);
  EXPECT_EQ(NameOf(proposals[0][0], *tiles), "B.D");
  EXPECT_TRUE(proposals[0][0].sure());
  EXPECT_FALSE(proposals[0][0].too_many);
}

TEST(Proposals, TheBoxHasOneSuchTileSoTheOtherIsTheNext) {
  const auto tiles = Base();
  const auto proposals =
      ProposeTypes({{Seen({{"B.C", 0.7}, {"B.Q", 0.3}}), Seen({{"B.C", 0.99}})}}, *tiles);
  EXPECT_EQ(NameOf(proposals[0][0], *tiles), "B.Q");
  EXPECT_EQ(NameOf(proposals[0][1], *tiles), "B.C");
  EXPECT_TRUE(proposals[0][1].sure());
}

TEST(Proposals, ADoubtIsToldWithWhatElseItMayBe) {
  const auto tiles = Base();
  const auto proposals = ProposeTypes({{Seen({{"B.M", 0.6}, {"B.N", 0.4}})}}, *tiles);
  EXPECT_EQ(NameOf(proposals[0][0], *tiles), "B.M");
  EXPECT_NEAR(proposals[0][0].probability, 0.6, 0.02);
  ASSERT_EQ(proposals[0][0].others.size(), 1U);
  EXPECT_EQ(tiles->types()[static_cast<std::size_t>(proposals[0][0].others[0].type)].id, "B.N");
}

TEST(Proposals, TwoThatMayHaveChangedPlacesAreBothInDoubt) {
  const auto tiles = Base();
  // B.Q and B.C: one copy each.
  const auto proposals = ProposeTypes(
      {{Seen({{"B.C", 0.55}, {"B.Q", 0.45}}), Seen({{"B.C", 0.45}, {"B.Q", 0.55}})}}, *tiles);
  EXPECT_FALSE(proposals[0][0].sure());
  EXPECT_FALSE(proposals[0][1].sure());
}

TEST(Proposals, MoreThanTheBoxHasInOnePictureIsDoubtedAndInTwoIsTheSameTileAgain) {
  const auto tiles = Base();
  const std::vector<vision::LooseTile> one = {Seen({{"B.X", 0.9999}})};
  const auto once = ProposeTypes({{one[0], one[0]}}, *tiles);
  EXPECT_TRUE(once[0][0].too_many || once[0][1].too_many);
  EXPECT_FALSE(once[0][0].sure() && once[0][1].sure());
  const auto twice = ProposeTypes({one, one}, *tiles);
  for (const auto& look : twice) {
    EXPECT_EQ(NameOf(look[0], *tiles), "B.X");
    EXPECT_TRUE(look[0].sure());
  }
}

TEST(Proposals, AGardenCopyOfAnotherEditionIsThePlainType) {
  const auto tiles = Base();
  const auto proposals = ProposeTypes({{Seen({{"B.Vg", 0.99}})}}, *tiles);
  EXPECT_EQ(NameOf(proposals[0][0], *tiles), "B.V");
}

TEST(Proposals, ArtThatTheNetworkNeverSawIsNamedByWhatLiesOnIt) {
  const auto tiles = *engine::TileSet::Load("winter");
  vision::LooseTile tile = Seen({});
  auto& structure = tile.scores.structure;
  // Roads to the north and the east, as a corner lies: nothing else.
  for (std::size_t side = 0; side < 4; ++side) {
    structure.edges[side] = {0, 0, 1, 0};
    if (side < 2) structure.edges[side] = {0, 1, 0, 0};
  }
  structure.monastery = structure.coat_of_arms = structure.garden = structure.one_city = 0.02;
  const auto proposals = ProposeTypes({{tile}}, *tiles);
  const auto& type = tiles->types()[static_cast<std::size_t>(proposals[0][0].type)];
  for (std::size_t side = 0; side < 4; ++side) {
    const auto canonical = (side + 4 - static_cast<std::size_t>(proposals[0][0].turns)) % 4;
    EXPECT_EQ(type.edges[canonical], side < 2 ? 'r' : 'f') << type.id;
  }
}

TEST(Proposals, AnotherBoxIsTold) {
  const auto tiles = Base();
  const std::vector<std::string> known = {"B.D", "R1.B", "R1.C"};
  EXPECT_GT(ShareOfSet({{Seen({{"B.D", 0.9}})}}, *tiles, known), 0.99);
  EXPECT_LT(ShareOfSet({{Seen({{"R1.B", 0.9}, {"B.D", 0.1}})}}, *tiles, known), 0.2);
  EXPECT_EQ(ShareOfSet({{Seen({})}}, *tiles, {"R1.B"}), 1) << "nothing is known of its types";
}

class RecordTest : public testing::Test {
 protected:
  EnrolmentRecord Record() const {
    EnrolmentRecord record;
    record.tile_set = "base.c1";
    EnrolmentRecord::Look look{
        "K\xC3\xBC"
        "che \"1\".jpg",
        "0123456789abcdef",
        {}};
    look.tiles.push_back({1, "B.V", std::nullopt, {{{1, 2}, {11, 2}, {11, 12}, {1, 12}}}, ""});
    look.tiles.push_back({2, "", 3, {{{21, 2.5F}, {31, 2}, {31, 12}, {21, 12}}}, "unsure, 40 %"});
    record.looks.push_back(look);
    return record;
  }
  std::filesystem::path Write(const std::string& text) const {
    const auto file = folder_.path() / "list.toml";
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  static std::string Text(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  TempFolder folder_;
};

TEST_F(RecordTest, ComesBackAsItWas) {
  const auto file = folder_.path() / "list.toml";
  ASSERT_TRUE(Record()
                  .Save(file, {"What to do, in K\xC3\xBC"
                               "che"})
                  .ok());
  EXPECT_THAT(Text(file), HasSubstr("  # unsure, 40 %\n"));
  const auto loaded = EnrolmentRecord::Load(file);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->tile_set, "base.c1");
  ASSERT_EQ(loaded->looks.size(), 1U);
  EXPECT_EQ(loaded->looks[0].picture, Record().looks[0].picture);
  EXPECT_EQ(loaded->looks[0].checksum, Record().looks[0].checksum);
  ASSERT_EQ(loaded->looks[0].tiles.size(), 2U);
  EXPECT_EQ(loaded->looks[0].tiles[0].tile, "B.V");
  EXPECT_FALSE(loaded->looks[0].tiles[0].turns.has_value());
  EXPECT_EQ(loaded->looks[0].tiles[1].tile, "") << "none is no tile";
  EXPECT_EQ(loaded->looks[0].tiles[1].turns, 3);
  EXPECT_EQ(loaded->looks[0].tiles[1].corners_px[0], cv::Point2f(21, 2.5F));
}

TEST_F(RecordTest, WhatIsWrongIsToldWithItsLine) {
  const auto file = folder_.path() / "list.toml";
  ASSERT_TRUE(Record().Save(file, {}).ok());
  const std::string good = Text(file);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return std::string(EnrolmentRecord::Load(Write(text)).status().message());
  };
  EXPECT_THAT(refused("format = 1", "format = 2"), HasSubstr("format must be 1"));
  EXPECT_THAT(refused("tile = \"B.V\", ", ""), HasSubstr("list.toml:8: tile is missing"));
  EXPECT_THAT(refused("turns = 3", "turns = 4"), HasSubstr("list.toml:10: turns"));
  EXPECT_THAT(refused("[1.00, 2.00], ", ""), HasSubstr("list.toml:8: corners_px"));
  EXPECT_THAT(refused("tiles = [", "tiles = [[1], "), HasSubstr("tiles holds something else"));
  EXPECT_THAT(refused("\"B.V\"", "\"B.V"), HasSubstr("list.toml:8: "));
  EXPECT_THAT(refused("B.V", "B.\xC3\x84"), HasSubstr("list.toml:8: only plain letters"));
  EXPECT_EQ(EnrolmentRecord::Load(folder_.path() / "none.toml").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(RecordTest, MissingTypesAndCopiesAreCounted) {
  const auto tiles = Base();
  EnrolmentRecord record = Record();
  const Missing missing = MissingFrom(record, *tiles);
  EXPECT_EQ(missing.types, 23);
  EXPECT_THAT(missing.list, HasSubstr("B.A, B.B, B.C"));
  EXPECT_EQ(missing.copies_list, "B.V (8 of 9)");
}

}  // namespace
}  // namespace tilewarden::services
