// Makes pictures of a scene: draws what lies still once, and for each frame
// only what moves (a hand and what it carries) and its shadow.
#pragma once

#include <cstdint>
#include <vector>

#include "opencv2/core.hpp"
#include "tests/virtual_table/picture/raster.h"
#include "tests/virtual_table/scene/scene.h"

namespace tilewarden::virtual_table {

// The part of the table that a camera sees, and some more.
cv::Rect2d AreaInView(const TableCamera& camera);

class Renderer {
 public:
  // Camera, lights, table and sensor of the scene stay for all pictures. The
  // box must live as long as the renderer.
  Renderer(const Scene& scene, TileBox* box);

  // Draws everything that lies still (0.5 s at 1080p). Cards that lie on other
  // cards, face-down stacks, come as cards with a higher stand.
  void Settle(const std::vector<Card>& cards, const std::vector<Figure>& figures,
              const std::vector<Prop>& props);

  // The same, where only these things are new or gone since: draws what they and their
  // shadows touch.
  void Settle(const std::vector<Card>& cards, const std::vector<Figure>& figures,
              const std::vector<Prop>& props, const std::vector<Shape>& changed);

  // How long the sensor collects light: what suits the light, unless it is set.
  double exposure() const { return exposure_; }
  void set_exposure(double exposure) { exposure_ = exposure; }

  // A frame, 8-bit BGR; `moving` may be empty. `noise_seed` picks its noise.
  // Without anything moving, each such frame is a little softer than the one before it:
  // recordings are kept as they were made.
  cv::Mat Frame(const Shape& moving, std::uint64_t noise_seed);
  // A frame in which nothing moves, always as sharp.
  cv::Mat StillFrame(std::uint64_t noise_seed) const;

 private:
  void Draw(const std::vector<Card>& cards, const std::vector<Figure>& figures,
            const std::vector<Prop>& props, const std::vector<cv::Rect>& parts);
  // Around what things and their shadows touch, px.
  cv::Rect Touched(const Shape& shape) const;
  cv::Mat Developed(const cv::Mat& light, std::uint64_t noise_seed) const;

  Scene scene_;
  TileBox* box_;
  cv::Rect2d area_mm_;
  Mesh table_;
  Lighting open_;  // without shadows, for what moves
  Layers still_;
  cv::Mat plane_px_;  // per pixel, where its ray meets the board in the shadow map
  cv::Mat vignette_;  // CV_32F
  cv::Mat noise_;     // CV_32FC3, larger than a frame
  double exposure_ = 1;
};

}  // namespace tilewarden::virtual_table
