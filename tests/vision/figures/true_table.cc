#include "tests/vision/figures/true_table.h"

#include <algorithm>
#include <fstream>

#include "opencv2/calib3d.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {

using nlohmann::json;
namespace fs = std::filesystem;

json LoadJson(const fs::path& path) {
  std::ifstream in(path);
  return json::parse(in);
}

cv::Point2f PointOf(const json& j) { return {j[0].get<float>(), j[1].get<float>()}; }

std::array<cv::Point2f, 4> CornersOf(const json& corners) {
  std::array<cv::Point2f, 4> points;
  for (std::size_t i = 0; i < 4; ++i) points[i] = PointOf(corners[i]);
  return points;
}

std::map<std::string, cv::Mat> LoadReferences(const fs::path& types, const char* name,
                                              const char* corners) {
  std::map<std::string, cv::Mat> references;
  const json truth = LoadJson(types);
  const cv::Mat picture = cv::imread(fs::path(types).replace_extension(".jpg").string());
  for (const json& tile : truth["tiles"]) {
    const std::array<cv::Point2f, 4> square = {
        {{-0.5F, -0.5F}, {127.5F, -0.5F}, {127.5F, 127.5F}, {-0.5F, 127.5F}}};
    cv::Mat cut;
    cv::warpPerspective(picture, cut, cv::getPerspectiveTransform(CornersOf(tile[corners]), square),
                        {128, 128}, cv::INTER_CUBIC);
    references[tile[name]] = cut;
  }
  return references;
}

Table TableOf(const std::vector<TrueTile>& tiles,
              const std::map<std::string, cv::Mat>& references) {
  Table table;
  std::vector<cv::Point2f> lattice, px;
  std::vector<double> sides;
  for (const TrueTile& t : tiles) {
    NamedTile tile;
    tile.cell = t.cell;
    tile.tile = t.name;
    tile.rotation = t.rotation;
    tile.probability = 1;
    for (int i = 0; i < 4; ++i) {
      tile.corners_px[static_cast<std::size_t>(i)] =
          t.corners_px[static_cast<std::size_t>((i - t.rotation + 4) % 4)];
    }
    const cv::Mat& reference = references.at(tile.tile);
    if (t.rotation == 0) tile.expected = reference;
    if (t.rotation > 0) cv::rotate(reference, tile.expected, t.rotation - 1);
    const std::array<cv::Point2f, 4> kUnit = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    for (std::size_t i = 0; i < 4; ++i) {
      lattice.push_back(
          kUnit[i] + cv::Point2f(static_cast<float>(tile.cell.x), static_cast<float>(tile.cell.y)));
      px.push_back(tile.corners_px[i]);
      sides.push_back(cv::norm(tile.corners_px[i] - tile.corners_px[(i + 1) % 4]));
    }
    table.tiles.push_back(tile);
  }
  table.plane.px_from_lattice = cv::findHomography(lattice, px);
  std::nth_element(sides.begin(), sides.begin() + static_cast<long>(sides.size() / 2), sides.end());
  table.plane.tile_px = sides[sides.size() / 2];
  return table;
}

VirtualStill LoadVirtualStill(const fs::path& types, const fs::path& still) {
  VirtualStill loaded;
  loaded.truth = LoadJson(still);
  const std::map<std::string, cv::Mat> references =
      LoadReferences(types, "tile", "canonical_corners_px");
  std::vector<TrueTile> tiles;
  for (const json& t : loaded.truth["tiles"]) {
    tiles.push_back({{t["cell"][0].get<int>(), t["cell"][1].get<int>()},
                     t["tile"],
                     t["rotation"],
                     CornersOf(t["canonical_corners_px"])});
  }
  loaded.table = TableOf(tiles, references);
  loaded.picture = cv::imread(fs::path(still).replace_extension(".jpg").string());
  return loaded;
}

}  // namespace tilewarden::vision
