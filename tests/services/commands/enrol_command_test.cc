// tilewarden enrol as people start it, on pictures of the virtual table: a box in
// any order becomes a pack, doubts wait for a person, and what cannot be is one
// sentence.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "absl/strings/str_replace.h"
#include "calibration/box/reference_pack.h"
#include "opencv2/imgproc.hpp"
#include "services/boxes/enrolment_record.h"
#include "tests/services/support/laid_truth.h"
#include "tests/services/support/process_fixture.h"
#include "tests/virtual_table/story/still.h"

namespace tilewarden::services {
namespace {

namespace vt = virtual_table;
namespace fs = std::filesystem;

class EnrolCommandTest : public ProcessTest {
 protected:
  // Each type of a set once, in an order and turns by chance, some left out.
  std::string Look(const std::string& name, const std::string& set, std::size_t from = 0,
                   std::size_t to = 100, std::uint64_t copies = kBox) {
    vt::TileBox box(*engine::TileSet::Load(set), copies);
    vt::EnrolmentPlan plan;
    std::set<int> seen;
    for (const auto& card : vt::ShuffledBox(box.tiles(), 5)) {
      if (seen.insert(card.first).second) plan.cards.push_back(card);
    }
    if (to < plan.cards.size()) plan.cards.resize(to);
    plan.cards.erase(plan.cards.begin(), plan.cards.begin() + static_cast<std::ptrdiff_t>(from));
    plan.any_turn = true;
    plan.size_px = {1280, 720};
    const fs::path file = folder_.path() / name;
    const vt::Still still = vt::MakeEnrolment(plan, &box);
    EXPECT_TRUE(cv::imwrite(file.string(), still.picture));
    truths_.emplace_back(still.truth, box.shared_tiles());
    return file.string();
  }
  // A folder of pictures of a table at rest with tiles of our own box.
  std::string Looks() const {
    const fs::path folder = folder_.path() / "looks";
    fs::create_directories(folder);
    for (const char* name : {"1.jpg", "2.jpg", "3.jpg"}) {
      fs::copy_file(fs::path(TILEWARDEN_RECORDED) / "table.jpg", folder / name,
                    fs::copy_options::overwrite_existing);
    }
    return folder.string();
  }
  fs::path Out() const { return folder_.path() / "box.pack"; }
  fs::path List() const { return folder_.path() / "box.toml"; }
  std::string Enrol(const std::string& what) const {
    return absl::StrCat("enrol ", what, " --out ", Out().string());
  }

  // Puts every wrong name in the list right; how many there were.
  int PutRight() {
    auto record = EnrolmentRecord::Load(List());
    EXPECT_TRUE(record.ok()) << record.status();
    int wrong = 0;
    for (std::size_t look = 0; look < record->looks.size(); ++look) {
      for (EnrolmentRecord::Tile& tile : record->looks[look].tiles) {
        const auto lies = truths_[look].At(tile.corners_px);
        const std::string name = lies ? truths_[look].tiles()[*lies].code : "";
        wrong += name == tile.tile ? 0 : 1;
        tile.tile = name;
      }
    }
    EXPECT_TRUE(record->Save(List(), {}).ok());
    return wrong;
  }

  static constexpr std::uint64_t kBox = 13;
  std::vector<LaidTruth> truths_;  // of the looks, in order
};

// Mean difference of two pictures of a tile once their light is the same.
double Unlike(const cv::Mat& a, const cv::Mat& b) {
  cv::Mat pictures[2];
  for (int i = 0; i < 2; ++i) {
    cv::resize(i == 0 ? a : b, pictures[i], {32, 32}, 0, 0, cv::INTER_AREA);
    pictures[i].convertTo(pictures[i], CV_32F);
    cv::Scalar mean, deviation;
    cv::meanStdDev(pictures[i], mean, deviation);
    for (int k = 0; k < 3; ++k) deviation[k] = 1 / deviation[k];
    cv::multiply(pictures[i] - mean, deviation, pictures[i]);
  }
  return cv::norm(pictures[0], pictures[1], cv::NORM_L1) / (3 * 32 * 32);
}

// Each picture shows a copy of its type, the right way up. Returns the types. `most`: how unlike
// its print a picture may be.
std::set<std::string> TypesAsPrinted(const calibration::ReferencePack& pack, std::uint64_t copies,
                                     double most) {
  const auto set = *engine::TileSet::Load(pack.tile_set);
  std::set<std::string> seen;
  for (const auto& picture : pack.pictures) {
    seen.insert(picture.tile);
    const auto& type = set->types()[static_cast<std::size_t>(set->Find(picture.tile))];
    // By turn, how unlike it is to the copy that is most like it.
    std::array<double, 4> unlike{9, 9, 9, 9};
    for (int copy = 0; copy < set->counts()[static_cast<std::size_t>(set->Find(picture.tile))];
         ++copy) {
      cv::Mat print = PaintCopy(type, copy, copies, calibration::ReferencePack::kSide_px);
      for (double& least : unlike) {
        least = std::min(least, Unlike(picture.picture, print));
        cv::rotate(print, print, cv::ROTATE_90_CLOCKWISE);
      }
    }
    const auto turns = std::min_element(unlike.begin(), unlike.end()) - unlike.begin();
    EXPECT_LT(unlike[static_cast<std::size_t>(turns)], most) << picture.tile;
    // Turns that show the same edges are one.
    for (std::size_t side = 0; side < 4; ++side) {
      EXPECT_EQ(type.edges[side], type.edges[(side + static_cast<std::size_t>(turns)) % 4])
          << picture.tile;
    }
  }
  return seen;
}

TEST_F(EnrolCommandTest, ABoxInAnyOrderOverTwoPicturesBecomesAPack) {
  const std::string first = Look("first.jpg", "base.c1", 0, 12);
  const std::string second = Look("second.jpg", "base.c1", 12);
  const Result proposed = Run(Enrol(first + " " + second));
  EXPECT_EQ(proposed.status == 0, fs::exists(Out())) << "a pack, or doubts for a person";
  EXPECT_LE(PutRight(), 2);
  const Result result = Run(Enrol("--confirmed " + List().string() + " --licence CC0-1.0"));
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto pack = calibration::ReferencePack::Load(Out());
  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_EQ(pack->tile_set, "base.c1");
  EXPECT_EQ(pack->licence, "CC0-1.0");
  EXPECT_EQ(pack->pictures.size(), 24U);
  EXPECT_EQ(TypesAsPrinted(*pack, kBox, 0.7).size(), 24U);
  EXPECT_FALSE(cv::imread((folder_.path() / "box.seen-2.jpg").string()).empty());
}

TEST_F(EnrolCommandTest, OurPrintedBoxIsNamedThoughNobodyHasSeenItsTiles) {
  std::string looks;
  for (const std::size_t from : {0, 17, 34}) {
    absl::StrAppend(&looks, " ",
                    Look(absl::StrCat("look-", from, ".jpg"), "ark", from, from + 17, kBundledBox));
  }
  const Result proposed = Run(Enrol(looks + " --set ark"));
  EXPECT_FALSE(absl::StrContains(proposed.output, "unsure")) << proposed.output;
  EXPECT_EQ(PutRight(), 0);
  // Not every tile is found.
  const Result result = Run(Enrol("--confirmed " + List().string()));
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto pack = calibration::ReferencePack::Load(Out());
  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_GE(TypesAsPrinted(*pack, kBundledBox, 0.8).size(), 45U) << "one lies in a glare";
}

TEST_F(EnrolCommandTest, TooFewTilesAreToldAndAPersonMayGoOnWithThem) {
  const std::string look = Look("few.jpg", "base.c1", 0, 6);
  ExpectError(Enrol(look), "of 18 types there is none");
  EXPECT_FALSE(fs::exists(Out()));
  const Result result = Run(Enrol("--confirmed " + List().string()));
  ASSERT_EQ(result.status, 0) << result.errors;
  const auto pack = calibration::ReferencePack::Load(Out());
  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_EQ(pack->pictures.size(), 6U);
}

TEST_F(EnrolCommandTest, WhatAPersonPutRightIsTaken) {
  ExpectError(Enrol(Look("few.jpg", "base.c1", 0, 6)), "box.toml");
  auto record = EnrolmentRecord::Load(List());
  ASSERT_TRUE(record.ok()) << record.status();
  auto& lying = record->looks[0].tiles;
  lying[0].tile = "B.X";
  lying[0].turns = 2;
  lying[1].tile.clear();
  ASSERT_TRUE(record->Save(List(), {}).ok());
  ASSERT_EQ(Run(Enrol("--confirmed " + List().string())).status, 0);
  const auto pack = calibration::ReferencePack::Load(Out());
  ASSERT_TRUE(pack.ok()) << pack.status();
  ASSERT_EQ(pack->pictures.size(), 5U);
  EXPECT_EQ(pack->pictures[0].tile, "B.X");

  // A second run of enrol keeps the list that was worked on.
  ExpectError(Enrol((folder_.path() / "few.jpg").string()), "not written yet");
  EXPECT_EQ(EnrolmentRecord::Load(List().string() + ".old")->looks[0].tiles[0].tile, "B.X");

  record->looks[0].tiles[2].tile = "B.Z";
  ASSERT_TRUE(record->Save(List(), {}).ok());
  ExpectError(Enrol("--confirmed " + List().string()), "base.c1 has no tile 'B.Z'");
  ExpectError(Enrol("--confirmed " + List().string() + " --set winter"),
              "of the set base.c1, not of winter");
  Look("few.jpg", "base.c1", 1, 6);
  ExpectError(Enrol("--confirmed " + List().string()), "not the one that was confirmed");
}

TEST_F(EnrolCommandTest, RowsInTheOrderOfTheSetNeedNobody) {
  vt::TileBox box(*engine::TileSet::Load("base.c1"), kBox);
  vt::EnrolmentPlan plan;
  plan.seed = 3;
  const std::string look = (folder_.path() / "rows.jpg").string();
  ASSERT_TRUE(cv::imwrite(look, vt::MakeEnrolment(plan, &box).picture));
  const Result result = Run(Enrol(look));
  ASSERT_EQ(result.status, 0) << result.errors;
  EXPECT_FALSE(fs::exists(List())) << "there is nothing to put right";
  const auto pack = calibration::ReferencePack::Load(Out());
  ASSERT_TRUE(pack.ok()) << pack.status();
  ASSERT_EQ(pack->pictures.size(), box.tiles().types().size());
  for (std::size_t i = 0; i < pack->pictures.size(); ++i) {
    EXPECT_EQ(pack->pictures[i].tile, box.tiles().types()[i].id);
  }
}

TEST_F(EnrolCommandTest, AnotherSetIsTold) {
  const std::string look = Look("river.jpg", "river1.c2");
  ExpectError(Enrol(look), "are not of the set base.c1");
}

TEST_F(EnrolCommandTest, APictureOfNothingIsTold) {
  ExpectError(Enrol(Pictures(1) + "/1.png"), "no tiles were found");
  EXPECT_FALSE(fs::exists(Out()));
  ExpectError(Enrol(Pictures(6) + "/1.png 2.png 3.png 4.png 5.png 6.png"), "6 pictures were given");
  ExpectError(Enrol(""), "name the pictures");
  ExpectError(Enrol("--confirmed " + (folder_.path() / "none.toml").string()), "none.toml");
}

TEST_F(EnrolCommandTest, APackOfDescriptorsNamesAndFollowsTiles) {
  const std::string few = Look("few.jpg", "base.c1", 0, 6);
  ExpectError(Enrol(few), "not written yet");
  ASSERT_EQ(Run(Enrol("--descriptors --confirmed " + List().string())).status, 0);
  const auto pack = calibration::ReferencePack::Load(Out());
  ASSERT_TRUE(pack.ok()) << pack.status();
  EXPECT_TRUE(pack->pictures.empty());
  EXPECT_EQ(pack->descriptors.size(), 6U);
  const Result read =
      Run(absl::StrCat("read ", TILEWARDEN_RECORDED, "/table.jpg --pack ", Out().string()));
  EXPECT_EQ(read.status, 0) << read.errors;
  const Result watched = Run("watch " + Looks() + " --pack " + Out().string());
  EXPECT_EQ(watched.status, 0) << watched.errors;

  calibration::ReferencePack other = *pack;
  other.descriptor_network = "0000000000000000";
  ASSERT_TRUE(other.Save(Out()).ok());
  ExpectError(absl::StrCat("read ", TILEWARDEN_RECORDED, "/table.jpg --pack ", Out().string()),
              "made for another naming network");
}

TEST_F(EnrolCommandTest, APublishedEditionIsFollowedWithNoEnrolment) {
  const std::string watch = "watch " + Looks();
  const Result watched = Run(watch + " --set base.c1");
  EXPECT_EQ(watched.status, 0) << watched.errors;
  ExpectError(watch + " --set winter", "not known without pictures");
  ExpectError(watch + " --set no.such", "no.such");
  EXPECT_NE(Run(watch + " --set base.c1 --pack any.pack").status, 0);
}

TEST_F(EnrolCommandTest, TheOwnersTilesAreKnownAsToTheEngineService) {
  const fs::path data = folder_.path() / "data", scans = folder_.path() / "scans";
  fs::create_directories(data);
  fs::create_directories(scans);
  std::ofstream(data / "own_tiles.toml")
      << "format = 1\n[[set]]\nid = \"home\"\nname = \"Ours\"\ntotal = 1\ntiles = [[\"H.1\", 1]]\n"
         "[[tile]]\nid = \"H.1\"\nedges = \"cccc\"\nsegments = [{ city = \"NESW\" }]\n";
  ASSERT_TRUE(cv::imwrite((scans / "H.1.png").string(), cv::Mat(64, 64, CV_8UC3, {70, 120, 200})));
  const std::string what = Enrol(scans.string() + " --set base.c1+home");
  ExpectError(what + " --data " + scans.string(), "no tile set \"home\"");
  ASSERT_EQ(Run(what + " --data " + data.string()).status, 0);
  EXPECT_EQ(calibration::ReferencePack::Load(Out())->pictures.at(0).tile, "H.1");
  const std::string read = "read " + Pictures(1) + "/1.png --pack " + Out().string() + " --data ";
  ExpectError(read + scans.string(), "no tile set \"home\"");
  ExpectError(read + data.string(), "no tile of this box was found");
  ExpectError(
      "print tiles --set base.c1+home --data " + scans.string() + " --out " + scans.string(),
      "no tile set \"home\"");
}

TEST_F(EnrolCommandTest, ABoxOfThePageThatIsNotReadWithIsTold) {
  const fs::path data = folder_.path() / "data";
  fs::create_directories(data);
  const std::string pack = Pack();
  const std::string vision = "vision no-such.mp4 --data " + data.string();
  const std::string left = "box.pack was enrolled from the page but is not in use";
  EXPECT_FALSE(absl::StrContains(Run(vision + " --pack " + pack).errors, left)) << "there is none";
  fs::copy_file(pack, data / "box.pack");
  EXPECT_TRUE(absl::StrContains(Run(vision + " --pack " + pack).errors, left));
  EXPECT_TRUE(absl::StrContains(Run(vision + " --set base.c1").errors, left));
  EXPECT_FALSE(absl::StrContains(Run(vision).errors, left)) << "it is in use";
}

TEST_F(EnrolCommandTest, ATornPackIsRefusedWhereverItIsUsed) {
  const std::string pack = Pack();
  fs::resize_file(pack, fs::file_size(pack) / 2);
  const std::string picture = Pictures(1) + "/1.png";
  ExpectError("read " + picture + " --pack " + pack, "torn or altered; enrol the tiles again");
  ExpectError("watch " + picture + " --pack " + pack, "torn or altered; enrol the tiles again");
}

TEST_F(EnrolCommandTest, APackOfTilesThatItsSetDoesNotHaveIsRefused) {
  calibration::ReferencePack pack = *calibration::ReferencePack::Load(Pack());
  pack.pictures[0].tile = "B.Z";
  ASSERT_TRUE(pack.Save(Out()).ok());
  ExpectError("read " + Pictures(1) + "/1.png --pack " + Out().string(),
              "its set base.c1 has no tile 'B.Z'");
}

}  // namespace
}  // namespace tilewarden::services
