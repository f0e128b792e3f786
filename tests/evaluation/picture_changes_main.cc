// Writes a labelled photograph under changes that a person hardly sees, each with its labels moved
// along, and prints what was written as a line of JSON each (scripts/evaluate-robustness).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "nlohmann/json.hpp"
#include "opencv2/imgcodecs.hpp"
#include "tests/evaluation/picture_changes.h"

namespace tilewarden::picture_changes {
namespace {

using nlohmann::json;

// Of the middle one of its tiles; the smallest tiles of a steep view are smaller.
double SideOf(const json& labels) {
  std::vector<double> sides;
  for (const json& tile : labels["tiles"]) {
    const json& c = tile["corners_px"];
    double side = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      side += std::hypot(c[i][0].get<double>() - c[(i + 1) % 4][0].get<double>(),
                         c[i][1].get<double>() - c[(i + 1) % 4][1].get<double>()) /
              4;
    }
    sides.push_back(side);
  }
  std::sort(sides.begin(), sides.end());
  return sides.empty() ? 0 : sides[sides.size() / 2];
}

cv::Point2d MiddleOf(const json& tile) {
  cv::Point2d middle;
  for (const json& c : tile["corners_px"]) {
    middle += 0.25 * cv::Point2d(c[0].get<double>(), c[1].get<double>());
  }
  return middle;
}

// Four pictures, each without the outer quarter of the tiles of one side; some are cut through.
std::vector<PictureChange> Cuts(const json& labels, cv::Size size) {
  std::vector<int> x, y;
  for (const json& tile : labels["tiles"]) {
    x.push_back(cvRound(MiddleOf(tile).x));
    y.push_back(cvRound(MiddleOf(tile).y));
  }
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  const std::size_t quarter = x.size() / 4, rest = x.size() - 1 - quarter;
  const int left = x[quarter], top = y[quarter];
  std::vector<PictureChange> cuts(4);
  cuts[0].name = "cut left";
  cuts[0].keep = {left, 0, size.width - left, size.height};
  cuts[1].name = "cut right";
  cuts[1].keep = {0, 0, x[rest], size.height};
  cuts[2].name = "cut top";
  cuts[2].keep = {0, top, size.width, size.height - top};
  cuts[3].name = "cut bottom";
  cuts[3].keep = {0, 0, size.width, y[rest]};
  return cuts;
}

// Those that the border cuts have no labels any more.
json Cut(json labels, const cv::Rect& keep) {
  json tiles = json::array();
  for (const json& tile : labels["tiles"]) {
    const auto shown = [&](const json& c) {
      return keep.contains(cv::Point(c[0].get<int>(), c[1].get<int>()));
    };
    if (std::all_of(tile["corners_px"].begin(), tile["corners_px"].end(), shown)) {
      tiles.push_back(tile);
    }
  }
  labels["tiles"] = tiles;
  return labels;
}

// Tells, too, where the photograph's corners have gone: around it may be border now.
json Moved(json labels, const cv::Matx23d& now_from_then, cv::Size photograph) {
  labels["photograph_px"] = json::array();
  const double right = photograph.width - 1, bottom = photograph.height - 1;
  for (const cv::Vec3d& corner :
       {cv::Vec3d(0, 0, 1), {right, 0, 1}, {right, bottom, 1}, {0, bottom, 1}}) {
    const cv::Vec2d now = now_from_then * corner;
    labels["photograph_px"].push_back({now[0], now[1]});
  }
  for (json& tile : labels["tiles"]) {
    for (json& corner : tile["corners_px"]) {
      const cv::Vec2d now = now_from_then * cv::Vec3d(corner[0], corner[1], 1);
      corner = {now[0], now[1]};
    }
  }
  return labels;
}

int Run(int argc, char** argv) {
  CLI::App app(
      "Writes a labelled photograph under changes that a person hardly sees.\n"
      "Example: picture_changes photo.jpg photo.labels.json --out changed --mixes 20\n");
  std::string picture_path, labels_path, folder;
  int mixes = 0;
  std::uint64_t seed = 1;
  double smallest = 60;
  bool cuts = false;
  app.add_option("PICTURE", picture_path)->required()->check(CLI::ExistingFile);
  app.add_option("LABELS", labels_path)->required()->check(CLI::ExistingFile);
  app.add_option("--out", folder, "Folder for what is written; made where it is missing")
      ->required();
  app.add_option("--mixes", mixes, "Random mixes beside the thirteen plain changes")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--cuts", cuts, "And four pictures that cut off a quarter of the board each");
  app.add_option("--seed", seed, "Of the first mix");
  app.add_option("--smallest", smallest,
                 "What would make the tiles smaller, in pixels, is left out");
  CLI11_PARSE(app, argc, argv);

  const cv::Mat picture = cv::imread(picture_path);
  if (picture.empty()) {
    std::fprintf(stderr, "picture_changes: %s is no picture\n", picture_path.c_str());
    return 1;
  }
  std::ifstream file(labels_path);
  const json labels = json::parse(file, nullptr, false);
  if (labels.is_discarded() || !labels.contains("tiles")) {
    std::fprintf(stderr, "picture_changes: %s holds no labels\n", labels_path.c_str());
    return 1;
  }
  std::filesystem::create_directories(folder);
  const double side = SideOf(labels);
  std::vector<PictureChange> changes = PlainChanges();
  for (int i = 0; i < mixes; ++i) {
    changes.push_back(
        RandomMix(seed + static_cast<std::uint64_t>(i), picture.size(), side, smallest));
  }
  if (cuts) {
    const std::vector<PictureChange> cut = Cuts(labels, picture.size());
    changes.insert(changes.end(), cut.begin(), cut.end());
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const PictureChange& change = changes[i];
    json line = {{"change", change.name}, {"tile_px", std::lround(side * change.scale)}};
    // As it is read anyway, whatever its size.
    if (change.scale < 1 && side * change.scale < smallest) {
      line["left_out"] = true;
    } else if (i == 0) {
      line["picture"] = picture_path;
      line["labels"] = labels_path;
    } else {
      const ChangedPicture changed = Apply(change, picture, seed + i);
      const std::string stem = (std::filesystem::path(folder) / std::to_string(i)).string();
      if (!cv::imwrite(stem + ".png", changed.picture, {cv::IMWRITE_PNG_COMPRESSION, 1})) {
        std::fprintf(stderr, "picture_changes: cannot write %s.png\n", stem.c_str());
        return 1;
      }
      const json shown = change.keep.empty() ? labels : Cut(labels, change.keep);
      std::ofstream(stem + ".labels.json") << Moved(shown, changed.now_from_then, picture.size());
      line["picture"] = stem + ".png";
      line["labels"] = stem + ".labels.json";
    }
    std::printf("%s\n", line.dump().c_str());
  }
  return 0;
}

}  // namespace
}  // namespace tilewarden::picture_changes

int main(int argc, char** argv) { return tilewarden::picture_changes::Run(argc, argv); }
