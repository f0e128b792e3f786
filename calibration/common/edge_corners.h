// Corners of straight edges in a picture: what squares are put together from. Internal to the
// square finder.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::calibration {

inline float Cross(cv::Point2f a, cv::Point2f b) { return a.x * b.y - a.y * b.x; }
inline float Dot(cv::Point2f a, cv::Point2f b) { return a.x * b.x + a.y * b.y; }
inline float Norm(cv::Point2f a) { return std::sqrt(Dot(a, a)); }

// Two edges leaving a point: one corner of a possible square, `u` to `v`
// clockwise in the picture.
struct EdgeCorner {
  cv::Point2f at, u, v;
};

// Buckets of points or segments by place, so that only neighbours are compared.
class Buckets {
 public:
  Buckets(cv::Size size, int cell_px)
      : cell_px_(cell_px),
        columns_(size.width / cell_px + 1),
        rows_(size.height / cell_px + 1),
        items_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

  int Column(float x) const { return std::clamp(static_cast<int>(x) / cell_px_, 0, columns_ - 1); }
  int Row(float y) const { return std::clamp(static_cast<int>(y) / cell_px_, 0, rows_ - 1); }
  std::vector<int>& At(int column, int row) {
    return items_[static_cast<std::size_t>(row * columns_ + column)];
  }
  const std::vector<int>& At(int column, int row) const {
    return items_[static_cast<std::size_t>(row * columns_ + column)];
  }
  int columns() const { return columns_; }
  int rows() const { return rows_; }

 private:
  int cell_px_, columns_, rows_;
  std::vector<std::vector<int>> items_;
};

// The pictures that edges are looked for in, of one channel each.
std::vector<cv::Mat> Contrasts(const cv::Mat& picture);

// Every corner where two edges meet about at a right angle, each place and pair of directions once.
std::vector<EdgeCorner> FindEdgeCorners(const std::vector<cv::Mat>& contrasts);

}  // namespace tilewarden::calibration
