#include "vision/frames/frame_source.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "opencv2/videoio.hpp"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class FrameSourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / "tilewarden_frame_source" / info->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static cv::Mat Grey(int level) {
    cv::Mat picture(48, 64, CV_8UC3, cv::Scalar::all(level));
    // Something for the encoder to chew on, so that a cut is inside the data.
    cv::circle(picture, {32, 24}, 15, {20, 200, 90}, 3);
    return picture;
  }

  void WritePicture(const std::string& name, int level) {
    ASSERT_TRUE(cv::imwrite((folder_ / name).string(), Grey(level)));
  }

  std::string WriteVideo(int frames) {
    const std::string path = (folder_ / "table.avi").string();
    cv::VideoWriter writer(path, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'), 25, {64, 48});
    for (int i = 0; i < frames; ++i) writer.write(Grey(5 * i));
    return path;
  }

  static void Cut(const std::string& path, double share) {
    fs::resize_file(path,
                    static_cast<std::uintmax_t>(static_cast<double>(fs::file_size(path)) * share));
  }

  fs::path folder_;
};

TEST_F(FrameSourceTest, FolderIsReadInTheOrderOfItsNumbers) {
  WritePicture("frame_10.png", 100);
  WritePicture("frame_9.png", 90);
  WritePicture("frame_011.PNG", 110);
  std::ofstream(folder_ / "truth.json") << "{}";
  FrameSourceSettings settings;
  settings.folder_step_ms = 500;
  auto source = OpenFrameSource(folder_.string(), settings);
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_FALSE((*source)->live());
  for (const int want : {90, 100, 110}) {
    auto frame = (*source)->Next();
    ASSERT_TRUE(frame.ok()) << frame.status();
    ASSERT_TRUE(frame->has_value());
    EXPECT_EQ((**frame).picture.at<cv::Vec3b>(0, 0)[0], want) << (**frame).name;
    EXPECT_EQ((**frame).time_ms, 500 * (**frame).number);
  }
  auto end = (*source)->Next();
  ASSERT_TRUE(end.ok());
  EXPECT_FALSE(end->has_value());
}

TEST_F(FrameSourceTest, FolderWithoutPicturesIsRefused) {
  std::ofstream(folder_ / "notes.txt") << "no picture";
  const auto source = OpenFrameSource(folder_.string());
  EXPECT_EQ(source.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(source.status().message()), HasSubstr("no pictures"));
}

TEST_F(FrameSourceTest, PictureCutShortIsAnErrorAndTheEnd) {
  WritePicture("a.jpg", 50);
  WritePicture("b.jpg", 60);
  Cut((folder_ / "a.jpg").string(), 0.6);
  auto source = OpenFrameSource(folder_.string());
  ASSERT_TRUE(source.ok()) << source.status();
  const auto torn = (*source)->Next();
  EXPECT_EQ(torn.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(torn.status().message()), HasSubstr("a.jpg"));
  const auto after = (*source)->Next();
  ASSERT_TRUE(after.ok());
  EXPECT_FALSE(after->has_value());
}

TEST_F(FrameSourceTest, FileThatIsNoPictureIsAnError) {
  std::ofstream(folder_ / "a.png") << "this is no picture";
  auto source = OpenFrameSource((folder_ / "a.png").string());
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ((*source)->Next().status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(FrameSourceTest, VideoIsReadWholeAndInOrder) {
  auto source = OpenFrameSource(WriteVideo(20));
  ASSERT_TRUE(source.ok()) << source.status();
  for (int i = 0; i < 20; ++i) {
    auto frame = (*source)->Next();
    ASSERT_TRUE(frame.ok()) << frame.status();
    ASSERT_TRUE(frame->has_value()) << i;
    EXPECT_EQ((**frame).number, i);
    EXPECT_EQ((**frame).time_ms, 40 * i);
    EXPECT_NEAR((**frame).picture.at<cv::Vec3b>(2, 2)[0], 5 * i, 6);
  }
  auto end = (*source)->Next();
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_FALSE(end->has_value());
}

TEST_F(FrameSourceTest, VideoThatEndsEarlyIsReported) {
  const std::string path = WriteVideo(60);
  Cut(path, 0.5);
  auto source = OpenFrameSource(path);
  ASSERT_TRUE(source.ok()) << source.status();
  int frames = 0;
  while (true) {
    auto frame = (*source)->Next();
    if (!frame.ok()) {
      EXPECT_EQ(frame.status().code(), absl::StatusCode::kDataLoss);
      EXPECT_THAT(std::string(frame.status().message()), HasSubstr("torn"));
      break;
    }
    ASSERT_TRUE(frame->has_value()) << "ended in silence after " << frames << " of 60 frames";
    ++frames;
  }
  EXPECT_GT(frames, 10);
  EXPECT_LT(frames, 60);
}

TEST_F(FrameSourceTest, VideoOfNothingIsRefused) {
  std::ofstream(folder_ / "table.mp4") << std::string(2000, 'x');
  const auto source = OpenFrameSource((folder_ / "table.mp4").string());
  EXPECT_EQ(source.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(source.status().message()), HasSubstr("no frame"));
}

TEST_F(FrameSourceTest, RealTimeKeepsThePace) {
  FrameSourceSettings settings;
  settings.real_time = true;
  auto source = OpenFrameSource(WriteVideo(6), settings);
  ASSERT_TRUE(source.ok()) << source.status();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 6; ++i) ASSERT_TRUE((*source)->Next().ok());
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(195));
}

TEST_F(FrameSourceTest, WhatIsNotThereIsNamed) {
  const auto camera = OpenFrameSource("987");
  EXPECT_EQ(camera.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(camera.status().message()), HasSubstr("camera 987"));
  const auto file = OpenFrameSource((folder_ / "absent.mp4").string());
  EXPECT_EQ(file.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(OpenFrameSource("").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(FrameSourceTest, StreamThatDoesNotAnswerIsUnavailable) {
  FrameSourceSettings settings;
  settings.patience_ms = 500;
  const auto source = OpenFrameSource("http://127.0.0.1:9/none.mjpg", settings);
  EXPECT_EQ(source.status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace tilewarden::vision
