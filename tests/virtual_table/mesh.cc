#include "tests/virtual_table/mesh.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

namespace tilewarden::virtual_table {
namespace {

const cv::Vec3f kWhite = {1, 1, 1};

cv::Vec3f Unit(cv::Vec3f v) {
  const float n = static_cast<float>(cv::norm(v));
  return n > 1e-9F ? v * (1 / n) : cv::Vec3f{0, 0, 1};
}

int Add(Mesh* mesh, cv::Vec3f at, cv::Vec3f normal, cv::Vec3f colour, cv::Vec2f uv = {0, 0}) {
  mesh->vertices.push_back({at, Unit(normal), uv, colour});
  return static_cast<int>(mesh->vertices.size()) - 1;
}

// A flat four-sided face with its own corners.
void AddQuad(Mesh* mesh, const std::array<cv::Vec3f, 4>& p, cv::Vec3f normal, cv::Vec3f colour) {
  const int a = Add(mesh, p[0], normal, colour), b = Add(mesh, p[1], normal, colour);
  const int c = Add(mesh, p[2], normal, colour), d = Add(mesh, p[3], normal, colour);
  mesh->faces.push_back({a, b, c});
  mesh->faces.push_back({a, c, d});
}

double Cross(cv::Point2d a, cv::Point2d b, cv::Point2d c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Ear clipping of a counter-clockwise outline.
std::vector<std::array<int, 3>> Triangles(const std::vector<cv::Point2d>& outline) {
  std::vector<int> left(outline.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<int>(i);
  std::vector<std::array<int, 3>> faces;
  while (left.size() > 3) {
    bool clipped = false;
    for (std::size_t i = 0; i < left.size() && !clipped; ++i) {
      const int ia = left[(i + left.size() - 1) % left.size()], ib = left[i];
      const int ic = left[(i + 1) % left.size()];
      const auto point = [&](int k) { return outline[static_cast<std::size_t>(k)]; };
      if (Cross(point(ia), point(ib), point(ic)) <= 0) continue;
      bool ear = true;
      for (const int k : left) {
        if (k == ia || k == ib || k == ic) continue;
        ear &= Cross(point(ia), point(ib), point(k)) < 0 ||
               Cross(point(ib), point(ic), point(k)) < 0 ||
               Cross(point(ic), point(ia), point(k)) < 0;
      }
      if (!ear) continue;
      faces.push_back({ia, ib, ic});
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      clipped = true;
    }
    if (!clipped) break;
  }
  if (left.size() == 3) faces.push_back({left[0], left[1], left[2]});
  return faces;
}

// A surface of revolution about the stand's vertical: (radius, height) pairs.
Mesh Lathe(const Stand& stand, const std::vector<cv::Point2d>& profile, cv::Vec3f colour,
           float gloss) {
  constexpr int kSides = 40;
  Mesh mesh;
  mesh.gloss = gloss;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const cv::Point2d a = profile[i > 0 ? i - 1 : 0];
    const cv::Point2d b = profile[std::min(i + 1, profile.size() - 1)];
    const double nr = b.y - a.y, nz = a.x - b.x;
    for (int k = 0; k <= kSides; ++k) {
      const double t = 2 * std::numbers::pi * k / kSides, c = std::cos(t), s = std::sin(t);
      const cv::Vec3f at = stand.ToWorld(profile[i].x * c, profile[i].x * s, profile[i].y);
      const cv::Vec3f to =
          stand.ToWorld(profile[i].x * c + nr * c, profile[i].x * s + nr * s, profile[i].y + nz);
      Add(&mesh, at, to - at, colour);
    }
  }
  const int row = kSides + 1;
  for (int i = 0; i + 1 < static_cast<int>(profile.size()); ++i) {
    for (int k = 0; k < kSides; ++k) {
      const int a = i * row + k;
      mesh.faces.push_back({a, a + 1, a + row});
      mesh.faces.push_back({a + 1, a + row + 1, a + row});
    }
  }
  return mesh;
}

Caster BoxCaster(const Stand& stand, double w, double h, double z) {
  Caster caster;
  for (const double sx : {-0.5, 0.5}) {
    for (const double sy : {-0.5, 0.5}) {
      for (const double at : {0.0, z}) caster.points.push_back(stand.ToWorld(sx * w, sy * h, at));
    }
  }
  return caster;
}

// A slab with a slightly rounded upper rim; its top is textured if `face`.
Mesh Slab(const Stand& stand, double w, double h, double z, double bevel, cv::Vec3f side,
          cv::Vec3f top, std::shared_ptr<const Texture> face, Mesh* top_mesh, int pieces = 1) {
  Mesh mesh;
  constexpr std::array<std::pair<double, double>, 4> kCorners = {
      {{-0.5, 0.5}, {0.5, 0.5}, {0.5, -0.5}, {-0.5, -0.5}}};
  const auto ring = [&](int i, double inset, double height) {
    const auto [sx, sy] = kCorners[static_cast<std::size_t>(i & 3)];
    return stand.ToWorld(sx * (w - 2 * inset), sy * (h - 2 * inset), height);
  };
  const cv::Vec3f up = {0, 0, 1};
  for (int i = 0; i < 4; ++i) {
    const cv::Vec3f out = Unit((ring(i, 0, 0) + ring(i + 1, 0, 0)) * 0.5F -
                               (ring(i + 2, 0, 0) + ring(i + 3, 0, 0)) * 0.5F);
    AddQuad(&mesh,
            {ring(i, 0, 0), ring(i + 1, 0, 0), ring(i + 1, 0, z - bevel), ring(i, 0, z - bevel)},
            out, side);
    AddQuad(&mesh,
            {ring(i, 0, z - bevel), ring(i + 1, 0, z - bevel), ring(i + 1, bevel, z),
             ring(i, bevel, z)},
            out + up, side * 0.6F + top * 0.4F);
  }
  top_mesh->texture = std::move(face);
  const float du = static_cast<float>(bevel / w), dv = static_cast<float>(bevel / h);
  const cv::Vec3f corner = ring(0, bevel, z), right = ring(1, bevel, z) - corner,
                  down = ring(3, bevel, z) - corner;
  for (int j = 0; j <= pieces; ++j) {
    for (int i = 0; i <= pieces; ++i) {
      const float x = static_cast<float>(i) / static_cast<float>(pieces);
      const float y = static_cast<float>(j) / static_cast<float>(pieces);
      Add(top_mesh, corner + x * right + y * down, up, top,
          {du + x * (1 - 2 * du), dv + y * (1 - 2 * dv)});
    }
  }
  for (int j = 0; j < pieces; ++j) {
    for (int i = 0; i < pieces; ++i) {
      const int first = j * (pieces + 1) + i, below = first + pieces + 1;
      top_mesh->faces.push_back({first, first + 1, below + 1});
      top_mesh->faces.push_back({first, below + 1, below});
    }
  }
  return mesh;
}

}  // namespace

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

const std::vector<cv::Point2d>& FigureOutline() {
  static const std::vector<cv::Point2d> outline = [] {
    const std::vector<cv::Point2d> right = {{1.4, 2.4},  {2.3, 0.0},  {7.0, 0.0},  {7.5, 0.9},
                                            {6.2, 4.3},  {5.4, 6.7},  {7.6, 7.7},  {8.1, 8.7},
                                            {7.7, 9.8},  {5.4, 10.9}, {3.3, 11.3}, {3.0, 12.1},
                                            {3.4, 13.4}, {3.0, 14.8}, {1.8, 15.8}, {0.0, 16.0}};
    std::vector<cv::Point2d> all = {{0.0, 3.6}};
    all.insert(all.end(), right.begin(), right.end());
    for (std::size_t i = right.size() - 1; i-- > 0;) all.push_back({-right[i].x, right[i].y});
    return all;
  }();
  return outline;
}

Shape MakeFigure(const Stand& stand, cv::Vec3f colour, bool lying) {
  const auto& outline = FigureOutline();
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
    return lying ? stand.ToWorld(p.x, p.y - kFigureHeight_mm / 2, thick + kFigureThickness_mm / 2)
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
  const double half = kFigureThickness_mm / 2;
  for (const double face : {-1.0, 1.0}) {
    const int base = static_cast<int>(mesh.vertices.size());
    for (std::size_t i = 0; i < n; ++i) {
      const cv::Vec3f at = place(inner[i], face * half);
      Add(&mesh, at, direction({0, 0}, face), tint(at));
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
        return Add(&mesh, at, normal, tint(at));
      };
      const int a = corner(i, r), b = corner(j, r), c = corner(j, r + 1), d = corner(i, r + 1);
      mesh.faces.push_back({a, b, c});
      mesh.faces.push_back({a, c, d});
    }
  }
  Shape shape;
  shape.meshes.push_back(std::move(mesh));
  // Head, arms, and each leg are about convex.
  const std::array<std::vector<cv::Point2d>, 4> parts = {{
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
  }};
  for (const auto& part : parts) {
    Caster caster;
    for (const auto& p : part) {
      caster.points.push_back(place(p, -half));
      caster.points.push_back(place(p, half));
    }
    shape.casters.push_back(std::move(caster));
  }
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
      Add(&mesh, at, stand.ToWorld(x, 9 * c, 4.4 + 9 * s) - stand.ToWorld(x, 0, 4.4),
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
      Add(&handle, stand.ToWorld(p[0], p[1], p[2]),
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
      Add(&mesh,
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
