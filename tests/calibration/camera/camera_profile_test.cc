// Profiles come back as they were, and what is wrong with one is told with file
// and line.
#include "calibration/camera/camera_profile.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/calibration/camera/rendered_looks.h"

namespace tilewarden::calibration {
namespace {

using ::testing::HasSubstr;

class CameraProfileTest : public testing::Test {
 protected:
  void SetUp() override {
    file_ = std::filesystem::path(testing::TempDir()) /
            (std::string("profile_") +
             testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml");
  }
  void TearDown() override { std::filesystem::remove(file_); }

  static CameraProfile Some() {
    CameraProfile profile;
    profile.lens = SomeLens(7, {1920, 1080});
    profile.looks = 24;
    profile.rms_px = 0.07;
    profile.halves_px = 0.21;
    return profile;
  }
  std::string Text() const {
    std::ifstream in(file_);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // What Load says of a good file in which `from` stands as `to`.
  std::string Complaint(const std::string& from, const std::string& to) {
    EXPECT_TRUE(Some().Save(file_).ok());
    std::string text = Text();
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(file_) << text;
    const auto loaded = CameraProfile::Load(file_);
    EXPECT_EQ(loaded.status().code(), absl::StatusCode::kInvalidArgument) << to;
    return std::string(loaded.status().message());
  }

  std::filesystem::path file_;
};

TEST_F(CameraProfileTest, ComesBackAsItWas) {
  const CameraProfile profile = Some();
  ASSERT_TRUE(profile.Save(file_).ok());
  const auto loaded = CameraProfile::Load(file_);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->lens.size_px, profile.lens.size_px);
  EXPECT_LT(Difference(loaded->lens, profile.lens).worst_px, 1e-2);
  EXPECT_EQ(loaded->looks, 24);
  EXPECT_NEAR(loaded->rms_px, 0.07, 1e-4);
  EXPECT_NEAR(loaded->halves_px, 0.21, 1e-4);
}

TEST_F(CameraProfileTest, OlderProfileThatSaysWhereTheTableLayLoads) {
  ASSERT_TRUE(Some().Save(file_).ok());
  std::ofstream(file_, std::ios::app)
      << "\n[table]\npx_from_mm = [1.5, 0.1, 960, -0.1, 1.4, 540, 0, 0, 1]\n";
  const auto loaded = CameraProfile::Load(file_);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_LT(Difference(loaded->lens, Some().lens).worst_px, 1e-2);
}

TEST_F(CameraProfileTest, WhatIsWrongIsToldWithFileAndLine) {
  EXPECT_THAT(Complaint("version = 1", "version = 2"),
              HasSubstr(".toml:2: profile version 2; this program reads version 1"));
  EXPECT_THAT(Complaint("version = 1", "version 1"), HasSubstr(".toml:2: "));
  EXPECT_THAT(Complaint("width_px = 1920", "width_px = -3"),
              HasSubstr(".toml:5: lens.width_px is -3, not 1 to 20000"));
  EXPECT_THAT(Complaint("focal_px", "focus_px"), HasSubstr("lens.focal_px is missing"));
  EXPECT_THAT(Complaint("focal_px = ", "focal_px = \"long\" #"), HasSubstr(".toml:7: "));
  EXPECT_THAT(Complaint("distortion = [", "distortion = [1, "),
              HasSubstr("lens.distortion must be a list of 5 numbers"));
  EXPECT_THAT(Complaint("distortion = [", "distortion = [nan, 0, 0, 0, 0] # "),
              HasSubstr("lens.distortion is nan"));
  EXPECT_THAT(Complaint("# A camera", "# Caf\xC3\xA9"), HasSubstr(".toml:1: it holds characters"));
}

TEST_F(CameraProfileTest, MissingFileSaysHowToMakeOne) {
  const auto loaded = CameraProfile::Load(file_);
  EXPECT_EQ(loaded.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(loaded.status().message(), HasSubstr("tilewarden calibrate"));
}

TEST_F(CameraProfileTest, PlaceThatCannotBeWrittenIsTold) {
  EXPECT_EQ(Some().Save("/nowhere/camera.toml").code(), absl::StatusCode::kPermissionDenied);
}

}  // namespace
}  // namespace tilewarden::calibration
