// Sources that lie on disk: videos, pictures, folders of them, and folders that
// grow. Internal to the vision folder.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::vision {

// By the end of its name.
bool IsPicture(const std::filesystem::path& path);

// INVALID_ARGUMENT: no pictures in it.
absl::StatusOr<std::unique_ptr<FrameSource>> OpenFolder(const std::filesystem::path& folder,
                                                        const FrameSourceSettings& settings);
// INVALID_ARGUMENT: none of its frames can be decoded.
absl::StatusOr<std::unique_ptr<FrameSource>> OpenVideo(const std::string& path,
                                                       const FrameSourceSettings& settings);
std::unique_ptr<FrameSource> OpenPicture(const std::filesystem::path& picture,
                                         const FrameSourceSettings& settings);
std::unique_ptr<FrameSource> OpenGrowingFolder(const std::filesystem::path& folder,
                                               const FrameSourceSettings& settings);

}  // namespace tilewarden::vision
