#include "tests/virtual_table/scene/wooden_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "opencv2/imgproc.hpp"
#include "tests/virtual_table/picture/mesh_parts.h"

namespace tilewarden::virtual_table {
namespace {

using Outline = std::vector<cv::Point2d>;

// What is sawn: silhouette in mm, x across, y up from the soles.
struct Wood {
  Outline outline;  // counter-clockwise
  double height_mm, thickness_mm;
  std::vector<Outline> parts;  // about convex, for the shadows
};

// Both halves of a silhouette from where its legs meet and its right side, upwards to the top.
Outline BothHalves(cv::Point2d crotch, const Outline& right) {
  Outline all = {crotch};
  all.insert(all.end(), right.begin(), right.end());
  for (std::size_t i = right.size() - 1; i-- > 0;) all.push_back({-right[i].x, right[i].y});
  return all;
}

// What of an outline lies between neighbouring heights.
std::vector<Outline> Bands(const Outline& outline, const std::vector<double>& heights) {
  std::vector<Outline> bands;
  for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
    Outline band;
    for (std::size_t i = 0; i < outline.size(); ++i) {
      const cv::Point2d a = outline[i], b = outline[(i + 1) % outline.size()];
      if (a.y >= heights[k] && a.y <= heights[k + 1]) band.push_back(a);
      for (const double y : {heights[k], heights[k + 1]}) {
        if ((a.y < y) != (b.y < y)) band.push_back(a + (b - a) * ((y - a.y) / (b.y - a.y)));
      }
    }
    bands.push_back(std::move(band));
  }
  return bands;
}

Wood Follower() {
  Wood wood{BothHalves({0.0, 3.6}, {{1.4, 2.4},
                                    {2.3, 0.0},
                                    {7.0, 0.0},
                                    {7.5, 0.9},
                                    {6.2, 4.3},
                                    {5.4, 6.7},
                                    {7.6, 7.7},
                                    {8.1, 8.7},
                                    {7.7, 9.8},
                                    {5.4, 10.9},
                                    {3.3, 11.3},
                                    {3.0, 12.1},
                                    {3.4, 13.4},
                                    {3.0, 14.8},
                                    {1.8, 15.8},
                                    {0.0, 16.0}}),
            16,
            9,
            {}};
  // Head, arms, and each leg.
  wood.parts = {
      {{3.0, 11.0},
       {3.4, 13.4},
       {3.0, 14.8},
       {1.8, 15.8},
       {-1.8, 15.8},
       {-3.0, 14.8},
       {-3.4, 13.4},
       {-3.0, 11.0}},
      {{5.4, 6.7},
       {7.6, 7.7},
       {8.1, 8.7},
       {7.7, 9.8},
       {5.4, 10.9},
       {-5.4, 10.9},
       {-7.7, 9.8},
       {-8.1, 8.7},
       {-7.6, 7.7},
       {-5.4, 6.7}},
      {{0, 3.6}, {2.3, 0}, {7.0, 0}, {7.5, 0.9}, {5.4, 7}, {0, 7}},
      {{0, 3.6}, {-2.3, 0}, {-7.0, 0}, {-7.5, 0.9}, {-5.4, 7}, {0, 7}},
  };
  return wood;
}

Wood LargeFollower() {
  constexpr double kWider = 18.5 / 16.2, kHigher = 19.3 / 16.0;
  Wood wood = Follower();
  const auto grow = [](Outline& outline) {
    for (cv::Point2d& p : outline) p = {p.x * kWider, p.y * kHigher};
  };
  grow(wood.outline);
  for (Outline& part : wood.parts) grow(part);
  wood.height_mm *= kHigher;
  wood.thickness_mm = 9.9;
  return wood;
}

Wood Abbot() {
  Wood wood{BothHalves({0, 0}, {{6.4, 0},
                                {6.9, 0.8},
                                {6.4, 3.8},
                                {7.6, 5.0},
                                {7.8, 6.2},
                                {7.0, 7.6},
                                {5.0, 10.6},
                                {3.4, 11.6},
                                {2.7, 12.2},
                                {3.2, 13.0},
                                {3.7, 14.6},
                                {3.2, 16.4},
                                {1.6, 18.4},
                                {0, 19.2}}),
            19.2,
            9.5,
            {}};
  wood.parts = Bands(wood.outline, {0, 4, 8, 12.2, 19.2});
  return wood;
}

Wood GingerbreadMan() {
  Wood wood{BothHalves({0, 4.5}, {{1.6, 3.6},
                                  {2.2, 0.8},
                                  {3.6, 0},
                                  {6.2, 0},
                                  {7.6, 1.4},
                                  {7.2, 3.6},
                                  {5.4, 8.6},
                                  {5.6, 10.4},
                                  {8.8, 10.2},
                                  {10.2, 11.4},
                                  {10.2, 13.6},
                                  {8.8, 14.8},
                                  {4.2, 15.2},
                                  {3.2, 16.0},
                                  {4.6, 18.0},
                                  {4.8, 20.4},
                                  {3.4, 22.6},
                                  {1.6, 23.6},
                                  {0, 23.8}}),
            23.8,
            8,
            {}};
  wood.parts = Bands(wood.outline, {0, 4.5, 10.2, 15.2, 23.8});
  return wood;
}

// A chest on feet with its carrying poles, two wings above the lid.
Wood Ark() {
  Wood wood{BothHalves({0, 1.6}, {{6.5, 1.6},
                                  {6.8, 0},
                                  {8.8, 0},
                                  {9, 1.6},
                                  {9, 7},
                                  {12.6, 7},
                                  {13, 7.8},
                                  {12.6, 8.8},
                                  {9, 8.8},
                                  {9, 12},
                                  {7.6, 12.8},
                                  {6.6, 16.4},
                                  {5.2, 19.0},
                                  {3.6, 20},
                                  {2.6, 18.4},
                                  {2.0, 15},
                                  {0, 14}}),
            20,
            10,
            {}};
  wood.parts = Bands(wood.outline, {0, 7, 8.8, 14, 20});
  return wood;
}

// In a hat, elbows out.
Wood Builder() {
  Wood wood{BothHalves({0, 3}, {{1.6, 0},
                                {5, 0},
                                {4.6, 4},
                                {4.4, 6},
                                {7, 9},
                                {4.4, 12.2},
                                {2.4, 12.8},
                                {2.6, 14.6},
                                {5, 15},
                                {4.8, 16},
                                {2.8, 16.2},
                                {2.4, 18.4},
                                {0, 18.8}}),
            18.8,
            9,
            {}};
  wood.parts = Bands(wood.outline, {0, 6, 12.8, 15, 18.8});
  return wood;
}

Wood Pig() {
  Wood wood{{{-8, 0},
             {-5, 0},
             {-4.2, 3},
             {3, 3},
             {3.8, 0},
             {6.6, 0},
             {7, 4},
             {10, 5},
             {10, 8},
             {7.4, 9},
             {6.6, 12},
             {4.6, 10.6},
             {-6, 11},
             {-8.4, 9},
             {-10, 9.6},
             {-10, 8},
             {-8.6, 7}},
            12,
            9,
            {}};
  wood.parts = Bands(wood.outline, {3, 8, 12});
  return wood;
}

const Wood& WoodOf(engine::FigureKind kind) {
  static const std::array<Wood, 8> kinds = {
      Follower(),       Abbot(),         LargeFollower(), Ark(),
      GingerbreadMan(), LargeFollower(), Builder(),       Pig()};
  return kinds[static_cast<std::size_t>(kind)];
}

// A golden chest on a sandy ground, as printed on cardboard.
std::shared_ptr<const Texture> ArkPicture() {
  static const auto picture = [] {
    cv::Mat print(340, 240, CV_8UC3, cv::Scalar(132, 190, 222));
    const cv::Scalar gold(60, 158, 212), line(34, 66, 104);
    const auto box = [&](cv::Rect rect) {
      cv::rectangle(print, rect, gold, cv::FILLED);
      cv::rectangle(print, rect, line, 4);
    };
    cv::line(print, {10, 230}, {230, 230}, line, 12);
    box({50, 180, 140, 100});
    box({40, 160, 160, 24});
    for (const int side : {-1, 1}) {
      const std::vector<cv::Point> wing = {{120 + side * 70, 160},
                                           {120 + side * 84, 96},
                                           {120 + side * 50, 60},
                                           {120 + side * 10, 92},
                                           {120 + side * 36, 160}};
      cv::fillPoly(print, std::vector<std::vector<cv::Point>>{wing}, gold);
      cv::polylines(print, std::vector<std::vector<cv::Point>>{wing}, true, line, 4);
    }
    cv::rectangle(print, {2, 2, 236, 336}, line, 4);
    return std::make_shared<const Texture>(print);
  }();
  return picture;
}

}  // namespace

Shape MakeFigure(const Stand& stand, cv::Vec3f colour, bool lying, engine::FigureKind kind) {
  const Wood& wood = WoodOf(kind);
  const auto& outline = wood.outline;
  const std::size_t n = outline.size();
  constexpr double kBevel = 0.7;
  // Each point moved inwards along the mean normal of its two sides.
  std::vector<cv::Point2d> normals(n), inner(n);
  for (std::size_t i = 0; i < n; ++i) {
    const cv::Point2d d = outline[(i + 1) % n] - outline[(i + n - 1) % n];
    normals[i] = cv::Point2d{d.y, -d.x} / std::max(1e-9, cv::norm(d));
    inner[i] = outline[i] - normals[i] * kBevel;
  }
  // Outline plane and thickness to world: standing x, thickness y, height z;
  // lying the outline lies flat, its middle at the stand.
  const auto place = [&](cv::Point2d p, double thick) {
    return lying ? stand.ToWorld(p.x, p.y - wood.height_mm / 2, thick + wood.thickness_mm / 2)
                 : stand.ToWorld(p.x, thick, p.y);
  };
  const cv::Vec3f zero = place({0, 0}, 0);
  const auto direction = [&](cv::Point2d p, double thick) { return place(p, thick) - zero; };
  // Paint is darker near the table, where little light of the room comes.
  const auto tint = [&](const cv::Vec3f& at) {
    const double height = at[2] - stand.at[2];
    return colour * static_cast<float>(0.62 + 0.38 * std::min(1.0, height / 9));
  };
  Mesh mesh;
  mesh.gloss = 0.16F;
  const double half = wood.thickness_mm / 2;
  for (const double face : {-1.0, 1.0}) {
    const int base = static_cast<int>(mesh.vertices.size());
    for (std::size_t i = 0; i < n; ++i) {
      const cv::Vec3f at = place(inner[i], face * half);
      AddVertex(&mesh, at, direction({0, 0}, face), tint(at));
    }
    for (const auto& f : Triangles(inner)) {
      mesh.faces.push_back({base + f[0], base + f[1], base + f[2]});
    }
  }
  const std::array<std::pair<bool, double>, 4> rings = {
      {{true, -half}, {false, -half + kBevel}, {false, half - kBevel}, {true, half}}};
  for (std::size_t r = 0; r + 1 < rings.size(); ++r) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = (i + 1) % n;
      const auto corner = [&](std::size_t k, std::size_t which) {
        const cv::Vec3f at = place(rings[which].first ? inner[k] : outline[k], rings[which].second);
        const cv::Vec3f normal =
            direction(normals[k], rings[which].first ? (rings[which].second > 0 ? 1 : -1) : 0);
        return AddVertex(&mesh, at, normal, tint(at));
      };
      const int a = corner(i, r), b = corner(j, r), c = corner(j, r + 1), d = corner(i, r + 1);
      mesh.faces.push_back({a, b, c});
      mesh.faces.push_back({a, c, d});
    }
  }
  Shape shape;
  shape.meshes.push_back(std::move(mesh));
  for (const auto& part : wood.parts) {
    Caster caster;
    for (const auto& p : part) {
      caster.points.push_back(place(p, -half));
      caster.points.push_back(place(p, half));
    }
    shape.casters.push_back(std::move(caster));
  }
  return shape;
}

Shape MakeArkCard(const Stand& stand) {
  constexpr double kWidth = 24, kHeight = 34, kThickness = 2, kSunk = 3;
  const cv::Size2d foot(26, 15);
  constexpr double kFootHeight = 6;
  Shape shape;
  const cv::Vec3f black = LinearBgr(34, 34, 36);
  Mesh top;
  top.gloss = 0.3F;
  shape.meshes.push_back(
      Slab(stand, foot.width, foot.height, kFootHeight, 2.5, black, black, nullptr, &top));
  shape.meshes.push_back(std::move(top));
  Mesh rim, print;
  print.texture = ArkPicture();
  print.gloss = 0.1F;
  const double low = kSunk, high = kSunk + kHeight - kFootHeight / 2, x = kWidth / 2;
  const auto direction = [&](double dx, double dy, double dz) {
    return stand.ToWorld(dx, dy, dz) - stand.ToWorld(0, 0, 0);
  };
  for (const double side : {-1.0, 1.0}) {
    const double y = side * kThickness / 2;
    const int first = static_cast<int>(print.vertices.size());
    // Both sides show it the right way round.
    for (const auto& [u, v] : {std::pair{0.F, 1.F}, {1.F, 1.F}, {1.F, 0.F}, {0.F, 0.F}}) {
      AddVertex(&print, stand.ToWorld(-side * (u - 0.5) * kWidth, y, v > 0 ? low : high),
                direction(0, side, 0), kWhite, {u, v});
    }
    print.faces.push_back({first, first + 1, first + 2});
    print.faces.push_back({first, first + 2, first + 3});
    AddQuad(&rim,
            {stand.ToWorld(side * x, -kThickness / 2, low),
             stand.ToWorld(side * x, kThickness / 2, low),
             stand.ToWorld(side * x, kThickness / 2, high),
             stand.ToWorld(side * x, -kThickness / 2, high)},
            direction(side, 0, 0), LinearBgr(206, 196, 176));
  }
  AddQuad(&rim,
          {stand.ToWorld(-x, -kThickness / 2, high), stand.ToWorld(x, -kThickness / 2, high),
           stand.ToWorld(x, kThickness / 2, high), stand.ToWorld(-x, kThickness / 2, high)},
          {0, 0, 1}, LinearBgr(206, 196, 176));
  shape.meshes.push_back(std::move(rim));
  shape.meshes.push_back(std::move(print));
  shape.casters.push_back(BoxCaster(stand, foot.width, foot.height, kFootHeight));
  shape.casters.push_back(BoxCaster(stand, kWidth, kThickness, high));
  return shape;
}

std::string_view NameOf(engine::FigureKind kind) {
  switch (kind) {
    case engine::FigureKind::kAbbot:
      return "abbot";
    case engine::FigureKind::kProphet:
      return "prophet";
    case engine::FigureKind::kArk:
      return "ark";
    case engine::FigureKind::kGingerbreadMan:
      return "gingerbread-man";
    case engine::FigureKind::kLargeFollower:
      return "large-follower";
    case engine::FigureKind::kBuilder:
      return "builder";
    case engine::FigureKind::kPig:
      return "pig";
    case engine::FigureKind::kFollower:
      break;
  }
  return "follower";
}

}  // namespace tilewarden::virtual_table
