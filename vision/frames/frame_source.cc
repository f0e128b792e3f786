#include "vision/frames/frame_source.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "vision/frames/frame_files.h"
#include "vision/frames/frame_recorder.h"
#include "vision/frames/live_source.h"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;

bool IsNumber(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

bool IsAddress(const std::string& source) {
  for (const char* scheme : {"http://", "https://", "rtsp://", "rtsps://", "rtmp://", "udp://"}) {
    if (absl::StartsWith(source, scheme)) return true;
  }
  return false;
}

std::string ListOf(const std::vector<CameraOnMachine>& cameras) {
  std::string list;
  for (const CameraOnMachine& camera : cameras) {
    absl::StrAppend(&list, list.empty() ? "" : ", ", camera.number, " (", camera.name, ")");
  }
  return list;
}

std::string WhatThereIs(const std::vector<CameraOnMachine>& cameras) {
  return cameras.empty() ? "no camera is plugged in" : "there is " + ListOf(cameras);
}

absl::StatusOr<CameraOnMachine> CameraByNumber(const std::string& digits, const Machine& machine) {
  const auto cameras = machine.cameras();
  int number = -1;
  if (absl::SimpleAtoi(digits, &number)) {
    for (const CameraOnMachine& camera : cameras) {
      if (camera.number == number) return camera;
    }
  }
  return absl::NotFoundError(
      absl::StrCat("there is no camera ", digits, "; ", WhatThereIs(cameras),
                   ": plug it in, or give another number, a stream address, a video or a folder"));
}

// By the path of its device; links to it count as well.
absl::StatusOr<CameraOnMachine> CameraByPath(const std::string& path, const Machine& machine) {
  const auto cameras = machine.cameras();
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  for (const CameraOnMachine& camera : cameras) {
    if (camera.path == path || camera.path == real) return camera;
  }
  return absl::NotFoundError(
      absl::StrCat(path, " is not a camera that gives pictures; ", WhatThereIs(cameras)));
}

// By a part of its name, in small or large letters. None: nothing matches.
absl::StatusOr<std::optional<CameraOnMachine>> CameraByName(const std::string& name,
                                                            const Machine& machine) {
  std::vector<CameraOnMachine> matches;
  for (const CameraOnMachine& camera : machine.cameras()) {
    if (absl::StrContains(absl::AsciiStrToLower(camera.name), absl::AsciiStrToLower(name))) {
      matches.push_back(camera);
    }
  }
  if (matches.empty()) return std::nullopt;
  if (matches.size() > 1) {
    return absl::InvalidArgumentError(absl::StrCat("more than one camera is called '", name,
                                                   "': ", ListOf(matches), "; give the number"));
  }
  return matches[0];
}

absl::StatusOr<std::unique_ptr<FrameSource>> OpenCamera(const CameraOnMachine& camera,
                                                        const FrameSourceSettings& settings,
                                                        const Machine& machine) {
  const auto open = machine.open_camera;
  return OpenLive(
      absl::StrCat("camera ", camera.number), [open, camera] { return open(camera); }, settings);
}

absl::StatusOr<std::unique_ptr<FrameSource>> Open(const std::string& source,
                                                  const FrameSourceSettings& settings,
                                                  const Machine& machine) {
  constexpr char kFollow[] = "follow:";
  if (source.empty()) {
    return absl::InvalidArgumentError(
        "no source is given: name a camera number, a stream address, a video or a folder");
  }
  if (IsNumber(source)) {
    const auto camera = CameraByNumber(source, machine);
    if (!camera.ok()) return camera.status();
    return OpenCamera(*camera, settings, machine);
  }
  if (IsAddress(source)) {
    return OpenLive(
        absl::StrCat("the stream ", source),
        [open = machine.open_stream, source, patience = settings.patience_ms] {
          return open(source, patience);
        },
        settings);
  }
  std::error_code error;
  if (absl::StartsWith(source, kFollow)) {
    const std::string folder = source.substr(sizeof kFollow - 1);
    if (!fs::is_directory(folder, error)) {
      return absl::NotFoundError(
          absl::StrCat("there is no folder ", folder, " to follow: make it, or name another"));
    }
    return OpenGrowingFolder(folder, settings);
  }
  if (absl::StartsWith(source, "/dev/")) {
    const auto camera = CameraByPath(source, machine);
    if (!camera.ok()) return camera.status();
    return OpenCamera(*camera, settings, machine);
  }
  if (fs::is_directory(source, error)) return OpenFolder(source, settings);
  if (!fs::exists(source, error)) {
    const auto camera = CameraByName(source, machine);
    if (!camera.ok()) return camera.status();
    if (camera->has_value()) return OpenCamera(**camera, settings, machine);
    return absl::NotFoundError(absl::StrCat(
        "there is no ", source, ", and no camera of that name (", WhatThereIs(machine.cameras()),
        "): give a camera, a stream address, a video file or a folder of pictures"));
  }
  if (IsPicture(source)) return OpenPicture(source, settings);
  return OpenVideo(source, settings);
}

}  // namespace

absl::StatusOr<std::unique_ptr<FrameSource>> OpenFrameSource(const std::string& source,
                                                             FrameSourceSettings settings) {
  return OpenFrameSource(source, settings, ThisMachine());
}

absl::StatusOr<std::unique_ptr<FrameSource>> OpenFrameSource(const std::string& source,
                                                             const FrameSourceSettings& settings,
                                                             const Machine& machine) {
  // The decoder would write its own complaints to the terminal; ours say more.
  static const int kQuiet = setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", 0);
  static_cast<void>(kQuiet);
  auto opened = Open(source, settings, machine);
  if (!opened.ok() || settings.record.empty()) return opened;
  return Recorded(*std::move(opened), settings.record, settings.record_limit_mb);
}

}  // namespace tilewarden::vision
