#include "tests/vision/figures/figure_scoring.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

#include "engine/tiles/figure_segments.h"
#include "engine/tiles/tile_set.h"
#include "opencv2/imgcodecs.hpp"
#include "tests/vision/figures/true_table.h"
#include "vision/figures/figure_finder.h"

namespace tilewarden::vision {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Upper left and lower right corner of a box, with a margin.
std::pair<cv::Point2f, cv::Point2f> CornersOfBox(const json& box, float margin_px) {
  const cv::Point2f margin(margin_px, margin_px);
  return {PointOf(box) - margin, cv::Point2f(box[2].get<float>(), box[3].get<float>()) + margin};
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

// What is read of one figure, in words; and what a tile says is under its foot.
using FeatureUnder = std::function<std::string(const NamedTile&, const SightedFigure&)>;

// By the layout of the project's own tiles: the likeliest segment.
std::string FeatureByLayout(const engine::TileType& type, int rotation, const SightedFigure& f) {
  const std::vector<double> likelihoods =
      engine::SegmentLikelihoods(type, engine::FaceOf(type),
                                 {engine::RotatedPoint({f.foot.x, f.foot.y}, -rotation & 3),
                                  f.foot_sigma, f.standing_probability});
  const auto best = std::max_element(likelihoods.begin(), likelihoods.end());
  const auto segment = static_cast<std::size_t>(best - likelihoods.begin());
  return std::string(engine::ToString(type.segments[segment].kind));
}

// south: +1 where the truth's cells count y south, -1 where they count it north.
FigureCounts Compare(const json& scene, const json& beside, int south, const FeatureUnder& under,
                     const Table& table, const std::vector<SightedFigure>& figures, cv::Size size,
                     bool tell) {
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
    const std::string kind = m.value("figure", FactsOf(FigureKind::kFollower).name);
    const std::string wanted = kind + " " + m["colour"].get<std::string>() + " " +
                               m["kind"].get<std::string>() + " " + m["feature"].get<std::string>();
    if (hit < 0) {
      ++n.kinds.read[{kind, ""}];
      if (tell) std::printf("  missed %s at %.0f,%.0f\n", wanted.c_str(), at.x, at.y);
      continue;
    }
    const SightedFigure& f = figures[static_cast<std::size_t>(hit)];
    used[static_cast<std::size_t>(hit)] = true;
    ++n.found;
    n.foot_mm.push_back(best / table.plane.tile_px * 45);
    n.foot_as_told += best / table.plane.tile_px < 2.45 * f.foot_sigma;
    const bool standing = f.standing_probability > 0.5;
    std::string feature = "none";
    const LatticeCell cell{m["cell"][0].get<int>(), south * m["cell"][1].get<int>()};
    if (f.cell == cell) {
      const auto tile = std::find_if(table.tiles.begin(), table.tiles.end(),
                                     [&](const NamedTile& t) { return t.cell == cell; });
      feature = under(*tile, f);
    }
    ++n.kinds.read[{kind, FactsOf(f.kind).name}];
    if (f.unexpected) ++n.kinds.unexpected[{kind, FactsOf(f.unexpected->kind).name}];
    const bool nobodys =
        kind == FactsOf(FigureKind::kArk).name || kind == FactsOf(FigureKind::kGingerbreadMan).name;
    const bool colour = nobodys || f.colours.front().colour == m["colour"];
    n.colour += colour;
    n.pose += standing == (m["kind"] == "standing");
    n.feature += feature == m["feature"];
    if (tell && (!colour || kind != FactsOf(f.kind).name || feature != m["feature"] ||
                 standing != (m["kind"] == "standing") || best / table.plane.tile_px > 0.1)) {
      std::printf("  %s at %.0f,%.0f read as %s %s %s %s p %.2f foot off %.1f mm\n", wanted.c_str(),
                  at.x, at.y, FactsOf(f.kind).name.c_str(), f.colours.front().colour.c_str(),
                  standing ? "standing" : "lying", feature.c_str(), f.probability,
                  best / table.plane.tile_px * 45);
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
  for (const json& thing : scene.value("clutter", json::array())) {
    constexpr float kMargin_px = 6;
    const auto [low, high] = CornersOfBox(thing["bbox_px"], kMargin_px);
    auto& counts = n.kinds.clutter[thing["what"]];
    ++counts.first;
    bool taken = false;
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const Point& foot = figures[i].foot_px;
      if (used[i] || foot.x < low.x || foot.y < low.y || foot.x > high.x || foot.y > high.y)
        continue;
      used[i] = taken = true;
      if (tell) {
        std::printf("  %s read as %s %s at %.0f,%.0f p %.2f\n",
                    thing["what"].get<std::string>().c_str(),
                    figures[i].colours.front().colour.c_str(),
                    FactsOf(figures[i].kind).name.c_str(), foot.x, foot.y, figures[i].probability);
      }
    }
    counts.second += taken;
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
      "p95 %.1f as told %d | beside %3d found %3d colour %3d false %3d | exact %d/%d | ms p50 "
      "%.0f\n",
      name.c_str(), figures, found, colour, pose, feature, wrong, p50, p95, foot_as_told, beside,
      beside_found, beside_colour, beside_false, exact, pictures,
      times.empty() ? 0 : times[times.size() / 2]);
  kinds.Print(name);
  for (const auto& [colours, of] : cloths) {
    std::printf("%-32s cloth like %s: %d\n", name.c_str(), colours.c_str(), of);
  }
}

void FigureCounts::Add(const FigureCounts& o) {
  pictures += o.pictures, exact += o.exact, figures += o.figures, found += o.found;
  colour += o.colour, pose += o.pose, feature += o.feature, wrong += o.wrong;
  beside += o.beside, beside_found += o.beside_found, beside_colour += o.beside_colour;
  beside_false += o.beside_false;
  foot_as_told += o.foot_as_told;
  foot_mm.insert(foot_mm.end(), o.foot_mm.begin(), o.foot_mm.end());
  ms.insert(ms.end(), o.ms.begin(), o.ms.end());
  kinds.Add(o.kinds);
  for (const auto& [colours, of] : o.cloths) cloths[colours] += of;
}

namespace {

FigureKindNetwork* Kinds() {
  static absl::StatusOr<FigureKindNetwork> network = FigureKindNetwork::Load();
  if (!network.ok()) throw std::runtime_error(std::string(network.status().message()));
  return &*network;
}

std::string MostlyLike(const std::vector<ClothColour>& cloth) {
  std::string colours;
  for (const ClothColour& like : cloth) {
    if (like.share > 0.5) colours += (colours.empty() ? "" : ", ") + like.colour;
  }
  return colours.empty() ? "none of them" : colours;
}

// As the program does it: the network beside the tiles' pictures, or by itself.
std::vector<SightedFigure> FindFigures(const cv::Mat& frame, Table table, bool by_look,
                                       const Options& options, std::string* cloth) {
  static absl::StatusOr<FigureNetwork> network = FigureNetwork::Load();
  if (!network.ok()) throw std::runtime_error(std::string(network.status().message()));
  if (by_look) {
    for (NamedTile& tile : table.tiles) tile.expected = cv::Mat();
  }
  FigureFinder finder(&*network, FigureGround::kTilesOnTable, Kinds());
  std::vector<SightedFigure> figures = finder.Find(frame, table.tiles, table.plane, {}, options);
  *cloth = MostlyLike(finder.cloth());
  return figures;
}

FigureCounts Measure(const cv::Mat& frame, const json& scene, const json& beside, int south,
                     const FeatureUnder& under, const Table& table, const std::string& name,
                     const Telling& telling) {
  Options options;
  options.debug_folder = telling.debug_folder;
  if (telling.special) {
    options.special_figures = {FigureKind::kAbbot, FigureKind::kProphet, FigureKind::kArk,
                               FigureKind::kGingerbreadMan};
  }
  const auto begin = std::chrono::steady_clock::now();
  std::string cloth;
  const auto figures = FindFigures(frame, table, telling.by_look, options, &cloth);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  FigureCounts n =
      Compare(scene, beside, south, under, table, figures, frame.size(), telling.errors);
  n.ms.push_back(took.count());
  ++n.cloths[cloth];
  if (telling.errors && !n.exact) n.Print("  " + name);
  return n;
}

}  // namespace

FigureCounts ScoreFigures(const fs::path& tables, const std::string& set, const Telling& telling) {
  const std::map<std::string, cv::Mat> references =
      LoadReferences(tables / "enrol/enrol_wiki_easy.json", "letter", "corners_px");
  const json art = LoadJson(tables / "art.json");
  const json truth = LoadJson(tables / set);
  const bool sequence = truth.contains("timeline");
  const json scenes = sequence ? truth["timeline"] : json::array({truth});
  const FeatureUnder under = [&](const NamedTile& tile, const SightedFigure& f) {
    return FeatureAt(art["tiles"][tile.tile], tile.rotation, f.foot, f.standing_probability > 0.5);
  };
  FigureCounts total;
  for (const json& scene : scenes) {
    if (sequence && !scene["settled"].get<bool>()) continue;
    const std::string file = sequence ? scene["file"].get<std::string>()
                                      : fs::path(set).filename().replace_extension(".jpg").string();
    if (file.find(telling.only) == std::string::npos) continue;
    std::vector<TrueTile> tiles;
    for (const json& t : scene["tiles"]) {
      tiles.push_back({{t["cell"][0].get<int>(), -t["cell"][1].get<int>()},
                       t["letter"],
                       t["rotation"],
                       CornersOf(t["corners_px"])});
    }
    const cv::Mat frame = cv::imread(((tables / set).parent_path() / file).string());
    total.Add(Measure(frame, scene, truth["offboard_meeples"], -1, under,
                      TableOf(tiles, references), file, telling));
  }
  return total;
}

FigureCounts ScoreVirtualStill(const fs::path& types, const fs::path& still,
                               const Telling& telling) {
  const VirtualStill loaded = LoadVirtualStill(types, still);
  const json& truth = loaded.truth;
  const auto set = engine::TileSet::Load(truth["tile_set"].get<std::string>());
  if (!set.ok()) throw std::runtime_error(std::string(set.status().message()));
  const FeatureUnder under = [&](const NamedTile& tile, const SightedFigure& f) {
    const int type = (*set)->Find(tile.tile);
    return FeatureByLayout((*set)->types()[static_cast<std::size_t>(type)], tile.rotation, f);
  };
  return Measure(loaded.picture, truth, truth["offboard_meeples"], 1, under, loaded.table,
                 fs::path(still).filename().replace_extension(".jpg").string(), telling);
}

}  // namespace tilewarden::vision
