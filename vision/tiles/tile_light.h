// The light in which a tile is seen, fitted from its samples while the tile is aligned:
// in whatever light, or near that of the tiles around it. Vision-internal.
//
// The loops over planes are plain and without branches, so that the compiler works on several
// samples at once; see CMakeLists.txt for what it is allowed for that.
#pragma once

#include <array>
#include <cstddef>

#include "opencv2/core.hpp"
#include "vision/picture/sample_grid.h"
#include "vision/picture/tile_patch.h"
#include "vision/tiles/tile_matcher.h"

namespace tilewarden::vision {

// Colours that agree within this many levels, as a standard deviation; the
// rendered sequences give 8 to 14 on free tiles.
inline constexpr float kTileNoise = 12;
// Neighbouring samples err together: this many count as one.
inline constexpr float kCorrelatedSamples = 9;
// What one sample off by that noise weighs against what is known beforehand.
inline constexpr double kSampleUnit = kTileNoise * kTileNoise * kCorrelatedSamples;

// One number a sample.
using Plane = std::array<float, kMostSamples>;

// What is seen on a grid, and how much each sample is of the tile.
struct TileSamples {
  std::array<Plane, 3> seen, error;
  Plane weight, apart;
};

inline const ReferenceSamples& On(const SampleGrid& grid, const TileMatcher::Reference& reference) {
  return &grid == &AllSamples() ? reference.all : reference.every_other;
}

// Sum of a * b over the first `count`.
float Dot(const float* a, const float* b, std::size_t count);
// Sums of w with the functions of a place 1, x and y; and with those multiplied by each other.
cv::Vec3f FirstMoments(const float* w, const SampleGrid& grid);
cv::Matx33f SecondMoments(const float* w, const SampleGrid& grid);

// Gain and offset of every channel for itself: reference = gain * seen + offset.
Light FitAnyLight(const SampleGrid& grid, const TileSamples& samples,
                  const TileMatcher::Reference& reference);

// What a light makes of one channel of the seen colours.
void Apply(const Light& light, int channel, const SampleGrid& grid, const float* seen, float* out);

// Exposure and veil near those of a base light. Made once for a look: what the samples say of them
// does not depend on their weights. `grid` outlives it.
class NearLight {
 public:
  NearLight(const SampleGrid& grid, const TileSamples& samples,
            const TileMatcher::Reference& reference, const Light& base);

  // Returns what the departure from the base costs: without it any plain patch fits any plain tile.
  float Fit(const Plane& weight, Light& light) const;

 private:
  // Products of planes that every fit needs.
  void Multiply(const SampleGrid& grid, const TileSamples& samples,
                const TileMatcher::Reference& reference, const Light& base);

  const SampleGrid& grid_;
  const Light base_;
  Plane scaled2_, scaled_off_, scaled_glare_, off_glare_;
};

}  // namespace tilewarden::vision
