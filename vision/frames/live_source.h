// A camera or a stream as a source of frames: always the newest, and opened
// again when it breaks off. Internal to the vision folder.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "vision/frames/capture.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::vision {

// `open` opens the device, now and again after each break; name is for
// messages: "camera 0". UNAVAILABLE: it gives no picture. Blocks until the
// first.
absl::StatusOr<std::unique_ptr<FrameSource>> OpenLive(
    const std::string& name, std::function<std::unique_ptr<CaptureDevice>()> open,
    const FrameSourceSettings& settings);

}  // namespace tilewarden::vision
