#include "figure_scoring.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "opencv2/calib3d.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "vision/figure_finder.h"

namespace tilewarden::vision {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

json Load(const fs::path& path) {
  std::ifstream in(path);
  return json::parse(in);
}

cv::Point2f PointOf(const json& j) { return {j[0].get<float>(), j[1].get<float>()}; }

std::map<std::string, cv::Mat> LoadReferences(const fs::path& tables) {
  std::map<std::string, cv::Mat> references;
  const json truth = Load(tables / "enrol/enrol_wiki_easy.json");
  const cv::Mat picture = cv::imread((tables / "enrol/enrol_wiki_easy.jpg").string());
  for (const json& tile : truth["tiles"]) {
    std::array<cv::Point2f, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) corners[i] = PointOf(tile["corners_px"][i]);
    const std::array<cv::Point2f, 4> square = {
        {{-0.5F, -0.5F}, {127.5F, -0.5F}, {127.5F, 127.5F}, {-0.5F, 127.5F}}};
    cv::Mat cut;
    cv::warpPerspective(picture, cut, cv::getPerspectiveTransform(corners, square), {128, 128},
                        cv::INTER_CUBIC);
    references[tile["letter"]] = cut;
  }
  return references;
}

struct Table {
  std::vector<NamedTile> tiles;
  TablePlane plane;
};

Table TableOf(const json& scene, const std::map<std::string, cv::Mat>& references) {
  Table table;
  std::vector<cv::Point2f> lattice, px;
  std::vector<double> sides;
  for (const json& t : scene["tiles"]) {
    NamedTile tile;
    tile.cell = {t["cell"][0].get<int>(), -t["cell"][1].get<int>()};
    tile.tile = t["letter"];
    tile.rotation = t["rotation"];
    tile.probability = 1;
    const int turns = tile.rotation;
    for (int i = 0; i < 4; ++i) {
      tile.corners_px[static_cast<std::size_t>(i)] =
          PointOf(t["corners_px"][static_cast<std::size_t>((i - turns + 4) % 4)]);
    }
    const cv::Mat& reference = references.at(tile.tile);
    if (turns == 0) tile.expected = reference;
    if (turns > 0) cv::rotate(reference, tile.expected, turns - 1);
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

// The feature that the tile's spots say, as simply as can be: who lies farms,
// who stands claims the nearest spot of another feature.
std::string FeatureAt(const json& type, int rotation, Point foot, bool standing) {
  if (!standing) return "field";
  std::string nearest = "field";
  double best = 1e9;
  for (const json& feature : type["features"]) {
    if (feature["t"] == "field") continue;
    double x = feature["pos"][0].get<double>(), y = -feature["pos"][1].get<double>();
    for (int i = 0; i < rotation; ++i) std::swap(x, y), x = -x;
    const double d = std::hypot(foot.x - 0.5 - x, foot.y - 0.5 - y);
    if (d < best) best = d, nearest = feature["t"];
  }
  return nearest;
}

FigureCounts Compare(const json& scene, const json& beside, const json& art, const Table& table,
                     const std::vector<SightedFigure>& figures, cv::Size size, bool tell) {
  FigureCounts n;
  n.pictures = 1;
  std::vector<bool> used(figures.size(), false);
  for (const json& m : scene["meeples"]) {
    ++n.figures;
    const cv::Point2f at = PointOf(m["base_px"]);
    double best = 0.45 * table.plane.tile_px;
    int hit = -1;
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const double d = std::hypot(figures[i].foot_px.x - at.x, figures[i].foot_px.y - at.y);
      if (!used[i] && d < best) best = d, hit = static_cast<int>(i);
    }
    const std::string wanted = m["colour"].get<std::string>() + " " + m["kind"].get<std::string>() +
                               " " + m["feature"].get<std::string>();
    if (hit < 0) {
      if (tell) std::printf("  missed %s at %.0f,%.0f\n", wanted.c_str(), at.x, at.y);
      continue;
    }
    const SightedFigure& f = figures[static_cast<std::size_t>(hit)];
    used[static_cast<std::size_t>(hit)] = true;
    ++n.found;
    n.foot_mm.push_back(best / table.plane.tile_px * 45);
    const bool standing = f.standing_probability > 0.5;
    std::string feature = "none";
    const LatticeCell cell{m["cell"][0].get<int>(), -m["cell"][1].get<int>()};
    if (f.cell == cell) {
      const auto tile = std::find_if(table.tiles.begin(), table.tiles.end(),
                                     [&](const NamedTile& t) { return t.cell == cell; });
      feature = FeatureAt(art["tiles"][tile->tile], tile->rotation, f.foot, standing);
    }
    n.colour += f.colours.front().colour == m["colour"];
    n.pose += standing == (m["kind"] == "standing");
    n.feature += feature == m["feature"];
    if (tell && (f.colours.front().colour != m["colour"] || feature != m["feature"] ||
                 standing != (m["kind"] == "standing") || best / table.plane.tile_px > 0.1)) {
      std::printf("  %s at %.0f,%.0f read as %s %s %s p %.2f foot off %.1f mm\n", wanted.c_str(),
                  at.x, at.y, f.colours.front().colour.c_str(), standing ? "standing" : "lying",
                  feature.c_str(), f.probability, best / table.plane.tile_px * 45);
    }
  }
  for (const json& m : beside) {
    const cv::Point2f at = PointOf(m["base_px"]);
    if (at.x < 25 || at.y < 25 || at.x > size.width - 25 || at.y > size.height - 25) continue;
    ++n.beside;
    double best = 0.45 * table.plane.tile_px;
    int hit = -1;
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const double d = std::hypot(figures[i].foot_px.x - at.x, figures[i].foot_px.y - at.y);
      if (!used[i] && d < best) best = d, hit = static_cast<int>(i);
    }
    if (hit < 0) continue;
    used[static_cast<std::size_t>(hit)] = true;
    ++n.beside_found;
    n.beside_colour += figures[static_cast<std::size_t>(hit)].colours.front().colour == m["colour"];
  }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (used[i]) continue;
    const SightedFigure& f = figures[i];
    // Cut off by the picture's border: neither right nor false.
    if (f.foot_px.x < 30 || f.foot_px.y < 30 || f.foot_px.x > size.width - 30 ||
        f.foot_px.y > size.height - 30) {
      continue;
    }
    (f.cell ? n.wrong : n.beside_false) += 1;
    if (tell && f.cell) {
      std::printf("  false %s at %.0f,%.0f p %.2f\n", f.colours.front().colour.c_str(), f.foot_px.x,
                  f.foot_px.y, f.probability);
    }
  }
  n.exact = n.feature == n.figures && n.colour == n.figures && n.wrong == 0;
  return n;
}

}  // namespace

void FigureCounts::Print(const std::string& name) const {
  std::vector<double> sorted = foot_mm, times = ms;
  std::sort(sorted.begin(), sorted.end());
  std::sort(times.begin(), times.end());
  const double p50 = sorted.empty() ? 0 : sorted[sorted.size() / 2];
  const double p95 = sorted.empty() ? 0 : sorted[sorted.size() * 95 / 100];
  std::printf(
      "%-32s figures %4d found %4d colour %4d pose %4d feature %4d false %3d | foot mm p50 %.1f "
      "p95 %.1f | beside %3d found %3d colour %3d false %3d | exact %d/%d | ms p50 %.0f\n",
      name.c_str(), figures, found, colour, pose, feature, wrong, p50, p95, beside, beside_found,
      beside_colour, beside_false, exact, pictures, times.empty() ? 0 : times[times.size() / 2]);
}

void FigureCounts::Add(const FigureCounts& o) {
  pictures += o.pictures, exact += o.exact, figures += o.figures, found += o.found;
  colour += o.colour, pose += o.pose, feature += o.feature, wrong += o.wrong;
  beside += o.beside, beside_found += o.beside_found, beside_colour += o.beside_colour;
  beside_false += o.beside_false;
  foot_mm.insert(foot_mm.end(), o.foot_mm.begin(), o.foot_mm.end());
  ms.insert(ms.end(), o.ms.begin(), o.ms.end());
}

FigureCounts ScoreFigures(const fs::path& tables, const std::string& set, const std::string& only,
                          bool tell, const std::string& debug) {
  const std::map<std::string, cv::Mat> references = LoadReferences(tables);
  const json art = Load(tables / "art.json");
  const json truth = Load(tables / set);
  const bool sequence = truth.contains("timeline");
  const json scenes = sequence ? truth["timeline"] : json::array({truth});
  FigureCounts total;
  for (const json& scene : scenes) {
    if (sequence && !scene["settled"].get<bool>()) continue;
    const std::string file = sequence ? scene["file"].get<std::string>()
                                      : fs::path(set).filename().replace_extension(".jpg").string();
    if (!only.empty() && file.find(only) == std::string::npos) continue;
    const cv::Mat frame = cv::imread(((tables / set).parent_path() / file).string());
    const Table table = TableOf(scene, references);
    Options options;
    options.debug_folder = debug;
    const auto begin = std::chrono::steady_clock::now();
    const auto figures = FindFigures(frame, table.tiles, table.plane, {}, options);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    FigureCounts n =
        Compare(scene, truth["offboard_meeples"], art, table, figures, frame.size(), tell);
    n.ms.push_back(took.count());
    if (tell && !n.exact) n.Print("  " + file);
    total.Add(n);
  }
  return total;
}

}  // namespace tilewarden::vision
