// Points through homographies, and rectangles. Vision-internal (cv:: types).
#pragma once

#include "opencv2/core.hpp"

namespace tilewarden::vision {

// Where h * (x, y, 1) lies; h does not take the point to infinity.
inline cv::Point2d Through(const cv::Matx33d& h, cv::Point2d p) {
  const cv::Vec3d q = h * cv::Vec3d(p.x, p.y, 1);
  return {q[0] / q[2], q[1] / q[2]};
}
inline cv::Point2f Through(const cv::Matx33f& h, cv::Point2f p) {
  const cv::Vec3f q = h * cv::Vec3f(p.x, p.y, 1);
  return {q[0] / q[2], q[1] / q[2]};
}

// The rectangle and so much around it, as far as it lies in a picture of this size.
inline cv::Rect Grown(const cv::Rect& rect, int margin_px, cv::Size picture) {
  return (rect + cv::Size(2 * margin_px, 2 * margin_px) - cv::Point(margin_px, margin_px)) &
         cv::Rect({}, picture);
}

}  // namespace tilewarden::vision
