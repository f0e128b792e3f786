// Live sources against a machine that does not exist, a real stream over the
// loopback, folders that grow, and recordings given again.
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "vision/frames/capture.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

cv::Mat Grey(int level) { return cv::Mat(48, 64, CV_8UC3, cv::Scalar::all(level)); }
int LevelOf(const Frame& frame) { return frame.picture.at<cv::Vec3b>(20, 20)[1]; }

// Cameras that a test plugs in, feeds and pulls out.
class FakeMachine {
 public:
  struct Camera {
    std::atomic<int> level = 0;  // of the frames that it gives, counted up
    std::atomic<bool> plugged = true;
    std::atomic<int> opened = 0, locked = 0;
    milliseconds between{5};
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
    folder_ = fs::path(::testing::TempDir()) /
              ("tilewarden_live_" + std::to_string(getpid()) + info->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Refusal(const std::string& source, absl::StatusCode code) const {
    const auto opened = OpenFrameSource(source, {}, machine_.Get());
    EXPECT_EQ(opened.status().code(), code) << opened.status();
    return std::string(opened.status().message());
  }

  fs::path folder_;
  FakeMachine machine_;
};

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

// Serves JPEG pictures as cameras in phones do, and hangs up after some.
class MjpegServer {
 public:
  explicit MjpegServer(int pictures_per_call) : pictures_(pictures_per_call) {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    listen(listener_, 4);
    socklen_t length = sizeof address;
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~MjpegServer() {
    stop_ = true;
    shutdown(listener_, SHUT_RDWR);
    close(listener_);
    thread_.join();
  }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_) + "/video"; }
  int calls() const { return calls_; }

 private:
  void Serve() {
    int level = 0;
    while (!stop_) {
      const int caller = accept(listener_, nullptr, nullptr);
      if (caller < 0) return;
      ++calls_;
      std::string request(4096, '\0');
      static_cast<void>(recv(caller, request.data(), request.size(), 0));
      const auto say = [caller](const std::string& text) {
        return send(caller, text.data(), text.size(), MSG_NOSIGNAL) ==
               static_cast<ssize_t>(text.size());
      };
      bool hears =
          say("HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=frame\r\n\r\n");
      for (int i = 0; hears && !stop_ && i < pictures_; ++i) {
        std::vector<uchar> jpeg;
        cv::Mat picture = Grey(level++ % 250);
        cv::resize(picture, picture, {320, 240});
        cv::imencode(".jpg", picture, jpeg);
        hears = say("--frame\r\nContent-Type: image/jpeg\r\nContent-Length: " +
                    std::to_string(jpeg.size()) + "\r\n\r\n" +
                    std::string(jpeg.begin(), jpeg.end()) + "\r\n");
        std::this_thread::sleep_for(milliseconds(20));
      }
      close(caller);
    }
  }

  int pictures_, listener_ = -1, port_ = 0;
  std::atomic<bool> stop_ = false;
  std::atomic<int> calls_ = 0;
  std::thread thread_;
};

TEST_F(LiveSourceTest, StreamOverTheLoopbackIsReadAndTakenUpAgain) {
  MjpegServer server(60);
  FrameSourceSettings settings;
  settings.outage_ms = 8000;
  const auto source = OpenFrameSource(server.address(), settings);
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_TRUE((*source)->live());
  std::int64_t before = -1;
  for (int i = 0; i < 400 && server.calls() < 3; ++i) {
    const auto frame = (*source)->Next();
    ASSERT_TRUE(frame.ok()) << frame.status();
    EXPECT_EQ((**frame).picture.size(), cv::Size(320, 240));
    EXPECT_GT((**frame).number, before);
    before = (**frame).number;
  }
  EXPECT_GE(server.calls(), 3);  // hung up twice, called again
}

// A network camera: GStreamer's own RTSP server with a recorded video, until it is unplugged.
class RtspCamera {
 public:
  RtspCamera() {
    const std::string folder = TILEWARDEN_SOURCE_DIR "/tests/";
    out_ = popen(("exec /usr/bin/python3 '" + folder + "vision/frames/rtsp_server.py' '" + folder +
                  "recorded/two_players.mp4'")
                     .c_str(),
                 "r");
    std::array<char, 200> address{};
    if (out_ != nullptr && fscanf(out_, "%d %199s", &process_, address.data()) == 2) {
      address_ = address.data();
    }
  }
  ~RtspCamera() { Unplug(); }
  RtspCamera(const RtspCamera&) = delete;
  RtspCamera& operator=(const RtspCamera&) = delete;

  // Empty where the server did not start.
  const std::string& address() const { return address_; }
  void Unplug() {
    if (process_ > 0) kill(process_, SIGKILL);
    if (out_ != nullptr) pclose(out_);
    process_ = 0;
    out_ = nullptr;
  }

 private:
  FILE* out_ = nullptr;
  int process_ = 0;
  std::string address_;
};

TEST_F(LiveSourceTest, NetworkCameraIsReadOverRtspAndMissedWhenItIsGone) {
  RtspCamera camera;
  ASSERT_FALSE(camera.address().empty()) << "scripts/install-packages brings what it needs";
  FrameSourceSettings settings;
  settings.outage_ms = 3000;
  const auto source = OpenFrameSource(camera.address(), settings);
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_TRUE((*source)->live());
  std::int64_t before = -1;
  for (int i = 0; i < 20; ++i) {
    const auto frame = (*source)->Next();
    ASSERT_TRUE(frame.ok()) << frame.status();
    ASSERT_TRUE(frame->has_value());
    EXPECT_EQ((**frame).picture.size(), cv::Size(1280, 720));
    EXPECT_GT((**frame).number, before);
    before = (**frame).number;
  }
  camera.Unplug();
  absl::Status gone;
  for (int i = 0; i < 2000 && gone.ok(); ++i) gone = (*source)->Next().status();
  EXPECT_FALSE(gone.ok());
  EXPECT_THAT(std::string(gone.message()), HasSubstr(camera.address()));
}

}  // namespace
}  // namespace tilewarden::vision
