// Pictures on surfaces, and the made-up surfaces of a table: wood, cloth,
// paper. Textures are values that share pixels; safe to read from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::virtual_table {

// A picture with its halvings. u to the right and v down, both 0 to 1.
class Texture {
 public:
  explicit Texture(const cv::Mat& picture);  // 8-bit BGR

  cv::Size size() const { return levels_.front().size(); }
  // Linear light (not gamma), blue green red, 1 is white.
  cv::Vec3f Sample(float u, float v, int level) const;
  // The halving for this many picture pixels per sample along a side.
  int LevelFor(double texels_per_sample) const;

 private:
  std::vector<cv::Mat> levels_;
};

// sRGB value 0-255 to linear light 0-1, and back (clamped).
float ToLinear(int value);
// A colour as red, green, blue 0-255 to linear blue, green, red.
cv::Vec3f LinearBgr(double r, double g, double b);

enum class TableKind {
  kWood,
  kDarkWood,
  kCheckedCloth,
  kPlainCloth,
  kWhite,
  // Felt in the colours of players, and a cloth of bold stripes.
  kRedFelt,
  kBlueFelt,
  kGreenFelt,
  kYellowFelt,
  kBlackFelt,
  kStripes
};
// "wood", "dark-wood", "checked-cloth", "plain-cloth", "white", "red-felt", "blue-felt",
// "green-felt", "yellow-felt", "black-felt", "stripes".
std::optional<TableKind> ParseTableKind(std::string_view name);

// A table top of width x height mm at px_per_mm.
cv::Mat MakeTableTop(TableKind kind, cv::Size2d size_mm, double px_per_mm, std::uint64_t seed);

// A printed score track, a page of rules text, the glass of a phone.
cv::Mat MakeScoreSheet();
cv::Mat MakePage(std::uint64_t seed);

}  // namespace tilewarden::virtual_table
