// Light on the table: a lamp and a window with soft shadows, and the light of
// the room. Shadows are maps on two planes (the table, and the tops of lying
// cards), each the mean over points of the light's surface.
#pragma once

#include <array>
#include <vector>

#include "opencv2/core.hpp"
#include "tests/virtual_table/picture/mesh.h"

namespace tilewarden::virtual_table {

struct Light {
  cv::Vec3f at;        // mm
  cv::Vec3f colour;    // linear blue green red, at `reach` from the light
  float reach = 1000;  // mm; falls with the square of the distance
  float radius = 60;   // mm of its surface: the softness of its shadows
};

struct Lights {
  Light lamp, window;
  cv::Vec3f sky, ground;  // the room's light from above and from below
};

// Share of a light that reaches points near one plane: 0 to 1, as a picture
// over the area in view.
class ShadowMap {
 public:
  ShadowMap() = default;
  // `z_mm`: the plane. Casters below it throw nothing on it.
  ShadowMap(cv::Rect2d area_mm, double px_per_mm, double z_mm, const Light& light,
            const std::vector<Caster>& casters, bool lying_cards);

  float Lit(const cv::Vec3f& p) const;
  const cv::Mat& picture() const { return picture_; }  // 8-bit, 255: all of it

 private:
  cv::Rect2d area_;
  float px_per_mm_ = 1, z_ = 0;
  cv::Vec3f light_;
  cv::Mat picture_;
};

// How much of the room's light is kept near things that stand on a plane.
class ContactMap {
 public:
  ContactMap() = default;
  ContactMap(cv::Rect2d area_mm, double px_per_mm, const std::vector<Caster>& casters,
             bool lying_cards);
  float Open(const cv::Vec3f& p) const;

 private:
  cv::Rect2d area_;
  float px_per_mm_ = 1;
  cv::Mat picture_;
};

struct Lit {
  cv::Vec3f all;   // all light
  cv::Vec3f lamp;  // the lamp's part of it
};

// All that shading needs, for one set of things on the table.
class Lighting {
 public:
  Lighting(const Lights& lights, cv::Rect2d area_mm, const std::vector<Caster>& casters);
  Lit Shade(const cv::Vec3f& p, const cv::Vec3f& normal, const cv::Vec3f& colour, float gloss,
            const cv::Vec3f& eye, Receiver receiver) const;
  const Lights& lights() const { return lights_; }

 private:
  Lights lights_;
  // By plane: table, card tops.
  std::array<ShadowMap, 2> lamp_, window_;
  std::array<ContactMap, 2> contact_;
};

}  // namespace tilewarden::virtual_table
