#include "calibration/print/paint_brushes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

using Line2d = std::vector<cv::Point2d>;

constexpr int kShift = 4;  // sub-pixel bits of OpenCV's drawing functions

cv::Point At(cv::Point2d p) {
  constexpr double kScale = Canvas::kSide * (1 << kShift);
  return {cvRound(p.x * kScale), cvRound(p.y * kScale)};
}

std::vector<cv::Point> At(const Line2d& line) {
  std::vector<cv::Point> points;
  points.reserve(line.size());
  for (const auto& p : line) points.push_back(At(p));
  return points;
}

int Px(double length) { return std::max(1, cvRound(length * Canvas::kSide)); }

cv::Point2d Turned(cv::Point2d p, double angle) {
  return {p.x * std::cos(angle) - p.y * std::sin(angle),
          p.x * std::sin(angle) + p.y * std::cos(angle)};
}

double Clamp255(double v) { return std::clamp(v, 0.0, 255.0); }

}  // namespace

Paint Mix(Paint a, Paint b, double t) {
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}
Paint Shade(Paint p, double factor) {
  return {Clamp255(p.r * factor), Clamp255(p.g * factor), Clamp255(p.b * factor)};
}
cv::Scalar Bgr(Paint p) { return {p.b, p.g, p.r}; }

Canvas::Canvas(std::uint64_t seed)
    : picture(kSide, kSide, CV_8UC3, cv::Scalar::all(0)), rng_(seed * 0x9E3779B97F4A7C15ull + 1) {
  for (int i = 0; i < 8; ++i) rng_.next();
}

cv::Mat Canvas::Noise(int cells, int octaves) {
  cv::Mat sum(kSide, kSide, CV_32F, cv::Scalar(0.5));
  double amplitude = 0.5;
  for (int o = 0; o < octaves; ++o) {
    const int n = std::min(kSide, (cells << o) + 1);
    cv::Mat small(n, n, CV_32F);
    rng_.fill(small, cv::RNG::UNIFORM, -1.0, 1.0);
    cv::Mat large;
    cv::resize(small, large, sum.size(), 0, 0, cv::INTER_CUBIC);
    cv::scaleAdd(large, amplitude, sum, sum);
    amplitude *= 0.55;
  }
  return sum;
}

void Canvas::Wash(const cv::Mat& mask, Paint dark, Paint light, int cells, int strokes) {
  const cv::Mat tone = Noise(cells, 4);
  const cv::Mat flow = Noise(3, 1);
  cv::Mat layer(picture.size(), CV_8UC3);
  for (int y = 0; y < kSide; ++y) {
    const auto* t = tone.ptr<float>(y);
    auto* out = layer.ptr<cv::Vec3b>(y);
    for (int x = 0; x < kSide; ++x) {
      const Paint p = Mix(dark, light, std::clamp(static_cast<double>(t[x]), -0.2, 1.2));
      out[x] = {cv::saturate_cast<uchar>(p.b), cv::saturate_cast<uchar>(p.g),
                cv::saturate_cast<uchar>(p.r)};
    }
  }
  for (int i = 0; i < strokes; ++i) {
    const cv::Point2d a = {Uniform(0, 1), Uniform(0, 1)};
    const int x = std::min(kSide - 1, static_cast<int>(a.x * kSide));
    const int y = std::min(kSide - 1, static_cast<int>(a.y * kSide));
    const double angle = flow.at<float>(y, x) * 2 * std::numbers::pi + Uniform(-0.5, 0.5);
    const double length = Uniform(0.012, 0.035);
    const double t = std::clamp(tone.at<float>(y, x) + Uniform(-0.45, 0.45), -0.3, 1.3);
    const cv::Point2d b = a + Turned({length, 0}, angle);
    cv::line(layer, At(a), At(b), Bgr(Shade(Mix(dark, light, t), Uniform(0.94, 1.06))), 1 + Pick(2),
             cv::LINE_AA, kShift);
  }
  if (mask.empty()) {
    layer.copyTo(picture);
  } else {
    layer.copyTo(picture, mask);
  }
}

void Canvas::Glaze(const cv::Mat& mask, Paint paint, double strength, double sigma) {
  // Only where the mask is, and as far as its blur reaches.
  cv::Rect around = cv::boundingRect(mask);
  if (around.empty()) return;
  const int reach = cvCeil(3 * sigma * kSide);
  around = cv::Rect(around.x - reach, around.y - reach, around.width + 2 * reach,
                    around.height + 2 * reach) &
           cv::Rect(0, 0, kSide, kSide);
  cv::Mat soft = mask(around);
  if (sigma > 0) cv::GaussianBlur(mask(around), soft, {}, sigma * kSide);
  for (int y = 0; y < around.height; ++y) {
    const auto* m = soft.ptr<uchar>(y);
    auto* out = picture.ptr<cv::Vec3b>(around.y + y) + around.x;
    for (int x = 0; x < around.width; ++x) {
      if (m[x] == 0) continue;
      const double t = strength * m[x] / 255.0;
      out[x] = {cv::saturate_cast<uchar>(out[x][0] + (paint.b - out[x][0]) * t),
                cv::saturate_cast<uchar>(out[x][1] + (paint.g - out[x][1]) * t),
                cv::saturate_cast<uchar>(out[x][2] + (paint.r - out[x][2]) * t)};
    }
  }
}

void Canvas::Fill(const Line2d& outline, Paint paint) {
  cv::fillPoly(picture, std::vector<std::vector<cv::Point>>{At(outline)}, Bgr(paint), cv::LINE_AA,
               kShift);
}

void Canvas::Line(const Line2d& line, double width, Paint paint) {
  cv::polylines(picture, std::vector<std::vector<cv::Point>>{At(line)}, false, Bgr(paint),
                Px(width), cv::LINE_AA, kShift);
}

void Canvas::Disc(cv::Point2d centre, double radius, Paint paint) {
  cv::circle(picture, At(centre), cvRound(radius * kSide * (1 << kShift)), Bgr(paint), cv::FILLED,
             cv::LINE_AA, kShift);
}

cv::Mat Canvas::Mask(const Line2d& outline) const {
  cv::Mat mask = cv::Mat::zeros(kSide, kSide, CV_8U);
  cv::fillPoly(mask, std::vector<std::vector<cv::Point>>{At(outline)}, 255, cv::LINE_8, kShift);
  return mask;
}

cv::Mat Canvas::LineMask(const std::vector<Line2d>& lines, double width) const {
  cv::Mat mask = cv::Mat::zeros(kSide, kSide, CV_8U);
  for (const auto& line : lines) {
    cv::polylines(mask, std::vector<std::vector<cv::Point>>{At(line)}, false, 255, Px(width),
                  cv::LINE_8, kShift);
  }
  return mask;
}

cv::Mat Canvas::DiscMask(cv::Point2d centre, double radius) const {
  cv::Mat mask = cv::Mat::zeros(kSide, kSide, CV_8U);
  cv::circle(mask, At(centre), cvRound(radius * kSide * (1 << kShift)), 255, cv::FILLED, cv::LINE_8,
             kShift);
  return mask;
}

void Canvas::House(cv::Point2d at, double width, double depth, double angle, Paint roof) {
  const double wall = 0.38 * depth;  // seen height of the walls
  const cv::Point2d down = {0, wall};
  const auto corner = [&](double u, double v) {
    return at + Turned({u * width / 2, v * depth / 2}, angle);
  };
  const Line2d plan = {corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)};
  Line2d shadow;
  for (const auto& p : plan) shadow.push_back(p + down + cv::Point2d{0.3 * depth, 0.14 * depth});
  Glaze(Mask(shadow), {52, 40, 26}, 0.45, 0.008);

  const Paint ink = {62, 42, 30};
  const Paint plaster = Shade({232, 214, 178}, Uniform(0.88, 1.05));
  for (std::size_t i = 0; i < 4; ++i) {
    const cv::Point2d a = plan[i], b = plan[(i + 1) % 4];
    if (b.x >= a.x) continue;  // clockwise on the canvas: this side faces south
    const double slope = std::abs(b.y - a.y) / (std::abs(b.x - a.x) + 1e-9);
    const Line2d side = {a, b, b + down, a + down};
    Fill(side, Shade(plaster, b.y < a.y ? 1.0 - 0.12 * std::min(1.0, slope)
                                        : 0.9 - 0.22 * std::min(1.0, slope)));
    Line({side[0], side[1], side[2], side[3], side[0]}, 0.002, ink);
    for (const double t : {0.3, 0.7}) {
      const cv::Point2d p = a + (b - a) * t + down * 0.55;
      Disc(p, 0.085 * depth, {84, 64, 52});
    }
  }
  // Ridge along the longer side, lifted a little.
  const cv::Point2d lift = {0, -0.16 * depth};
  const cv::Point2d ridge_a = corner(-0.92, 0) + lift, ridge_b = corner(0.92, 0) + lift;
  const double facing = std::cos(angle);  // light from the north-west
  Fill({plan[0], plan[1], ridge_b, ridge_a}, Shade(roof, facing >= 0 ? 1.14 : 0.82));
  Fill({plan[3], plan[2], ridge_b, ridge_a}, Shade(roof, facing >= 0 ? 0.82 : 1.14));
  Fill({plan[0], plan[3], ridge_a}, Shade(roof, 1.0));
  Fill({plan[1], plan[2], ridge_b}, Shade(roof, 0.72));
  for (const double t : {0.25, 0.5, 0.75}) {  // rows of tiles on the roof
    const cv::Point2d a = plan[3] + (ridge_a - plan[3]) * t, b = plan[2] + (ridge_b - plan[2]) * t;
    Line({a, b}, 0.001, Shade(roof, 0.66));
  }
  Line({plan[0], plan[1], plan[2], plan[3], plan[0]}, 0.002, ink);
  Line({ridge_a, ridge_b}, 0.002, Shade(roof, 1.35));
}

void Canvas::Tower(cv::Point2d at, double radius, Paint roof) {
  Glaze(DiscMask(at + cv::Point2d{0.6 * radius, 0.6 * radius}, radius), {50, 38, 24}, 0.5, 0.01);
  Disc(at, radius, {66, 48, 36});
  Disc(at, radius * 0.86, {190, 156, 120});
  Disc(at, radius * 0.66, Shade(roof, 0.85));
  Line2d light = {at};
  for (int i = 0; i <= 8; ++i) {
    light.push_back(at + Turned({radius * 0.64, 0}, (170 + i * 14) * std::numbers::pi / 180));
  }
  Fill(light, Shade(roof, 1.25));
  Disc(at, radius * 0.12, {240, 224, 170});
}

void Canvas::Bush(cv::Point2d at, double radius) {
  Glaze(DiscMask(at + cv::Point2d{0.4 * radius, 0.5 * radius}, radius), {34, 52, 22}, 0.5, 0.008);
  const Paint leaf = Mix({58, 96, 44}, {84, 120, 40}, Uniform(0, 1));
  for (int i = 0; i < 9; ++i) {
    const cv::Point2d p = at + Turned({radius * Uniform(0, 0.7), 0}, Uniform(0, 6.28));
    const double up = (at.y - p.y + at.x - p.x) / radius;  // towards the light
    Disc(p, radius * Uniform(0.3, 0.5), Shade(leaf, 0.9 + 0.22 * up));
  }
  for (int i = 0; i < 8; ++i) {
    const cv::Point2d p = at + Turned({radius * Uniform(0.1, 0.7), 0}, Uniform(3.0, 5.2));
    Disc(p, radius * 0.11, Shade(leaf, 1.55));
  }
}

void Canvas::Tree(cv::Point2d at, double radius) {
  Line({at + cv::Point2d{0, radius * 1.5}, at}, radius * 0.35, {92, 66, 42});
  Bush(at, radius);
}

void Canvas::Tuft(cv::Point2d at, double size) {
  const Paint blade = Mix({70, 108, 40}, {98, 134, 52}, Uniform(0, 1));
  for (int i = -2; i <= 2; ++i) {
    const cv::Point2d tip = at + cv::Point2d{i * 0.22 * size, -size * Uniform(0.6, 1.0)};
    Line({at + cv::Point2d{i * 0.08 * size, 0}, tip}, 0.003, Shade(blade, i < 0 ? 1.2 : 0.85));
  }
}

void Canvas::Flowers(cv::Point2d at, double size) {
  constexpr std::array<Paint, 3> kPetals = {Paint{240, 232, 214}, Paint{226, 196, 110},
                                            Paint{196, 160, 196}};
  const Paint petal = kPetals[static_cast<std::size_t>(Pick(3))];
  for (int i = 0; i < 6; ++i) {
    const cv::Point2d p = at + cv::Point2d{Uniform(-size, size), Uniform(-size, size)};
    Disc(p + cv::Point2d{0.003, 0.003}, 0.004, {70, 104, 44});
    Disc(p, 0.0045, Shade(petal, Uniform(0.9, 1.05)));
  }
}

void Canvas::Stones(cv::Point2d at, double size) {
  for (int i = 0; i < 3; ++i) {
    const cv::Point2d p = at + cv::Point2d{Uniform(-size, size), Uniform(-size, size) * 0.5};
    const double r = size * Uniform(0.3, 0.5);
    Disc(p + cv::Point2d{0.25 * r, 0.35 * r}, r, {72, 84, 52});
    Disc(p, r, {160, 156, 142});
    Disc(p - cv::Point2d{0.2 * r, 0.25 * r}, r * 0.6, {190, 186, 172});
  }
}

void Canvas::Shield(cv::Point2d at, double height) {
  const double w = 0.42 * height, h = height / 2;
  const auto shape = [&](double scale) {
    Line2d outline = {{-w, -h}, {w, -h}, {w, 0.1 * h}};
    for (int i = 1; i < 8; ++i) {
      const double t = i / 8.0;
      outline.push_back(
          {w * std::cos(t * std::numbers::pi), 0.1 * h + 0.9 * h * std::sin(t * std::numbers::pi)});
    }
    outline.push_back({-w, 0.1 * h});
    for (auto& p : outline) p = at + p * scale;
    return outline;
  };
  Line2d shadow = shape(1.05);
  for (auto& p : shadow) p += cv::Point2d{0.1 * height, 0.1 * height};
  Glaze(Mask(shadow), {44, 30, 18}, 0.6, 0.008);
  Fill(shape(1.12), {48, 34, 26});
  Fill(shape(1.02), {226, 188, 96});
  Fill(shape(0.84), {46, 82, 156});
  // A pale tower on blue.
  const Paint pale = {240, 236, 222};
  const double u = height * 0.16;
  Fill({at + cv::Point2d{-u, -0.7 * u}, at + cv::Point2d{u, -0.7 * u},
        at + cv::Point2d{0.8 * u, 1.7 * u}, at + cv::Point2d{-0.8 * u, 1.7 * u}},
       pale);
  for (const double dx : {-0.95, -0.2, 0.55}) {
    Fill({at + cv::Point2d{dx * u, -1.5 * u}, at + cv::Point2d{(dx + 0.42) * u, -1.5 * u},
          at + cv::Point2d{(dx + 0.42) * u, -0.6 * u}, at + cv::Point2d{dx * u, -0.6 * u}},
         pale);
  }
  Disc(at + cv::Point2d{0, 0.9 * u}, 0.32 * u, {46, 60, 110});
}

Line2d Waved(const Line2d& line, double step, double amount, Canvas* canvas) {
  Line2d even;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const int n = std::max(1, cvRound(cv::norm(line[i + 1] - line[i]) / step));
    for (int k = 0; k < n; ++k) even.push_back(line[i] + (line[i + 1] - line[i]) * (1.0 * k / n));
  }
  even.push_back(line.back());
  const double phase_a = canvas->Uniform(0, 6.28), phase_b = canvas->Uniform(0, 6.28);
  const double length = step * static_cast<double>(even.size());
  Line2d waved = even;
  for (std::size_t i = 1; i + 1 < even.size(); ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(even.size() - 1);
    const double window = std::pow(std::sin(std::numbers::pi * t), 1.0);
    const double wave =
        0.65 * std::sin(t * length * 13 + phase_a) + 0.35 * std::sin(t * length * 31 + phase_b);
    waved[i] += NormalAt(even, i) * (amount * window * wave);
  }
  return waved;
}

cv::Point2d NormalAt(const Line2d& line, std::size_t i) {
  const cv::Point2d a = line[i > 0 ? i - 1 : 0], b = line[std::min(i + 1, line.size() - 1)];
  const cv::Point2d d = b - a;
  const double length = std::max(1e-9, cv::norm(d));
  return {d.y / length, -d.x / length};
}

cv::Mat OfSide(const cv::Mat& picture, int side_px) {
  if (picture.cols == side_px) return picture;
  cv::Mat sized;
  cv::resize(picture, sized, {side_px, side_px}, 0, 0,
             side_px < picture.cols ? cv::INTER_AREA : cv::INTER_CUBIC);
  return sized;
}

}  // namespace tilewarden::calibration
