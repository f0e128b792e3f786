#include "vision/board/bare_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tilewarden::vision {
namespace {

// Samples along a side, within the margin that a neighbour's border and a tile laid askew may
// cover.
constexpr int kSamples = 8;
constexpr float kFirst = 0.15F, kStep = 0.1F;
using Colours = std::array<cv::Vec3f, static_cast<std::size_t>(kSamples) * kSamples>;

Colours ColoursAt(const PicturePyramid& picture, const cv::Matx33f& px_from_tile) {
  Colours colours;
  Sample(picture, px_from_tile, kFirst, kStep, kStep, kSamples, colours.data());
  return colours;
}

}  // namespace

bool ShowsBareTable(const PicturePyramid& picture, LatticeCell cell,
                    const cv::Matx33f& px_from_tile, const BoardPlaces& places) {
  // A colour of the table is this near to so much of what is beside the tiles (levels, each
  // channel), where tiles' borders, figures and hands show, too. Set by judgement, as is the share:
  // a hand's shadow may lie on a bare place, and a figure may lean over it.
  constexpr float kAlike = 18;
  constexpr double kUsual = 0.03, kMostly = 0.6;
  std::vector<cv::Vec3f> table;
  for (const auto& [other, beside] : places.beside) {
    if (other == cell || !InPicture(beside, picture.size())) continue;
    const Colours colours = ColoursAt(picture, beside);
    table.insert(table.end(), colours.begin(), colours.end());
  }
  if (table.empty()) return true;
  const Colours here = ColoursAt(picture, px_from_tile);
  const auto like_table = std::count_if(here.begin(), here.end(), [&](const cv::Vec3f& colour) {
    const auto alike = std::count_if(table.begin(), table.end(), [&](const cv::Vec3f& other) {
      const cv::Vec3f by = colour - other;
      return std::max({std::abs(by[0]), std::abs(by[1]), std::abs(by[2])}) < kAlike;
    });
    return static_cast<double>(alike) >= kUsual * static_cast<double>(table.size());
  });
  return static_cast<double>(like_table) >= kMostly * static_cast<double>(here.size());
}

}  // namespace tilewarden::vision
