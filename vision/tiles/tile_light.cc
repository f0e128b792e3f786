#include "vision/tiles/tile_light.h"

#include <algorithm>
#include <cmath>

#include "vision/picture/for_processors.h"

namespace tilewarden::vision {
namespace {

// What a light makes of the seen colours, one channel of it, but for exposure, veil and offset.
void Scale(const Light& light, int k, const float* seen, std::size_t count, float* scaled) {
  const float gain = light.gain[k], curve = light.curve[k] / 255;
  for (std::size_t p = 0; p < count; ++p) scaled[p] = (gain + curve * seen[p]) * seen[p];
}

}  // namespace

TILEWARDEN_FOR_PROCESSORS
float Dot(const float* a, const float* b, std::size_t count) {
  float sum = 0;
  for (std::size_t p = 0; p < count; ++p) sum += a[p] * b[p];
  return sum;
}

TILEWARDEN_FOR_PROCESSORS
cv::Vec3f FirstMoments(const float* w, const SampleGrid& grid) {
  float s1 = 0, sx = 0, sy = 0;
  const float *xs = grid.x.data(), *ys = grid.y.data();
  for (std::size_t p = 0; p < grid.size(); ++p) {
    s1 += w[p];
    sx += w[p] * xs[p];
    sy += w[p] * ys[p];
  }
  return {s1, sx, sy};
}

TILEWARDEN_FOR_PROCESSORS
cv::Matx33f SecondMoments(const float* w, const SampleGrid& grid) {
  float s1 = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  const float *xs = grid.x.data(), *ys = grid.y.data();
  for (std::size_t p = 0; p < grid.size(); ++p) {
    const float x = xs[p], y = ys[p], wx = w[p] * x, wy = w[p] * y;
    s1 += w[p];
    sx += wx;
    sy += wy;
    sxx += wx * x;
    sxy += wx * y;
    syy += wy * y;
  }
  return {s1, sx, sy, sx, sxx, sxy, sy, sxy, syy};
}

TILEWARDEN_FOR_PROCESSORS
Light FitAnyLight(const SampleGrid& grid, const TileSamples& patch,
                  const TileMatcher::Reference& reference) {
  Light light;
  for (int k = 0; k < 3; ++k) {
    const auto c = static_cast<std::size_t>(k);
    const float *xs = patch.seen[c].data(), *ys = On(grid, reference).colour[c].data();
    double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t p = 0; p < grid.size(); ++p) {
      const double w = patch.weight[p], x = xs[p], y = ys[p];
      s += w;
      sx += w * x;
      sy += w * y;
      sxx += w * x * x;
      sxy += w * x * y;
    }
    // Offset 0 +- 80 levels: lamps scale colours, and only haze and
    // overexposure shift them.
    s += kSampleUnit / (80.0 * 80.0);
    const double gain = std::clamp((sxy * s - sx * sy) / (sxx * s - sx * sx), 0.2, 6.0);
    light.gain[k] = static_cast<float>(gain);
    light.offset[k] = static_cast<float>((sy - gain * sx) / s);
    light.glare[k] *= light.gain[k];
  }
  return light;
}

TILEWARDEN_FOR_PROCESSORS
void Apply(const Light& light, int k, const SampleGrid& grid, const float* seen, float* out) {
  const float exposure = light.exposure, glare = light.glare[k];
  const float flat = light.offset[k] + glare * light.veil;
  const float along_x = glare * light.veil_x, along_y = glare * light.veil_y;
  const float *xs = grid.x.data(), *ys = grid.y.data();
  Scale(light, k, seen, grid.size(), out);
  for (std::size_t p = 0; p < grid.size(); ++p) {
    out[p] = exposure * out[p] + flat + along_x * xs[p] + along_y * ys[p];
  }
}

NearLight::NearLight(const SampleGrid& grid, const TileSamples& patch,
                     const TileMatcher::Reference& reference, const Light& base)
    : grid_(grid), base_(base) {
  Multiply(grid, patch, reference, base);
}

TILEWARDEN_FOR_PROCESSORS
void NearLight::Multiply(const SampleGrid& grid, const TileSamples& patch,
                         const TileMatcher::Reference& reference, const Light& base) {
  const std::size_t count = grid.size();
  for (Plane* plane : {&scaled2_, &scaled_off_, &scaled_glare_, &off_glare_}) {
    std::fill_n(plane->begin(), count, 0.F);
  }
  Plane scaled, applied;
  for (int k = 0; k < 3; ++k) {
    const auto c = static_cast<std::size_t>(k);
    const float* expected = On(grid, reference).colour[c].data();
    const float glare = base.glare[k];
    Scale(base, k, patch.seen[c].data(), count, scaled.data());
    Apply(base, k, grid, patch.seen[c].data(), applied.data());
    for (std::size_t p = 0; p < count; ++p) {
      const float off = expected[p] - applied[p];
      scaled2_[p] += scaled[p] * scaled[p];
      scaled_off_[p] += scaled[p] * off;
      scaled_glare_[p] += scaled[p] * glare;
      off_glare_[p] += off * glare;
    }
  }
}

TILEWARDEN_FOR_PROCESSORS
float NearLight::Fit(const Plane& weight, Light& light) const {
  // Standard deviations from tile to tile: exposure, veil, and its change over
  // a tile in x and y.
  constexpr std::array<double, 4> kSpread = {0.12, 0.08, 0.06, 0.06};
  const std::size_t count = grid_.size();
  Plane weighted{};
  for (std::size_t p = 0; p < count; ++p) weighted[p] = weight[p] * scaled_glare_[p];
  const cv::Vec3f u = FirstMoments(weighted.data(), grid_);
  for (std::size_t p = 0; p < count; ++p) weighted[p] = weight[p] * off_glare_[p];
  const cv::Vec3f e = FirstMoments(weighted.data(), grid_);
  const cv::Matx33f v = SecondMoments(weight.data(), grid_) * base_.glare.dot(base_.glare);
  const float uu = Dot(weight.data(), scaled2_.data(), count);
  const float ue = Dot(weight.data(), scaled_off_.data(), count);
  cv::Matx44d normal(uu, u[0], u[1], u[2],             //
                     u[0], v(0, 0), v(0, 1), v(0, 2),  //
                     u[1], v(1, 0), v(1, 1), v(1, 2),  //
                     u[2], v(2, 0), v(2, 1), v(2, 2));
  for (int a = 0; a < 4; ++a) {
    const double spread = kSpread[static_cast<std::size_t>(a)];
    normal(a, a) += kSampleUnit / (spread * spread);
  }
  const cv::Vec4d change = normal.solve(cv::Vec4d(ue, e[0], e[1], e[2]), cv::DECOMP_CHOLESKY);
  light = base_;
  light.exposure = std::clamp(base_.exposure + static_cast<float>(change[0]), 0.3F, 4.F);
  light.veil += static_cast<float>(change[1]);
  light.veil_x += static_cast<float>(change[2]);
  light.veil_y += static_cast<float>(change[3]);
  double cost = 0;
  for (int a = 0; a < 4; ++a) {
    cost += std::pow(change[a] / kSpread[static_cast<std::size_t>(a)], 2);
  }
  return std::min(0.01F * static_cast<float>(cost), 0.4F);
}

}  // namespace tilewarden::vision
