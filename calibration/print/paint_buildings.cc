#include "calibration/print/paint_buildings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tilewarden::calibration {
namespace {

using Outline = std::vector<cv::Point2d>;

bool OnBorder(cv::Point2d a, cv::Point2d b) {
  constexpr double kNear = 1e-6;
  const auto both = [&](double u, double v, double at) {
    return std::abs(u - at) < kNear && std::abs(v - at) < kNear;
  };
  return both(a.x, b.x, 0) || both(a.x, b.x, 1) || both(a.y, b.y, 0) || both(a.y, b.y, 1);
}

}  // namespace

Walls WavedWalls(std::vector<cv::Point2d> area, Canvas* canvas) {
  double twice_area = 0;
  for (std::size_t i = 0; i < area.size(); ++i) {
    const cv::Point2d a = area[i], b = area[(i + 1) % area.size()];
    twice_area += a.x * b.y - b.x * a.y;
  }
  if (twice_area < 0) std::reverse(area.begin(), area.end());
  const std::size_t n = area.size();
  // Start behind a border stretch, so that no run is cut in two.
  std::size_t start = n;
  for (std::size_t i = 0; i < n && start == n; ++i) {
    if (OnBorder(area[(i + n - 1) % n], area[i]) && !OnBorder(area[i], area[(i + 1) % n])) {
      start = i;
    }
  }
  Walls walls;
  if (start == n) {
    bool all_border = true;
    for (std::size_t i = 0; i < n; ++i) all_border &= OnBorder(area[i], area[(i + 1) % n]);
    walls.outline = area;
    if (!all_border) {
      area.push_back(area.front());
      walls.runs.push_back(Waved(area, 0.02, 0.006, canvas));
      walls.outline = walls.runs.back();
      walls.closed = true;
    }
    return walls;
  }
  Outline run;
  for (std::size_t k = 0; k < n; ++k) {
    const cv::Point2d a = area[(start + k) % n], b = area[(start + k + 1) % n];
    if (OnBorder(a, b)) {
      walls.outline.push_back(a);
      continue;
    }
    if (run.empty()) run.push_back(a);
    run.push_back(b);
    const cv::Point2d c = area[(start + k + 2) % n];
    if (k + 1 == n || OnBorder(b, c)) {
      walls.runs.push_back(Waved(run, 0.02, 0.012, canvas));
      walls.outline.insert(walls.outline.end(), walls.runs.back().begin(),
                           walls.runs.back().end() - 1);
      run.clear();
    }
  }
  return walls;
}

void PaintWall(const std::vector<cv::Point2d>& run, bool closed, Canvas* canvas) {
  canvas->Line(run, kWallWidth * 1.35, {58, 40, 28});
  // Bricks in two rows along the wall, then merlons on its outer side.
  Outline even;
  for (std::size_t i = 0; i + 1 < run.size(); ++i) {
    const double length = cv::norm(run[i + 1] - run[i]);
    const int n = std::max(1, cvRound(length / 0.01));
    for (int k = 0; k < n; ++k) even.push_back(run[i] + (run[i + 1] - run[i]) * (1.0 * k / n));
  }
  even.push_back(run.back());
  const auto quad = [&](std::size_t a, std::size_t b, double in, double out, Paint paint) {
    const cv::Point2d na = NormalAt(even, a), nb = NormalAt(even, b);
    canvas->Fill({even[a] + na * in, even[b] + nb * in, even[b] + nb * out, even[a] + na * out},
                 paint);
  };
  const double h = kWallWidth / 2;
  for (std::size_t i = 0; i + 1 < even.size(); i += 2) {
    const std::size_t next = std::min(i + 2, even.size() - 1);
    const Paint brick = Mix({166, 110, 76}, {206, 156, 112}, canvas->Uniform(0, 1));
    quad(i, next, -h, -0.1 * h, Shade(brick, 0.86));
    const std::size_t from = i + 1;
    quad(from, std::min(from + 2, even.size() - 1), 0, h, brick);
  }
  for (std::size_t i = 1; i + 2 < even.size(); i += 4) {
    quad(i, i + 2, 0.5 * h, 1.75 * h, {66, 46, 32});
    quad(i, i + 2, 0.45 * h, 1.5 * h, Shade({222, 182, 136}, canvas->Uniform(0.92, 1.06)));
  }
  if (closed) return;
  const int towers = even.size() > 60 ? 2 : 1;
  for (int t = 1; t <= towers; ++t) {
    canvas->Tower(even[even.size() * static_cast<std::size_t>(t) / (towers + 1u)], 0.034,
                  {150, 84, 58});
  }
}

Paint RoofPaint(Canvas* canvas) {
  static constexpr std::array<Paint, 5> kRoofs = {
      Paint{178, 92, 58}, {160, 78, 52}, {192, 116, 70}, {146, 92, 66}, {168, 104, 84}};
  return Shade(kRoofs[static_cast<std::size_t>(canvas->Pick(5))], canvas->Uniform(0.92, 1.08));
}

void PaintMonastery(const std::vector<cv::Point2d>& area, Canvas* canvas) {
  const Walls walls = WavedWalls(area, canvas);
  cv::Point2d c = {0, 0};
  for (const auto& p : area) c += p / static_cast<double>(area.size());
  canvas->Glaze(canvas->Mask(walls.outline), {206, 186, 138}, 0.9, 0.012);
  for (const auto& run : walls.runs) {
    for (std::size_t i = 0; i < run.size(); i += 1) {  // a hedge around
      const bool gate = run[i].y > c.y && std::abs(run[i].x - c.x) < 0.05;
      if (!gate && canvas->Chance(0.8)) canvas->Bush(run[i], 0.013);
    }
  }
  constexpr Paint kSlate = {104, 118, 142};
  canvas->House(c + cv::Point2d{0.005, -0.035}, 0.25, 0.085, 0.0, kSlate);  // nave
  canvas->House(c + cv::Point2d{0.045, -0.005}, 0.19, 0.075, std::numbers::pi / 2, kSlate);
  canvas->House(c + cv::Point2d{-0.085, 0.065}, 0.085, 0.06, 0.08, RoofPaint(canvas));
  canvas->House(c + cv::Point2d{-0.095, -0.04}, 0.075, 0.075, 0.0, {188, 110, 70});
  canvas->Tower(c + cv::Point2d{-0.095, -0.065}, 0.036, {96, 110, 136});
}

cv::Mat PaintGarden(const std::vector<cv::Point2d>& area, Canvas* canvas) {
  cv::Point2d c = {0, 0};
  for (const auto& p : area) c += p / static_cast<double>(area.size());
  const double r = cv::norm(area.front() - c);
  c.x = std::clamp(c.x, 1.1 * r, 1 - 1.1 * r);  // whole, not cut by the border
  c.y = std::clamp(c.y, 1.1 * r, 1 - 1.1 * r);
  canvas->Glaze(canvas->DiscMask(c, r), {214, 200, 158}, 0.95, 0.008);
  static constexpr std::array<Paint, 4> kBeds = {
      Paint{196, 92, 132}, {230, 196, 88}, {150, 110, 180}, {224, 138, 92}};
  for (int i = 0; i < 4; ++i) {  // four beds around a fountain
    const double a = (i + 0.5) * std::numbers::pi / 2;
    const cv::Point2d bed = c + cv::Point2d{std::cos(a), std::sin(a)} * (0.56 * r);
    canvas->Disc(bed, 0.3 * r, {92, 124, 54});
    for (int k = 0; k < 9; ++k) {
      canvas->Disc(
          bed + cv::Point2d{canvas->Uniform(-0.2, 0.2) * r, canvas->Uniform(-0.2, 0.2) * r},
          0.055 * r, kBeds[static_cast<std::size_t>(i)]);
    }
  }
  canvas->Disc(c, 0.2 * r, {132, 128, 118});
  canvas->Disc(c, 0.14 * r, {120, 176, 204});
  for (int i = 0; i < 26; ++i) {
    const double a = i * 2 * std::numbers::pi / 26;
    if (i % 13 != 0) {
      canvas->Bush(c + cv::Point2d{std::cos(a), std::sin(a)} * (0.97 * r), 0.15 * r);
    }
  }
  return canvas->DiscMask(c, 1.25 * r);
}

}  // namespace tilewarden::calibration
