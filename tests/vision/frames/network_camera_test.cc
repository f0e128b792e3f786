// Live sources that are a network's: streams over the loopback that break off, and an RTSP
// camera that is unplugged.
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "tests/vision/frames/live_source_fixture.h"

namespace tilewarden::vision {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

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
