// Measures the reading of the score track on pictures of the virtual table, from any
// side and in any light: is the track found, every marker on it, its colour, its field,
// standing or lying; and is anything told that is not so? In the second table a sheet
// of paper hides about a third of the track.
//
//   score_track_evaluation [--seeds dev|report] [--pictures 60] [--keep FOLDER]
//
// Exits with 1 where a floor is broken. The reader was made on the dev seeds; the
// report seeds are for reporting.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "tests/virtual_table/scene/score_track.h"
#include "vision/track/score_track_reader.h"

namespace tilewarden::vision {
namespace {

namespace vt = virtual_table;

constexpr std::array<const char*, 6> kColours = {"red", "blue", "yellow", "green", "black", "pink"};
// What is told to the referee with this much certainty must be so.
constexpr double kSure = 0.8;

struct Counts {
  int pictures = 0, tracks = 0;
  int markers = 0;  // set, and not under the paper
  int seen = 0, colour = 0, field = 0, pose = 0;
  int sure = 0, sure_wrong = 0;  // colour and field told with certainty
  int nobody = 0;                // told where no marker is
};

vt::TrackPlan MakePlan(std::uint64_t seed, bool covered) {
  cv::RNG rng(seed * 2246822519u + 5);
  for (int i = 0; i < 4; ++i) rng.next();
  vt::TrackPlan plan;
  plan.seed = seed;
  plan.size_px = {1280, 720};
  plan.level = static_cast<vt::Level>(rng.uniform(0, 3));
  plan.tilt_deg = rng.uniform(0.0, 50.0);
  plan.across_mm = rng.uniform(560.0, 900.0);
  const int players = rng.uniform(2, 7);
  std::array<int, 6> order = {0, 1, 2, 3, 4, 5};
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(i)))]);
  }
  for (int p = 0; p < players; ++p) {
    vt::TrackMarker marker;
    marker.colour = kColours[static_cast<std::size_t>(order[static_cast<std::size_t>(p)])];
    // Often on the field of another one, or beside it.
    const bool near = p > 0 && rng.uniform(0, 3) == 0;
    marker.field = near ? (plan.markers.back().field + rng.uniform(0, 2)) % 50 : rng.uniform(0, 50);
    marker.lying = rng.uniform(0, 4) == 0;
    plan.markers.push_back(marker);
  }
  if (covered) plan.covered = rng.uniform(0, 50);
  return plan;
}

Options PlayedBy(const vt::TrackPlan& plan) {
  Options options;
  for (const vt::TrackMarker& marker : plan.markers) options.colours.push_back(marker.colour);
  return options;
}

void Keep(const std::string& folder, const vt::TrackPicture& made, const vt::TrackPlan& plan,
          const std::optional<SightedScoreTrack>& track) {
  cv::Mat drawn = made.picture.clone();
  for (std::size_t i = 0; i < plan.markers.size(); ++i) {
    cv::drawMarker(drawn, made.feet_px[i], {255, 255, 255}, cv::MARKER_TILTED_CROSS, 12, 1);
  }
  if (track) {
    for (std::size_t c = 0; c < 4; ++c) {
      const Point &a = track->corners_px[c], &b = track->corners_px[(c + 1) % 4];
      cv::line(drawn, cv::Point2d(a.x, a.y), cv::Point2d(b.x, b.y), {255, 0, 255});
    }
    for (const SightedMarker& marker : track->markers) {
      const cv::Point2d at(marker.foot_px.x, marker.foot_px.y);
      cv::drawMarker(drawn, at, {255, 0, 255}, cv::MARKER_CROSS, 12, 1);
      cv::putText(drawn,
                  marker.colours.front().colour + " " +
                      std::to_string(marker.fields.front().field) +
                      (marker.standing_probability > 0.5 ? " s" : " l"),
                  at + cv::Point2d(8, -8), cv::FONT_HERSHEY_SIMPLEX, 0.5, {255, 0, 255});
    }
    std::string hidden = "hidden:";
    for (const int field : track->hidden_fields) hidden += " " + std::to_string(field);
    cv::putText(drawn, hidden, {10, 20}, cv::FONT_HERSHEY_SIMPLEX, 0.5, {255, 0, 255});
  }
  cv::imwrite(folder + "/" + std::to_string(plan.seed) + ".png", drawn);
}

void Judge(const vt::TrackPlan& plan, const vt::TrackPicture& made,
           const std::optional<SightedScoreTrack>& track, Counts& counts, std::string& wrong) {
  ++counts.pictures;
  counts.tracks += track.has_value();
  std::vector<const SightedMarker*> free;
  if (track) {
    for (const SightedMarker& marker : track->markers) {
      if (marker.probability >= 0.5) free.push_back(&marker);
    }
  }
  // A field is about this wide in the picture.
  const double near_px = 13.0 * plan.size_px.width / plan.across_mm;
  for (std::size_t i = 0; i < plan.markers.size(); ++i) {
    const vt::TrackMarker& marker = plan.markers[i];
    const auto away = [&](const SightedMarker* seen) {
      return cv::norm(made.feet_px[i] - cv::Point2d(seen->foot_px.x, seen->foot_px.y)) +
             (seen->colours.front().colour == marker.colour ? 0 : near_px / 2);
    };
    const auto seen = std::min_element(
        free.begin(), free.end(), [&](const auto* a, const auto* b) { return away(a) < away(b); });
    const bool found = seen != free.end() && away(*seen) < near_px;
    if (made.hidden[i]) continue;
    ++counts.markers;
    if (!found) {
      wrong += " " + marker.colour + "@" + std::to_string(marker.field) + " missed";
      continue;
    }
    const SightedMarker& as = **seen;
    free.erase(seen);
    ++counts.seen;
    const bool colour = as.colours.front().colour == marker.colour;
    const bool field = as.fields.front().field == marker.field;
    counts.colour += colour;
    counts.field += field;
    counts.pose += (as.standing_probability < 0.5) == marker.lying;
    const bool sure =
        as.colours.front().probability >= kSure && as.fields.front().probability >= kSure;
    counts.sure += sure;
    counts.sure_wrong += sure && !(colour && field);
    if (!colour || !field) {
      wrong += " " + marker.colour + "@" + std::to_string(marker.field) + " read as " +
               as.colours.front().colour + "@" + std::to_string(as.fields.front().field) +
               (sure ? " SURE" : "");
    }
  }
  for (const SightedMarker* nobody : free) {
    ++counts.nobody;
    wrong += " nobody's " + nobody->colours.front().colour + "@" +
             std::to_string(nobody->fields.front().field);
  }
}

Counts Measure(const char* name, std::uint64_t first, int pictures, bool covered, double from_deg,
               double to_deg, const std::string& keep) {
  Counts counts;
  for (int i = 0; i < pictures; ++i) {
    const vt::TrackPlan plan = MakePlan(first + static_cast<std::uint64_t>(i), covered);
    if (plan.tilt_deg < from_deg || plan.tilt_deg >= to_deg) continue;
    const vt::TrackPicture made = vt::MakeTrackPicture(plan);
    ScoreTrackReader reader;
    const auto& track =
        reader.Read(made.picture, PicturePyramid(made.picture), 0, {}, PlayedBy(plan));
    std::string wrong;
    Judge(plan, made, track, counts, wrong);
    if (!track) wrong += " no track";
    if (!wrong.empty()) {
      std::printf("  %d, %s, %.0f deg, %.0f mm across:%s\n", static_cast<int>(plan.seed),
                  std::string(vt::NameOf(plan.level)).c_str(), plan.tilt_deg, plan.across_mm,
                  wrong.c_str());
    }
    if (!keep.empty()) Keep(keep, made, plan, track);
  }
  std::printf("%-16s %8d %7d %8d %7d %7d %7d %7d %6d %11d %8d\n", name, counts.pictures,
              counts.tracks, counts.markers, counts.seen, counts.colour, counts.field, counts.pose,
              counts.sure, counts.sure_wrong, counts.nobody);
  std::fflush(stdout);
  return counts;
}

int Run(std::uint64_t first, int pictures, const std::string& keep) {
  if (!keep.empty()) std::filesystem::create_directories(keep);
  std::printf("%-16s %8s %7s %8s %7s %7s %7s %7s %6s %11s %8s\n", "", "pictures", "tracks",
              "markers", "seen", "colour", "field", "pose", "sure", "sure, wrong", "nobody's");
  int wrong = 0, all = 0;
  bool held = true;
  const auto measure = [&](const char* name, bool covered, double from_deg, double to_deg) {
    const Counts counts =
        Measure(name, first + (covered ? 500 : 0), pictures, covered, from_deg, to_deg, keep);
    wrong += counts.sure_wrong + counts.nobody;
    all += counts.pictures;
    held &= covered || counts.tracks == counts.pictures;
  };
  measure("to 25 degrees", false, 0, 25);
  measure("25 to 50 degrees", false, 25, 50);
  measure("part hidden", true, 0, 50);
  held &= wrong * 20 <= all;
  std::printf("%s\n", held ? "Floors held."
                           : "A floor is broken: every track found that lies open, "
                             "and at most one wrong word in twenty pictures.");
  return held ? 0 : 1;
}

}  // namespace
}  // namespace tilewarden::vision

int main(int argc, char** argv) {
  CLI::App app(
      "Measures the reading of the score track.\n"
      "Example: score_track_evaluation --seeds report");
  std::string seeds = "dev", keep;
  int pictures = 60;
  app.add_option("--seeds", seeds, "Which pictures")
      ->check(CLI::IsMember({"dev", "report"}))
      ->capture_default_str();
  app.add_option("--pictures", pictures, "How many for each table")
      ->check(CLI::Range(1, 500))
      ->capture_default_str();
  app.add_option("--keep", keep, "Folder for the pictures with what was read");
  CLI11_PARSE(app, argc, argv);
  try {
    return tilewarden::vision::Run(seeds == "dev" ? 1000 : 5000, pictures, keep);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "score_track_evaluation: %s\n", error.what());
    return 1;
  }
}
