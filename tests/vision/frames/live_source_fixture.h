// Cameras that a test plugs in, and a folder for its files.
#pragma once

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "vision/frames/capture.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::vision {

inline cv::Mat Grey(int level) { return cv::Mat(48, 64, CV_8UC3, cv::Scalar::all(level)); }
inline int LevelOf(const Frame& frame) { return frame.picture.at<cv::Vec3b>(20, 20)[1]; }

// Cameras that a test plugs in, feeds and pulls out.
class FakeMachine {
 public:
  struct Camera {
    std::atomic<int> level = 0;  // of the frames that it gives, counted up
    std::atomic<bool> plugged = true;
    std::atomic<int> opened = 0, locked = 0;
    std::chrono::milliseconds between{5};
  };

  std::shared_ptr<Camera> Plug(int number, const std::string& name) {
    cameras_.push_back({number, name, "/dev/video" + std::to_string(number)});
    states_.push_back(std::make_shared<Camera>());
    return states_.back();
  }

  Machine Get() const {
    Machine machine;
    machine.cameras = [this] { return cameras_; };
    machine.open_camera = [this](const CameraOnMachine& which) -> std::unique_ptr<CaptureDevice> {
      for (std::size_t i = 0; i < cameras_.size(); ++i) {
        if (cameras_[i].number != which.number || !states_[i]->plugged) continue;
        ++states_[i]->opened;
        return std::make_unique<Device>(states_[i]);
      }
      return nullptr;
    };
    machine.open_stream = [](const std::string&, std::int64_t) { return nullptr; };
    return machine;
  }

 private:
  class Device : public CaptureDevice {
   public:
    explicit Device(std::shared_ptr<Camera> camera) : camera_(std::move(camera)) {}
    bool Read(cv::Mat* picture) override {
      std::this_thread::sleep_for(camera_->between);
      if (!camera_->plugged) return false;
      *picture = Grey(camera_->level++ % 250);
      return true;
    }
    void Lock() override { ++camera_->locked; }

   private:
    std::shared_ptr<Camera> camera_;
  };

  std::vector<CameraOnMachine> cameras_;
  std::vector<std::shared_ptr<Camera>> states_;
};

class LiveSourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("tilewarden_live_" + std::to_string(getpid()) + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Refusal(const std::string& source, absl::StatusCode code) const {
    const auto opened = OpenFrameSource(source, {}, machine_.Get());
    EXPECT_EQ(opened.status().code(), code) << opened.status();
    return std::string(opened.status().message());
  }

  std::filesystem::path folder_;
  FakeMachine machine_;
};

}  // namespace tilewarden::vision
