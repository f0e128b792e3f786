#include "vision/track/score_track_fields.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "calibration/print/score_track.h"

namespace tilewarden::vision {
namespace {

using calibration::ScoreTrack;

// Markers that share a field push each other out of the ring: so far beside it they
// are still on it.
constexpr double kBesideRing_mm = 10;

double Below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

// How likely a foot is between two lines.
double Between(double at, double from, double to, double sigma) {
  return Below((to - at) / sigma) - Below((from - at) / sigma);
}

}  // namespace

std::array<cv::Point2d, 4> OutlineOf(const cv::Rect2d& r) {
  return {r.tl(), {r.br().x, r.y}, r.br(), {r.x, r.br().y}};
}

std::vector<FieldProbability> FieldsOf(cv::Point2d foot_mm, double sigma_mm) {
  // Fields that are less likely are left out; of a foot that is likelier on none of them, all are.
  constexpr double kLeast = 0.01, kOnAny = 0.5;
  std::vector<FieldProbability> fields;
  double sum = 0;
  for (int field = 0; field < ScoreTrack::kFields; ++field) {
    cv::Rect2d place = calibration::Field_mm(field);
    const cv::Rect2d inside(ScoreTrack::kField_mm, ScoreTrack::kField_mm,
                            ScoreTrack::kWidth_mm - 2 * ScoreTrack::kField_mm,
                            ScoreTrack::kHeight_mm - 2 * ScoreTrack::kField_mm);
    const cv::Point2d middle = (place.tl() + place.br()) / 2;
    const bool beside = middle.x < inside.x || middle.x > inside.br().x;
    const bool above = middle.y < inside.y || middle.y > inside.br().y;
    // A corner goes on outwards both ways, and has no inner side.
    cv::Point2d low = place.tl(), high = place.br();
    const auto widen = [](double in_from, double in_to, bool corner, double& from, double& to) {
      if (to <= in_from) from -= kBesideRing_mm, to += corner ? 0 : kBesideRing_mm;
      if (from >= in_to) to += kBesideRing_mm, from -= corner ? 0 : kBesideRing_mm;
    };
    if (beside) widen(inside.x, inside.br().x, above, low.x, high.x);
    if (above) widen(inside.y, inside.br().y, beside, low.y, high.y);
    const double p =
        Between(foot_mm.x, low.x, high.x, sigma_mm) * Between(foot_mm.y, low.y, high.y, sigma_mm);
    sum += p;
    if (p > kLeast) fields.push_back({field, p});
  }
  if (sum < kOnAny) return {};
  for (FieldProbability& f : fields) f.probability /= std::max(1.0, sum);
  std::stable_sort(fields.begin(), fields.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return fields;
}

std::array<int, 5> Near(int field) {
  std::array<int, 5> near{};
  for (int i = 0; i < 5; ++i) {
    near[static_cast<std::size_t>(i)] = (field + i - 2 + ScoreTrack::kFields) % ScoreTrack::kFields;
  }
  return near;
}

cv::Rect2d AcrossRing_mm(int field) {
  cv::Rect2d place = calibration::Field_mm(field);
  const cv::Point2d middle = (place.tl() + place.br()) / 2;
  const cv::Rect2d across =
      place + cv::Size2d(2 * kMarkerLeans_mm, 0) - cv::Point2d(kMarkerLeans_mm, 0);
  const cv::Rect2d along =
      place + cv::Size2d(0, 2 * kMarkerLeans_mm) - cv::Point2d(0, kMarkerLeans_mm);
  if (middle.x < ScoreTrack::kField_mm || middle.x > ScoreTrack::kWidth_mm - ScoreTrack::kField_mm)
    place |= across;
  if (middle.y < ScoreTrack::kField_mm || middle.y > ScoreTrack::kHeight_mm - ScoreTrack::kField_mm)
    place |= along;
  return place;
}

}  // namespace tilewarden::vision
