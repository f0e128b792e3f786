#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calibration/camera/camera_check.h"
#include "opencv2/imgcodecs.hpp"
#include "services/commands/running.h"
#include "services/commands/table_options.h"
#include "vision/reader/read_table.h"

namespace tilewarden::services {
namespace {

struct DoctorCommand {
  std::string source, pack, annotate;
  std::filesystem::path data;
  int frames = 30;
};

struct Taken {
  std::vector<cv::Mat> pictures;
  std::optional<double> frames_per_s;
  // Each for itself, and not one camera's frames: nothing is told by comparing them.
  bool of_folder = false;
};

Taken TakeFrames(const DoctorCommand& command) {
  // What a camera does by itself is part of what is looked at.
  vision::FrameSourceSettings settings;
  settings.lock_camera = false;
  const auto source = Check(vision::OpenFrameSource(command.source, settings));
  Taken taken;
  std::optional<vision::Frame> first, last;
  for (int i = 0; i < command.frames; ++i) {
    auto frame = Check(source->Next());
    if (!frame) break;
    if (!taken.pictures.empty() && frame->picture.size() != taken.pictures[0].size()) break;
    taken.pictures.push_back(frame->picture);
    if (!first) first = frame;
    last = frame;
  }
  if (!last) throw CommandError(command.source + " gives no picture");
  // The pictures of a folder have no clock.
  taken.of_folder = !last->name.empty();
  if (!taken.of_folder && last->time_ms > first->time_ms) {
    taken.frames_per_s = 1000.0 * static_cast<double>(last->number - first->number) /
                         static_cast<double>(last->time_ms - first->time_ms);
  }
  return taken;
}

std::optional<double> TileWidth_px(const cv::Mat& picture, const DoctorCommand& command) {
  const auto networks = Check(vision::Networks::Load());
  const auto sighting =
      Check(command.pack.empty() ? vision::ReadTableWithoutPack(networks, picture)
                                 : vision::ReadTable(networks, picture,
                                                     *LoadPack({command.pack, {}}, command.data)));
  std::vector<double> widths;
  for (const auto& tile : sighting.tiles) {
    for (std::size_t i = 0; i < 4; ++i) {
      const vision::Point& a = tile.corners_px[i];
      const vision::Point& b = tile.corners_px[(i + 1) % 4];
      widths.push_back(std::hypot(a.x - b.x, a.y - b.y));
    }
  }
  if (widths.empty()) return std::nullopt;
  std::nth_element(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2),
                   widths.end());
  return widths[widths.size() / 2];
}

void Run(const DoctorCommand& command) {
  const Taken taken = TakeFrames(command);
  calibration::CameraCheck check = calibration::MeasureFrames(
      taken.of_folder ? std::vector{taken.pictures.back()} : taken.pictures);
  check.frames_per_s = taken.frames_per_s;
  check.tile_px = TileWidth_px(taken.pictures.back(), command);
  const auto findings = calibration::Judge(check);
  std::ptrdiff_t wrong = 0;
  for (const auto& finding : findings) {
    std::printf("%s  %s\n", finding.good ? "good  " : "change", finding.what.c_str());
    if (!finding.good) std::printf("        %s\n", finding.advice.c_str()), ++wrong;
  }
  if (!check.flicker) {
    std::printf("-       noise, flicker: only a running camera, or a video of one, shows them\n");
  }
  if (!command.annotate.empty()) {
    const cv::Mat drawn = calibration::DrawCheck(taken.pictures.back(), findings);
    if (!cv::haveImageWriter(command.annotate) || !cv::imwrite(command.annotate, drawn)) {
      throw CommandError("--annotate: " + command.annotate +
                         " cannot be written; name a .jpg or .png file");
    }
  }
  std::fflush(stdout);
  if (wrong > 0) {
    throw CommandError(absl::StrCat(wrong, wrong == 1 ? " thing" : " things",
                                    " to change, listed above; then run the doctor again"));
  }
}

}  // namespace

void AddDoctorCommand(Command app) {
  auto command = std::make_shared<DoctorCommand>();
  Command sub = app.AddCommand(
      "doctor",
      "Looks at what a camera sees and says what to change: resolution, frame rate, light,\n"
      "sharpness, glare, noise, flicker, how large tiles are. Lay a few tiles on the table, and\n"
      "keep your hands away. Exit status 0 when all is well.\n"
      "Example: tilewarden doctor 0 --annotate seen.jpg");
  AddSourceOption(sub, &command->source).Required();
  sub.Add("--pack", &command->pack,
          "What the tiles look like, if they are of no published edition");
  AddDataOption(sub, &command->data);
  sub.Add("--annotate", &command->annotate,
          "Write the picture with glare marked and what was found");
  sub.Add("--frames", &command->frames, "Frames to look at").Between(1, 300).ShowDefault();
  sub.Runs([command] { Run(*command); });
}

}  // namespace tilewarden::services
