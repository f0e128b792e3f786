// The ring of fields on the project's own score track, and where on it a marker stands.
// Millimetres of the track frame (calibration/print/score_track.h). Pure functions,
// vision-internal.
#pragma once

#include <array>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Markers lean over the print so far beside their field, at most.
inline constexpr double kMarkerLeans_mm = 22;

// Clockwise from the top left.
std::array<cv::Point2d, 4> OutlineOf(const cv::Rect2d& rect);

// Which fields a foot is on, most likely first; empty where it is on none. sigma_mm: standard
// deviation of the foot on each axis.
std::vector<FieldProbability> FieldsOf(cv::Point2d foot_mm, double sigma_mm);

// A field and the two on either side.
std::array<int, 5> Near(int field);

// A field with what is beside it across the ring, as far as markers on it lean.
cv::Rect2d AcrossRing_mm(int field);

}  // namespace tilewarden::vision
