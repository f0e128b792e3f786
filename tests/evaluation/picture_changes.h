// Changes of a picture that a person hardly sees, and that reading a table must bear: another size,
// turn, light, sharpness, grain or border, stored once more, and random mixes of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::picture_changes {

// What is done, in this order. The defaults do nothing.
struct PictureChange {
  std::string name;
  cv::Rect keep;            // the rest is cut off; empty: nothing is
  double scale = 1;
  double turn_deg = 0;      // about the middle; the picture grows until all of it is in it
  double border = 0;        // grey around it, as a share of its longer side
  double gamma = 1;         // above 1 darkens
  cv::Vec3d cast{1, 1, 1};  // of blue, green and red
  double contrast = 1;      // about the middle grey
  double blur_px = 0;       // standard deviation
  double motion_px = 0;     // length of a shake
  double motion_deg = 0;    // its direction
  double noise = 0;         // standard deviation, of 255 levels
  int jpeg = 0;             // quality; 0: not stored
};

// As it is, and the twelve changes of scripts/evaluate-robustness, each alone.
std::vector<PictureChange> PlainChanges();

// Of two to five kinds at once, by seed; the scale is such that a side of `side_px` stays at least
// `smallest_px`, and that the picture does not grow beyond 12 megapixels.
PictureChange RandomMix(std::uint64_t seed, cv::Size size, double side_px, double smallest_px);

struct ChangedPicture {
  cv::Mat picture;            // 8-bit BGR
  cv::Matx23d now_from_then;  // where a point of the picture has gone
};

// `picture`: 8-bit BGR. Noise is the same for the same seed.
ChangedPicture Apply(const PictureChange& change, const cv::Mat& picture, std::uint64_t seed);

}  // namespace tilewarden::picture_changes
