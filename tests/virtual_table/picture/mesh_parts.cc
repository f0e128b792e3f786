#include "tests/virtual_table/picture/mesh_parts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace tilewarden::virtual_table {
namespace {

double Cross(cv::Point2d a, cv::Point2d b, cv::Point2d c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

}  // namespace

cv::Vec3f Unit(cv::Vec3f v) {
  const float n = static_cast<float>(cv::norm(v));
  return n > 1e-9F ? v * (1 / n) : cv::Vec3f{0, 0, 1};
}

int AddVertex(Mesh* mesh, cv::Vec3f at, cv::Vec3f normal, cv::Vec3f colour, cv::Vec2f uv) {
  mesh->vertices.push_back({at, Unit(normal), uv, colour});
  return static_cast<int>(mesh->vertices.size()) - 1;
}

void AddQuad(Mesh* mesh, const std::array<cv::Vec3f, 4>& p, cv::Vec3f normal, cv::Vec3f colour) {
  const int a = AddVertex(mesh, p[0], normal, colour), b = AddVertex(mesh, p[1], normal, colour);
  const int c = AddVertex(mesh, p[2], normal, colour), d = AddVertex(mesh, p[3], normal, colour);
  mesh->faces.push_back({a, b, c});
  mesh->faces.push_back({a, c, d});
}

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
      AddVertex(&mesh, at, to - at, colour);
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

Mesh Slab(const Stand& stand, double w, double h, double z, double bevel, cv::Vec3f side,
          cv::Vec3f top, std::shared_ptr<const Texture> face, Mesh* top_mesh, int pieces) {
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
      AddVertex(top_mesh, corner + x * right + y * down, up, top,
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

}  // namespace tilewarden::virtual_table
