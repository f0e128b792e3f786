// Measures what happens when somebody bumps the camera: a board of the virtual
// table is watched for a while, then seen from a camera that was moved by so many
// millimetres on the table, or turned and zoomed too. Is it told within 2 s of
// stillness, is the board found again as it was, as far as it is in the picture
// still, and is nothing told while the camera stands still?
//
//   moved_camera_evaluation [--seeds dev|report] [--boards 10] [--only "15 mm"]
//
// Exits with 1 where a floor is broken. kMoved of vision/board/view_anchor.cc was chosen
// on the dev seeds; the report seeds are for reporting.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <memory>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "engine/tiles/tile_set.h"
#include "opencv2/imgproc.hpp"
#include "services/boxes/printable_set.h"
#include "tests/virtual_table/story/still.h"
#include "vision/reader/table_reader.h"

namespace tilewarden::vision {
namespace {

constexpr int kFrame_ms = 200, kBudget_ms = 2000;
constexpr double kNoise = 1.5;

struct Kind {
  const char* name;
  double shift_mm;      // in a direction by chance
  double turn_deg = 0;  // to either side
  double zoom = 1;
};
constexpr std::array kKinds = {
    Kind{"still", 0},
    Kind{"2 mm", 2},
    Kind{"3 mm", 3},
    Kind{"6 mm", 6},
    Kind{"15 mm", 15},
    Kind{"a tile, 45 mm", 45},
    Kind{"turned 3 deg", 5, 3},
    Kind{"zoomed 5 %", 0, 0, 1.05},
};

struct Counts {
  int boards = 0, told = 0, in_time = 0, same = 0, false_told = 0;
  int slowest_ms = 0;
};

cv::Mat WithNoise(const cv::Mat& picture, cv::RNG& rng) {
  cv::Mat wide, noise(picture.size(), CV_16SC3), out;
  rng.fill(noise, cv::RNG::NORMAL, 0, kNoise);
  picture.convertTo(wide, CV_16S);
  wide += noise;
  wide.convertTo(out, CV_8U);
  return out;
}

std::vector<std::string> NamesOf(const Sighting& sighting) {
  std::vector<std::string> names;
  for (const SightedTile& tile : sighting.tiles) names.push_back(tile.candidates.at(0).tile);
  std::sort(names.begin(), names.end());
  return names;
}

// Of a board that was seen, the tiles that the picture still shows whole after the
// camera was moved: whatever the reader does, those cut by its rim may be gone.
std::vector<std::string> StillInView(std::vector<std::string> names,
                                     const virtual_table::Still& after) {
  const cv::Rect2d picture({}, cv::Size2d(after.picture.size()));
  for (const auto& tile : after.truth["tiles"]) {
    const auto& corners = tile["canonical_corners_px"];
    const bool whole = std::all_of(corners.begin(), corners.end(), [&](const auto& c) {
      return picture.contains({c[0].template get<double>(), c[1].template get<double>()});
    });
    const auto at = std::find(names.begin(), names.end(), tile["tile"].get<std::string>());
    if (!whole && at != names.end()) names.erase(at);
  }
  return names;
}

// What a board that was not found as it was has lost and has more.
void TellDifference(std::uint64_t seed, const std::vector<std::string>& before,
                    const std::vector<std::string>& now) {
  const auto only = [](const std::vector<std::string>& in, const std::vector<std::string>& not_in) {
    std::vector<std::string> names;
    std::set_difference(in.begin(), in.end(), not_in.begin(), not_in.end(),
                        std::back_inserter(names));
    std::string text;
    for (const std::string& name : names) text += " " + name;
    return text.empty() ? std::string(" nothing") : text;
  };
  std::printf("  board %d: of %d tiles without%s, with%s\n", static_cast<int>(seed),
              static_cast<int>(before.size()), only(before, now).c_str(),
              only(now, before).c_str());
}

Sighting Look(TableReader& reader, const cv::Mat& frame, int time_ms) {
  auto sighting = reader.Read(frame, time_ms);
  if (!sighting.ok()) throw std::runtime_error(std::string(sighting.status().message()));
  return *std::move(sighting);
}

// One board seen by a camera that is moved.
void Watch(const Networks& networks, const Kind& kind, std::uint64_t seed,
           virtual_table::TileBox& box,
           const std::shared_ptr<const calibration::ReferencePack>& pack, Counts& counts) {
  cv::RNG rng(seed * 7919 + 11);
  rng.next();
  virtual_table::StillPlan plan;
  plan.seed = seed;
  plan.level = seed % 2 == 0 ? virtual_table::Level::kEasy : virtual_table::Level::kMedium;
  plan.turns = 12 + static_cast<int>(seed % 20);
  plan.size_px = {1280, 720};
  const cv::Mat before = virtual_table::MakeStill(plan, &box).picture;
  const double direction = rng.uniform(0.0, 2 * std::numbers::pi);
  plan.nudge.shift_mm = {kind.shift_mm * std::cos(direction), kind.shift_mm * std::sin(direction)};
  plan.nudge.turn_deg = rng.uniform(0, 2) == 0 ? kind.turn_deg : -kind.turn_deg;
  plan.nudge.zoom = kind.zoom;
  const virtual_table::Still moved = virtual_table::MakeStill(plan, &box);
  const cv::Mat& after = moved.picture;

  TableReader reader(networks, pack);
  int time_ms = 0;
  Sighting seen;
  ++counts.boards;
  for (int i = 0; i < 6; ++i, time_ms += kFrame_ms) {
    seen = Look(reader, WithNoise(before, rng), time_ms);
    counts.false_told += seen.camera_moved;
  }
  const std::vector<std::string> names = NamesOf(seen);
  // The bump itself: two frames between.
  for (const double share : {0.3, 0.7}) {
    cv::Mat between;
    cv::addWeighted(before, 1 - share, after, share, 0, between);
    Look(reader, between, time_ms);
    time_ms += kFrame_ms;
  }
  const int still_ms = time_ms;
  std::optional<int> told_ms;
  for (; time_ms <= still_ms + 2 * kBudget_ms; time_ms += kFrame_ms) {
    seen = Look(reader, WithNoise(after, rng), time_ms);
    if (!seen.camera_moved) continue;
    counts.false_told += told_ms.has_value();
    if (!told_ms) told_ms = time_ms - still_ms;
  }
  counts.told += told_ms.has_value();
  counts.in_time += told_ms.has_value() && *told_ms <= kBudget_ms;
  counts.slowest_ms = std::max(counts.slowest_ms, told_ms.value_or(0));
  const std::vector<std::string> now = NamesOf(seen), left = StillInView(names, moved);
  const bool same = std::includes(now.begin(), now.end(), left.begin(), left.end()) &&
                    std::includes(names.begin(), names.end(), now.begin(), now.end());
  counts.same += same;
  if (!same) TellDifference(seed, left, now);
}

int Run(std::uint64_t first, int boards, const std::string& only) {
  const auto tiles = engine::TileSet::Load("base.c1");
  if (!tiles.ok()) throw std::runtime_error(std::string(tiles.status().message()));
  const auto networks = Networks::Load();
  if (!networks.ok()) throw std::runtime_error(std::string(networks.status().message()));
  virtual_table::TileBox box(*tiles, services::kBundledBox);
  const auto pack = std::make_shared<calibration::ReferencePack>(services::PaintedPack(**tiles, 2));
  std::printf("%-14s %7s %6s %10s %10s %12s %10s\n", "camera moved", "boards", "told", "within 2 s",
              "slowest ms", "board as was", "false word");
  bool held = true;
  for (const Kind& kind : kKinds) {
    if (!only.empty() && only != kind.name) continue;
    Counts counts;
    for (int i = 0; i < boards; ++i) {
      Watch(*networks, kind, first + static_cast<std::uint64_t>(i), box, pack, counts);
    }
    const bool still = kind.shift_mm == 0 && kind.turn_deg == 0 && kind.zoom == 1;
    std::printf("%-14s %7d %6d %10d %10d %12d %10d\n", kind.name, counts.boards, counts.told,
                counts.in_time, counts.slowest_ms, counts.same, counts.false_told);
    std::fflush(stdout);
    held &= counts.in_time == (still ? 0 : counts.boards) && counts.false_told == 0 &&
            counts.same == counts.boards;
  }
  std::printf("%s\n", held
                          ? "All told in time, found again, and nothing false."
                          : "A floor is broken: every move told within 2 s, every board as it was, "
                            "nothing told while the camera stands still.");
  return held ? 0 : 1;
}

}  // namespace
}  // namespace tilewarden::vision

int main(int argc, char** argv) {
  CLI::App app(
      "Measures whether a moved camera is noticed and the board found again.\n"
      "Example: moved_camera_evaluation --seeds report");
  std::string seeds = "dev", only;
  int boards = 10;
  app.add_option("--seeds", seeds, "Which boards")
      ->check(CLI::IsMember({"dev", "report"}))
      ->capture_default_str();
  app.add_option("--boards", boards, "How many for each way to move it")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--only", only, "One way to move it, by its name");
  CLI11_PARSE(app, argc, argv);
  try {
    return tilewarden::vision::Run(seeds == "dev" ? 100 : 700, boards, only);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "moved_camera_evaluation: %s\n", error.what());
    return 1;
  }
}
