#include "tests/evaluation/tile_network_labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <set>
#include <utility>

#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::array<cv::Point2f, 4> Corners(const json& c) {
  std::array<cv::Point2f, 4> corners;
  for (std::size_t i = 0; i < 4; ++i) corners[i] = {c[i][0].get<float>(), c[i][1].get<float>()};
  return corners;
}

}  // namespace

json LoadJson(const fs::path& path) {
  std::ifstream in(path);
  return json::parse(in);
}

std::vector<Labelled> LabelledPhotograph(const fs::path& labels_path) {
  const json labels = LoadJson(labels_path);
  const std::string name = labels_path.stem().stem();
  const cv::Mat picture = cv::imread((labels_path.parent_path() / (name + ".jpg")).string());
  std::vector<Labelled> tiles;
  std::set<std::pair<int, int>> taken;
  for (const json& t : labels["tiles"]) {
    taken.emplace(t["row"].get<int>(), t["col"].get<int>());
    if (t["uncertain"] == true || t["cropped_by_image_border"] == true ||
        t["expansion_tile"] == true || !t["tile_letter"].is_string()) {
      continue;
    }
    Labelled tile{name, "B." + t["tile_letter"].get<std::string>(), t["edges"],
                  !t["meeple"].is_null(), CutPatch(picture, Corners(t["corners_px"]))};
    tiles.push_back(std::move(tile));
  }
  // Places beside the board and between tiles, where no tile lies as cut.
  const json& h = labels["grid_to_px_homography"];
  cv::Matx33d px_from_grid;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c)
      px_from_grid(r, c) = h[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
  }
  const auto add_empty = [&](double row, double col, bool between) {
    std::array<cv::Point2f, 4> corners;
    constexpr std::array<std::array<double, 2>, 4> kUnit = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    for (std::size_t i = 0; i < 4; ++i) {
      const cv::Vec3d p = px_from_grid * cv::Vec3d(col + kUnit[i][0], row + kUnit[i][1], 1);
      corners[i] = {static_cast<float>(p[0] / p[2]), static_cast<float>(p[1] / p[2])};
      if (p[2] <= 0 || !cv::Rect({0, 0}, picture.size()).contains(cv::Point(corners[i]))) return;
    }
    tiles.push_back({name, "", "", false, CutPatch(picture, corners), between});
  };
  const std::set<std::pair<int, int>> all = taken;
  for (const auto& [row, col] : all) {
    for (const auto& [dy, dx] : {std::pair{0, 1}, {1, 0}, {0, -1}, {-1, 0}}) {
      if (taken.insert({row + dy, col + dx}).second) add_empty(row + dy, col + dx, false);
    }
    add_empty(row + 0.5, col, true);
    add_empty(row + 0.5, col + 0.5, true);
  }
  return tiles;
}

std::vector<Labelled> LabelledRendering(const fs::path& truth, const json& tiles,
                                        const cv::Mat& picture) {
  const json art = LoadJson(truth / "art.json");
  std::vector<Labelled> labelled;
  for (const json& t : tiles) {
    if (t["corners_px"].is_null()) continue;
    // Corners run with the tile's own picture: cut so, it lies upright.
    const std::string letter = t["letter"];
    Labelled tile{"", "B." + letter, art["tiles"][letter]["edges"], false,
                  CutPatch(picture, Corners(t["corners_px"]))};
    if (!tile.patch.empty()) labelled.push_back(std::move(tile));
  }
  return labelled;
}

std::vector<cv::Mat> SquaresWithoutTile(const cv::Mat& picture, const json& tiles,
                                        std::size_t count, cv::RNG& rng) {
  std::vector<std::vector<cv::Point2f>> known;
  for (const json& t : tiles) {
    if (t["corners_px"].is_null()) continue;
    const auto corners = Corners(t["corners_px"]);
    known.emplace_back(corners.begin(), corners.end());
  }
  std::vector<cv::Mat> squares;
  constexpr int kTries = 40;
  for (std::size_t i = 0; i < kTries * count && squares.size() < count; ++i) {
    const auto& like =
        known[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(known.size())))];
    const cv::Point2f middle = 0.25F * (like[0] + like[1] + like[2] + like[3]);
    const cv::Point2f to(rng.uniform(0.F, static_cast<float>(picture.cols)),
                         rng.uniform(0.F, static_cast<float>(picture.rows)));
    const float turn = rng.uniform(0.F, 6.2832F), size = rng.uniform(0.8F, 1.25F);
    std::array<cv::Point2f, 4> corners;
    bool inside = true;
    for (std::size_t k = 0; k < 4; ++k) {
      const cv::Point2f d = size * (like[k] - middle);
      corners[k] = to + cv::Point2f(std::cos(turn) * d.x - std::sin(turn) * d.y,
                                    std::sin(turn) * d.x + std::cos(turn) * d.y);
      inside = inside && cv::Rect({0, 0}, picture.size()).contains(cv::Point(corners[k]));
    }
    const std::vector<cv::Point2f> square(corners.begin(), corners.end());
    const bool free = std::none_of(known.begin(), known.end(), [&](const auto& tile) {
      std::vector<cv::Point2f> common;
      return cv::intersectConvexConvex(square, tile, common) > cv::contourArea(tile) / 12;
    });
    if (inside && free) squares.push_back(CutPatch(picture, corners));
  }
  return squares;
}

}  // namespace tilewarden::vision
