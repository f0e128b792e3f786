#include "vision/picture/colour_distance.h"

#include <array>
#include <cmath>
#include <limits>

// Each of these loops is built twice, and the processor at hand decides which is run. Both do the
// same sums in the same order. Sanitizers start too late for that choice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TILEWARDEN_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define TILEWARDEN_WIDE
#endif

namespace tilewarden::vision {
namespace {

// A tile darkens in a shadow and brightens in glare, but keeps its hues.
constexpr float kBrightestGlare = 1.35F;
constexpr float kSoftShadow = 0.62F, kDeepShadow = 0.3F, kDeepPrice = 0.6F;
// What noise and print do: this much, and this share of how bright both are.
constexpr float kNoise = 6, kShare = 0.045F;

struct Colour {
  float b, g, r;
};

inline float Dot(const Colour& p, const Colour& q) { return p.b * q.b + p.g * q.g + p.r * q.r; }
inline float Least(float a, float b) { return b < a ? b : a; }
inline float Most(float a, float b) { return a < b ? b : a; }

// Length of what is left once the second is made as bright as the first, within limits.
inline float LeftOf(const Colour& seen, const Colour& expected, float along, float deepest) {
  const float k = Least(Most(along, deepest), kBrightestGlare);
  const Colour d = {seen.b - k * expected.b, seen.g - k * expected.g, seen.r - k * expected.r};
  return std::sqrt(Dot(d, d));
}

}  // namespace

TILEWARDEN_WIDE void DistanceFromPrint(const ColourRow& seen, const ColourRow& expected, int count,
                                       float* __restrict out) {
  const float *b = seen[0], *g = seen[1], *r = seen[2];
  const float *eb = expected[0], *eg = expected[1], *er = expected[2];
  for (int i = 0; i < count; ++i) {
    const Colour s = {b[i], g[i], r[i]}, e = {eb[i], eg[i], er[i]};
    const float ee = Dot(e, e);
    const float along = Dot(s, e) / Most(ee, 1);
    const float level = std::sqrt(Dot(s, s)) + std::sqrt(ee);
    out[i] = LeftOf(s, e, along, kSoftShadow) / (kNoise + kShare * level);
  }
}

TILEWARDEN_WIDE void DistanceFromShadowedPrint(const ColourRow& seen, const ColourRow& expected,
                                               int count, float* __restrict out) {
  const float *b = seen[0], *g = seen[1], *r = seen[2];
  const float *eb = expected[0], *eg = expected[1], *er = expected[2];
  for (int i = 0; i < count; ++i) {
    const Colour s = {b[i], g[i], r[i]}, e = {eb[i], eg[i], er[i]};
    const float ee = Dot(e, e);
    const float along = Dot(s, e) / Most(ee, 1);
    const float unit = kNoise + kShare * (std::sqrt(Dot(s, s)) + std::sqrt(ee));
    out[i] = Least(LeftOf(s, e, along, kSoftShadow) / unit,
                   kDeepPrice + LeftOf(s, e, along, kDeepShadow) / unit);
  }
}

TILEWARDEN_WIDE void DistanceInSpreads(const ColourRow& seen, const ColourRow& mean,
                                       const ColourRow& spread, int count, float* __restrict out) {
  const float *b = seen[0], *g = seen[1], *r = seen[2];
  const float *mb = mean[0], *mg = mean[1], *mr = mean[2];
  const float *sb = spread[0], *sg = spread[1], *sr = spread[2];
  for (int i = 0; i < count; ++i) {
    const Colour z = {(b[i] - mb[i]) / sb[i], (g[i] - mg[i]) / sg[i], (r[i] - mr[i]) / sr[i]};
    out[i] = std::sqrt(Dot(z, z) / 2);
  }
}

TILEWARDEN_WIDE void DistanceFromPaint(const ColourRow& seen, const cv::Vec3f& paint, int count,
                                       float* __restrict out) {
  // Of the paint's own brightness: its sides in shadow, and its lit edges.
  constexpr float kDarkest = 0.2F, kBrightest = 1.4F;
  // Sides turned from the light are rarer than lit ones.
  constexpr float kSide = 0.45F, kSidePrice = 2;
  constexpr std::array<float, 3> kSheen = {0, 20, 45};
  const Colour c = {paint[0], paint[1], paint[2]};
  const float cc = Most(Dot(c, c), 1), length = std::sqrt(cc);
  const float *b = seen[0], *g = seen[1], *r = seen[2];
  for (int i = 0; i < count; ++i) {
    const Colour s = {b[i], g[i], r[i]};
    float best = std::numeric_limits<float>::max(), price = 0;
    for (const float sheen : kSheen) {
      const Colour m = {s.b - sheen, s.g - sheen, s.r - sheen};
      const float k = Least(Most(Dot(m, c) / cc, kDarkest), kBrightest);
      const Colour d = {m.b - k * c.b, m.g - k * c.g, m.r - k * c.r};
      const float misfit = Dot(d, d) + sheen * sheen / 50;
      price = misfit < best ? kSidePrice * Most(kSide - k, 0) : price;
      best = Least(best, misfit);
    }
    out[i] = std::sqrt(best) / (kNoise + kShare * (std::sqrt(Dot(s, s)) + length)) + price;
  }
}

}  // namespace tilewarden::vision
