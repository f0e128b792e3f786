#include "tests/virtual_table/picture/mesh.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

#include "tests/virtual_table/picture/mesh_parts.h"

namespace tilewarden::virtual_table {

void Shape::Add(Shape other) {
  std::move(other.meshes.begin(), other.meshes.end(), std::back_inserter(meshes));
  std::move(other.casters.begin(), other.casters.end(), std::back_inserter(casters));
}

cv::Vec3f Stand::ToWorld(double x, double y, double z) const {
  const double c = std::cos(yaw_rad), s = std::sin(yaw_rad);
  return {static_cast<float>(at[0] + c * x - s * y), static_cast<float>(at[1] + s * x + c * y),
          static_cast<float>(at[2] + z)};
}

Shape MakeCard(const Stand& stand, std::shared_ptr<const Texture> face, bool on_table,
               float gloss) {
  Shape shape;
  Mesh top;
  top.gloss = gloss;
  top.receiver = on_table ? Receiver::kCardTop : Receiver::kNone;
  shape.meshes.push_back(Slab(stand, kTile_mm, kTile_mm, kCardThickness_mm, 0.3,
                              LinearBgr(196, 186, 166), kWhite, std::move(face), &top));
  shape.meshes.push_back(std::move(top));
  shape.casters.push_back(BoxCaster(stand, kTile_mm, kTile_mm, kCardThickness_mm));
  shape.casters.back().lying_card = on_table;
  return shape;
}

Shape MakeSheet(const Stand& stand, cv::Size2d size_mm, std::shared_ptr<const Texture> picture) {
  // A lens bends the lines of large sheets, and only corners of faces go through it.
  constexpr int kPieces = 32;
  Shape shape;
  Mesh top;
  top.receiver = Receiver::kTable;
  top.gloss = 0.05F;
  shape.meshes.push_back(Slab(stand, size_mm.width, size_mm.height, 0.4, 0.1,
                              LinearBgr(220, 216, 206), kWhite, std::move(picture), &top, kPieces));
  shape.meshes.push_back(std::move(top));
  return shape;
}

Shape MakePhone(const Stand& stand) {
  Shape shape;
  Mesh top;
  top.gloss = 0.6F;
  const cv::Vec3f black = LinearBgr(26, 27, 30);
  shape.meshes.push_back(Slab(stand, 72, 150, 8, 1.5, LinearBgr(52, 54, 58), black, nullptr, &top));
  shape.meshes.push_back(std::move(top));
  shape.casters.push_back(BoxCaster(stand, 72, 150, 8));
  return shape;
}

Shape MakePen(const Stand& stand, cv::Vec3f colour) {
  Shape shape;
  Mesh mesh;
  mesh.gloss = 0.4F;
  constexpr int kSides = 12;
  const std::array<std::pair<double, double>, 6> profile = {
      {{-70, 0.4}, {-62, 4}, {-58, 4.4}, {60, 4.4}, {66, 3.8}, {66, 0.0}}};
  for (const auto& [x, radius] : profile) {
    for (int k = 0; k <= kSides; ++k) {
      const double t = 2 * std::numbers::pi * k / kSides, c = std::cos(t), s = std::sin(t);
      const cv::Vec3f at = stand.ToWorld(x, radius * c, 4.4 + radius * s);
      AddVertex(&mesh, at, stand.ToWorld(x, 9 * c, 4.4 + 9 * s) - stand.ToWorld(x, 0, 4.4),
                x < -60 ? LinearBgr(190, 190, 186) : colour);
    }
  }
  for (int i = 0; i + 1 < static_cast<int>(profile.size()); ++i) {
    for (int k = 0; k < kSides; ++k) {
      const int a = i * (kSides + 1) + k;
      mesh.faces.push_back({a, a + 1, a + kSides + 1});
      mesh.faces.push_back({a + 1, a + kSides + 2, a + kSides + 1});
    }
  }
  shape.meshes.push_back(std::move(mesh));
  shape.casters.push_back(BoxCaster(stand, 136, 7, 8));
  return shape;
}

Shape MakeMug(const Stand& stand, cv::Vec3f colour) {
  Shape shape;
  shape.meshes.push_back(Lathe(
      stand, {{36, 0}, {39, 3}, {41, 20}, {41, 92}, {40.2, 94}, {38.6, 94}, {37.6, 92}, {37, 70}},
      colour, 0.5F));
  shape.meshes.push_back(
      Lathe(stand, {{37.4, 77.5}, {37, 78}, {20, 78}, {0, 78}}, LinearBgr(46, 26, 16), 0.5F));
  // The handle: a ring of circles in the local x-z plane.
  Mesh handle;
  handle.gloss = 0.5F;
  constexpr int kAround = 18, kSides = 12;
  for (int i = 0; i <= kAround; ++i) {
    const double a = -1.75 + 3.5 * i / kAround;
    const cv::Vec3d middle = {40 + 24 * std::cos(a), 0, 48 + 27 * std::sin(a)};
    for (int k = 0; k <= kSides; ++k) {
      const double t = 2 * std::numbers::pi * k / kSides;
      const cv::Vec3d n = {std::cos(a) * std::cos(t), std::sin(t), std::sin(a) * std::cos(t)};
      const cv::Vec3d p = middle + n * 5.0;
      AddVertex(&handle, stand.ToWorld(p[0], p[1], p[2]),
                stand.ToWorld(n[0], n[1], n[2]) - stand.ToWorld(0, 0, 0), colour);
    }
  }
  for (int i = 0; i < kAround; ++i) {
    for (int k = 0; k < kSides; ++k) {
      const int a = i * (kSides + 1) + k;
      handle.faces.push_back({a, a + 1, a + kSides + 1});
      handle.faces.push_back({a + 1, a + kSides + 2, a + kSides + 1});
    }
  }
  shape.meshes.push_back(std::move(handle));
  Caster body;
  for (int k = 0; k < 24; ++k) {
    const double t = 2 * std::numbers::pi * k / 24;
    body.points.push_back(stand.ToWorld(38 * std::cos(t), 38 * std::sin(t), 0));
    body.points.push_back(stand.ToWorld(41 * std::cos(t), 41 * std::sin(t), 94));
  }
  shape.casters.push_back(std::move(body));
  Caster ring;
  for (const double z : {22.0, 48.0, 74.0}) {
    for (const double y : {-5.0, 5.0})
      ring.points.push_back(stand.ToWorld(z == 48 ? 69 : 52, y, z));
  }
  shape.casters.push_back(std::move(ring));
  return shape;
}

Mesh MakeTable(cv::Rect2d rect_mm, std::shared_ptr<const Texture> texture, float gloss) {
  Mesh mesh;
  mesh.texture = std::move(texture);
  mesh.gloss = gloss;
  mesh.receiver = Receiver::kTable;
  constexpr int kCells = 28;
  for (int j = 0; j <= kCells; ++j) {
    for (int i = 0; i <= kCells; ++i) {
      const double u = 1.0 * i / kCells, v = 1.0 * j / kCells;
      AddVertex(&mesh,
                {static_cast<float>(rect_mm.x + u * rect_mm.width),
                 static_cast<float>(rect_mm.y + (1 - v) * rect_mm.height), 0},
                {0, 0, 1}, kWhite, {static_cast<float>(u), static_cast<float>(v)});
    }
  }
  for (int j = 0; j < kCells; ++j) {
    for (int i = 0; i < kCells; ++i) {
      const int a = j * (kCells + 1) + i;
      mesh.faces.push_back({a, a + 1, a + kCells + 1});
      mesh.faces.push_back({a + 1, a + kCells + 2, a + kCells + 1});
    }
  }
  return mesh;
}

}  // namespace tilewarden::virtual_table
