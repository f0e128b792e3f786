#include "calibration/print/paint_meadow.h"

#include <cmath>
#include <vector>

#include "calibration/print/paint_buildings.h"

namespace tilewarden::calibration {
namespace {

void PaintPloughed(cv::Point2d at, double size, Canvas* canvas) {
  const double angle = canvas->Uniform(0, 3.1);
  const cv::Point2d u = {std::cos(angle), std::sin(angle)}, v = {-u.y, u.x};
  const std::vector<cv::Point2d> land = {
      at - u * size - v * (0.8 * size), at + u * size - v * (0.7 * size),
      at + u * (0.9 * size) + v * (0.8 * size), at - u * size + v * (0.7 * size)};
  canvas->Glaze(canvas->Mask(land), {168, 158, 76}, 0.75, 0.006);
  for (int i = -3; i <= 3; ++i) {
    const cv::Point2d shift = v * (i * 0.21 * size);
    canvas->Line({at + shift - u * (0.92 * size), at + shift + u * (0.86 * size)}, 0.005,
                 i % 2 ? Paint{128, 132, 58} : Paint{192, 180, 96});
  }
}

void PaintFarm(cv::Point2d at, double size, Canvas* canvas) {
  canvas->Glaze(canvas->DiscMask(at, size), {150, 132, 84}, 0.6, 0.015);
  canvas->House(at, size * 1.05, size * 0.7, canvas->Uniform(-0.5, 0.5), RoofPaint(canvas));
}

}  // namespace

void PaintPlant(Plant plant, cv::Point2d at, double size, Canvas* canvas) {
  switch (plant) {
    case Plant::kFarm:
      return PaintFarm(at, size, canvas);
    case Plant::kPloughed:
      return PaintPloughed(at, size, canvas);
    case Plant::kBush:
      return canvas->Bush(at, size);
    case Plant::kTree:
      return canvas->Tree(at, size);
    case Plant::kStones:
      return canvas->Stones(at, size);
    case Plant::kFlowers:
      return canvas->Flowers(at, size);
    case Plant::kTuft:
      return canvas->Tuft(at, size);
  }
}

}  // namespace tilewarden::calibration
