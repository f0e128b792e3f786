#include "vision/frames/capture.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "opencv2/videoio.hpp"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;

class OpenCvDevice : public CaptureDevice {
 public:
  explicit OpenCvDevice(cv::VideoCapture video) : video_(std::move(video)) {}
  bool Read(cv::Mat* picture) override {
    *picture = cv::Mat();
    return video_.read(*picture) && !picture->empty();
  }
  void Lock() override {
    constexpr double kManual = 1;  // as V4L2 counts: 3 is automatic
    video_.set(cv::CAP_PROP_AUTO_EXPOSURE, kManual);
    video_.set(cv::CAP_PROP_AUTOFOCUS, 0);
    video_.set(cv::CAP_PROP_AUTO_WB, 0);
  }

 private:
  cv::VideoCapture video_;
};

std::unique_ptr<CaptureDevice> Opened(cv::VideoCapture video) {
  if (!video.isOpened()) return nullptr;
  return std::make_unique<OpenCvDevice>(std::move(video));
}

}  // namespace

std::vector<CameraOnMachine> CamerasListedIn(const fs::path& folder) {
  std::vector<CameraOnMachine> cameras;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    CameraOnMachine camera;
    const std::string node = it->path().filename().string();
    absl::string_view digits = node;
    if (!absl::ConsumePrefix(&digits, "video") || !absl::SimpleAtoi(digits, &camera.number)) {
      continue;
    }
    int index = 0;
    if (std::ifstream(it->path() / "index") >> index && index > 0) continue;
    std::ifstream name(it->path() / "name");
    std::getline(name, camera.name);
    camera.path = absl::StrCat("/dev/", node);
    cameras.push_back(std::move(camera));
  }
  std::sort(cameras.begin(), cameras.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });
  return cameras;
}

Machine ThisMachine() {
  Machine machine;
  machine.cameras = [] { return CamerasListedIn("/sys/class/video4linux"); };
  machine.open_camera = [](const CameraOnMachine& camera) {
    cv::VideoCapture video(camera.number, cv::CAP_V4L2);
    // Uncompressed pictures are too many for USB at this size.
    video.set(cv::CAP_PROP_FOURCC, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'));
    video.set(cv::CAP_PROP_FRAME_WIDTH, 1920);
    video.set(cv::CAP_PROP_FRAME_HEIGHT, 1080);
    return Opened(std::move(video));
  };
  machine.open_stream = [](const std::string& address, std::int64_t patience_ms) {
    const int patience = static_cast<int>(patience_ms);
    return Opened(cv::VideoCapture(
        address, cv::CAP_FFMPEG,
        {cv::CAP_PROP_OPEN_TIMEOUT_MSEC, patience, cv::CAP_PROP_READ_TIMEOUT_MSEC, patience}));
  };
  return machine;
}

}  // namespace tilewarden::vision
