// Brushes of the tile painter: noise, strokes, and the small things that stand
// on a tile. Lengths in tile sizes, colours as red, green, blue 0-255. Internal
// to the calibration folder.
#pragma once

#include <cstdint>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::calibration {

struct Paint {
  double r = 0, g = 0, b = 0;
};
Paint Mix(Paint a, Paint b, double t);
// Lighter (factor above 1) or darker.
Paint Shade(Paint p, double factor);
cv::Scalar Bgr(Paint p);

// A canvas with its own random numbers. Draws at a fixed size; `At` maps tile points
// to the sub-pixel points that OpenCV draws with.
class Canvas {
 public:
  static constexpr int kSide = 512;

  explicit Canvas(std::uint64_t seed);

  cv::Mat picture;  // 8-bit BGR, kSide x kSide

  double Uniform(double low, double high) { return rng_.uniform(low, high); }
  int Pick(int count) { return rng_.uniform(0, count); }
  bool Chance(double probability) { return rng_.uniform(0.0, 1.0) < probability; }

  // Smooth noise around 0.5, mostly within 0 and 1; `cells` waves across.
  cv::Mat Noise(int cells, int octaves);
  // Two paints mixed by noise where the mask is set (empty: everywhere), and
  // short strokes of the same paints over it.
  void Wash(const cv::Mat& mask, Paint dark, Paint light, int cells, int strokes);
  // Paint through a soft mask: sigma blurs it, strength is its share at most.
  void Glaze(const cv::Mat& mask, Paint paint, double strength, double sigma);

  void Fill(const std::vector<cv::Point2d>& outline, Paint paint);
  void Line(const std::vector<cv::Point2d>& line, double width, Paint paint);
  void Disc(cv::Point2d centre, double radius, Paint paint);

  cv::Mat Mask(const std::vector<cv::Point2d>& outline) const;
  cv::Mat LineMask(const std::vector<std::vector<cv::Point2d>>& lines, double width) const;
  cv::Mat DiscMask(cv::Point2d centre, double radius) const;

  // Seen a little from the south: walls below, two roof sides above.
  void House(cv::Point2d at, double width, double depth, double angle, Paint roof);
  void Tower(cv::Point2d at, double radius, Paint roof);
  void Bush(cv::Point2d at, double radius);
  void Tree(cv::Point2d at, double radius);
  void Tuft(cv::Point2d at, double size);
  void Flowers(cv::Point2d at, double size);
  void Stones(cv::Point2d at, double size);
  void Shield(cv::Point2d at, double height);

 private:
  cv::RNG rng_;
};

// A square picture in another size.
cv::Mat OfSide(const cv::Mat& picture, int side_px);

// A line with about even steps, waved sideways by at most `amount` but not at
// its ends.
std::vector<cv::Point2d> Waved(const std::vector<cv::Point2d>& line, double step, double amount,
                               Canvas* canvas);
// The unit normal (to the left when y points up) at a point of a line.
cv::Point2d NormalAt(const std::vector<cv::Point2d>& line, std::size_t i);

}  // namespace tilewarden::calibration
