// Live sources against a machine that does not exist, folders that grow, and
// recordings given again.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "opencv2/imgcodecs.hpp"
#include "tests/vision/frames/live_source_fixture.h"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

TEST_F(LiveSourceTest, CameraIsFoundByNumberDeviceAndName) {
  machine_.Plug(0, "Integrated Camera");
  const auto wanted = machine_.Plug(2, "HD Pro Webcam C920");
  fs::create_symlink("/dev/video2", folder_ / "by-id");
  for (const std::string source : {"2", "/dev/video2", "c920", "hd pro"}) {
    const int before = wanted->opened;
    const auto opened = OpenFrameSource(source, {}, machine_.Get());
    ASSERT_TRUE(opened.ok()) << source << ": " << opened.status();
    EXPECT_TRUE((*opened)->live());
    EXPECT_EQ(wanted->opened, before + 1) << source;
  }
  EXPECT_THAT(Refusal("7", absl::StatusCode::kNotFound),
              HasSubstr("there is 0 (Integrated Camera), 2 (HD Pro Webcam C920)"));
  EXPECT_THAT(Refusal("99999999999999", absl::StatusCode::kNotFound), HasSubstr("no camera 9999"));
  EXPECT_THAT(Refusal("/dev/video5", absl::StatusCode::kNotFound), HasSubstr("is not a camera"));
  EXPECT_THAT(Refusal("cam", absl::StatusCode::kInvalidArgument), HasSubstr("more than one"));
  EXPECT_THAT(Refusal("kitchen", absl::StatusCode::kNotFound), HasSubstr("no camera of that name"));
  wanted->plugged = false;
  EXPECT_THAT(Refusal("2", absl::StatusCode::kUnavailable), HasSubstr("no other program uses it"));
}

TEST_F(LiveSourceTest, MachineWithoutCamerasSaysSo) {
  EXPECT_THAT(Refusal("0", absl::StatusCode::kNotFound), HasSubstr("no camera is plugged in"));
}

TEST_F(LiveSourceTest, CamerasAreListedAsTheKernelDoes) {
  const auto list = [&](const std::string& node, const std::string& name, int index) {
    fs::create_directories(folder_ / node);
    std::ofstream(folder_ / node / "name") << name << "\n";
    std::ofstream(folder_ / node / "index") << index << "\n";
  };
  list("video10", "Second", 0);
  list("video2", "First", 0);
  list("video3", "First", 1);  // data about the pictures, no pictures
  list("radio0", "Radio", 0);
  const auto cameras = CamerasListedIn(folder_);
  ASSERT_EQ(cameras.size(), 2u);
  EXPECT_EQ(cameras[0].number, 2);
  EXPECT_EQ(cameras[0].name, "First");
  EXPECT_EQ(cameras[0].path, "/dev/video2");
  EXPECT_EQ(cameras[1].number, 10);
  EXPECT_TRUE(CamerasListedIn(folder_ / "none").empty());
}

TEST_F(LiveSourceTest, NewestFrameIsGivenAndNothingQueues) {
  const auto camera = machine_.Plug(0, "Camera");
  const auto source = OpenFrameSource("0", {}, machine_.Get());
  ASSERT_TRUE(source.ok());
  ASSERT_TRUE((*source)->Next().ok());
  std::this_thread::sleep_for(milliseconds(300));
  const int given = camera->level;
  const auto frame = (*source)->Next();
  ASSERT_TRUE(frame.ok());
  EXPECT_GE(LevelOf(**frame), given - 2);
  EXPECT_GT((**frame).number, 5);
  EXPECT_GE((**frame).time_ms, 250);
  const auto next = (*source)->Next();
  EXPECT_GT((**next).number, (**frame).number);
  EXPECT_GE((**next).time_ms, (**frame).time_ms);
}

TEST_F(LiveSourceTest, CameraThatBreaksOffIsOpenedAgain) {
  const auto camera = machine_.Plug(0, "Camera");
  FrameSourceSettings settings;
  settings.outage_ms = 5000;
  const auto source = OpenFrameSource("0", settings, machine_.Get());
  ASSERT_TRUE(source.ok());
  ASSERT_TRUE((*source)->Next().ok());
  std::this_thread::sleep_for(milliseconds(100));
  camera->plugged = false;
  std::thread replug([&] {
    std::this_thread::sleep_for(milliseconds(700));
    camera->plugged = true;
  });
  std::this_thread::sleep_for(milliseconds(100));
  const auto last = (*source)->Next();  // what came before the break
  const auto frame = (*source)->Next();
  replug.join();
  ASSERT_TRUE(frame.ok()) << frame.status();
  EXPECT_GE(camera->opened, 2);
  EXPECT_GT((**frame).number, (**last).number);
  EXPECT_GE((**frame).time_ms - (**last).time_ms, 400);
}

TEST_F(LiveSourceTest, CameraThatStaysAwayIsToldAndMayComeBack) {
  const auto camera = machine_.Plug(0, "Camera");
  FrameSourceSettings settings;
  settings.outage_ms = 300;
  const auto source = OpenFrameSource("0", settings, machine_.Get());
  ASSERT_TRUE(source.ok());
  camera->plugged = false;
  std::this_thread::sleep_for(milliseconds(50));
  ASSERT_TRUE((*source)->Next().ok());
  const auto gone = (*source)->Next();
  EXPECT_EQ(gone.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(gone.status().message()), HasSubstr("camera 0 has given no picture"));
  camera->plugged = true;
  absl::StatusOr<std::optional<Frame>> back = gone;
  for (int i = 0; i < 10 && !back.ok(); ++i) back = (*source)->Next();
  EXPECT_TRUE(back.ok()) << back.status();
}

TEST_F(LiveSourceTest, ExposureIsHeldOnceTheCameraHasSettled) {
  const auto camera = machine_.Plug(0, "Camera");
  const auto held = OpenFrameSource("0", {}, machine_.Get());
  ASSERT_TRUE(held.ok());
  EXPECT_EQ(camera->locked, 0);
  for (int i = 0; i < 100 && camera->locked == 0; ++i)
    std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(camera->locked, 1);
}

TEST_F(LiveSourceTest, GrowingFolderGivesTheNewest) {
  const auto put = [&](const std::string& name, int level) {
    ASSERT_TRUE(cv::imwrite((folder_ / name).string(), Grey(level)));
  };
  FrameSourceSettings settings;
  settings.outage_ms = 400;
  auto source = OpenFrameSource("follow:" + folder_.string(), settings, machine_.Get());
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_TRUE((*source)->live());
  put("look_8.png", 80);
  put("look_9.png", 90);
  auto frame = (*source)->Next();
  ASSERT_TRUE(frame.ok()) << frame.status();
  EXPECT_EQ(LevelOf(**frame), 90);
  // Half a file is still being written.
  put("look_10.jpg", 100);
  const auto whole = fs::file_size(folder_ / "look_10.jpg");
  fs::copy_file(folder_ / "look_10.jpg", folder_ / "whole");
  fs::resize_file(folder_ / "look_10.jpg", whole / 2);
  std::thread finish([&] {
    std::this_thread::sleep_for(milliseconds(150));
    fs::copy_file(folder_ / "whole", folder_ / "look_10.jpg", fs::copy_options::overwrite_existing);
  });
  frame = (*source)->Next();
  finish.join();
  ASSERT_TRUE(frame.ok()) << frame.status();
  EXPECT_NEAR(LevelOf(**frame), 100, 1);
  EXPECT_EQ((**frame).name, "look_10.jpg");
  const auto none = (*source)->Next();
  EXPECT_EQ(none.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(none.status().message()), HasSubstr("no new picture"));
  EXPECT_THAT(Refusal("follow:" + (folder_ / "none").string(), absl::StatusCode::kNotFound),
              HasSubstr("no folder"));
}

TEST_F(LiveSourceTest, RecordingIsGivenAgainExactly) {
  const auto camera = machine_.Plug(0, "Camera");
  FrameSourceSettings settings;
  settings.record = (folder_ / "evening").string();
  std::vector<Frame> seen;
  {
    const auto source = OpenFrameSource("0", settings, machine_.Get());
    ASSERT_TRUE(source.ok()) << source.status();
    for (int i = 0; i < 12; ++i) {
      const auto frame = (*source)->Next();
      ASSERT_TRUE(frame.ok()) << frame.status();
      seen.push_back(**frame);
      if (i % 3 == 0) std::this_thread::sleep_for(milliseconds(20));
    }
  }
  const auto again = OpenFrameSource(settings.record);
  ASSERT_TRUE(again.ok()) << again.status();
  for (const Frame& frame : seen) {
    const auto same = (*again)->Next();
    ASSERT_TRUE(same.ok() && same->has_value());
    EXPECT_EQ((**same).number, frame.number);
    EXPECT_EQ((**same).time_ms, frame.time_ms);
    EXPECT_EQ(cv::norm((**same).picture, frame.picture, cv::NORM_INF), 0);
  }
  EXPECT_FALSE((*again)->Next()->has_value());
  EXPECT_THAT(std::string(OpenFrameSource("0", settings, machine_.Get()).status().message()),
              HasSubstr("already holds pictures"));
  std::ofstream(folder_ / "file") << "in the way";
  settings.record = (folder_ / "file").string();
  EXPECT_THAT(std::string(OpenFrameSource("0", settings, machine_.Get()).status().message()),
              HasSubstr("record to another one"));
}

TEST_F(LiveSourceTest, RecordingKeepsToItsLimit) {
  // Noise of about 0.4 MB a picture.
  cv::RNG rng(1);
  for (int i = 0; i < 8; ++i) {
    cv::Mat noise(600, 800, CV_8UC3);
    rng.fill(noise, cv::RNG::UNIFORM, 0, 255);
    fs::create_directories(folder_ / "in");
    cv::imwrite((folder_ / "in" / (std::to_string(i) + ".png")).string(), noise);
  }
  FrameSourceSettings settings;
  settings.record = (folder_ / "out").string();
  settings.record_limit_mb = 2;
  const auto source = OpenFrameSource((folder_ / "in").string(), settings);
  ASSERT_TRUE(source.ok()) << source.status();
  while ((*source)->Next()->has_value()) {
  }
  std::uintmax_t held = 0;
  int files = 0;
  for (const auto& file : fs::directory_iterator(folder_ / "out")) {
    held += file.file_size();
    ++files;
  }
  EXPECT_LE(held, 2'000'000u);
  EXPECT_GT(held, 1'000'000u);
  // The newest are kept.
  const auto kept = OpenFrameSource(settings.record);
  EXPECT_EQ((**(*kept)->Next()).number, 8 - files);
}

}  // namespace
}  // namespace tilewarden::vision
