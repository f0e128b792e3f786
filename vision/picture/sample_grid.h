// The samples by which a reference picture and a place in the picture are compared, plane by plane,
// so that several of them are worked on at once. Vision-internal.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::vision {

// Samples along a tile's side.
inline constexpr int kFineSide = 32;
// Most samples of a grid.
inline constexpr std::size_t kMostSamples = (kFineSide - 2) * (kFineSide - 2);

// All samples but the outermost ring, or every other of them in each direction, for steps on the
// way.
struct SampleGrid {
  explicit SampleGrid(int stride);

  float first, step;             // of their places, in tile sides
  int side;                      // samples along a side
  float weight;                  // of one sample, in those of the whole grid
  std::vector<float> x, y;       // from the middle of the tile, in tile sides
  std::vector<int> column, row;  // in the picture of kFineSide x kFineSide samples

  std::size_t size() const { return x.size(); }
};

const SampleGrid& AllSamples();
const SampleGrid& EveryOther();

// A reference picture's samples on a grid.
struct ReferenceSamples {
  // `fine`: kFineSide x kFineSide, CV_32FC3.
  ReferenceSamples(const cv::Mat& fine, const SampleGrid& grid);

  std::array<std::vector<float>, 3> colour;
  // Change of the colours per tile side, and its squares and product summed over the channels.
  std::array<std::vector<float>, 3> dx, dy;
  std::vector<float> dx_dx, dx_dy, dy_dy;
  // 1 where it stands out from the picture's main colour, else 0; and their number.
  std::vector<float> detail;
  float details = 0;
  float energy = 0;  // sum of squares against the mean colour
};

// How far apart two colours are, in levels, by the differences of their channels. Brightness counts
// half, because a camera's tone curve bends it and a lamp's fall-off shades it; hue does not.
inline float Apart(float e0, float e1, float e2) {
  const float grey = (e0 + e1 + e2) / 3;
  const float hue = (e0 < grey ? grey - e0 : e0 - grey) + (e1 < grey ? grey - e1 : e1 - grey) +
                    (e2 < grey ? grey - e2 : e2 - grey);
  return 0.5F * (grey < 0 ? -grey : grey) + 0.45F * hue;
}

}  // namespace tilewarden::vision
