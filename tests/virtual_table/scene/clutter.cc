#include "tests/virtual_table/scene/clutter.h"

#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/virtual_table/picture/mesh_parts.h"

namespace tilewarden::virtual_table {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// A flat round spot: in the plane that `along` and `across` span, a hair above its middle's face.
void AddSpot(Mesh* mesh, cv::Vec3f middle, cv::Vec3f along, cv::Vec3f across, cv::Vec3f colour) {
  constexpr int kSides = 10;
  const cv::Vec3f out = along.cross(across);
  const int first = AddVertex(mesh, middle, out, colour);
  for (int k = 0; k < kSides; ++k) {
    const float t = static_cast<float>(kTurn * k / kSides);
    AddVertex(mesh, middle + along * std::cos(t) + across * std::sin(t), out, colour);
    mesh->faces.push_back({first, first + 1 + k, first + 1 + (k + 1) % kSides});
  }
}

Caster RoundCaster(const Stand& stand, double radius, double height) {
  Caster caster;
  constexpr int kSides = 16;
  for (int k = 0; k < kSides; ++k) {
    const double t = kTurn * k / kSides;
    for (const double z : {0.0, height}) {
      caster.points.push_back(stand.ToWorld(radius * std::cos(t), radius * std::sin(t), z));
    }
  }
  return caster;
}

}  // namespace

Shape MakeDie(const Stand& stand, cv::Vec3f colour, cv::Vec3f pips) {
  constexpr double kHalf = kDie_mm / 2, kPip = 1.5, kAside = 4.2, kLift = 0.05;
  Shape shape;
  Mesh top;
  top.gloss = 0.3F;
  Mesh sides = Slab(stand, kDie_mm, kDie_mm, kDie_mm, 1.4, colour, colour, nullptr, &top);
  sides.gloss = 0.3F;
  shape.meshes.push_back(std::move(sides));
  shape.meshes.push_back(std::move(top));
  // Five on top, three on each side.
  Mesh spots;
  const auto direction = [&](double x, double y, double z) {
    return stand.ToWorld(x, y, z) - stand.ToWorld(0, 0, 0);
  };
  for (const cv::Point2d p : {cv::Point2d(0, 0), {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}) {
    AddSpot(&spots, stand.ToWorld(p.x * kAside, p.y * kAside, kDie_mm + kLift),
            direction(kPip, 0, 0), direction(0, kPip, 0), pips);
  }
  for (int side = 0; side < 4; ++side) {
    const double c = std::cos(kTurn * side / 4), s = std::sin(kTurn * side / 4);
    for (const double at : {-kAside, 0.0, kAside}) {
      const double out = kHalf + kLift;
      AddSpot(&spots, stand.ToWorld(out * c - at * s, out * s + at * c, kHalf + at),
              direction(-kPip * s, kPip * c, 0), direction(0, 0, kPip), pips);
    }
  }
  shape.meshes.push_back(std::move(spots));
  shape.casters.push_back(BoxCaster(stand, kDie_mm, kDie_mm, kDie_mm));
  return shape;
}

Shape MakeCoin(const Stand& stand, cv::Vec3f metal) {
  constexpr double kRadius = kCoin_mm / 2, kHeight = 2.3;
  Shape shape;
  // Raised at the rim and in the middle.
  shape.meshes.push_back(Lathe(stand,
                               {{kRadius, 0},
                                {kRadius, kHeight - 0.2},
                                {kRadius - 0.2, kHeight},
                                {kRadius - 1.4, kHeight},
                                {kRadius - 1.6, kHeight - 0.4},
                                {kRadius * 0.5, kHeight - 0.4},
                                {kRadius * 0.45, kHeight - 0.1},
                                {kRadius * 0.3, kHeight - 0.3},
                                {0, kHeight - 0.3}},
                               metal, 0.7F));
  shape.casters.push_back(RoundCaster(stand, kRadius, kHeight));
  return shape;
}

Shape MakeBead(const Stand& stand, cv::Vec3f glass) {
  constexpr double kRadius = kBead_mm / 2, kHeight = 8;
  std::vector<cv::Point2d> profile = {{kRadius - 1.5, 0}};
  constexpr int kSteps = 8;
  for (int i = 0; i <= kSteps; ++i) {
    const double t = kTurn / 4 * i / kSteps;
    profile.push_back({kRadius * std::cos(t), 1.5 + (kHeight - 1.5) * std::sin(t)});
  }
  Shape shape;
  shape.meshes.push_back(Lathe(stand, profile, glass, 0.8F));
  shape.casters.push_back(RoundCaster(stand, kRadius - 1, kHeight * 0.7));
  return shape;
}

Shape MakeFinger(const Stand& stand, cv::Vec3f skin) {
  constexpr double kRadius = kFinger_mm / 2, kRise = 0.2;
  constexpr int kSides = 20, kRound = 6;
  // Along the finger: how far, and how thick; the joints are a little thicker.
  std::vector<cv::Point2d> profile;
  for (int i = 0; i <= kRound; ++i) {
    const double t = kTurn / 4 * i / kRound;
    profile.push_back({-kRadius * std::cos(t), kRadius * 0.9 * std::sin(t)});
  }
  for (const cv::Point2d p :
       {cv::Point2d(14, 0.95), {22, 1.02}, {30, 0.95}, {44, 1.08}, {56, 1.0}}) {
    profile.push_back({p.x, kRadius * p.y});
  }
  profile.push_back({kFingerLength_mm, kRadius * 1.12});
  Mesh mesh;
  mesh.gloss = 0.1F;
  Caster caster;
  for (const auto& [along, radius] : profile) {
    const double height = kRadius * 0.9 + std::max(0.0, along) * kRise;
    const bool crease = along == 22 || along == 44;
    for (int k = 0; k <= kSides; ++k) {
      const double t = kTurn * k / kSides, c = std::cos(t), s = std::sin(t);
      const cv::Vec3f at = stand.ToWorld(radius * c, along, height + radius * s);
      const double forward = along < 0 ? along / kRadius : 0;
      AddVertex(&mesh, at, stand.ToWorld(c, forward, s) - stand.ToWorld(0, 0, 0),
                crease ? skin * 0.85F : skin);
      caster.points.push_back(at);
    }
  }
  for (int i = 0; i + 1 < static_cast<int>(profile.size()); ++i) {
    for (int k = 0; k < kSides; ++k) {
      const int a = i * (kSides + 1) + k, b = a + kSides + 1;
      mesh.faces.push_back({a, a + 1, b});
      mesh.faces.push_back({a + 1, b + 1, b});
    }
  }
  // The nail.
  const auto direction = [&](double x, double y, double z) {
    return stand.ToWorld(x, y, z) - stand.ToWorld(0, 0, 0);
  };
  AddSpot(&mesh, stand.ToWorld(0, 1, kRadius * 1.84), direction(5, 0, 0), direction(0, 6, 0.6),
          skin * 0.6F + cv::Vec3f(0.28F, 0.28F, 0.34F));
  Shape shape;
  shape.meshes.push_back(std::move(mesh));
  shape.casters.push_back(std::move(caster));
  return shape;
}

}  // namespace tilewarden::virtual_table
