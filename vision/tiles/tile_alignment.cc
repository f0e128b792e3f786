#include "vision/tiles/tile_alignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "opencv2/core/hal/hal.hpp"
#include "vision/picture/for_processors.h"
#include "vision/picture/sample_grid.h"
#include "vision/tiles/tile_light.h"

namespace tilewarden::vision {
namespace {

// Freedom of a tile against where it was expected, as standard deviations:
// shift (tile sizes), turn (radians), size, and two kinds of shear.
constexpr std::array<float, 6> kFreedom = {0.07F, 0.07F, 0.06F, 0.025F, 0.015F, 0.015F};

// Cost of a difference: quickly cut off, so that a blue figure is not a better
// purple coat of arms than a red one.
float Cost(float apart) {
  constexpr float kHalf = 18;  // levels that cost half
  const float square = apart * apart;
  return square / (square + kHalf * kHalf);
}

// The same for telling names apart: flat beyond what print, light and a place
// a little off explain, so that an unknown thing on the tile speaks for none.
// Mean over a plane.
float MeanNamingCost(const Plane& apart, std::size_t count) {
  constexpr float kSigma = 20;  // levels
  Plane likeness{};
  for (std::size_t p = 0; p < count; ++p) {
    likeness[p] = -0.5F * apart[p] * apart[p] / (kSigma * kSigma);
  }
  cv::hal::exp32f(likeness.data(), likeness.data(), static_cast<int>(count));
  float sum = 0;
  for (std::size_t p = 0; p < count; ++p) sum += likeness[p];
  return 1 - sum / static_cast<float>(count);
}

TILEWARDEN_FOR_PROCESSORS
void FindApart(const std::array<Plane, 3>& error, std::size_t count, Plane& apart) {
  for (std::size_t p = 0; p < count; ++p) {
    apart[p] = Apart(error[0][p], error[1][p], error[2][p]);
  }
}

// Naming cost of a patch of all samples when each channel of the reference is
// scaled and shifted as suits it best. The fit leaves out step by step what it
// can not explain (a figure, a shadow's edge).
TILEWARDEN_FOR_PROCESSORS
float OwnLightCost(const TileSamples& patch, const TileMatcher::Reference& reference) {
  // Levels from which a sample counts for nothing, twice as many at first; rounds until it is down.
  constexpr int kRounds = 6;
  constexpr float kCutOff = 48;
  constexpr std::size_t kCount = kMostSamples;
  Plane weight, apart;
  std::array<Plane, 3> error;
  weight.fill(1);
  for (int round = 0; round < kRounds; ++round) {
    apart.fill(0);
    for (std::size_t k = 0; k < 3; ++k) {
      const float* xs = reference.all.colour[k].data();
      const float* ys = patch.seen[k].data();
      float w = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
      for (std::size_t p = 0; p < kCount; ++p) {
        const float wx = weight[p] * xs[p];
        w += weight[p];
        sx += wx;
        sy += weight[p] * ys[p];
        sxx += wx * xs[p];
        sxy += wx * ys[p];
      }
      // A plain tile says nothing of the scale: drawn to what the levels say.
      const float mx = sx / w, my = sy / w;
      const float prior = 100 * w;
      const float usual = std::clamp(my / std::max(mx, 16.F), 0.3F, 2.5F);
      const float gain =
          std::clamp((sxy - w * mx * my + prior * usual) / (sxx - w * mx * mx + prior), 0.25F, 3.F);
      const float shift = my - gain * mx;
      for (std::size_t p = 0; p < kCount; ++p) {
        const float expected = std::min(std::max(gain * xs[p] + shift, 0.F), 255.F);
        const float e = ys[p] - expected;
        error[k][p] = e;
        apart[p] += std::abs(e) / 3;
      }
    }
    const float limit = kCutOff * (2.F - 0.25F * static_cast<float>(round));
    for (std::size_t p = 0; p < kCount; ++p) {
      const float e = std::min(apart[p] / limit, 1.F);
      weight[p] = (1 - e * e) * (1 - e * e) + 1e-3F;
    }
  }
  FindApart(error, kCount, apart);
  return MeanNamingCost(apart, kCount);
}

// Colours off by how much in the light so far, and so what is of the tile.
TILEWARDEN_FOR_PROCESSORS
void Compare(const SampleGrid& grid, const TileMatcher::Reference& reference, const Light& light,
             TileSamples& patch) {
  const std::size_t count = grid.size();
  for (int k = 0; k < 3; ++k) {
    const auto c = static_cast<std::size_t>(k);
    const float* expected = On(grid, reference).colour[c].data();
    float* error = patch.error[c].data();
    Apply(light, k, grid, patch.seen[c].data(), error);
    for (std::size_t p = 0; p < count; ++p) error[p] -= expected[p];
  }
  FindApart(patch.error, count, patch.apart);
  const float whole = grid.weight;
  for (std::size_t p = 0; p < count; ++p) {
    const float d = patch.apart[p] / (2 * kTileNoise);
    const float w = 1.F / (1.F + d * d);
    patch.weight[p] = whole * std::max(w * w, 1e-6F);
  }
}

void TakePatch(const PicturePyramid& picture, const SampleGrid& grid, const cv::Matx33f& place,
               TileSamples& patch) {
  std::array<cv::Vec3f, kMostSamples> seen;
  Sample(picture, place, grid.first, grid.step, 1.F / kFineSide, grid.side, seen.data());
  for (std::size_t p = 0; p < grid.size(); ++p) {
    for (std::size_t k = 0; k < 3; ++k) patch.seen[k][p] = seen[p][static_cast<int>(k)];
  }
}

// Looks, and fits the light by turns with what it leaves unexplained. Returns
// what the light costs. `known`: match.light is fitted already, if to another
// grid or from a step away.
float Look(const PicturePyramid& picture, const SampleGrid& grid,
           const TileMatcher::Reference& reference, LightFit fit, const Light& base, bool known,
           TileMatcher::Match& match, TileSamples& patch) {
  TakePatch(picture, grid, match.px_from_tile, patch);
  if (known) {
    Compare(grid, reference, match.light, patch);
  } else {
    std::fill_n(patch.weight.begin(), grid.size(), grid.weight);
  }
  constexpr int kRounds = 2;  // each costs a fit of the light
  if (fit == LightFit::kAny) {
    for (int round = 0; round < kRounds; ++round) {
      match.light = FitAnyLight(grid, patch, reference);
      Compare(grid, reference, match.light, patch);
    }
    return 0;
  }
  const NearLight near(grid, patch, reference, base);
  float light_cost = 0;
  for (int round = 0; round < kRounds; ++round) {
    light_cost = near.Fit(patch.weight, match.light);
    Compare(grid, reference, match.light, patch);
  }
  return light_cost;
}

// One step of the alignment; the largest change, or a negative number where the
// picture does not say.
TILEWARDEN_FOR_PROCESSORS
float Move(const SampleGrid& grid, const TileSamples& patch,
           const TileMatcher::Reference& reference, std::array<float, 6>& moved,
           TileMatcher::Match& match) {
  const ReferenceSamples& samples = On(grid, reference);
  const std::size_t count = grid.size();
  Plane weight, xx, xy, yy, ex, ey;
  for (std::size_t p = 0; p < count; ++p) {
    const float says = patch.weight[p] * (samples.dx_dx[p] + samples.dy_dy[p]);
    const float w = says < 1 ? 0.F : patch.weight[p];
    weight[p] = w;
    xx[p] = w * samples.dx_dx[p];
    xy[p] = w * samples.dx_dy[p];
    yy[p] = w * samples.dy_dy[p];
  }
  std::fill_n(ex.begin(), count, 0.F);
  std::fill_n(ey.begin(), count, 0.F);
  for (std::size_t k = 0; k < 3; ++k) {
    const float *gx = samples.dx[k].data(), *gy = samples.dy[k].data();
    const float* e = patch.error[k].data();
    for (std::size_t p = 0; p < count; ++p) {
      const float we = weight[p] * e[p];
      ex[p] += we * gx[p];
      ey[p] += we * gy[p];
    }
  }
  // Rows: d(shift in x or y)/d(parameter) as functions of a place, by 1, x and y. The parameters
  // are two shifts, turn, size and two shears: (1,0) (0,1) (-y,x) (x,y) (x,-y) (y,x).
  using Effect = cv::Matx<float, 6, 3>;
  constexpr std::array<float, 18> kU = {1, 0, 0, 0, 0, 0, 0, 0, -1, 0, 1, 0, 0, 1, 0, 0, 0, 1};
  constexpr std::array<float, 18> kV = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 1, 0};
  const Effect u(kU.data()), v(kV.data());
  const cv::Matx33f mxx = SecondMoments(xx.data(), grid);
  const cv::Matx33f mxy = SecondMoments(xy.data(), grid);
  const cv::Matx33f myy = SecondMoments(yy.data(), grid);
  const cv::Matx<double, 6, 6> sums =
      u * mxx * u.t() + u * mxy * v.t() + v * mxy * u.t() + v * myy * v.t();
  cv::Matx<double, 6, 6> normal = sums;
  cv::Vec<double, 6> right =
      -(u * FirstMoments(ex.data(), grid) + v * FirstMoments(ey.data(), grid));
  for (std::size_t k = 0; k < 6; ++k) {
    const double prior = kSampleUnit / (kFreedom[k] * kFreedom[k]);
    normal(static_cast<int>(k), static_cast<int>(k)) += prior;
    right[static_cast<int>(k)] -= prior * moved[k];
  }
  cv::Vec<double, 6> solution;
  if (!cv::solve(normal, right, solution, cv::DECOMP_CHOLESKY)) return -1;
  std::array<float, 6> a{};
  float largest = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    a[k] = std::clamp(static_cast<float>(solution[static_cast<int>(k)]), -0.06F, 0.06F);
    moved[k] += a[k];
    largest = std::max(largest, std::abs(a[k]));
  }
  // tile -> tile: a shift, and about the middle a turn, a size and two shears.
  const float m00 = a[3] + a[4], m01 = -a[2] + a[5], m10 = a[2] + a[5], m11 = a[3] - a[4];
  const cv::Matx33f step(1 + m00, m01, a[0] - 0.5F * (m00 + m01), m10, 1 + m11,
                         a[1] - 0.5F * (m10 + m11), 0, 0, 1);
  match.px_from_tile = match.px_from_tile * step;
  match.px_from_tile = match.px_from_tile * (1.F / match.px_from_tile(2, 2));
  return largest;
}

// Cost of the patch against its own median colour.
TILEWARDEN_FOR_PROCESSORS
float PlainCost(const SampleGrid& grid, const TileSamples& patch, const Light& light) {
  const std::size_t count = grid.size();
  std::array<Plane, 3> colours;
  for (int k = 0; k < 3; ++k) {
    Plane& channel = colours[static_cast<std::size_t>(k)];
    Apply(light, k, grid, patch.seen[static_cast<std::size_t>(k)].data(), channel.data());
    Plane ordered;
    std::copy_n(channel.begin(), count, ordered.begin());
    const auto middle = ordered.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(ordered.begin(), middle, ordered.begin() + static_cast<std::ptrdiff_t>(count));
    const float median = *middle;
    for (std::size_t p = 0; p < count; ++p) channel[p] -= median;
  }
  float sum = 0;
  for (std::size_t p = 0; p < count; ++p) {
    sum += Cost(Apart(colours[0][p], colours[1][p], colours[2][p]));
  }
  return sum / static_cast<float>(count);
}

TILEWARDEN_FOR_PROCESSORS
void Weigh(const SampleGrid& grid, const TileSamples& patch,
           const TileMatcher::Reference& reference, LightFit fit, Finish finish, float light_cost,
           TileMatcher::Match& match) {
  const ReferenceSamples& samples = On(grid, reference);
  const std::size_t size = grid.size();
  const auto count = static_cast<float>(size);
  Plane costs;
  float sum = 0, hidden = 0, squares = 0;
  for (std::size_t p = 0; p < size; ++p) {
    costs[p] = Cost(patch.apart[p]);
    sum += costs[p];
    hidden += costs[p] > 0.8F ? 1.F : 0.F;
  }
  for (const Plane& error : patch.error) squares += Dot(error.data(), error.data(), size);
  const float detail_sum = Dot(costs.data(), samples.detail.data(), size);
  match.cost = fit == LightFit::kAny ? squares / (samples.energy + 1) : sum / count + light_cost;
  if (finish == Finish::kQuick) return;
  match.naming_cost = MeanNamingCost(patch.apart, size);
  if (size == kMostSamples && fit == LightFit::kNear) {
    match.naming_cost = 0.5F * match.naming_cost + 0.5F * OwnLightCost(patch, reference);
  }
  match.detail_cost = samples.details > 8 ? detail_sum / samples.details : sum / count;
  match.hidden = hidden / count;
  std::array<int, 64> histogram{};
  for (std::size_t p = 0; p < size; ++p) ++histogram[static_cast<std::size_t>(costs[p] * 63)];
  std::size_t bin = 0;
  for (float below = 0; bin < 63; ++bin) {
    below += static_cast<float>(histogram[bin]);
    if (below >= 0.6F * count) break;
  }
  match.typical_cost = static_cast<float>(bin) / 63;
  match.plain_cost = PlainCost(grid, patch, match.light);
}

}  // namespace

TileMatcher::Match AlignTile(const PicturePyramid& picture, const TileMatcher::Reference& reference,
                             const TileMatcher::Match& start, LightFit fit, int steps,
                             Finish finish) {
  TileMatcher::Match match = start;
  const Light base = start.light;
  TileSamples patch;
  std::array<float, 6> moved{};
  const SampleGrid& quick = EveryOther();
  for (int step = 0; step < steps; ++step) {
    Look(picture, quick, reference, fit, base, step > 0, match, patch);
    // A fiftieth of a sample: further steps change no name.
    if (Move(quick, patch, reference, moved, match) < 0.02F / kFineSide) break;
  }
  const SampleGrid& last = finish == Finish::kFull ? AllSamples() : quick;
  const float light_cost = Look(picture, last, reference, fit, base, steps > 0, match, patch);
  Weigh(last, patch, reference, fit, finish, light_cost, match);
  return match;
}

void CollectColours(const PicturePyramid& picture, const TileMatcher::Reference& reference,
                    const TileMatcher::Match& match, std::vector<ColourPair>& pairs) {
  const SampleGrid& grid = EveryOther();
  TileSamples patch;
  TakePatch(picture, grid, match.px_from_tile, patch);
  const Light& light = match.light;
  // Not the patch's own weight: that is in samples of the whole grid, and never nothing.
  Compare(grid, reference, light, patch);
  for (std::size_t p = 0; p < grid.size(); ++p) {
    const float x = grid.x[p], y = grid.y[p];
    const float d = patch.apart[p] / (2 * kTileNoise);
    const float w = 1.F / (1.F + d * d);
    const auto colour = [p](const auto& planes) {
      return cv::Vec3f(planes[0][p], planes[1][p], planes[2][p]);
    };
    pairs.push_back({colour(patch.seen), colour(reference.every_other.colour), light.exposure,
                     light.veil + light.veil_x * x + light.veil_y * y, w * w});
  }
}

}  // namespace tilewarden::vision
