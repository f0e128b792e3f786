// Distances between colours, for whole rows of pixels at once. 1 is as much as
// print and noise do. Colours are BGR, 0 to 255, in planes: a row is three
// pointers to as many floats. Pure functions, vision-internal.
//
// The loops are plain and without branches, so that the compiler works on
// several pixels at once; see CMakeLists.txt for what it is allowed for that.
#pragma once

#include <array>

#include "opencv2/core.hpp"

namespace tilewarden::vision {

using ColourRow = std::array<const float*, 3>;
using ColourPlanes = std::array<cv::Mat, 3>;  // CV_32F each

// What begins at (x, y) of the planes.
inline ColourRow RowOf(const ColourPlanes& planes, int y, int x = 0) {
  return {planes[0].ptr<float>(y) + x, planes[1].ptr<float>(y) + x, planes[2].ptr<float>(y) + x};
}

// From what is expected, allowing for a shadow or a bright spot.
void DistanceFromPrint(const ColourRow& seen, const ColourRow& expected, int count, float* out);

// The same, with deep shadows allowed at a price.
void DistanceFromShadowedPrint(const ColourRow& seen, const ColourRow& expected, int count,
                               float* out);

// In spreads (standard deviations) from a mean.
void DistanceInSpreads(const ColourRow& seen, const ColourRow& mean, const ColourRow& spread,
                       int count, float* out);

// From any shade of a figure's colour, its dark sides and its sheen included.
void DistanceFromPaint(const ColourRow& seen, const cv::Vec3f& paint, int count, float* out);

}  // namespace tilewarden::vision
