#include "vision/tile_matcher.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "calibration/enrolment.h"
#include "opencv2/core/hal/intrin.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

constexpr int kFine = TileMatcher::kFine;
constexpr int kCoarse = TileMatcher::kCoarse;
constexpr int kInner = kCoarse - 2;  // without the outermost ring
constexpr int kRow = 48;             // bytes of a padded coarse row: 14 * 3 and 6 of nothing
// The coarse search covers shifts of two coarse samples: an eighth of a tile.
constexpr int kShift = 2;
// Differences above this many grey levels are something else on the tile.
constexpr float kCutOff = 48;
// Colours that agree within this many levels, as a standard deviation; the
// rendered sequences give 8 to 14 on free tiles.
constexpr float kNoise = 12;
// Neighbouring samples err together: this many count as one.
constexpr float kCorrelated = 9;

// Freedom of a tile against where it was expected, as standard deviations:
// shift (tile sizes), turn (radians), size, and two kinds of shear.
constexpr std::array<float, 6> kFreedom = {0.07F, 0.07F, 0.06F, 0.025F, 0.015F, 0.015F};

using Patch = std::array<cv::Vec3f, kFine * kFine>;

std::uint8_t ToByte(float v) { return static_cast<std::uint8_t>(std::clamp(v + 0.5F, 0.F, 255.F)); }

void SampleTile(const PicturePyramid& picture, const cv::Matx33f& px_from_tile, Patch& patch) {
  constexpr float kStep = 1.F / kFine;
  Sample(picture, px_from_tile, kStep / 2, kStep, kFine, patch.data());
}

// Zero mean in each colour and unit length over all: what is left of a patch
// when the light's colour is taken out. False where it is of one colour.
bool NormaliseShape(std::array<float, 3 * kInner * kInner>& shape) {
  float energy = 0;
  for (int k = 0; k < 3; ++k) {
    float mean = 0;
    for (int i = 0; i < kInner * kInner; ++i) mean += shape[static_cast<std::size_t>(3 * i + k)];
    mean /= kInner * kInner;
    for (int i = 0; i < kInner * kInner; ++i) {
      float& v = shape[static_cast<std::size_t>(3 * i + k)];
      v -= mean;
      energy += v * v;
    }
  }
  const float norm = std::sqrt(energy);
  if (norm < 4.F * std::sqrt(3.F * kInner * kInner)) return false;
  for (float& v : shape) v /= norm;
  return true;
}

// Sum of differences cut off at `kCutOff`, over 14 rows of 48 bytes.
int CutOffSum(const std::uint8_t* window, std::size_t stride, const std::uint8_t* reference) {
  const cv::v_uint8x16 limit = cv::v_setall_u8(static_cast<uchar>(kCutOff));
  const cv::v_uint8x16 zero = cv::v_setzero_u8();
  cv::v_uint16x8 sum = cv::v_setzero_u16();
  for (int row = 0; row < kInner; ++row) {
    const std::uint8_t* a = window + static_cast<std::size_t>(row) * stride;
    const std::uint8_t* b = reference + row * kRow;
    const cv::v_uint8x16 d0 = cv::v_min(cv::v_absdiff(cv::v_load(a), cv::v_load(b)), limit);
    const cv::v_uint8x16 d1 =
        cv::v_min(cv::v_absdiff(cv::v_load(a + 16), cv::v_load(b + 16)), limit);
    // The last ten of 48 bytes belong to the neighbours: the padding hides them.
    cv::v_uint8x16 d2 = cv::v_min(cv::v_absdiff(cv::v_load(a + 26), cv::v_load(b + 32)), limit);
    d2 = cv::v_extract<6>(d2, zero);
    cv::v_uint16x8 low, high;
    cv::v_expand(d0, low, high);
    sum += low + high;
    cv::v_expand(d1, low, high);
    sum += low + high;
    cv::v_expand(d2, low, high);
    sum += low + high;
  }
  cv::v_uint32x4 low, high;
  cv::v_expand(sum, low, high);
  return static_cast<int>(cv::v_reduce_sum(low + high));
}

constexpr int kWide = kCoarse + 2 * kShift;

// The coarse samples of a tile and a margin around it, as bytes in one light.
class CoarseWindow {
 public:
  void Fill(const std::array<cv::Vec3f, kWide * kWide>& means, const Light& light) {
    for (std::size_t i = 0; i < means.size(); ++i) {
      const auto across = static_cast<float>(i % kWide), down = static_cast<float>(i / kWide);
      const cv::Vec3f colour = light.Apply(means[i], (across - (kWide - 1) / 2.F) / kCoarse,
                                           (down - (kWide - 1) / 2.F) / kCoarse);
      for (std::size_t k = 0; k < 3; ++k) bytes_[3 * i + k] = ToByte(colour[static_cast<int>(k)]);
    }
  }
  int Sum(const std::uint8_t* reference, int dx, int dy) const {
    const std::size_t at = static_cast<std::size_t>(dy + kShift + 1) * kStride +
                           static_cast<std::size_t>(3 * (dx + kShift + 1));
    return CutOffSum(bytes_.data() + at, kStride, reference);
  }

 private:
  static constexpr std::size_t kStride = 3 * kWide;
  std::array<std::uint8_t, kStride * kWide + 16> bytes_{};
};

struct Weights {
  std::array<float, kFine * kFine> w;
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

// Of sample i, from the middle of the tile, in tile sides.
float Middle(int i) { return (static_cast<float>(i) + 0.5F) / kFine - 0.5F; }

bool Inside(int i, int j) { return i > 0 && j > 0 && i < kFine - 1 && j < kFine - 1; }

// Gain and offset of every channel for itself: reference = gain * seen + offset.
Light FitAnyLight(const Patch& seen, const TileMatcher::Reference& reference,
                  const Weights& weights) {
  Light light;
  for (int k = 0; k < 3; ++k) {
    double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t p = 0; p < seen.size(); ++p) {
      const double w = weights.w[p], x = seen[p][k], y = reference.colours[p][k];
      s += w;
      sx += w * x;
      sy += w * y;
      sxx += w * x * x;
      sxy += w * x * y;
    }
    // Offset 0 +- 80 levels, by the same reckoning as below: lamps scale
    // colours, and only haze and overexposure shift them.
    const double unit = kNoise * kNoise * kCorrelated / (80.0 * 80.0);
    const double det = sxx * (s + unit) - sx * sx;
    const double gain = std::clamp((sxy * (s + unit) - sx * sy) / det, 0.2, 6.0);
    light.gain[k] = static_cast<float>(gain);
    light.offset[k] = static_cast<float>((sy - gain * sx) / (s + unit));
    light.glare[k] *= light.gain[k];
  }
  return light;
}

// Exposure and veil near those of `base`. Returns what the departure from there
// costs: without it any plain patch fits any plain tile.
float FitNearLight(const Patch& seen, const TileMatcher::Reference& reference,
                   const Weights& weights, const Light& base, Light& light) {
  // Standard deviations from tile to tile: exposure, veil, and its change over
  // a tile in x and y.
  constexpr std::array<double, 4> kSpread = {0.12, 0.08, 0.06, 0.06};
  cv::Matx44d normal = cv::Matx44d::zeros();
  cv::Vec4d right;
  for (int j = 1; j < kFine - 1; ++j) {
    const float y = Middle(j);
    for (int i = 1; i < kFine - 1; ++i) {
      const auto p = static_cast<std::size_t>(j * kFine + i);
      const float x = Middle(i), w = weights.w[p];
      const cv::Vec3f scaled = base.gain.mul(seen[p]);
      const cv::Vec3f e = reference.colours[p] - base.Apply(seen[p], x, y);
      const float uu = w * scaled.dot(scaled), uv = w * scaled.dot(base.glare);
      const float vv = w * base.glare.dot(base.glare);
      const float ue = w * scaled.dot(e), ve = w * base.glare.dot(e);
      normal(0, 0) += uu;
      normal(0, 1) += uv;
      normal(0, 2) += uv * x;
      normal(0, 3) += uv * y;
      normal(1, 1) += vv;
      normal(1, 2) += vv * x;
      normal(1, 3) += vv * y;
      normal(2, 2) += vv * x * x;
      normal(2, 3) += vv * x * y;
      normal(3, 3) += vv * y * y;
      right += cv::Vec4d(ue, ve, ve * x, ve * y);
    }
  }
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < a; ++b) normal(a, b) = normal(b, a);
    const double spread = kSpread[static_cast<std::size_t>(a)];
    normal(a, a) += kNoise * kNoise * kCorrelated / (spread * spread);
  }
  const cv::Vec4d change = normal.solve(right, cv::DECOMP_CHOLESKY);
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

// Cost of the patch against its own median colour.
float PlainCost(const Patch& seen, const Light& light) {
  std::array<std::vector<float>, 3> channels;
  std::vector<cv::Vec3f> colours;
  colours.reserve(seen.size());
  for (int j = 1; j < kFine - 1; ++j) {
    for (int i = 1; i < kFine - 1; ++i) {
      colours.push_back(
          light.Apply(seen[static_cast<std::size_t>(j * kFine + i)], Middle(i), Middle(j)));
    }
  }
  cv::Vec3f median;
  for (int k = 0; k < 3; ++k) {
    std::vector<float>& channel = channels[static_cast<std::size_t>(k)];
    channel.reserve(colours.size());
    for (const cv::Vec3f& c : colours) channel.push_back(c[k]);
    const auto middle = channel.begin() + static_cast<std::ptrdiff_t>(channel.size() / 2);
    std::nth_element(channel.begin(), middle, channel.end());
    median[k] = *middle;
  }
  float sum = 0;
  for (const cv::Vec3f& c : colours) sum += Cost(Apart(c - median));
  return sum / static_cast<float>(colours.size());
}

cv::Matx33f Step(const std::array<float, 6>& a) {
  // tile -> tile: a shift, and about the middle a turn, a size and two shears.
  const float m00 = a[3] + a[4], m01 = -a[2] + a[5], m10 = a[2] + a[5], m11 = a[3] - a[4];
  return {1 + m00, m01, a[0] - 0.5F * (m00 + m01), m10, 1 + m11, a[1] - 0.5F * (m10 + m11), 0,
          0,       1};
}

}  // namespace

TileMatcher::TileMatcher(const calibration::ReferencePack& pack) {
  references_.reserve(pack.pictures.size() * 4);
  for (const calibration::ReferencePicture& picture : pack.pictures) {
    for (int rotation = 0; rotation < 4; ++rotation) {
      Reference r;
      r.tile = picture.tile;
      r.rotation = rotation;
      r.expected = calibration::Turned(picture.picture, rotation);
      cv::Mat fine, coarse;
      cv::resize(r.expected, fine, {kFine, kFine}, 0, 0, cv::INTER_AREA);
      cv::resize(r.expected, coarse, {kCoarse, kCoarse}, 0, 0, cv::INTER_AREA);
      fine.convertTo(fine, CV_32FC3);
      for (int j = 0; j < kFine; ++j) {
        for (int i = 0; i < kFine; ++i) {
          const auto p = static_cast<std::size_t>(j * kFine + i);
          r.colours[p] = fine.at<cv::Vec3f>(j, i);
          const int l = std::max(i - 1, 0), h = std::min(i + 1, kFine - 1);
          const int t = std::max(j - 1, 0), b = std::min(j + 1, kFine - 1);
          r.dx[p] = (fine.at<cv::Vec3f>(j, h) - fine.at<cv::Vec3f>(j, l)) *
                    (static_cast<float>(kFine) / static_cast<float>(h - l));
          r.dy[p] = (fine.at<cv::Vec3f>(b, i) - fine.at<cv::Vec3f>(t, i)) *
                    (static_cast<float>(kFine) / static_cast<float>(b - t));
        }
      }
      for (int j = 0; j < kInner; ++j) {
        for (int i = 0; i < kInner; ++i) {
          for (int k = 0; k < 3; ++k) {
            const std::uint8_t v = coarse.at<cv::Vec3b>(j + 1, i + 1)[k];
            // The third load of a row starts at byte 26 and drops its first six.
            const int byte = 3 * i + k;
            r.coarse[static_cast<std::size_t>(j * kRow + (byte < 32 ? byte : byte + 6))] = v;
            r.shape[static_cast<std::size_t>(3 * (j * kInner + i) + k)] = v;
          }
        }
      }
      NormaliseShape(r.shape);
      references_.push_back(std::move(r));
    }
  }
}

TileMatcher::Match TileMatcher::MatchShape(const PicturePyramid& picture,
                                           const cv::Matx33f& px_from_tile) const {
  std::array<cv::Vec3f, 4 * kInner * kInner> samples;
  constexpr float kStep = 0.5F / kCoarse;
  Sample(picture, px_from_tile, 1.F / kCoarse + kStep / 2, kStep, 2 * kInner, samples.data());
  std::array<float, 3 * kInner * kInner> shape;
  for (int j = 0; j < kInner; ++j) {
    for (int i = 0; i < kInner; ++i) {
      const auto p = static_cast<std::size_t>(2 * j * 2 * kInner + 2 * i);
      const cv::Vec3f sum =
          samples[p] + samples[p + 1] + samples[p + 2 * kInner] + samples[p + 2 * kInner + 1];
      for (int k = 0; k < 3; ++k) {
        shape[static_cast<std::size_t>(3 * (j * kInner + i) + k)] = sum[k] / 4;
      }
    }
  }
  Match best;
  best.px_from_tile = px_from_tile;
  best.cost = 2;
  if (!NormaliseShape(shape)) return best;
  for (std::size_t i = 0; i < references_.size(); ++i) {
    const float correlation =
        std::inner_product(shape.begin(), shape.end(), references_[i].shape.begin(), 0.F);
    if (1 - correlation < best.cost) {
      best.cost = 1 - correlation;
      best.reference = static_cast<int>(i);
    }
  }
  return best;
}

TileMatcher::Match TileMatcher::Align(const PicturePyramid& picture, const Match& start,
                                      LightFit fit, int steps) const {
  const Reference& reference = references_[static_cast<std::size_t>(start.reference)];
  Match match = start;
  const Light base = start.light;
  Patch seen, error;
  Weights weights;
  for (int j = 0; j < kFine; ++j) {
    for (int i = 0; i < kFine; ++i) {
      weights.w[static_cast<std::size_t>(j * kFine + i)] = Inside(i, j) ? 1.F : 0.F;
    }
  }
  std::array<float, 6> moved{};
  float light_cost = 0;
  for (int step = 0;; ++step) {
    SampleTile(picture, match.px_from_tile, seen);
    // Twice, because what covers the tile is known only once the light is.
    for (int round = 0; round < 2; ++round) {
      if (fit == LightFit::kAny) {
        match.light = FitAnyLight(seen, reference, weights);
      } else {
        light_cost = FitNearLight(seen, reference, weights, base, match.light);
      }
      for (std::size_t p = 0; p < seen.size(); ++p) {
        const auto [i, j] = std::pair(static_cast<int>(p) % kFine, static_cast<int>(p) / kFine);
        error[p] = match.light.Apply(seen[p], Middle(i), Middle(j)) - reference.colours[p];
        if (weights.w[p] <= 0) continue;
        const float d = Apart(error[p]) / (2 * kNoise);
        const float w = 1.F / (1.F + d * d);
        weights.w[p] = std::max(w * w, 1e-6F);
      }
    }
    if (step == steps) break;
    cv::Matx<double, 6, 6> normal = cv::Matx<double, 6, 6>::zeros();
    cv::Vec<double, 6> right;
    for (std::size_t k = 0; k < 6; ++k) {
      const int n = static_cast<int>(k);
      const double prior = kNoise * kNoise * kCorrelated / (kFreedom[k] * kFreedom[k]);
      normal(n, n) = prior;
      right[n] = -prior * moved[k];
    }
    for (int j = 1; j < kFine - 1; ++j) {
      const float y = (static_cast<float>(j) + 0.5F) / kFine - 0.5F;
      for (int i = 1; i < kFine - 1; ++i) {
        const auto p = static_cast<std::size_t>(j * kFine + i);
        const float x = (static_cast<float>(i) + 0.5F) / kFine - 0.5F;
        const float w = weights.w[p];
        const cv::Vec3f &gx = reference.dx[p], &gy = reference.dy[p], &e = error[p];
        const float xx = w * gx.dot(gx), xy = w * gx.dot(gy), yy = w * gy.dot(gy);
        if (xx + yy < 1) continue;
        const float ex = w * gx.dot(e), ey = w * gy.dot(e);
        // Columns of d(shift)/d(parameter): (1,0) (0,1) (-y,x) (x,y) (x,-y) (y,x).
        const std::array<float, 6> u = {1, 0, -y, x, x, y}, v = {0, 1, x, y, -y, x};
        for (int a = 0; a < 6; ++a) {
          const float fx =
              u[static_cast<std::size_t>(a)] * xx + v[static_cast<std::size_t>(a)] * xy;
          const float fy =
              u[static_cast<std::size_t>(a)] * xy + v[static_cast<std::size_t>(a)] * yy;
          for (int b = a; b < 6; ++b) {
            normal(a, b) +=
                fx * u[static_cast<std::size_t>(b)] + fy * v[static_cast<std::size_t>(b)];
          }
          right[a] -= u[static_cast<std::size_t>(a)] * ex + v[static_cast<std::size_t>(a)] * ey;
        }
      }
    }
    for (int a = 0; a < 6; ++a) {
      for (int b = 0; b < a; ++b) normal(a, b) = normal(b, a);
    }
    cv::Vec<double, 6> solution;
    if (!cv::solve(normal, right, solution, cv::DECOMP_CHOLESKY)) break;
    std::array<float, 6> change{};
    float largest = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      change[k] = std::clamp(static_cast<float>(solution[static_cast<int>(k)]), -0.06F, 0.06F);
      moved[k] += change[k];
      largest = std::max(largest, std::abs(change[k]));
    }
    match.px_from_tile = match.px_from_tile * Step(change);
    match.px_from_tile = match.px_from_tile * (1.F / match.px_from_tile(2, 2));
    // A fiftieth of a sample: further steps change no name.
    if (largest < 0.02F / kFine) steps = step + 1;
  }

  cv::Vec3f mean(0, 0, 0);
  for (const cv::Vec3f& c : reference.colours) mean += c * (1.F / (kFine * kFine));
  std::array<int, 64> histogram{};
  float sum = 0, detail_sum = 0, detail_count = 0, hidden = 0, squares = 0, energy = 0;
  for (int j = 1; j < kFine - 1; ++j) {
    for (int i = 1; i < kFine - 1; ++i) {
      const auto p = static_cast<std::size_t>(j * kFine + i);
      const float d = Cost(Apart(error[p]));
      const cv::Vec3f off = reference.colours[p] - mean;
      sum += d;
      hidden += d > 0.8F ? 1 : 0;
      ++histogram[static_cast<std::size_t>(d * 63)];
      squares += error[p].dot(error[p]);
      energy += off.dot(off);
      if (Apart(off) > 25) {
        detail_sum += d;
        detail_count += 1;
      }
    }
  }
  constexpr float kCount = (kFine - 2) * (kFine - 2);
  match.cost = fit == LightFit::kAny ? squares / (energy + 1) : sum / kCount + light_cost;
  match.detail_cost = detail_count > 8 ? detail_sum / detail_count : sum / kCount;
  match.hidden = hidden / kCount;
  std::size_t bin = 0;
  for (float below = 0; bin < 63; ++bin) {
    below += static_cast<float>(histogram[bin]);
    if (below >= 0.6F * kCount) break;
  }
  match.typical_cost = static_cast<float>(bin) / 63;
  match.plain_cost = PlainCost(seen, match.light);
  return match;
}

TileMatcher::Match TileMatcher::AlignInAnyLight(const PicturePyramid& picture,
                                                const Match& match) const {
  return Align(picture, match, LightFit::kAny, 8);
}

std::vector<TileMatcher::Match> TileMatcher::Candidates(const PicturePyramid& picture,
                                                        const cv::Matx33f& px_from_tile,
                                                        const Light& light) const {
  // Coarse samples of the tile and a margin of kShift around it, each the mean
  // of four fine ones.
  constexpr float kStep = 1.F / kFine;
  std::array<cv::Vec3f, 4 * kWide * kWide> samples;
  Sample(picture, px_from_tile, -2 * kShift * kStep + kStep / 2, kStep, 2 * kWide, samples.data());
  std::array<cv::Vec3f, kWide * kWide> means;
  for (int j = 0; j < kWide; ++j) {
    for (int i = 0; i < kWide; ++i) {
      const auto p = static_cast<std::size_t>(2 * j * 2 * kWide + 2 * i);
      means[static_cast<std::size_t>(j * kWide + i)] =
          (samples[p] + samples[p + 1] + samples[p + 2 * kWide] + samples[p + 2 * kWide + 1]) *
          0.25F;
    }
  }
  // Glare can begin within a tile of where it was not: try veils, coarsely.
  constexpr std::array<float, 5> kVeils = {0, -0.15F, 0.15F, -0.3F, 0.3F};
  constexpr int kSame = 2500;  // a sum that no veil would make a better match
  Light best_light = light;
  int least = 1 << 30;
  CoarseWindow window;
  for (const float veil : kVeils) {
    const Light veiled = light.Veiled(veil);
    window.Fill(means, veiled);
    int sum = 1 << 30;
    for (const Reference& reference : references_) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          sum = std::min(sum, window.Sum(reference.coarse.data(), dx, dy));
        }
      }
    }
    sum += veil == 0 ? 0 : 600;
    if (sum < least) {
      least = sum;
      best_light = veiled;
    }
    if (veil == 0 && sum < kSame) break;
  }
  window.Fill(means, best_light);
  struct Coarse {
    int sum, reference, dx, dy;
  };
  std::vector<Coarse> coarse;
  coarse.reserve(references_.size());
  for (std::size_t r = 0; r < references_.size(); ++r) {
    Coarse best{1 << 30, static_cast<int>(r), 0, 0};
    for (int dy = -kShift; dy <= kShift; ++dy) {
      for (int dx = -kShift; dx <= kShift; ++dx) {
        const int sum = window.Sum(references_[r].coarse.data(), dx, dy);
        // Of equals the one nearest to where the tile was expected.
        const int cost = sum + 40 * (dx * dx + dy * dy);
        if (cost < best.sum) best = {cost, static_cast<int>(r), dx, dy};
      }
    }
    coarse.push_back(best);
  }
  // A free tile is among the first few, and clear; under a figure the right one
  // may come late, so the rest are tried as well, roughly first.
  constexpr std::size_t kFirst = 6, kKept = 32;
  constexpr float kClear = 0.12F, kClose = 0.1F;
  const auto kept = coarse.begin() + static_cast<std::ptrdiff_t>(std::min(kKept, coarse.size()));
  std::partial_sort(coarse.begin(), kept, coarse.end(),
                    [](const Coarse& a, const Coarse& b) { return a.sum < b.sum; });
  // Nothing is alike: above this share of the cut-off no tile was ever right.
  constexpr double kHopeless = 0.62 * kInner * kInner * 3 * kCutOff;
  std::vector<Match> matches;
  float least_cost = 1;
  std::size_t tried = 0;
  for (auto it = coarse.begin(); it != kept; ++it, ++tried) {
    if (it->sum > kHopeless || it->sum > 2 * coarse.front().sum + 3000) break;
    if (tried == kFirst && least_cost < kClear) break;
    Match start;
    start.reference = it->reference;
    start.light = best_light;
    start.px_from_tile = px_from_tile * Step({static_cast<float>(it->dx) / kCoarse,
                                              static_cast<float>(it->dy) / kCoarse, 0, 0, 0, 0});
    Match match = Align(picture, start, LightFit::kNear, tried < kFirst ? 4 : 1);
    if (tried >= kFirst && match.cost < least_cost + kClose) {
      start.px_from_tile = match.px_from_tile;
      match = Align(picture, start, LightFit::kNear, 4);
    }
    least_cost = std::min(least_cost, match.cost);
    matches.push_back(match);
  }
  std::sort(matches.begin(), matches.end(),
            [](const Match& a, const Match& b) { return a.cost < b.cost; });
  std::vector<Match> distinct;
  for (const Match& match : matches) {
    const Reference& r = references_[static_cast<std::size_t>(match.reference)];
    const bool known = std::any_of(distinct.begin(), distinct.end(), [&](const Match& d) {
      const Reference& o = references_[static_cast<std::size_t>(d.reference)];
      return o.tile == r.tile && o.rotation == r.rotation;
    });
    if (!known) distinct.push_back(match);
  }
  return distinct;
}

void TileMatcher::ColourPairs(const PicturePyramid& picture, const Match& match,
                              std::vector<ColourPair>& pairs) const {
  const Reference& reference = references_[static_cast<std::size_t>(match.reference)];
  Patch seen;
  SampleTile(picture, match.px_from_tile, seen);
  for (int j = 2; j < kFine - 2; j += 2) {
    for (int i = 2; i < kFine - 2; i += 2) {
      const auto p = static_cast<std::size_t>(j * kFine + i);
      const Light& light = match.light;
      const float veil = light.veil + light.veil_x * Middle(i) + light.veil_y * Middle(j);
      const cv::Vec3f fitted = light.Apply(seen[p], Middle(i), Middle(j));
      const float d = Apart(fitted - reference.colours[p]) / (2 * kNoise);
      const float w = 1.F / (1.F + d * d);
      pairs.push_back({seen[p] * light.exposure, reference.colours[p], veil, w * w});
    }
  }
}

}  // namespace tilewarden::vision
