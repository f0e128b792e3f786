// The seam to cameras and network streams: what this machine has, and how to open it.
// Tests put machines of their own here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::vision {

// An open camera or stream. Used by one thread at a time.
class CaptureDevice {
 public:
  virtual ~CaptureDevice() = default;
  // The next frame, 8-bit BGR, in memory of its own. False: there is none any
  // more. Blocks until it comes.
  virtual bool Read(cv::Mat* picture) = 0;
  // Holds exposure, focus and white balance where they are, as far as the device
  // lets them be held.
  virtual void Lock() {}
};

struct CameraOnMachine {
  int number = 0;
  std::string name;            // "HD Pro Webcam C920"
  std::filesystem::path path;  // "/dev/video0"
};

struct Machine {
  // Cameras that are plugged in, by number.
  std::function<std::vector<CameraOnMachine>()> cameras;
  // Null: it cannot be opened now. Both block, a stream for at most patience_ms.
  std::function<std::unique_ptr<CaptureDevice>(const CameraOnMachine&)> open_camera;
  std::function<std::unique_ptr<CaptureDevice>(const std::string& address,
                                               std::int64_t patience_ms)>
      open_stream;
};

// V4L2 cameras, and streams that FFmpeg reads (http, https, rtsp, rtmp, udp).
Machine ThisMachine();

// Cameras listed in a folder as the kernel lists them in /sys/class/video4linux:
// videoN/name and videoN/index, where an index above 0 gives no pictures.
std::vector<CameraOnMachine> CamerasListedIn(const std::filesystem::path& folder);

}  // namespace tilewarden::vision
