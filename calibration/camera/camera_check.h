// Whether a camera sees a table well enough, and what to change if not.
//
// Pure functions of the frames; values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::calibration {

struct CameraCheck {
  cv::Size size_px;
  std::optional<double> frames_per_s;  // none: not known
  // How bright the brighter parts are: 95 of 100 pixels are darker, 0 to 255.
  double light = 0;
  std::optional<double> edge_spread_px;  // as EdgeSpread_px; none: no clear edges
  // Share of the picture that is burnt out, in patches that could hide a tile's
  // features.
  double glare = 0;
  // Change of a still pixel from frame to frame, standard deviation of 255.
  std::optional<double> noise;
  // How much rows of the picture get lighter and darker from frame to frame.
  std::optional<double> flicker;
  // Width of a tile; none: no tile was found.
  std::optional<double> tile_px;
};

// Measures what frames of one camera show, 8-bit BGR of one size, one at least,
// the older first. frames_per_s and tile_px are left to the caller.
CameraCheck MeasureFrames(const std::vector<cv::Mat>& frames);

enum class CameraTrait {
  kResolution,
  kFrameRate,
  kLight,
  kSharpness,
  kGlare,
  kNoise,
  kFlicker,
  kTiles
};

struct CameraFinding {
  CameraTrait of = CameraTrait::kResolution;
  bool good = true;
  std::string what;    // "sharpness: edges are 0.7 px wide"
  std::string advice;  // what to change; empty where it is good
};
std::vector<CameraFinding> Judge(const CameraCheck& check);

// The picture with glare marked and the findings written over it.
cv::Mat DrawCheck(const cv::Mat& picture, const std::vector<CameraFinding>& findings);

}  // namespace tilewarden::calibration
