// Shapes of the things on a table: cards, mug, phone, paper. Wooden figures are
// in wooden_figures.h, small things in clutter.h.
// World coordinates in mm (see camera.h); colours are linear blue, green, red.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "opencv2/core.hpp"
#include "tests/virtual_table/picture/texture.h"

namespace tilewarden::virtual_table {

struct Vertex {
  cv::Vec3f at;
  cv::Vec3f normal;
  cv::Vec2f uv;
  cv::Vec3f colour;
};

// On what height shadows of other things fall on it.
enum class Receiver { kNone, kTable, kCardTop };

struct Mesh {
  std::vector<Vertex> vertices;
  std::vector<std::array<int, 3>> faces;
  std::shared_ptr<const Texture> texture;  // times the colour; null: colour alone
  float gloss = 0;
  Receiver receiver = Receiver::kNone;
};

// What throws a shadow: the convex hull of these points.
struct Caster {
  std::vector<cv::Vec3f> points;
  bool lying_card = false;  // does not shade the tops of other cards
};

struct Shape {
  std::vector<Mesh> meshes;
  std::vector<Caster> casters;
  void Add(Shape other);
};

inline constexpr double kTile_mm = 45;
inline constexpr double kCardThickness_mm = 2.2;

// Where something stands: a point, and how it is turned about the vertical.
struct Stand {
  cv::Vec3d at;
  double yaw_rad = 0;  // counter-clockwise seen from above
  cv::Vec3f ToWorld(double x, double y, double z) const;
};

// A card with its bottom centre at the stand; the picture's upper side lies
// towards local y.
Shape MakeCard(const Stand& stand, std::shared_ptr<const Texture> face, bool on_table, float gloss);
// A flat picture on the table.
Shape MakeSheet(const Stand& stand, cv::Size2d size_mm, std::shared_ptr<const Texture> picture);
Shape MakePhone(const Stand& stand);
Shape MakePen(const Stand& stand, cv::Vec3f colour);
Shape MakeMug(const Stand& stand, cv::Vec3f colour);
// The table top: a grid over a rectangle; the texture spans it.
Mesh MakeTable(cv::Rect2d rect_mm, std::shared_ptr<const Texture> texture, float gloss);

}  // namespace tilewarden::virtual_table
