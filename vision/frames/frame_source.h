// Where frames come from: a camera, a network stream, a video file or a folder
// of pictures, behind one interface.
//
// Recorded sources (files, folders) give every frame in order, as fast as they
// are asked or at the recording's own pace. Live sources (cameras, streams) give
// the newest frame: what was not asked for in time is dropped, nothing queues.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "opencv2/core.hpp"

namespace tilewarden::vision {

struct Frame {
  cv::Mat picture;           // 8-bit BGR, EXIF orientation applied
  std::int64_t time_ms = 0;  // since the first frame, by the source's clock
  std::int64_t number = 0;   // counts the source's frames from 0; live ones may skip
  std::string name;          // file name of a picture in a folder, else empty
  // When a live one came to this machine; of others unset.
  std::chrono::system_clock::time_point came{};
  // Enlarged from a small one: it tells whether a hand is there, and nothing is read from it.
  bool for_the_gate = false;
};

struct FrameSourceSettings {
  // Recorded sources wait for each frame's time instead of giving it at once.
  bool real_time = false;
  // Time between the pictures of a folder.
  std::int64_t folder_step_ms = 2000;
  // How long a stream may take to open.
  std::int64_t patience_ms = 10000;
  // How long a camera, stream or growing folder may be silent; until then it
  // is opened again and again.
  std::int64_t outage_ms = 60000;
  // Hold a camera's exposure, focus and white balance once it has found them.
  bool lock_camera = true;
  // A folder to record into; empty: nothing is recorded. What is given is what
  // was recorded, so that the folder as a source gives the same frames exactly,
  // with their numbers and times. The oldest frames go beyond the limit.
  std::string record;
  std::int64_t record_limit_mb = 4000;
};

// Not thread safe, except that a live source reads in a thread of its own, which
// the destructor ends.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  // The next frame, or nullopt at the end of a recording. Blocks until there is
  // one. DATA_LOSS: a picture or a video is torn; UNAVAILABLE: a camera or a
  // stream gave nothing for too long. After an error the source is at its end, but a
  // live one may be asked again: it is still being opened.
  virtual absl::StatusOr<std::optional<Frame>> Next() = 0;
  virtual bool live() const = 0;
};

// source: a camera by number ("0"), device ("/dev/video0") or a part of its name
// ("c920"); an address (http, https, rtsp, rtmp, udp); a video file, a picture,
// or a folder of pictures (jpg, png, bmp, webp; sorted by name, numbers in it
// counted as numbers); "follow:FOLDER" for a folder that pictures are still put
// into, live. NOT_FOUND: no such camera, file or folder. INVALID_ARGUMENT:
// nothing in it can be read, or the name fits several cameras. UNAVAILABLE: a
// camera in use, or an address that does not answer. PERMISSION_DENIED: no
// recording can be made. Every message says what to do. Blocks until the source
// is open.
absl::StatusOr<std::unique_ptr<FrameSource>> OpenFrameSource(const std::string& source,
                                                             FrameSourceSettings settings = {});

// The same with the cameras of another machine: for tests.
struct Machine;
absl::StatusOr<std::unique_ptr<FrameSource>> OpenFrameSource(const std::string& source,
                                                             const FrameSourceSettings& settings,
                                                             const Machine& machine);

}  // namespace tilewarden::vision
