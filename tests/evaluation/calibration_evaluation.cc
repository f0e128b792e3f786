// Measures calibration on the virtual table, where the truth is known: for each seed
// a lens by chance, looks at the board held above the table as a person takes them who
// does what the guide says, and what came out of it.
//
//   calibration_evaluation [--seeds dev|report] [--count 8] [--width 1920 --height 1080]
//   calibration_evaluation --looks FOLDER --like TRUTH.json [--seed N]
//
// The second writes the pictures that such a person takes with the camera of a recording
// of the virtual table, for scripts/walk-from-nothing.
//
// Exits with 1 where a floor is broken. Floors and options were chosen on the
// dev seeds; the report seeds are for reporting.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "calibration/camera/lens_solver.h"
#include "nlohmann/json.hpp"
#include "opencv2/imgcodecs.hpp"
#include "tests/calibration/camera/rendered_looks.h"
#include "tests/calibration/camera/virtual_looks.h"

namespace tilewarden::calibration {
namespace {

// A person needs about 4 s for each picture: so many fit in 120 s.
constexpr int kSeconds = 4, kMost_s = 120;
constexpr double kMostRms_px = 0.30, kMostHalves_px = 0.5;

struct Measured {
  double rms = 0, halves = 0, lens = 0, seconds = 0;
};

// Straight above a table that it sees a metre and a half of.
VirtualTable Above(const Lens& lens) {
  return {lens, cv::Matx33d::eye(), {0, 0, lens.focal_px * 1500 / lens.size_px.width}};
}

int Run(std::uint64_t first, int count, cv::Size size) {
  std::printf("%5s %8s %6s %9s %7s %8s %8s  %s\n", "seed", "pictures", "time s", "coverage",
              "rms px", "halves", "to truth", "verdict");
  int broken = 0;
  Measured worst;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    const Lens truth = SomeLens(seed, size);
    const BoardLayout board;
    VirtualTable above = Above(truth);
    const Session session =
        TakeLooksWith([&](const auto& sheets, auto picture) { return above.Take(sheets, picture); },
                      truth, board, seed, kMost_s / kSeconds);
    const auto fit = SolveLens(session.guide.looks());
    if (!fit.ok()) {
      std::printf("%5d %s\n", static_cast<int>(seed), fit.status().ToString().c_str());
      ++broken;
      continue;
    }
    const LensDifference off = Difference(fit->lens, truth);
    std::printf("%5d %8d %6d %8.0f%% %7.3f %8.3f %8.3f  %s\n", static_cast<int>(seed),
                session.pictures, session.pictures * kSeconds, 100 * session.guide.Coverage(),
                fit->rms_px, fit->halves.rms_px, off.rms_px, fit->Describe().c_str());
    std::fflush(stdout);
    const bool enough = session.guide.Progress() >= 1;
    if (!enough) std::printf("      not all looks within %d s\n", kMost_s);
    broken += fit->rms_px > kMostRms_px || fit->halves.rms_px > kMostHalves_px || !enough;
    worst.rms = std::max(worst.rms, fit->rms_px);
    worst.halves = std::max(worst.halves, fit->halves.rms_px);
    worst.lens = std::max(worst.lens, off.rms_px);
    worst.seconds = std::max<double>(worst.seconds, session.pictures * kSeconds);
  }
  std::printf(
      "worst of %d: rms %.3f px (floor %.2f), halves %.3f px (floor %.2f), to the true lens "
      "%.3f px, %.0f s of pictures (floor %d)\n",
      count, worst.rms, kMostRms_px, worst.halves, kMostHalves_px, worst.lens, worst.seconds,
      kMost_s);
  std::printf("%d of %d seeds hold every floor\n", count - broken, count);
  return broken == 0 ? 0 : 1;
}

Lens LensOf(const nlohmann::json& truth) {
  const nlohmann::json& camera = truth["camera"];
  Lens lens;
  lens.size_px = {camera["image_size"][0], camera["image_size"][1]};
  lens.focal_px = camera["fx"];
  lens.cx = camera["cx"];
  lens.cy = camera["cy"];
  const auto& bend = camera["dist_k1_k2_p1_p2_k3"];
  for (std::size_t i = 0; i < lens.distortion.size(); ++i) lens.distortion[i] = bend[i];
  return lens;
}

int WriteLooks(const std::string& folder, const std::string& truth, std::uint64_t seed) {
  std::ifstream file(truth);
  const Lens lens = LensOf(nlohmann::json::parse(file));
  std::filesystem::create_directories(folder);
  VirtualTable above = Above(lens);
  int number = 0;
  const auto take = [&](const std::vector<Sheet>& sheets, std::uint64_t picture) {
    cv::Mat taken = above.Take(sheets, picture);
    const std::string name = cv::format("look_%03d.png", ++number);
    if (!cv::imwrite((std::filesystem::path(folder) / name).string(), taken)) {
      throw std::runtime_error("cannot write " + name + " into " + folder);
    }
    return taken;
  };
  const Session session = TakeLooksWith(take, lens, {}, seed, kMost_s / kSeconds);
  std::printf("%d pictures written into %s\n", session.pictures, folder.c_str());
  return 0;
}

}  // namespace
}  // namespace tilewarden::calibration

int main(int argc, char** argv) {
  CLI::App app{"Measures calibration on rendered looks with known truth.",
               "calibration_evaluation"};
  std::string seeds = "dev";
  int width = 1920, height = 1080, count = 8;
  app.add_option("--seeds", seeds, "dev or report")
      ->check(CLI::IsMember({"dev", "report"}))
      ->capture_default_str();
  app.add_option("--count", count, "How many seeds")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_option("--width", width)->capture_default_str();
  app.add_option("--height", height)->capture_default_str();
  std::string looks, like;
  std::uint64_t seed = 1;
  CLI::Option* truth = app.add_option("--like", like, "The truth of a recording, for --looks")
                           ->check(CLI::ExistingFile);
  app.add_option("--looks", looks, "Only write the pictures of a session into this folder")
      ->needs(truth);
  app.add_option("--seed", seed, "Another seed, other pictures")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    if (!looks.empty()) return tilewarden::calibration::WriteLooks(looks, like, seed);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "calibration_evaluation: %s\n", error.what());
    return 1;
  }
  return tilewarden::calibration::Run(seeds == "dev" ? 1 : 101, count, {width, height});
}
