#include "tests/virtual_table/scene/hand.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace tilewarden::virtual_table {
namespace {

using V = cv::Vec3f;

// A bone with flesh: a cone with round ends.
struct Bone {
  V a, b;
  float ra, rb;
};

float Distance(const Bone& bone, const V& p) {
  const V ab = bone.b - bone.a, ap = p - bone.a;
  const float t = std::clamp(ap.dot(ab) / ab.dot(ab), 0.0F, 1.0F);
  const V d = ap - ab * t;
  return std::sqrt(d.dot(d)) - (bone.ra + (bone.rb - bone.ra) * t);
}

float SmoothMin(float a, float b, float k) {
  const float h = std::max(k - std::abs(a - b), 0.0F) / k;
  return std::min(a, b) - h * h * k * 0.25F;
}

// Knuckle, two joints, tip: of index, middle, ring and little finger.
const std::array<std::array<V, 4>, 4> kFingers = {{
    {V{-21, 76, 50}, V{-19, 38, 52}, V{-11, 15, 29}, V{-4, 4, 8}},
    {V{-1, 81, 54}, V{1, 41, 57}, V{4, 13, 32}, V{5, 3, 9}},
    {V{19, 82, 52}, V{21, 46, 53}, V{20, 21, 34}, V{17, 11, 17}},
    {V{36, 86, 45}, V{37, 58, 44}, V{34, 37, 31}, V{30, 27, 19}},
}};
const std::array<std::array<float, 4>, 4> kRadii = {{
    {10.5F, 9.2F, 8.0F, 6.4F},
    {10.8F, 9.4F, 8.2F, 6.6F},
    {10.4F, 9.0F, 7.8F, 6.3F},
    {9.4F, 7.8F, 6.8F, 5.6F},
}};
const std::array<V, 4> kThumb = {V{-22, 122, 34}, V{-40, 84, 27}, V{-31, 46, 17}, V{-11, 9, 7}};
const std::array<float, 4> kThumbRadii = {15, 12, 10, 7.4F};
const V kWrist = {9, 150, 46};

struct Skeleton {
  std::vector<Bone> palm, thumb;
  std::array<std::vector<Bone>, 4> fingers;

  Skeleton() {
    for (std::size_t f = 0; f < 4; ++f) {
      for (std::size_t j = 0; j < 3; ++j) {
        fingers[f].push_back({kFingers[f][j], kFingers[f][j + 1], kRadii[f][j], kRadii[f][j + 1]});
      }
      palm.push_back({kWrist + V{(kFingers[f][0][0] - 9) * 0.35F, -12, 0}, kFingers[f][0], 17,
                      kRadii[f][0] + 1.5F});
    }
    for (std::size_t j = 0; j < 3; ++j) {
      thumb.push_back({kThumb[j], kThumb[j + 1], kThumbRadii[j], kThumbRadii[j + 1]});
    }
    palm.push_back({kWrist + V{-6, 0, 0}, V{0, 240, 60}, 21, 28});
    palm.push_back({kWrist + V{7, 0, 0}, V{14, 240, 60}, 20, 27});
    palm.push_back({kThumb[0], V{-14, 92, 40}, 16, 12});  // ball of the thumb
  }

  float At(const V& p) const {
    float whole = 1e9F;
    for (const Bone& b : palm) whole = SmoothMin(whole, Distance(b, p), 16);
    for (const auto& finger : fingers) {
      float d = 1e9F;
      for (const Bone& b : finger) d = SmoothMin(d, Distance(b, p), 4);
      whole = SmoothMin(whole, d, 5);
    }
    float d = 1e9F;
    for (const Bone& b : thumb) d = SmoothMin(d, Distance(b, p), 5);
    whole = SmoothMin(whole, d, 6);
    // Knuckles show on the back of the hand, a crease at each joint.
    for (const auto& finger : kFingers) {
      const V k = p - (finger[0] + V{0, 0, 7});
      whole -= 1.6F * std::exp(-k.dot(k) / 60);
      const V j = p - (finger[1] + V{0, -2, 7});
      whole -= 0.9F * std::exp(-j.dot(j) / 30);
    }
    return whole;
  }
};

// Skin with redder knuckles and fingertips, and pale nails.
V SkinColour(const V& p, const V& skin) {
  float red = 0, nail = 0;
  const auto near = [&](const V& c, float size) {
    const V d = p - c;
    return std::exp(-d.dot(d) / (size * size));
  };
  for (std::size_t f = 0; f < 4; ++f) {
    red = std::max({red, 0.6F * near(kFingers[f][0] + V{0, 0, 9}, 9),
                    0.8F * near(kFingers[f][1] + V{0, -2, 8}, 7), near(kFingers[f][3], 9)});
    const V along = kFingers[f][3] - kFingers[f][2];
    const V mid = kFingers[f][3] - along * 0.12F + V{0, -5.5F, 3.5F};
    const V d = p - mid;
    nail = std::max(nail, d.dot(d) < 22 ? 1.0F : 0.0F);
  }
  const V thumb_nail = p - (kThumb[3] + V{-3.5F, 5, 6.5F});
  if (thumb_nail.dot(thumb_nail) < 34) nail = 1;
  const float vein = 0.03F * std::sin(p[0] * 0.35F + p[1] * 0.06F) * (p[2] > 52 ? 1.0F : 0.0F);
  V colour = skin * (1 + vein);
  colour = colour.mul(V{1 - 0.15F * red, 1 - 0.13F * red, 1 + 0.02F * red});
  if (nail > 0) colour = colour * 0.5F + V{0.40F, 0.42F, 0.62F} * 0.5F;
  return colour;
}

// Naive surface nets: one vertex in each cell that the surface crosses.
Mesh Shaped(const Skeleton& skeleton, const V& skin) {
  constexpr float kStep = 2.4F;
  const V low = {-66, -12, -6};
  constexpr int kX = 52, kY = 96, kZ = 38;
  const auto index = [&](int x, int y, int z) {
    return static_cast<std::size_t>((z * kY + y) * kX + x);
  };
  const auto corner = [&](int x, int y, int z) {
    return low + V{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)} * kStep;
  };
  std::vector<float> field(static_cast<std::size_t>(kX) * kY * kZ);
  for (int z = 0; z < kZ; ++z) {
    for (int y = 0; y < kY; ++y) {
      for (int x = 0; x < kX; ++x) field[index(x, y, z)] = skeleton.At(corner(x, y, z));
    }
  }
  Mesh mesh;
  mesh.gloss = 0.05F;
  std::vector<int> vertex(field.size(), -1);
  for (int z = 0; z + 1 < kZ; ++z) {
    for (int y = 0; y + 1 < kY; ++y) {
      for (int x = 0; x + 1 < kX; ++x) {
        V sum{0, 0, 0};
        int crossings = 0;
        for (int e = 0; e < 12; ++e) {
          const int axis = e / 4, u = e & 1, v = e >> 1 & 1;
          std::array<int, 3> a{};
          a[static_cast<std::size_t>((axis + 1) % 3)] = u;
          a[static_cast<std::size_t>((axis + 2) % 3)] = v;
          std::array<int, 3> b = a;
          b[static_cast<std::size_t>(axis)] = 1;
          const float da = field[index(x + a[0], y + a[1], z + a[2])];
          const float db = field[index(x + b[0], y + b[1], z + b[2])];
          if ((da < 0) == (db < 0)) continue;
          const V pa = corner(x + a[0], y + a[1], z + a[2]);
          const V pb = corner(x + b[0], y + b[1], z + b[2]);
          sum += pa + (pb - pa) * (da / (da - db));
          ++crossings;
        }
        if (crossings == 0) continue;
        const V p = sum * (1.0F / static_cast<float>(crossings));
        constexpr float h = 0.8F;
        V n = {skeleton.At(p + V{h, 0, 0}) - skeleton.At(p - V{h, 0, 0}),
               skeleton.At(p + V{0, h, 0}) - skeleton.At(p - V{0, h, 0}),
               skeleton.At(p + V{0, 0, h}) - skeleton.At(p - V{0, 0, h})};
        n *= 1 / std::max(1e-6F, static_cast<float>(cv::norm(n)));
        // Between the fingers little light comes: darker where flesh is near.
        const float open = std::clamp(skeleton.At(p + n * 7.0F) / 7.0F, 0.0F, 1.0F);
        const float low_light = std::clamp(0.55F + p[2] / 60, 0.55F, 1.0F);
        vertex[index(x, y, z)] = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back(
            {p, n, {0, 0}, SkinColour(p, skin) * ((0.45F + 0.55F * open) * low_light)});
      }
    }
  }
  for (int z = 1; z + 1 < kZ; ++z) {
    for (int y = 1; y + 1 < kY; ++y) {
      for (int x = 1; x + 1 < kX; ++x) {
        for (int axis = 0; axis < 3; ++axis) {
          std::array<int, 3> next = {x, y, z};
          ++next[static_cast<std::size_t>(axis)];
          if ((field[index(x, y, z)] < 0) == (field[index(next[0], next[1], next[2])] < 0)) {
            continue;
          }
          std::array<int, 4> quad{};
          constexpr std::array<std::pair<int, int>, 4> kAround = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
          for (std::size_t q = 0; q < 4; ++q) {
            std::array<int, 3> cell = {x, y, z};
            cell[static_cast<std::size_t>((axis + 1) % 3)] -= kAround[q].first;
            cell[static_cast<std::size_t>((axis + 2) % 3)] -= kAround[q].second;
            quad[q] = vertex[index(cell[0], cell[1], cell[2])];
          }
          if (std::min({quad[0], quad[1], quad[2], quad[3]}) < 0) continue;
          mesh.faces.push_back({quad[0], quad[1], quad[2]});
          mesh.faces.push_back({quad[0], quad[2], quad[3]});
        }
      }
    }
  }
  return mesh;
}

// The sleeve: a wide tube with folds that hides the arm from the cuff on.
Mesh Sleeve(const V& colour) {
  constexpr int kAround = 48, kAlong = 120;
  constexpr double kLength = 620, kCuff = 178;
  Mesh mesh;
  const auto surface = [&](double t, double a) {
    const double y = kCuff + t * kLength;
    double radius = 38 + 22 * t;
    radius += 2.2 * std::sin(y * 0.075 + 2 * std::sin(a) + 0.8) * std::sin(a * 2 + y * 0.02);
    radius += 1.3 * std::sin(y * 0.17 - 3 * std::cos(a));
    if (t < 0.035) radius += 2.5;  // the hem
    return V{static_cast<float>(6 + radius * std::cos(a)), static_cast<float>(y),
             static_cast<float>(56 + 40 * t + 0.86 * radius * std::sin(a))};
  };
  for (int j = 0; j <= kAlong; ++j) {
    const double t = std::pow(1.0 * j / kAlong, 1.3);
    for (int i = 0; i <= kAround; ++i) {
      const double a = 2 * std::numbers::pi * i / kAround;
      const V p = surface(t, a);
      V n = (surface(t, a + 0.02) - surface(t, a - 0.02))
                .cross(surface(t + 0.004, a) - surface(std::max(0.0, t - 0.004), a));
      n *= 1 / std::max(1e-6F, static_cast<float>(cv::norm(n)));
      const V from_axis = p - V{6, p[1], static_cast<float>(56 + 40 * t)};
      if (n.dot(from_axis) < 0) n = -n;
      const float under = std::clamp(0.7F + n[2] * 0.3F, 0.4F, 1.0F);
      mesh.vertices.push_back({p, n, {0, 0}, colour * under});
    }
  }
  // A dark ring closes the cuff behind the hand.
  const int ring = static_cast<int>(mesh.vertices.size());
  for (int i = 0; i <= kAround; ++i) {
    const double a = 2 * std::numbers::pi * i / kAround;
    V p = surface(0.0, a);
    p = p * 0.7F + V{6, 190, 56} * 0.3F;
    mesh.vertices.push_back({p, {0, -1, 0}, {0, 0}, colour * 0.2F});
  }
  const int row = kAround + 1;
  for (int i = 0; i < kAround; ++i) {
    mesh.faces.push_back({ring + i, ring + i + 1, i});
    mesh.faces.push_back({ring + i + 1, i + 1, i});
    for (int j = 0; j < kAlong; ++j) {
      const int a = j * row + i;
      mesh.faces.push_back({a, a + 1, a + row});
      mesh.faces.push_back({a + 1, a + row + 1, a + row});
    }
  }
  return mesh;
}

Caster BoneCaster(const Bone& bone) {
  Caster caster;
  for (const auto& [end, radius] : {std::pair{bone.a, bone.ra}, std::pair{bone.b, bone.rb}}) {
    for (int k = 0; k < 10; ++k) {
      const float a = static_cast<float>(k) * 0.6283F;
      caster.points.push_back(end + V{radius * std::cos(a), radius * std::sin(a), 0});
    }
    caster.points.push_back(end + V{0, 0, radius});
  }
  return caster;
}

}  // namespace

Hand::Hand(const HandLook& look) {
  const Skeleton skeleton;
  shape_.meshes.push_back(Shaped(skeleton, look.skin));
  shape_.meshes.push_back(Sleeve(look.sleeve));
  for (const auto& finger : skeleton.fingers) {
    for (const Bone& b : finger) shape_.casters.push_back(BoneCaster(b));
  }
  for (const Bone& b : skeleton.palm) shape_.casters.push_back(BoneCaster(b));
  for (const Bone& b : skeleton.thumb) shape_.casters.push_back(BoneCaster(b));
  shape_.casters.push_back(BoneCaster({{6, 215, 58}, {6, 800, 96}, 38, 58}));
  if (!look.left) return;
  for (Mesh& mesh : shape_.meshes) {
    for (Vertex& v : mesh.vertices) {
      v.at[0] = -v.at[0];
      v.normal[0] = -v.normal[0];
    }
  }
  for (Caster& caster : shape_.casters) {
    for (V& p : caster.points) p[0] = -p[0];
  }
}

Shape Hand::Place(const Stand& stand) const {
  Shape placed = shape_;
  const V zero = stand.ToWorld(0, 0, 0);
  for (Mesh& mesh : placed.meshes) {
    for (Vertex& v : mesh.vertices) {
      v.normal = stand.ToWorld(v.normal[0], v.normal[1], v.normal[2]) - zero;
      v.at = stand.ToWorld(v.at[0], v.at[1], v.at[2]);
    }
  }
  for (Caster& caster : placed.casters) {
    for (V& p : caster.points) p = stand.ToWorld(p[0], p[1], p[2]);
  }
  return placed;
}

}  // namespace tilewarden::virtual_table
