#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "calibration/camera/camera_profile.h"
#include "calibration/camera/lens_guide.h"
#include "calibration/camera/lens_solver.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "services/commands/running.h"
#include "services/commands/table_options.h"

namespace tilewarden::services {
namespace {

struct CalibrateCommand {
  std::string source, out, board = "6x8", annotate;
  vision::FrameSourceSettings frames;
};

// Says a thing once, however many frames it holds for and whatever is said between.
class Once {
 public:
  void Say(const std::string& text) {
    if (!said_.insert(text).second) return;
    std::printf("%s\n", text.c_str());
    std::fflush(stdout);
  }
  // What to do next, where that has changed. What was wrong before may be wrong again.
  void SayNext(const std::string& text) {
    if (text == next_) return;
    next_ = text;
    said_.clear();
    Say("next: " + text);
  }

 private:
  std::set<std::string> said_;
  std::string next_;
};

std::string Bar(double progress) {
  constexpr int kLength = 20;
  const int full = static_cast<int>(progress * kLength);
  return "[" + std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(kLength - full), '.') + "]";
}

std::string Told(const calibration::LensGuide& guide) {
  char text[128];
  std::snprintf(text, sizeof text, "%s %3.0f %%  picture %zu taken, %.0f %% of the view covered",
                Bar(guide.Progress()).c_str(), 100 * guide.Progress(), guide.looks().size(),
                100 * guide.Coverage());
  return text;
}

// Every corner seen so far, over the newest picture.
void DrawCoverage(const std::string& file, const cv::Mat& picture,
                  const calibration::LensGuide& guide) {
  cv::Mat drawn = picture.clone();
  const int radius = std::max(3, picture.cols / 300);
  for (const auto& look : guide.looks()) {
    for (const auto& p : look.corners_px) {
      cv::circle(drawn, p, radius, {60, 200, 40}, cv::FILLED, cv::LINE_AA);
    }
  }
  if (!cv::haveImageWriter(file) || !cv::imwrite(file, drawn)) {
    throw CommandError("--annotate: " + file + " cannot be written; name a .jpg or .png file");
  }
}

void Calibrate(const CalibrateCommand& command) {
  const calibration::BoardLayout board = Check(calibration::ParseBoard(command.board));
  const auto frames = Check(vision::OpenFrameSource(command.source, command.frames));
  calibration::LensGuide guide;
  Once once;
  absl::Status refused;
  once.SayNext(guide.Next().text);
  // A folder may hold more than is needed, which makes the lens better.
  while (!frames->live() || guide.Progress() < 1) {
    const auto frame = Check(frames->Next());
    if (!frame) break;
    const auto look = calibration::FindBoard(frame->picture, board);
    const absl::Status taken = look.ok() ? guide.Add(*look) : look.status();
    // The name of a picture in a folder says which one to take again.
    const std::string name = frame->name.empty() ? "" : frame->name + ": ";
    if (!taken.ok()) {
      refused = taken;
      once.Say(name + std::string(taken.message()));
      continue;
    }
    if (!command.annotate.empty()) DrawCoverage(command.annotate, frame->picture, guide);
    once.Say(name + Told(guide));
    if (guide.Progress() < 1) once.SayNext(guide.Next().text);
  }
  // Where nothing could be used, the reason is more help than the count.
  if (guide.looks().empty() && !refused.ok()) Check(refused);
  const calibration::LensFit fit = Check(calibration::SolveLens(guide.looks()));
  std::printf("%s\n", fit.Describe().c_str());
  if (fit.verdict() == calibration::Verdict::kPoor) {
    throw CommandError("the calibration is not good enough and " + command.out +
                       " was not written; see above what to do");
  }
  Check(calibration::CameraProfile::Of(fit).Save(command.out));
  std::printf("%s written\n", command.out.c_str());
}

}  // namespace

void AddCalibrateCommand(Command app) {
  auto command = std::make_shared<CalibrateCommand>();
  Command sub = app.AddCommand(
      "calibrate",
      "Measures a camera's lens with the printed board (tilewarden print board), told picture by\n"
      "picture what to show, and writes a profile. The board may be shown on a tablet as well: "
      "the\n"
      "size of its squares does not matter.\n"
      "Example: tilewarden calibrate 0 --out camera.toml");
  AddSourceOption(sub, &command->source).Required();
  sub.Add("--out", &command->out, "The profile to write").Required();
  sub.Add("--board", &command->board, "Squares of the board, across and down").ShowDefault();
  sub.Add("--annotate", &command->annotate,
          "After each picture taken, write it here with all corners seen so far");
  AddRecordOptions(sub, &command->frames);
  sub.Runs([command] { Calibrate(*command); });
}

}  // namespace tilewarden::services
