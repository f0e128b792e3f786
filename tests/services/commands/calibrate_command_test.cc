// tilewarden calibrate and print as people start them: from a folder of pictures
// to a profile, and one clear sentence where that cannot be.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "calibration/camera/camera_profile.h"
#include "opencv2/imgcodecs.hpp"
#include "tests/calibration/camera/rendered_looks.h"
#include "tests/services/support/process_fixture.h"

namespace tilewarden::services {
namespace {

using calibration::CameraProfile;
using calibration::Lens;

class CalibrateCommandTest : public ProcessTest {
 protected:
  // Pictures as a person takes them who does what the guide says.
  std::string Looks(int most) {
    const calibration::BoardLayout board;
    const calibration::Photographer photographer(lens_);
    calibration::LensGuide guide;
    cv::RNG rng(4);
    for (int n = 0; n < most; ++n) {
      const auto held =
          calibration::HeldBoard(calibration::BoardSheet(board), board, guide.Next(), lens_, &rng);
      const cv::Mat picture = photographer.Take({held}, {}, static_cast<std::uint64_t>(n));
      const auto look = calibration::FindBoard(picture, board);
      if (look.ok()) guide.Add(*look).IgnoreError();
      Write("looks", absl::StrCat(n, ".jpg"), picture);
    }
    return (folder_.path() / "looks").string();
  }
  void Write(const std::string& folder, const std::string& name, const cv::Mat& picture) {
    std::filesystem::create_directories(folder_.path() / folder);
    ASSERT_TRUE(cv::imwrite((folder_.path() / folder / name).string(), picture));
  }
  std::string Out() const { return (folder_.path() / "camera.toml").string(); }

  const Lens lens_ = calibration::SomeLens(6, {800, 450});
};

TEST_F(CalibrateCommandTest, FolderOfLooksMakesAProfile) {
  const auto drawn = (folder_.path() / "seen.jpg").string();
  const Result lens = Run("calibrate " + Looks(16) + " --out " + Out() + " --annotate " + drawn);
  ASSERT_EQ(lens.status, 0) << lens.errors;
  const auto profile = CameraProfile::Load(Out());
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_LT(calibration::Difference(profile->lens, lens_).rms_px, 1);
  EXPECT_FALSE(cv::imread(drawn).empty());

  // Pictures of another size than the profile's are refused.
  ExpectError("watch " + Pictures(1) + " --pack " + Pack() + " --profile " + Out(),
              "the profile was made at 800x450");
  ExpectError("read " + Pictures(1) + "/1.png --pack " + Pack() + " --profile " + Out(),
              "not the size that the profile was made at");
}

TEST_F(CalibrateCommandTest, WhatCannotBeIsOneSentence) {
  ExpectError("calibrate " + Pictures(2) + " --out " + Out(), "no board in the picture");
  ExpectError("calibrate " + Looks(3) + " --out " + Out(), "are too few");
  ExpectError("calibrate " + Looks(3) + " --board 5x7 --out " + Out(),
              "not a board of 5x7 squares");
  ExpectError("calibrate " + Pictures(2) + " --board 2 --out " + Out(), "'2' is not a board");
  ExpectError("calibrate /nowhere --out " + Out(), "/nowhere");
  ExpectError("watch " + Pictures(1) + " --profile " + Out(), "there is no profile");
  EXPECT_FALSE(std::filesystem::exists(Out()));
}

TEST_F(CalibrateCommandTest, DoctorSaysWhatToChangeAndShowsWhatItSees) {
  const auto seen = folder_.path() / "seen.jpg";
  const std::string doctor = absl::StrCat("doctor ", TILEWARDEN_RECORDED, "/table.jpg");
  ExpectError(doctor + " --annotate " + seen.string(), "2 things to change");
  EXPECT_EQ(cv::imread(seen.string()).size(), cv::Size(960, 540));
  ExpectError(doctor + " --annotate " + (folder_.path() / "seen.txt").string(), "seen.txt");
  ExpectError("doctor /nowhere", "/nowhere");
}

TEST_F(CalibrateCommandTest, PrintWritesASheetForEachName) {
  const auto sheets = folder_.path() / "sheets";
  ASSERT_EQ(Run("print board standees --paper letter --out " + sheets.string()).status, 0);
  EXPECT_TRUE(std::filesystem::exists(sheets / "board-letter.pdf"));
  EXPECT_TRUE(std::filesystem::exists(sheets / "standees-letter.pdf"));
  ExpectError("print board --out /proc/nowhere", "cannot be made");
}

TEST_F(CalibrateCommandTest, PrintBringsTheSpecialFiguresOfEachBox) {
  const auto text_of = [&](const std::string& box) {
    const auto sheets = folder_.path() / box;
    const Result printed =
        Run(absl::StrCat("print standees --set ", box, " --out ", sheets.string()));
    EXPECT_EQ(printed.status, 0) << printed.errors;
    const std::string command =
        absl::StrCat("pdftotext '", (sheets / "standees-a4.pdf").string(), "'");
    EXPECT_EQ(std::system(command.c_str()), 0) << "pdftotext of poppler-utils is needed";
    std::ifstream text(sheets / "standees-a4.txt");
    return std::string(std::istreambuf_iterator<char>(text), {});
  };
  EXPECT_FALSE(absl::StrContains(text_of("base.c1+river1.c1"), "Special figures"));
  EXPECT_TRUE(absl::StrContains(text_of("base.c2+river.20ae"), "Abbots"));
  EXPECT_TRUE(absl::StrContains(text_of("winter+gingerbread"), "The Gingerbread Man"));
  EXPECT_TRUE(absl::StrContains(text_of("base.c1+inns.c1"), "Large followers"));
  const std::string traders = text_of("base.c2+traders.c2");
  EXPECT_TRUE(absl::StrContains(traders, "Builders"));
  EXPECT_TRUE(absl::StrContains(traders, "Pigs"));
  for (const char* ark : {"ark", "ark.crrf4"}) {
    const std::string text = text_of(ark);
    EXPECT_TRUE(absl::StrContains(text, "The Ark of the Covenant")) << ark;
    EXPECT_TRUE(absl::StrContains(text, "Prophets")) << ark;
  }
}

TEST_F(CalibrateCommandTest, PrintOfASetThatIsNoneWritesNothing) {
  const auto sheets = folder_.path() / "sheets";
  for (const char* what : {"print tiles", "print", "print board tiles"}) {
    ExpectError(absl::StrCat(what, " --set nothing --out ", sheets.string()), "nothing");
    EXPECT_FALSE(std::filesystem::exists(sheets));
  }
}

TEST_F(CalibrateCommandTest, WhatToDoNextIsSaidOnce) {
  const Result lens = Run("calibrate " + Looks(16) + " --out " + Out());
  ASSERT_EQ(lens.status, 0) << lens.errors;
  std::string last_next;
  std::set<std::string> since;
  for (const absl::string_view line : absl::StrSplit(lens.output, '\n', absl::SkipEmpty())) {
    if (absl::StartsWith(line, "next: ")) {
      EXPECT_NE(line, last_next);
      last_next = std::string(line);
      since.clear();
    }
    EXPECT_TRUE(since.insert(std::string(line)).second) << line;
  }
  EXPECT_FALSE(last_next.empty());
}

}  // namespace
}  // namespace tilewarden::services
