// Settings of a table: camera, light, table top and sensor by difficulty, and
// how neatly people lay their tiles.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tests/virtual_table/scene/scene.h"

namespace tilewarden::virtual_table {

enum class Level { kEasy, kMedium, kHard };
std::optional<Level> ParseLevel(std::string_view name);
std::string_view NameOf(Level level);

// Standard deviations of a laid tile's place and turn, the gap between tiles,
// and how far figures stand from the middle of their spot.
struct Neatness {
  double drift_mm = 0.3, turn_deg = 0.5, gap_mm = 0.3, figure_mm = 1.5;
  // Of the figures, how many are set over the nearest edge of their tile, half of them beyond it.
  double over_edge = 0;
};
Neatness NeatnessOf(Level level);

// Even light of a bright room; the lamp above is large.
Lights EvenLight(cv::RNG* rng);

// A setting in which `board_mm` (a rectangle around the world's origin) is in
// the middle of the picture, whole, with table around it: `room` times its size.
// The table top is chosen by chance unless given. `hostile`: a felt in a player's colour or bold
// stripes, and a wide lens that bends, from farther aside.
Scene MakeSetting(Level level, std::uint64_t seed, cv::Size size_px, cv::Size2d board_mm,
                  std::optional<TableKind> table = std::nullopt, double room = 1.35,
                  bool hostile = false);

}  // namespace tilewarden::virtual_table
