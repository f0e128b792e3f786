// Keeps the frames of a source in a folder, so that they can be given again
// exactly: each frame is encoded, and what is handed on is what was encoded.
// Internal to the vision folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::vision {

// Name of a recorded frame's file: its number and time. False: not such a name.
std::string RecordedName(std::int64_t number, std::int64_t time_ms);
bool ParseRecordedName(const std::string& name, std::int64_t* number, std::int64_t* time_ms);

// Frames of `source`, recorded into `folder` as they are asked for; the oldest
// files go when the folder holds more than limit_mb. INVALID_ARGUMENT: there are
// pictures in the folder already. PERMISSION_DENIED: it cannot be made. Next()
// gives RESOURCE_EXHAUSTED when a frame cannot be written.
absl::StatusOr<std::unique_ptr<FrameSource>> Recorded(std::unique_ptr<FrameSource> source,
                                                      const std::filesystem::path& folder,
                                                      std::int64_t limit_mb);

}  // namespace tilewarden::vision
