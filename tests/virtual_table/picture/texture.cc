#include "tests/virtual_table/picture/texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "opencv2/imgproc.hpp"

namespace tilewarden::virtual_table {
namespace {

const std::array<float, 256>& LinearTable() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (int i = 0; i < 256; ++i) {
      const double v = i / 255.0;
      t[static_cast<std::size_t>(i)] =
          static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
    }
    return t;
  }();
  return table;
}

// Smooth noise around 0 of about unit size; waves of wx by wy pixels.
cv::Mat Waves(cv::Size size, double wx, double wy, int octaves, cv::RNG* rng) {
  cv::Mat sum = cv::Mat::zeros(size, CV_32F);
  float amplitude = 1;
  for (int o = 0; o < octaves; ++o) {
    cv::Mat small(std::max(2, cvCeil(size.height / wy)), std::max(2, cvCeil(size.width / wx)),
                  CV_32F);
    rng->fill(small, cv::RNG::UNIFORM, -1.0, 1.0);
    cv::Mat large;
    cv::resize(small, large, size, 0, 0, cv::INTER_CUBIC);
    cv::scaleAdd(large, amplitude, sum, sum);
    amplitude *= 0.5F;
    wx = std::max(1.0, wx / 2);
    wy = std::max(1.0, wy / 2);
  }
  return sum;
}

cv::Mat Mixed(const cv::Mat& tone, cv::Vec3f dark, cv::Vec3f light) {
  cv::Mat out(tone.size(), CV_8UC3);
  for (int y = 0; y < tone.rows; ++y) {
    const auto* t = tone.ptr<float>(y);
    auto* o = out.ptr<cv::Vec3b>(y);
    for (int x = 0; x < tone.cols; ++x) {
      for (int c = 0; c < 3; ++c) {
        o[x][c] = cv::saturate_cast<uchar>(dark[c] + (light[c] - dark[c]) * t[x]);
      }
    }
  }
  return out;
}

// Planks along x, each with its own tone and its own grain.
cv::Mat Wood(cv::Size size, double px_per_mm, cv::Vec3f dark, cv::Vec3f light, cv::RNG* rng) {
  cv::Mat tone(size, CV_32F);
  const int plank = cvRound(95 * px_per_mm);
  for (int top = 0; top < size.height; top += plank) {
    const int height = std::min(plank, size.height - top);
    int left = -rng->uniform(0, cvRound(600 * px_per_mm));
    while (left < size.width) {
      const int length = cvRound(rng->uniform(500.0, 1100.0) * px_per_mm);
      const cv::Rect at = cv::Rect(left, top, length, height) & cv::Rect({0, 0}, size);
      left += length;
      if (at.empty()) continue;
      cv::Mat warp = Waves(at.size(), 180 * px_per_mm, 40 * px_per_mm, 2, rng);
      cv::Mat fibre = Waves(at.size(), 60 * px_per_mm, 0.8 * px_per_mm, 2, rng);
      const double base = rng->uniform(0.3, 0.7), rings = rng->uniform(0.25, 0.5) / px_per_mm;
      const double phase = rng->uniform(0.0, 9.0);
      for (int y = 0; y < at.height; ++y) {
        auto* out = tone.ptr<float>(at.y + y) + at.x;
        for (int x = 0; x < at.width; ++x) {
          const double ring = std::sin(y * rings + phase + 5.5 * warp.at<float>(y, x));
          double t = base + 0.13 * ring + 0.12 * fibre.at<float>(y, x);
          const int edge = std::min({y, at.height - 1 - y, x, at.width - 1 - x});
          if (edge < px_per_mm) t -= 0.45 * (1 - edge / px_per_mm);
          out[x] = static_cast<float>(t);
        }
      }
    }
  }
  return Mixed(tone, dark, light);
}

cv::Mat Cloth(cv::Size size, double px_per_mm, cv::Vec3f dark, cv::Vec3f light, bool checked,
              cv::RNG* rng) {
  cv::Mat tone = Waves(size, 90 * px_per_mm, 90 * px_per_mm, 5, rng) * 0.10;
  const double square = 42 * px_per_mm, thread = 1.1 * px_per_mm;
  for (int y = 0; y < size.height; ++y) {
    auto* t = tone.ptr<float>(y);
    for (int x = 0; x < size.width; ++x) {
      double v = 0.5;
      if (checked) {
        const int stripes = (static_cast<int>(x / square) & 1) + (static_cast<int>(y / square) & 1);
        v = 0.2 + 0.3 * stripes;
      }
      v += 0.06 * std::sin(6.283 * x / thread) * std::sin(6.283 * y / thread);
      t[x] += static_cast<float>(v);
    }
  }
  return Mixed(tone, dark, light);
}

// Stripes of several widths, in two colours on a pale ground.
cv::Mat Stripes(cv::Size size, double px_per_mm, cv::RNG* rng) {
  const std::array<cv::Vec3f, 3> colours = {cv::Vec3f{206, 220, 226}, {62, 70, 168}, {120, 74, 40}};
  cv::Mat cloth = Mixed(Waves(size, 2 * px_per_mm, 2 * px_per_mm, 2, rng) * 0.3 + 0.5,
                        colours[0] * 0.94F, colours[0]);
  for (int left = 0, n = 0; left < size.width; ++n) {
    const int width = std::max(2, cvRound(rng->uniform(8.0, 34.0) * px_per_mm));
    const cv::Rect at = cv::Rect(left, 0, width, size.height) & cv::Rect({0, 0}, size);
    if (n % 2 == 1) {
      const cv::Vec3f& colour = colours[static_cast<std::size_t>(1 + n / 2 % 2)];
      Mixed(Waves(at.size(), 2 * px_per_mm, 2 * px_per_mm, 2, rng) * 0.3 + 0.5, colour * 0.86F,
            colour)
          .copyTo(cloth(at));
    }
    left += width;
  }
  return cloth;
}

}  // namespace

std::optional<TableKind> ParseTableKind(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, TableKind>, 11> kNames = {
      {{"wood", TableKind::kWood},
       {"dark-wood", TableKind::kDarkWood},
       {"checked-cloth", TableKind::kCheckedCloth},
       {"plain-cloth", TableKind::kPlainCloth},
       {"white", TableKind::kWhite},
       {"red-felt", TableKind::kRedFelt},
       {"blue-felt", TableKind::kBlueFelt},
       {"green-felt", TableKind::kGreenFelt},
       {"yellow-felt", TableKind::kYellowFelt},
       {"black-felt", TableKind::kBlackFelt},
       {"stripes", TableKind::kStripes}}};
  for (const auto& [known, kind] : kNames) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

float ToLinear(int value) { return LinearTable()[static_cast<std::size_t>(value & 255)]; }

cv::Vec3f LinearBgr(double r, double g, double b) {
  const auto at = [](double v) { return ToLinear(static_cast<int>(std::clamp(v, 0.0, 255.0))); };
  return {at(b), at(g), at(r)};
}

Texture::Texture(const cv::Mat& picture) : levels_{picture} {
  while (std::min(levels_.back().cols, levels_.back().rows) >= 8) {
    cv::Mat half;
    cv::resize(levels_.back(), half, {}, 0.5, 0.5, cv::INTER_AREA);
    levels_.push_back(half);
  }
}

int Texture::LevelFor(double texels_per_sample) const {
  const int level = cvRound(std::log2(std::max(1e-3, texels_per_sample)));
  return std::clamp(level, 0, static_cast<int>(levels_.size()) - 1);
}

cv::Vec3f Texture::Sample(float u, float v, int level) const {
  const cv::Mat& m = levels_[static_cast<std::size_t>(level)];
  const float x =
      std::clamp(u * static_cast<float>(m.cols) - 0.5F, 0.0F, static_cast<float>(m.cols) - 1.001F);
  const float y =
      std::clamp(v * static_cast<float>(m.rows) - 0.5F, 0.0F, static_cast<float>(m.rows) - 1.001F);
  const int x0 = static_cast<int>(x), y0 = static_cast<int>(y);
  const float fx = x - static_cast<float>(x0), fy = y - static_cast<float>(y0);
  const auto* a = m.ptr<cv::Vec3b>(y0) + x0;
  const auto* b = m.ptr<cv::Vec3b>(y0 + 1) + x0;
  const auto& lut = LinearTable();
  cv::Vec3f out;
  for (int c = 0; c < 3; ++c) {
    const float top = lut[a[0][c]] + fx * (lut[a[1][c]] - lut[a[0][c]]);
    const float low = lut[b[0][c]] + fx * (lut[b[1][c]] - lut[b[0][c]]);
    out[c] = top + fy * (low - top);
  }
  return out;
}

cv::Mat MakeTableTop(TableKind kind, cv::Size2d size_mm, double px_per_mm, std::uint64_t seed) {
  cv::RNG rng(seed * 7919 + 17);
  const cv::Size size(cvRound(size_mm.width * px_per_mm), cvRound(size_mm.height * px_per_mm));
  const auto felt = [&](cv::Vec3f colour) {
    return Cloth(size, px_per_mm, colour * 0.8F, colour, false, &rng);
  };
  switch (kind) {
    case TableKind::kRedFelt:
      return felt({52, 40, 172});
    case TableKind::kBlueFelt:
      return felt({142, 72, 40});
    case TableKind::kGreenFelt:
      return felt({72, 116, 44});
    case TableKind::kYellowFelt:
      return felt({70, 178, 216});
    case TableKind::kBlackFelt:
      return felt({44, 42, 42});
    case TableKind::kStripes:
      return Stripes(size, px_per_mm, &rng);
    case TableKind::kWood:
      return Wood(size, px_per_mm, {38, 72, 112}, {92, 148, 196}, &rng);
    case TableKind::kDarkWood:
      return Wood(size, px_per_mm, {22, 34, 52}, {52, 78, 112}, &rng);
    case TableKind::kCheckedCloth:
      return Cloth(size, px_per_mm, {104, 62, 46}, {196, 152, 118}, true, &rng);
    case TableKind::kPlainCloth:
      return Cloth(size, px_per_mm, {96, 112, 118}, {176, 194, 200}, false, &rng);
    case TableKind::kWhite:
      break;
  }
  return Mixed(Waves(size, 300 * px_per_mm, 300 * px_per_mm, 3, &rng) * 0.2 + 0.5, {208, 212, 214},
               {222, 226, 228});
}

cv::Mat MakeScoreSheet() {
  cv::Mat sheet(420, 600, CV_8UC3, cv::Scalar(176, 212, 230));
  cv::rectangle(sheet, {70, 70, 460, 280}, {118, 160, 132}, cv::FILLED);
  cv::RNG rng(5);
  for (int i = 0; i < 160; ++i) {
    const cv::Point p(rng.uniform(75, 520), rng.uniform(75, 340));
    cv::line(sheet, p, p + cv::Point(rng.uniform(-8, 8), rng.uniform(-8, 0)), {96, 140, 112}, 1,
             cv::LINE_AA);
  }
  int number = 0;
  const auto field = [&](int x, int y) {
    cv::rectangle(sheet, {x, y, 44, 44}, {150, 196, 220}, cv::FILLED);
    cv::rectangle(sheet, {x, y, 44, 44}, {70, 96, 122}, 2, cv::LINE_AA);
    cv::putText(sheet, std::to_string(number++), {x + 8, y + 30}, cv::FONT_HERSHEY_PLAIN, 1.2,
                {50, 70, 90}, 1, cv::LINE_AA);
  };
  for (int i = 0; i < 12; ++i) field(22 + i * 46, 14);
  for (int i = 0; i < 7; ++i) field(528, 62 + i * 46);
  for (int i = 0; i < 12; ++i) field(528 - i * 46, 366);
  for (int i = 0; i < 7; ++i) field(22, 338 - i * 46);
  return sheet;
}

cv::Mat MakePage(std::uint64_t seed) {
  cv::RNG rng(seed + 3);
  cv::Mat page(594, 420, CV_8UC3, cv::Scalar(232, 238, 240));
  cv::rectangle(page, {40, 40, 250, 22}, {90, 70, 60}, cv::FILLED);
  cv::rectangle(page, {40, 330, 150, 120}, {110, 150, 130}, cv::FILLED);
  for (int y = 90; y < 560; y += 15) {
    int x = y > 320 && y < 455 ? 205 : 40;
    while (x < 372) {
      const int word = rng.uniform(8, 34);
      cv::line(page, {x, y}, {std::min(x + word, 378), y}, {92, 88, 86}, 4, cv::LINE_AA);
      x += word + 8;
    }
  }
  return page;
}

}  // namespace tilewarden::virtual_table
