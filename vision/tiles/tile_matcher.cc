#include "vision/tiles/tile_matcher.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "calibration/box/enrolment.h"
#include "opencv2/core/hal/intrin.hpp"
#include "opencv2/imgproc.hpp"
#include "vision/tiles/tile_alignment.h"

namespace tilewarden::vision {
namespace {

constexpr int kCoarse = TileMatcher::kCoarse;
constexpr int kInner = kCoarse - 2;  // without the outermost ring
constexpr int kRow = 48;             // bytes of a padded coarse row: 14 * 3 and 6 of nothing
// The coarse search covers shifts of two coarse samples: an eighth of a tile.
constexpr int kShift = 2;
// Differences above this many grey levels are something else on the tile.
constexpr float kCutOff = 48;
std::uint8_t ToByte(float v) { return static_cast<std::uint8_t>(std::clamp(v + 0.5F, 0.F, 255.F)); }

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
  // A row's three differences fit into a byte.
  static_assert(3 * kCutOff <= 255);
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
    cv::v_expand(cv::v_add_wrap(cv::v_add_wrap(d0, d1), d2), low, high);
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

}  // namespace

TileMatcher::TileMatcher(const calibration::ReferencePack& pack) {
  references_.reserve(pack.pictures.size() * 4);
  for (const calibration::ReferencePicture& picture : pack.pictures) {
    for (int rotation = 0; rotation < 4; ++rotation) {
      const cv::Mat expected = calibration::Turned(picture.picture, rotation);
      cv::Mat fine, coarse;
      cv::resize(expected, fine, {kFineSide, kFineSide}, 0, 0, cv::INTER_AREA);
      cv::resize(expected, coarse, {kCoarse, kCoarse}, 0, 0, cv::INTER_AREA);
      fine.convertTo(fine, CV_32FC3);
      Reference r{.tile = picture.tile,
                  .rotation = rotation,
                  .expected = expected,
                  .all = ReferenceSamples(fine, AllSamples()),
                  .every_other = ReferenceSamples(fine, EveryOther())};
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
  Sample(picture, px_from_tile, 1.F / kCoarse + kStep / 2, kStep, kStep, 2 * kInner,
         samples.data());
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

TileMatcher::Match TileMatcher::AlignInAnyLight(const PicturePyramid& picture,
                                                const Match& match) const {
  return AlignTile(picture, references_[static_cast<std::size_t>(match.reference)], match,
                   LightFit::kAny, 8);
}

std::vector<TileMatcher::Match> TileMatcher::Candidates(const PicturePyramid& picture,
                                                        const cv::Matx33f& px_from_tile,
                                                        const Light& light, Tries tries) const {
  // Coarse samples of the tile and a margin of kShift around it, each the mean
  // of four fine ones.
  constexpr float kStep = 1.F / kFineSide;
  std::array<cv::Vec3f, 4 * kWide * kWide> samples;
  Sample(picture, px_from_tile, -2 * kShift * kStep + kStep / 2, kStep, kStep, 2 * kWide,
         samples.data());
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
  // Sums of levels over the coarse samples: below the first no veil makes a better match, and the
  // second is the price of one.
  constexpr int kSame = 2500, kVeilPrice = 600;
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
    sum += veil == 0 ? 0 : kVeilPrice;
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
        constexpr int kOff = 40;  // a sample off, in the same sums
        const int cost = sum + kOff * (dx * dx + dy * dy);
        if (cost < best.sum) best = {cost, static_cast<int>(r), dx, dy};
      }
    }
    coarse.push_back(best);
  }
  // A free tile is among the first few, and clear; under a figure the right one
  // may come late, so the rest are tried as well, roughly first.
  // Costs: below the first the rest are not tried, and of these none that lags by more than the
  // second. More of each costs time for every tile that a figure stands on.
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
    if (tried == kFirst && (tries == Tries::kLikeliest || least_cost < kClear)) break;
    Match start;
    start.reference = it->reference;
    start.light = best_light;
    start.px_from_tile =
        px_from_tile * cv::Matx33f(1, 0, static_cast<float>(it->dx) / kCoarse, 0, 1,
                                   static_cast<float>(it->dy) / kCoarse, 0, 0, 1);
    const Reference& reference = references_[static_cast<std::size_t>(it->reference)];
    Match match = tried < kFirst
                      ? AlignTile(picture, reference, start, LightFit::kNear, 4)
                      : AlignTile(picture, reference, start, LightFit::kNear, 1, Finish::kQuick);
    if (tried >= kFirst) {
      // Late ones are of use only if they do better than the first.
      if (match.cost > least_cost + kClose) continue;
      start.px_from_tile = match.px_from_tile;
      match = AlignTile(picture, reference, start, LightFit::kNear, 4);
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
  std::sort(distinct.begin(), distinct.end(),
            [](const Match& a, const Match& b) { return a.naming_cost < b.naming_cost; });
  return distinct;
}

TileMatcher::Match TileMatcher::AlignAs(const PicturePyramid& picture, const std::string& tile,
                                        int rotation, const cv::Matx33f& px_from_tile,
                                        const Light& light) const {
  Match best;
  for (std::size_t i = 0; i < references_.size(); ++i) {
    if (references_[i].tile != tile || references_[i].rotation != rotation) continue;
    Match start;
    start.reference = static_cast<int>(i);
    start.light = light;
    start.px_from_tile = px_from_tile;
    const Match match = AlignTile(picture, references_[i], start, LightFit::kNear, 4);
    if (best.reference < 0 || match.cost < best.cost) best = match;
  }
  return best;
}

}  // namespace tilewarden::vision
