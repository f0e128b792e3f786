#include "vision/board/board_light.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "vision/picture/lattice_cells.h"
#include "vision/tiles/tile_alignment.h"

namespace tilewarden::vision {
namespace {

// Colours that are collected at most, and the fewest that tell a light. More cost time, fewer
// shake.
constexpr std::size_t kMostColours = 20000, kFewestColours = 200;
// Tile and plain square must cost so much apart, or a bare table teaches its light.
constexpr double kClear = 0.9;
constexpr float kBetterThanPlain = 0.05F;
// So many samples beside each other err together, by so many levels.
constexpr double kSamplesAsOne = 40, kNoise = 12;
// How far each may lie from what it was, as standard deviations: gain, curve, glare and offset
// (both levels). Larger ones follow a wrong tile sooner.
const cv::Vec4d kSpread(0.3, 0.6, 40, 30);
// Of how the light changes over a tile, so much goes on beyond it.
constexpr float kOnward = 0.7F;
// What a tile that touches at a corner counts of one that shares a side.
constexpr float kAtCorner = 0.5F;

// A tile that is well explained may teach its light to those after it.
bool IsClear(const ReadCell& read) {
  if (read.tile_probability < kClear) return false;
  const TileMatcher::Match& best = read.candidates.front();
  return best.plain_cost - best.cost >= kBetterThanPlain;
}

}  // namespace

void FitLight(const PicturePyramid& picture, const TileMatcher& matcher, Board& board) {
  std::vector<ColourPair> pairs;
  for (const auto& [cell, read] : board.tiles) {
    if (pairs.size() > kMostColours) break;
    const TileMatcher::Match& match = read.candidates.front();
    // A wrong tile must not teach the light that would make it right.
    if (!IsClear(read)) continue;
    CollectColours(picture, matcher.ReferenceOf(match), match, pairs);
  }
  if (pairs.size() < kFewestColours) return;
  Light& light = board.light;
  for (int k = 0; k < 3; ++k) {
    // Only one half of it is summed up, as the other is the same.
    std::array<double, 10> half{};
    cv::Vec4d right;
    for (const ColourPair& pair : pairs) {
      const double x = pair.seen[k], bright = pair.exposure * x;
      const std::array<double, 4> row = {bright, bright * x / 255, pair.veil, 1};
      for (std::size_t a = 0, i = 0; a < 4; ++a) {
        const double weighed = pair.weight * row[a];
        for (std::size_t b = 0; b <= a; ++b, ++i) half[i] += weighed * row[b];
        right[static_cast<int>(a)] += weighed * pair.reference[k];
      }
    }
    cv::Matx44d normal;
    for (int a = 0, i = 0; a < 4; ++a) {
      for (int b = 0; b <= a; ++b, ++i) {
        normal(a, b) = normal(b, a) = half[static_cast<std::size_t>(i)];
      }
    }
    constexpr double kUnit = kNoise * kNoise * kSamplesAsOne;
    const cv::Vec4d before(light.gain[k], light.curve[k], light.glare[k], light.offset[k]);
    for (int a = 0; a < 4; ++a) {
      const double prior = kUnit / (kSpread[a] * kSpread[a]);
      normal(a, a) += prior;
      right[a] += prior * before[a];
    }
    const cv::Vec4d fitted = normal.solve(right, cv::DECOMP_CHOLESKY);
    light.gain[k] = std::clamp(static_cast<float>(fitted[0]), -1.F, 4.F);
    light.curve[k] = std::clamp(static_cast<float>(fitted[1]), -2.F, 4.F);
    light.glare[k] = static_cast<float>(fitted[2]);
    light.offset[k] = static_cast<float>(fitted[3]);
  }
}

Light LightAt(const Board& board, LatticeCell cell) {
  Light sum = board.light;
  sum.exposure = sum.veil = 0;
  float weight = 0;
  for (const LatticeCell& d : kAround) {
    const auto tile = board.tiles.find(Plus(cell, d));
    if (tile == board.tiles.end()) continue;
    const Light& light = tile->second.candidates.front().light;
    const float w = d.x == 0 || d.y == 0 ? 1.F : kAtCorner;
    sum.exposure += w * light.exposure;
    sum.veil += w * (light.veil - kOnward * (light.veil_x * static_cast<float>(d.x) +
                                             light.veil_y * static_cast<float>(d.y)));
    sum.veil_x += w * kOnward * light.veil_x;
    sum.veil_y += w * kOnward * light.veil_y;
    weight += w;
  }
  if (weight <= 0) return board.light;
  for (float* v : {&sum.exposure, &sum.veil, &sum.veil_x, &sum.veil_y}) *v /= weight;
  return sum;
}

}  // namespace tilewarden::vision
