#include "tests/virtual_table/story/truth.h"

#include <cmath>
#include <map>
#include <string>

#include "tests/virtual_table/scene/wooden_figures.h"

namespace tilewarden::virtual_table {
namespace {

using nlohmann::json;

double Rounded(double v, double steps = 100) { return std::round(v * steps) / steps; }

json Px(cv::Point2d p) { return json::array({Rounded(p.x), Rounded(p.y)}); }

json World(const cv::Vec3f& p) {
  return json::array({Rounded(p[0]), Rounded(p[1]), Rounded(p[2])});
}

json BoxAround(const TableCamera& camera, const std::vector<cv::Vec3f>& points) {
  double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
  for (const cv::Vec3f& p : points) {
    const cv::Point2d px = camera.ProjectPoint(p);
    x0 = std::min(x0, px.x), x1 = std::max(x1, px.x);
    y0 = std::min(y0, px.y), y1 = std::max(y1, px.y);
  }
  return {Rounded(x0), Rounded(y0), Rounded(x1), Rounded(y1)};
}

// Edges, clockwise from north, of the usual lettered pictures of the base tiles.
const std::map<char, std::string>& LetterEdges() {
  static const std::map<char, std::string> edges = {
      {'A', "ffrf"}, {'B', "ffff"}, {'C', "cccc"}, {'D', "crfr"}, {'E', "cfff"}, {'F', "fcfc"},
      {'G', "fcfc"}, {'H', "cfcf"}, {'I', "cffc"}, {'J', "crrf"}, {'K', "cfrr"}, {'L', "crrr"},
      {'M', "cffc"}, {'N', "cffc"}, {'O', "crrc"}, {'P', "crrc"}, {'Q', "ccfc"}, {'R', "ccfc"},
      {'S', "ccrc"}, {'T', "ccrc"}, {'U', "rfrf"}, {'V', "ffrr"}, {'W', "frrr"}, {'X', "rrrr"}};
  return edges;
}

bool IsBase(const engine::TileType& type) {
  return type.id.size() >= 3 && type.id.rfind("B.", 0) == 0;
}

}  // namespace

int LetterTurn(const engine::TileType& type) {
  if (!IsBase(type)) return 0;
  const auto it = LetterEdges().find(type.id[2]);
  if (it == LetterEdges().end()) return 0;
  for (int turn = 0; turn < 4; ++turn) {
    bool same = true;
    for (int i = 0; i < 4; ++i) {
      same &= it->second[static_cast<std::size_t>(i)] ==
              type.edges[static_cast<std::size_t>((i - turn + 4) & 3)];
    }
    if (same) return turn;
  }
  return 0;
}

json CameraTruth(const TableCamera& camera) {
  json rows = json::array();
  for (int i = 0; i < 3; ++i) {
    rows.push_back({camera.r(i, 0), camera.r(i, 1), camera.r(i, 2)});
  }
  return {{"image_size", {camera.size_px.width, camera.size_px.height}},
          {"fx", camera.f_px},
          {"fy", camera.f_px},
          {"cx", camera.cx},
          {"cy", camera.cy},
          {"dist_k1_k2_p1_p2_k3", {camera.k1, camera.k2, 0, 0, 0}},
          {"R_world_to_camera", rows},
          {"t_mm", {camera.t[0], camera.t[1], camera.t[2]}}};
}

json TileTruth(const TableCamera& camera, const engine::TileSet& tiles, const TileOnBoard& tile) {
  const engine::TileType& type = tiles.types()[static_cast<std::size_t>(tile.tile.tile)];
  const auto corners = TopCorners(tile.card.stand);
  json canonical = json::array(), lettered = json::array();
  const int turn = LetterTurn(type);
  for (int i = 0; i < 4; ++i) {
    const auto px = [&](int k) {
      return Px(camera.ProjectPoint(corners[static_cast<std::size_t>(k & 3)]));
    };
    canonical.push_back(px(i));
    lettered.push_back(px(i - turn + 4));
  }
  std::string edges_now(4, ' ');
  for (int i = 0; i < 4; ++i) {
    edges_now[static_cast<std::size_t>(i)] =
        type.edges[static_cast<std::size_t>((i - tile.tile.rotation + 8) & 3)];
  }
  return {{"tile", type.id},
          {"letter", IsBase(type) ? type.id.substr(2, 1) : ""},
          {"copy", tile.card.copy},
          {"rotation", tile.tile.rotation},
          {"cell", {tile.tile.cell.x, tile.tile.cell.y}},
          {"edges_now", edges_now},
          {"world_mm", World(tile.card.stand.ToWorld(0, 0, kCardThickness_mm))},
          {"corners_px", lettered},
          {"canonical_corners_px", canonical}};
}

json FigureTruth(const TableCamera& camera, const engine::TileSet& tiles, const TileOnBoard& on,
                 const FigureOnBoard& figure) {
  json truth = LooseFigureTruth(camera, figure.thing);
  const auto& type = tiles.types()[static_cast<std::size_t>(on.tile.tile)];
  const auto segment = static_cast<std::size_t>(figure.figure.segment);
  truth["cell"] = {figure.figure.cell.x, figure.figure.cell.y};
  truth["segment"] = figure.figure.segment;
  truth["feature"] = engine::ToString(type.segments[segment].kind);
  truth["player"] = figure.figure.player;
  return truth;
}

json LooseFigureTruth(const TableCamera& camera, const Figure& figure) {
  std::vector<cv::Vec3f> points;
  for (const Caster& part : Build(figure).casters) {
    points.insert(points.end(), part.points.begin(), part.points.end());
  }
  return {{"colour", figure.colour},
          {"figure", NameOf(figure.kind)},
          {"kind", figure.lying ? "lying" : "standing"},
          {"world_mm", World(figure.stand.at)},
          {"base_px", Px(camera.ProjectPoint(figure.stand.at))},
          {"bbox_px", BoxAround(camera, points)}};
}

json PropTruth(const TableCamera& camera, const Prop& prop) {
  std::vector<cv::Vec3f> points;
  for (const Mesh& mesh : Build(prop).meshes) {
    for (const Vertex& vertex : mesh.vertices) points.push_back(vertex.at);
  }
  return {{"what", NameOf(prop.kind)},
          {"centre_px", Px(camera.ProjectPoint(prop.stand.at))},
          {"bbox_px", BoxAround(camera, points)}};
}

}  // namespace tilewarden::virtual_table
