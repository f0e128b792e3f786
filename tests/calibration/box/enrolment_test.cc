// Packs survive a round trip and refuse what is torn; pictures that cannot be
// read are refused with a sentence; tiles laid out in rows are found in order.
#include "calibration/box/enrolment.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "calibration/box/reference_pack.h"
#include "calibration/common/picture_file.h"
#include "gtest/gtest.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "tests/calibration/box/laid_cards.h"

namespace tilewarden::calibration {
namespace {

namespace fs = std::filesystem;

class EnrolmentTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("enrolment-" + std::to_string(std::random_device{}()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  static std::string Bytes(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder_;
};

ReferencePack SmallPack() {
  ReferencePack pack;
  pack.tile_set = "base.c1";
  pack.title = "Cards";
  pack.licence = "none";
  for (int i = 0; i < 3; ++i) pack.pictures.push_back({"B." + std::string(1, 'A' + i), Card(i)});
  return pack;
}

TEST_F(EnrolmentTest, PackComesBackAsItWas) {
  const ReferencePack pack = SmallPack();
  ASSERT_TRUE(pack.Save(folder_ / "a.pack").ok());
  const auto loaded = ReferencePack::Load(folder_ / "a.pack");
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->tile_set, pack.tile_set);
  EXPECT_EQ(loaded->title, pack.title);
  EXPECT_EQ(loaded->licence, pack.licence);
  ASSERT_EQ(loaded->pictures.size(), pack.pictures.size());
  for (std::size_t i = 0; i < pack.pictures.size(); ++i) {
    EXPECT_EQ(loaded->pictures[i].tile, pack.pictures[i].tile);
    EXPECT_EQ(cv::norm(loaded->pictures[i].picture, pack.pictures[i].picture, cv::NORM_INF), 0);
  }
}

TEST_F(EnrolmentTest, DescriptorsComeBackAsTheyWereAndNothingElse) {
  ReferencePack pack = SmallPack();
  pack.pictures.clear();
  EXPECT_FALSE(pack.Save(folder_ / "a.pack").ok()) << "neither pictures nor descriptors";
  pack.descriptor_network = "0123456789abcdef";
  pack.descriptors = {{"B.A", {0.6F, -0.8F}}, {"B.B", {1, 0}}};
  ASSERT_TRUE(pack.Save(folder_ / "a.pack").ok());
  const auto loaded = ReferencePack::Load(folder_ / "a.pack");
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->licence, "none");
  EXPECT_EQ(loaded->descriptor_network, pack.descriptor_network);
  EXPECT_TRUE(loaded->pictures.empty());
  ASSERT_EQ(loaded->descriptors.size(), 2U);
  EXPECT_EQ(loaded->descriptors[0].tile, "B.A");
  EXPECT_EQ(loaded->descriptors[0].values, pack.descriptors[0].values);
  // Numbers that no descriptor has.
  pack.descriptors[1].values = {3, 0};
  ASSERT_TRUE(pack.Save(folder_ / "a.pack").ok());
  EXPECT_EQ(ReferencePack::Load(folder_ / "a.pack").status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(EnrolmentTest, TornOrAlteredPackIsDataLoss) {
  ReferencePack both = SmallPack();
  both.descriptors = {{"B.A", {0.6F, -0.8F}}};
  ASSERT_TRUE(both.Save(folder_ / "a.pack").ok());
  const std::string whole = Bytes(folder_ / "a.pack");
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{10}, std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
    const auto torn = ReferencePack::Load(Write("torn.pack", whole.substr(0, size)));
    EXPECT_EQ(torn.status().code(), absl::StatusCode::kDataLoss) << size;
  }
  for (std::size_t at = 0; at < whole.size(); at += 97) {
    std::string altered = whole;
    altered[at] = static_cast<char>(altered[at] ^ 0x20);
    const auto loaded = ReferencePack::Load(Write("altered.pack", altered));
    EXPECT_EQ(loaded.status().code(), absl::StatusCode::kDataLoss) << at;
  }
  EXPECT_EQ(ReferencePack::Load(folder_ / "none.pack").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(EnrolmentTest, HostilePicturesAreRefused) {
  cv::imwrite((folder_ / "good.jpg").string(), Card(1));
  cv::imwrite((folder_ / "good.png").string(), Card(1));
  EXPECT_TRUE(LoadPicture(folder_ / "good.jpg").ok());
  for (const char* name : {"good.jpg", "good.png"}) {
    const std::string whole = Bytes(folder_ / name);
    const auto torn =
        LoadPicture(Write(std::string("torn-") + name, whole.substr(0, whole.size() / 2)));
    EXPECT_EQ(torn.status().code(), absl::StatusCode::kInvalidArgument);
  }
  // A camera's own small picture, with its end, before the one that is torn.
  const std::string whole = Bytes(folder_ / "good.jpg");
  const std::string small = "\xFF\xE1" + std::string("\x00\x08", 2) + "ab\xFF\xD9" + "cd";
  const std::string both = whole.substr(0, 2) + small + whole.substr(2);
  EXPECT_TRUE(LoadPicture(Write("both.jpg", both)).ok());
  EXPECT_FALSE(LoadPicture(Write("torn-both.jpg", both.substr(0, both.size() / 2))).ok());
  EXPECT_FALSE(LoadPicture(Write("empty.png", "")).ok());
  EXPECT_FALSE(LoadPicture(Write("text.jpg", "not a picture")).ok());
  EXPECT_FALSE(LoadPicture(folder_).ok());
  EXPECT_EQ(LoadPicture(folder_ / "none.png").status().code(), absl::StatusCode::kNotFound);
  // A header that announces 60,000 x 60,000 pixels.
  std::string huge = Bytes(folder_ / "good.png");
  for (const std::size_t at : {std::size_t{16}, std::size_t{20}}) {
    huge.replace(at, 4, std::string("\x00\x00\xEA\x60", 4));
  }
  EXPECT_FALSE(LoadPicture(Write("huge.png", huge)).ok());
  // Grey and 16-bit pictures come out as 8-bit colour.
  cv::imwrite((folder_ / "deep.png").string(), cv::Mat(40, 50, CV_16U, cv::Scalar(30000)));
  const auto deep = LoadPicture(folder_ / "deep.png");
  ASSERT_TRUE(deep.ok()) << deep.status();
  EXPECT_EQ(deep->type(), CV_8UC3);
}

TEST_F(EnrolmentTest, FolderNamesTellTypeAndTurn) {
  cv::imwrite((folder_ / "B.A.png").string(), Card(0));
  cv::imwrite((folder_ / "B.A-2@1.png").string(), Turned(Card(0), 1));
  const auto pack = EnrolFolder(folder_, {"B.A", "B.B"});
  ASSERT_TRUE(pack.ok()) << pack.status();
  ASSERT_EQ(pack->pictures.size(), 2U);
  for (const ReferencePicture& picture : pack->pictures) {
    EXPECT_EQ(picture.tile, "B.A");
    EXPECT_EQ(cv::norm(picture.picture, Card(0), cv::NORM_INF), 0);
  }
  cv::imwrite((folder_ / "B.Z.png").string(), Card(0));
  EXPECT_EQ(EnrolFolder(folder_, {"B.A"}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(EnrolmentTest, CopiesThatDifferAreKeptAsVariants) {
  // The same print in other light, a little off and turned; another print; the same as another
  // type.
  cv::Mat darker, moved;
  Card(0).convertTo(darker, -1, 0.6, 12);
  cv::warpAffine(darker, moved, cv::Matx23d(1, 0.01, 2, -0.01, 1, -1), darker.size(),
                 cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  ReferencePack pack;
  pack.pictures = {{"B.A", Card(0)}, {"B.A", Turned(moved, 1)}, {"B.A", Card(3)}, {"B.B", Card(0)}};
  KeepVariants(&pack);
  ASSERT_EQ(pack.pictures.size(), 3U);
  EXPECT_EQ(pack.pictures[1].tile, "B.A");
  EXPECT_EQ(cv::norm(pack.pictures[1].picture, Card(3), cv::NORM_INF), 0);
  EXPECT_EQ(pack.pictures[2].tile, "B.B");
}

TEST_F(EnrolmentTest, TilesInRowsAreFoundInOrder) {
  std::vector<TypeToEnrol> types;
  for (int i = 0; i < 8; ++i) types.push_back({"B." + std::string(1, 'A' + i), 0});
  types[2].upright = 1;
  const auto pack = EnrolPicture(LaidOut(2, 4), types);
  ASSERT_TRUE(pack.ok()) << pack.status();
  for (int i = 0; i < 8; ++i) {
    const ReferencePicture& picture = pack->pictures[static_cast<std::size_t>(i)];
    EXPECT_EQ(picture.tile, types[static_cast<std::size_t>(i)].tile);
    const cv::Mat upright = Turned(picture.picture, types[static_cast<std::size_t>(i)].upright);
    EXPECT_LT(cv::norm(upright, Card(i), cv::NORM_L1) / (3 * kCardSide_px * kCardSide_px), 16) << i;
  }
}

// As many squares as types, but one is no tile of the rows: naming the others by
// their place would give all after it a wrong name.
TEST_F(EnrolmentTest, ASquareAcrossTheRowsIsNoTile) {
  const std::vector<TypeToEnrol> types(8, TypeToEnrol{"B.A", 0});
  const auto pack = EnrolPicture(LaidOut(2, 4, true), types);
  ASSERT_FALSE(pack.ok());
  EXPECT_NE(std::string(pack.status().message()).find("not all in rows"), std::string::npos)
      << pack.status();
}

TEST_F(EnrolmentTest, MissingTilesAreCounted) {
  std::vector<TypeToEnrol> types(9, TypeToEnrol{"B.A", 0});
  const auto pack = EnrolPicture(LaidOut(2, 4), types);
  ASSERT_FALSE(pack.ok());
  EXPECT_NE(std::string(pack.status().message()).find("9 were expected"), std::string::npos);
}

}  // namespace
}  // namespace tilewarden::calibration
