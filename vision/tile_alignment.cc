#include "vision/tile_alignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tilewarden::vision {
namespace {

constexpr int kFine = TileMatcher::kFine;

// Colours that agree within this many levels, as a standard deviation; the
// rendered sequences give 8 to 14 on free tiles.
constexpr float kNoise = 12;
// Neighbouring samples err together: this many count as one.
constexpr float kCorrelated = 9;
constexpr double kUnit = kNoise * kNoise * kCorrelated;

// Freedom of a tile against where it was expected, as standard deviations:
// shift (tile sizes), turn (radians), size, and two kinds of shear.
constexpr std::array<float, 6> kFreedom = {0.07F, 0.07F, 0.06F, 0.025F, 0.015F, 0.015F};

// The samples that are compared: all but the outermost ring, or every other of
// them in each direction, for steps on the way.
struct Grid {
  explicit Grid(int stride)
      : first(1.5F / kFine),
        step(static_cast<float>(stride) / kFine),
        side((kFine - 2) / stride),
        weight(static_cast<float>(stride * stride)) {
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) {
        index.push_back(static_cast<std::size_t>((1 + stride * j) * kFine + 1 + stride * i));
        x.push_back(first + step * static_cast<float>(i) - 0.5F);
        y.push_back(first + step * static_cast<float>(j) - 0.5F);
      }
    }
  }

  float first, step;
  int side;
  float weight;                    // of one sample
  std::vector<std::size_t> index;  // in a reference's samples
  std::vector<float> x, y;         // from the middle of the tile, in tile sides
};

const Grid& AllSamples() {
  static const Grid grid(1);
  return grid;
}
const Grid& EveryOther() {
  static const Grid grid(2);
  return grid;
}

constexpr std::size_t kMost = (kFine - 2) * (kFine - 2);

// What is seen on a grid, and how much each sample is of the tile.
struct Patch {
  std::array<cv::Vec3f, kMost> seen, error;
  std::array<float, kMost> weight;
};

// How far apart two colours are, in levels. Brightness counts half, because a
// camera's tone curve bends it and a lamp's fall-off shades it; hue does not.
float Apart(const cv::Vec3f& e) {
  const float grey = (e[0] + e[1] + e[2]) / 3;
  const float hue = std::abs(e[0] - grey) + std::abs(e[1] - grey) + std::abs(e[2] - grey);
  return 0.5F * std::abs(grey) + 0.45F * hue;
}

// Cost of a difference: quickly cut off, so that a blue figure is no better a
// purple coat of arms than a red one.
float Cost(float apart) {
  constexpr float kHalf = 18;
  const float square = apart * apart;
  return square / (square + kHalf * kHalf);
}

// The same for telling names apart: flat beyond what print, light and a place
// a little off explain, so that an unknown thing on the tile speaks for none.
float NamingCost(float apart) {
  constexpr float kSigma = 20;
  return 1 - std::exp(-0.5F * apart * apart / (kSigma * kSigma));
}

// Naming cost of a patch of all samples when each channel of the reference is
// scaled and shifted as suits it best. The fit leaves out step by step what it
// can not explain (a figure, a shadow's edge).
float OwnLightCost(const Patch& patch, const TileMatcher::Reference& reference) {
  constexpr int kRounds = 6;
  constexpr float kCutOff = 48;
  const Grid& grid = AllSamples();
  std::array<float, kMost> weight, apart{};
  std::array<cv::Vec3f, kMost> error;
  weight.fill(1);
  for (int round = 0; round < kRounds; ++round) {
    apart.fill(0);
    for (int k = 0; k < 3; ++k) {
      float w = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
      for (std::size_t i = 0; i < kMost; ++i) {
        const float x = reference.colours[grid.index[i]][k], y = patch.seen[i][k];
        w += weight[i];
        sx += weight[i] * x;
        sy += weight[i] * y;
        sxx += weight[i] * x * x;
        sxy += weight[i] * x * y;
      }
      // A plain tile says nothing of the scale: drawn to what the levels say.
      const float mx = sx / w, my = sy / w;
      const float prior = 100 * w;
      const float usual = std::clamp(my / std::max(mx, 16.F), 0.3F, 2.5F);
      const float gain =
          std::clamp((sxy - w * mx * my + prior * usual) / (sxx - w * mx * mx + prior), 0.25F, 3.F);
      const float shift = my - gain * mx;
      for (std::size_t i = 0; i < kMost; ++i) {
        const float expected =
            std::clamp(gain * reference.colours[grid.index[i]][k] + shift, 0.F, 255.F);
        error[i][k] = patch.seen[i][k] - expected;
        apart[i] += std::abs(error[i][k]) / 3;
      }
    }
    const float limit = kCutOff * (2.F - 0.25F * static_cast<float>(round));
    for (std::size_t i = 0; i < kMost; ++i) {
      const float e = apart[i] / limit;
      weight[i] = e < 1 ? (1 - e * e) * (1 - e * e) + 1e-3F : 1e-3F;
    }
  }
  float cost = 0;
  for (const cv::Vec3f& e : error) cost += NamingCost(Apart(e));
  return cost / kMost;
}

// Gain and offset of every channel for itself: reference = gain * seen + offset.
Light FitAnyLight(const Grid& grid, const Patch& patch, const TileMatcher::Reference& reference) {
  Light light;
  for (int k = 0; k < 3; ++k) {
    double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t p = 0; p < grid.index.size(); ++p) {
      const double w = patch.weight[p], x = patch.seen[p][k];
      const double y = reference.colours[grid.index[p]][k];
      s += w;
      sx += w * x;
      sy += w * y;
      sxx += w * x * x;
      sxy += w * x * y;
    }
    // Offset 0 +- 80 levels: lamps scale colours, and only haze and
    // overexposure shift them.
    s += kUnit / (80.0 * 80.0);
    const double gain = std::clamp((sxy * s - sx * sy) / (sxx * s - sx * sx), 0.2, 6.0);
    light.gain[k] = static_cast<float>(gain);
    light.offset[k] = static_cast<float>((sy - gain * sx) / s);
    light.glare[k] *= light.gain[k];
  }
  return light;
}

// Exposure and veil near those of `base`. Returns what the departure from there
// costs: without it any plain patch fits any plain tile.
float FitNearLight(const Grid& grid, const Patch& patch, const TileMatcher::Reference& reference,
                   const Light& base, Light& light) {
  // Standard deviations from tile to tile: exposure, veil, and its change over
  // a tile in x and y.
  constexpr std::array<double, 4> kSpread = {0.12, 0.08, 0.06, 0.06};
  float uu = 0, ue = 0, u1 = 0, ux = 0, uy = 0, v1 = 0, vx = 0, vy = 0, vxx = 0, vxy = 0, vyy = 0;
  float ve = 0, vex = 0, vey = 0;
  const float glare2 = base.glare.dot(base.glare);
  for (std::size_t p = 0; p < grid.index.size(); ++p) {
    const float x = grid.x[p], y = grid.y[p], w = patch.weight[p];
    const cv::Vec3f scaled = base.Scaled(patch.seen[p]);
    const cv::Vec3f e = reference.colours[grid.index[p]] - base.Apply(patch.seen[p], x, y);
    const float uv = w * scaled.dot(base.glare), vv = w * glare2, eg = w * e.dot(base.glare);
    uu += w * scaled.dot(scaled);
    ue += w * scaled.dot(e);
    u1 += uv;
    ux += uv * x;
    uy += uv * y;
    v1 += vv;
    vx += vv * x;
    vy += vv * y;
    vxx += vv * x * x;
    vxy += vv * x * y;
    vyy += vv * y * y;
    ve += eg;
    vex += eg * x;
    vey += eg * y;
  }
  cv::Matx44d normal(uu, u1, ux, uy, u1, v1, vx, vy, ux, vx, vxx, vxy, uy, vy, vxy, vyy);
  for (int a = 0; a < 4; ++a) {
    const double spread = kSpread[static_cast<std::size_t>(a)];
    normal(a, a) += kUnit / (spread * spread);
  }
  const cv::Vec4d change = normal.solve(cv::Vec4d(ue, ve, vex, vey), cv::DECOMP_CHOLESKY);
  light = base;
  light.exposure = std::clamp(base.exposure + static_cast<float>(change[0]), 0.3F, 4.F);
  light.veil += static_cast<float>(change[1]);
  light.veil_x += static_cast<float>(change[2]);
  light.veil_y += static_cast<float>(change[3]);
  double cost = 0;
  for (int a = 0; a < 4; ++a) {
    cost += std::pow(change[a] / kSpread[static_cast<std::size_t>(a)], 2);
  }
  return std::min(0.01F * static_cast<float>(cost), 0.4F);
}

// Colours off by how much in the light so far, and so what is of the tile.
void Compare(const Grid& grid, const TileMatcher::Reference& reference, const Light& light,
             Patch& patch) {
  for (std::size_t p = 0; p < grid.index.size(); ++p) {
    patch.error[p] =
        light.Apply(patch.seen[p], grid.x[p], grid.y[p]) - reference.colours[grid.index[p]];
    const float d = Apart(patch.error[p]) / (2 * kNoise);
    const float w = 1.F / (1.F + d * d);
    patch.weight[p] = grid.weight * std::max(w * w, 1e-6F);
  }
}

// Looks, and fits the light by turns with what it leaves unexplained. Returns
// what the light costs. `known`: match.light is fitted already, if to another
// grid or from a step away.
float Look(const PicturePyramid& picture, const Grid& grid, const TileMatcher::Reference& reference,
           LightFit fit, const Light& base, bool known, TileMatcher::Match& match, Patch& patch) {
  Sample(picture, match.px_from_tile, grid.first, grid.step, 1.F / kFine, grid.side,
         patch.seen.data());
  if (known) {
    Compare(grid, reference, match.light, patch);
  } else {
    std::fill_n(patch.weight.begin(), grid.index.size(), grid.weight);
  }
  float light_cost = 0;
  for (int round = 0; round < 2; ++round) {
    if (fit == LightFit::kAny) {
      match.light = FitAnyLight(grid, patch, reference);
    } else {
      light_cost = FitNearLight(grid, patch, reference, base, match.light);
    }
    Compare(grid, reference, match.light, patch);
  }
  return light_cost;
}

// One step of the alignment; the largest change, or a negative number where the
// picture does not say.
float Move(const Grid& grid, const Patch& patch, const TileMatcher::Reference& reference,
           std::array<float, 6>& moved, TileMatcher::Match& match) {
  cv::Matx<double, 6, 6> normal = cv::Matx<double, 6, 6>::zeros();
  cv::Vec<double, 6> right;
  for (std::size_t k = 0; k < 6; ++k) {
    const double prior = kUnit / (kFreedom[k] * kFreedom[k]);
    normal(static_cast<int>(k), static_cast<int>(k)) = prior;
    right[static_cast<int>(k)] = -prior * moved[k];
  }
  std::array<float, 21> sums{};
  std::array<float, 6> sides{};
  for (std::size_t p = 0; p < grid.index.size(); ++p) {
    const float x = grid.x[p], y = grid.y[p], w = patch.weight[p];
    const cv::Vec3f& gx = reference.dx[grid.index[p]];
    const cv::Vec3f& gy = reference.dy[grid.index[p]];
    const cv::Vec3f& e = patch.error[p];
    const float xx = w * gx.dot(gx), xy = w * gx.dot(gy), yy = w * gy.dot(gy);
    if (xx + yy < 1) continue;
    const float ex = w * gx.dot(e), ey = w * gy.dot(e);
    // Columns of d(shift)/d(parameter): (1,0) (0,1) (-y,x) (x,y) (x,-y) (y,x).
    const std::array<float, 6> u = {1, 0, -y, x, x, y}, v = {0, 1, x, y, -y, x};
    std::size_t n = 0;
    for (std::size_t a = 0; a < 6; ++a) {
      const float fx = u[a] * xx + v[a] * xy, fy = u[a] * xy + v[a] * yy;
      for (std::size_t b = a; b < 6; ++b) sums[n++] += fx * u[b] + fy * v[b];
      sides[a] += u[a] * ex + v[a] * ey;
    }
  }
  std::size_t n = 0;
  for (int a = 0; a < 6; ++a) {
    right[a] -= sides[static_cast<std::size_t>(a)];
    for (int b = a; b < 6; ++b) {
      normal(a, b) += sums[n++];
      normal(b, a) = normal(a, b);
    }
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
float PlainCost(const Grid& grid, const Patch& patch, const Light& light) {
  std::array<cv::Vec3f, kMost> colours;
  const std::size_t count = grid.index.size();
  for (std::size_t p = 0; p < count; ++p) {
    colours[p] = light.Apply(patch.seen[p], grid.x[p], grid.y[p]);
  }
  cv::Vec3f median;
  std::array<float, kMost> channel;
  for (int k = 0; k < 3; ++k) {
    for (std::size_t p = 0; p < count; ++p) channel[p] = colours[p][k];
    const auto middle = channel.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(channel.begin(), middle, channel.begin() + static_cast<std::ptrdiff_t>(count));
    median[k] = *middle;
  }
  float sum = 0;
  for (std::size_t p = 0; p < count; ++p) sum += Cost(Apart(colours[p] - median));
  return sum / static_cast<float>(count);
}

void Weigh(const Grid& grid, const Patch& patch, const TileMatcher::Reference& reference,
           LightFit fit, float light_cost, TileMatcher::Match& match) {
  cv::Vec3f mean(0, 0, 0);
  for (const cv::Vec3f& c : reference.colours) mean += c * (1.F / (kFine * kFine));
  std::array<int, 64> histogram{};
  float sum = 0, naming_sum = 0, detail_sum = 0, detail_count = 0, hidden = 0;
  float squares = 0, energy = 0;
  for (std::size_t p = 0; p < grid.index.size(); ++p) {
    const float apart = Apart(patch.error[p]);
    const float d = Cost(apart);
    const cv::Vec3f off = reference.colours[grid.index[p]] - mean;
    sum += d;
    naming_sum += NamingCost(apart);
    hidden += d > 0.8F ? 1 : 0;
    ++histogram[static_cast<std::size_t>(d * 63)];
    squares += patch.error[p].dot(patch.error[p]);
    energy += off.dot(off);
    if (Apart(off) > 25) {
      detail_sum += d;
      detail_count += 1;
    }
  }
  const auto count = static_cast<float>(grid.index.size());
  match.cost = fit == LightFit::kAny ? squares / (energy + 1) : sum / count + light_cost;
  match.naming_cost = naming_sum / count;
  if (grid.index.size() == kMost && fit == LightFit::kNear) {
    match.naming_cost = 0.5F * match.naming_cost + 0.5F * OwnLightCost(patch, reference);
  }
  match.detail_cost = detail_count > 8 ? detail_sum / detail_count : sum / count;
  match.hidden = hidden / count;
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
  Patch patch;
  std::array<float, 6> moved{};
  const Grid& quick = EveryOther();
  for (int step = 0; step < steps; ++step) {
    Look(picture, quick, reference, fit, base, step > 0, match, patch);
    // A fiftieth of a sample: further steps change no name.
    if (Move(quick, patch, reference, moved, match) < 0.02F / kFine) break;
  }
  const Grid& last = finish == Finish::kFull ? AllSamples() : quick;
  const float light_cost = Look(picture, last, reference, fit, base, steps > 0, match, patch);
  Weigh(last, patch, reference, fit, light_cost, match);
  return match;
}

void CollectColours(const PicturePyramid& picture, const TileMatcher::Reference& reference,
                    const TileMatcher::Match& match, std::vector<ColourPair>& pairs) {
  const Grid& grid = EveryOther();
  Patch patch;
  Sample(picture, match.px_from_tile, grid.first, grid.step, 1.F / kFine, grid.side,
         patch.seen.data());
  const Light& light = match.light;
  for (std::size_t p = 0; p < grid.index.size(); ++p) {
    const float x = grid.x[p], y = grid.y[p];
    const cv::Vec3f& colour = reference.colours[grid.index[p]];
    const float d = Apart(light.Apply(patch.seen[p], x, y) - colour) / (2 * kNoise);
    const float w = 1.F / (1.F + d * d);
    pairs.push_back({patch.seen[p], colour, light.exposure,
                     light.veil + light.veil_x * x + light.veil_y * y, w * w});
  }
}

}  // namespace tilewarden::vision
