#include "services/camera/phone_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "calibration/camera/camera_check.h"

namespace tilewarden::services {
namespace {

constexpr std::chrono::seconds kBetweenJudging{3};
// A tile seen from straight above is a square. Its short side over its long one, of the middle
// tile: below this, standing figures hide what lies behind them.
constexpr double kAslant = 0.62;

double Length(const vision::Point& a, const vision::Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

std::optional<double> Median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct TileSides {
  std::optional<double> width_px, squareness;
};

TileSides SidesOf(const vision::Sighting& sighting) {
  std::vector<double> widths, squareness;
  for (const vision::SightedTile& tile : sighting.tiles) {
    const auto& c = tile.corners_px;
    const std::array<double, 4> sides = {Length(c[0], c[1]), Length(c[1], c[2]), Length(c[2], c[3]),
                                         Length(c[3], c[0])};
    const double longest = *std::max_element(sides.begin(), sides.end());
    if (longest <= 0) continue;
    widths.push_back((sides[0] + sides[1] + sides[2] + sides[3]) / 4);
    squareness.push_back(*std::min_element(sides.begin(), sides.end()) / longest);
  }
  return {Median(std::move(widths)), Median(std::move(squareness))};
}

v1::CameraAdvice AdviceFor(const calibration::CameraFinding& finding, bool tiles) {
  using calibration::CameraTrait;
  switch (finding.of) {
    case CameraTrait::kLight:
      return v1::CAMERA_ADVICE_LIGHT;
    case CameraTrait::kSharpness:
      return v1::CAMERA_ADVICE_SHARPER;
    case CameraTrait::kGlare:
      return v1::CAMERA_ADVICE_GLARE;
    case CameraTrait::kTiles:
      return tiles ? v1::CAMERA_ADVICE_NEARER : v1::CAMERA_ADVICE_NO_TILES;
    case CameraTrait::kResolution:
    case CameraTrait::kFrameRate:
    case CameraTrait::kNoise:
    case CameraTrait::kFlicker:
      break;
  }
  // Of a phone nothing can be done about it.
  return v1::CAMERA_ADVICE_UNSPECIFIED;
}

std::vector<v1::CameraAdvice> Judged(const cv::Mat& picture, const vision::Sighting& sighting) {
  std::vector<v1::CameraAdvice> advice;
  const auto add = [&](v1::CameraAdvice what) {
    const bool told = std::find(advice.begin(), advice.end(), what) != advice.end();
    if (what != v1::CAMERA_ADVICE_UNSPECIFIED && !told) advice.push_back(what);
  };
  const TileSides sides = SidesOf(sighting);
  if (std::any_of(sighting.not_read.begin(), sighting.not_read.end(),
                  [](const auto& part) { return part.why == vision::NotReadWhy::kCutByBorder; })) {
    add(v1::CAMERA_ADVICE_FARTHER);
  }
  if (sides.squareness && *sides.squareness < kAslant) add(v1::CAMERA_ADVICE_STRAIGHTER);
  calibration::CameraCheck check = calibration::MeasureFrames({picture});
  check.tile_px = sides.width_px;
  for (const calibration::CameraFinding& finding : calibration::Judge(check)) {
    if (!finding.good) add(AdviceFor(finding, sides.width_px.has_value()));
  }
  return advice;
}

}  // namespace

void PhoneView::Look(const vision::Frame& frame, const vision::Sighting& sighting) {
  seen_.clear_tiles();
  const auto width = static_cast<double>(frame.picture.cols);
  const auto height = static_cast<double>(frame.picture.rows);
  for (const vision::SightedTile& tile : sighting.tiles) {
    v1::TileOutline* outline = seen_.add_tiles();
    for (const vision::Point& corner : tile.corners_px) {
      outline->add_corners(static_cast<float>(corner.x / width));
      outline->add_corners(static_cast<float>(corner.y / height));
    }
  }
  const auto now = std::chrono::steady_clock::now();
  if (!sighting.settled && seen_.tiles_size() > 0) return;
  if (now - judged_ < kBetweenJudging) return;
  judged_ = now;
  seen_.clear_advice();
  for (const v1::CameraAdvice advice : Judged(frame.picture, sighting)) seen_.add_advice(advice);
}

}  // namespace tilewarden::services
