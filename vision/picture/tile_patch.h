// Looking at one tile: samples of the picture on a square grid over it, in the
// light of the reference pictures.
//
// Tile frame: the unit square, origin at the corner that is north-west in the
// lattice, x and y along its sides. Vision-internal (cv:: types).
#pragma once

#include <array>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::vision {

// The picture at halving sizes, so that a tile of any size is sampled without
// aliasing. Shares the pixels of the picture that it was made from.
class PicturePyramid {
 public:
  explicit PicturePyramid(const cv::Mat& picture);

  struct Level {
    cv::Mat pixels;
    float scale = 1;  // of a full-size pixel
  };
  // The level at which `step_px` full-size pixels are between one and two.
  const Level& ForStep(float step_px) const;
  cv::Size size() const { return levels_.front().pixels.size(); }

 private:
  std::vector<Level> levels_;
};

// Takes the picture's colours to the reference pictures' light. A lamp scales
// the channels, glare adds its own colour like a veil, thicker here and thinner
// there:
//
//   reference = exposure * (gain * seen + curve * seen^2 / 255)
//               + veil(x, y) * glare + offset
//
// Gain, curve (of a camera that overexposes), glare and offset belong to a whole board, the rest to
// a tile. Channels are not mixed, because a light that may do so can take a city for a field once
// it was told so by one wrong tile.
struct Light {
  cv::Vec3f gain = {1, 1, 1}, curve = {0, 0, 0};
  cv::Vec3f glare = {235, 240, 245};  // in the reference pictures' levels
  cv::Vec3f offset = {0, 0, 0};
  float exposure = 1;
  float veil = 0;                // below 0 takes glare off; in the middle of the tile
  float veil_x = 0, veil_y = 0;  // how it changes along a tile's side

  // x, y: from the middle of the tile, in tile sides.
  cv::Vec3f Apply(const cv::Vec3f& pixel, float x, float y) const {
    return Scaled(pixel) * exposure + glare * (veil + veil_x * x + veil_y * y) + offset;
  }
  cv::Vec3f Scaled(const cv::Vec3f& pixel) const {
    return gain.mul(pixel) + curve.mul(pixel.mul(pixel)) * (1.F / 255);
  }
  // The light in which the same tile would be seen through this much more glare.
  Light Veiled(float share) const;
};

// px_from_tile of four corners in order north-west, north-east, south-east,
// south-west.
cv::Matx33f PxFromTile(const std::array<cv::Point2f, 4>& corners_px);
std::array<cv::Point2f, 4> CornersOf(const cv::Matx33f& px_from_tile);
// Whether four corners span a convex area that can be cut out of a picture: a place beyond the
// table's horizon has none.
bool SpanAnArea(const std::array<cv::Point2f, 4>& corners_px);

// Whether the tile lies in a picture of this size, but for this share of its side.
bool InPicture(const cv::Matx33f& px_from_tile, cv::Size size, float slack = 0);

// Samples `count` x `count` points: point (i, j) lies at (first + step * i,
// first + step * j) in the tile frame, each the mean of about `grain` of a side.
// Outside the picture its border goes on. `out`: count * count colours, row by
// row.
void Sample(const PicturePyramid& picture, const cv::Matx33f& px_from_tile, float first, float step,
            float grain, int count, cv::Vec3f* out);

}  // namespace tilewarden::vision
