// What shapes are put together from: faces, bodies of revolution, slabs, and
// what throws their shadows. For the files that shape things (see mesh.h).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "opencv2/core.hpp"
#include "tests/virtual_table/picture/mesh.h"

namespace tilewarden::virtual_table {

inline const cv::Vec3f kWhite = {1, 1, 1};

// Of length 1; straight up if it has none.
cv::Vec3f Unit(cv::Vec3f v);

// Its index.
int AddVertex(Mesh* mesh, cv::Vec3f at, cv::Vec3f normal, cv::Vec3f colour, cv::Vec2f uv = {0, 0});

// A flat four-sided face with its own corners.
void AddQuad(Mesh* mesh, const std::array<cv::Vec3f, 4>& p, cv::Vec3f normal, cv::Vec3f colour);

// Ear clipping of a counter-clockwise outline.
std::vector<std::array<int, 3>> Triangles(const std::vector<cv::Point2d>& outline);

// A surface of revolution about the stand's vertical: (radius, height) pairs.
Mesh Lathe(const Stand& stand, const std::vector<cv::Point2d>& profile, cv::Vec3f colour,
           float gloss);

Caster BoxCaster(const Stand& stand, double w, double h, double z);

// A slab with a slightly rounded upper rim; its top is textured if `face`.
Mesh Slab(const Stand& stand, double w, double h, double z, double bevel, cv::Vec3f side,
          cv::Vec3f top, std::shared_ptr<const Texture> face, Mesh* top_mesh, int pieces = 1);

}  // namespace tilewarden::virtual_table
