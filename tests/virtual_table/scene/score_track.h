// The printed score track on the table, with the markers that people set on it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opencv2/core.hpp"
#include "tests/virtual_table/picture/renderer.h"
#include "tests/virtual_table/scene/setting.h"

namespace tilewarden::virtual_table {

// The sheet of A4 that it is printed on.
inline const cv::Size2d kTrackSheet_mm = {210, 297};

struct TrackMarker {
  std::string colour;
  int field = 0;
  bool lying = false;
};

// Markers as people set them: a little off the middle of the field, and beside each
// other, across the ring, where several share one. sheet: where the middle of the
// paper lies. The same seed sets them the same way.
std::vector<Figure> SetMarkers(const Stand& sheet, const std::vector<TrackMarker>& markers,
                               std::uint64_t seed);

// One picture of the track alone.
struct TrackPlan {
  Level level = Level::kEasy;  // of light, table top and sensor
  std::uint64_t seed = 1;      // of the view as well
  double tilt_deg = 0;
  double across_mm = 700;  // what the picture shows of the table, about
  cv::Size size_px{1920, 1080};
  std::vector<TrackMarker> markers;
  // A sheet of paper hides about a third of the track, this field in the middle of it, and
  // the markers there.
  std::optional<int> covered;
};

struct TrackPicture {
  cv::Mat picture;
  TableCamera camera;
  Stand sheet;
  // Of the track, clockwise from the outer corner of field 0.
  std::array<cv::Point2d, 4> corners_px;
  // Of the markers, as in the plan: where their feet are, and who is hidden.
  std::vector<cv::Point2d> feet_px;
  std::vector<bool> hidden;
};
TrackPicture MakeTrackPicture(const TrackPlan& plan);

}  // namespace tilewarden::virtual_table
