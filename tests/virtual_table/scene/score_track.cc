#include "tests/virtual_table/scene/score_track.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include "calibration/print/score_track.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::virtual_table {
namespace {

constexpr double kPaper_mm = 0.4;  // as high as sheets are drawn

// Across the ring, outwards.
cv::Point2d Outwards(const cv::Rect2d& field) {
  if (field.y == 0) return {0, -1};
  if (field.br().y > calibration::ScoreTrack::kHeight_mm - 1e-6) return {0, 1};
  return {field.x == 0 ? -1.0 : 1.0, 0};
}

cv::Vec3f OnSheet(const Stand& sheet, cv::Point2d in_track_mm) {
  const cv::Point2d track = calibration::TrackOnPage_mm(calibration::Paper::kA4).tl();
  const cv::Point2d on_page = track + in_track_mm;
  return sheet.ToWorld(on_page.x - kTrackSheet_mm.width / 2, kTrackSheet_mm.height / 2 - on_page.y,
                       kPaper_mm);
}

// Of one marker on one field, whatever the others do.
cv::RNG ChanceFor(std::uint64_t seed, const TrackMarker& marker) {
  std::uint64_t h = seed * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(marker.field) + 1;
  for (const char c : marker.colour) h = (h ^ static_cast<std::uint64_t>(c)) * 0x100000001B3ull;
  cv::RNG rng(h | 1);
  for (int i = 0; i < 4; ++i) rng.next();
  return rng;
}

// Whether a page, or its rim, is over that.
bool LiesUnder(const Stand& page, const cv::Vec3f& at) {
  constexpr double kRim_mm = 9;
  const cv::Vec3d away = cv::Vec3d(at) - cv::Vec3d(page.at);
  const double c = std::cos(page.yaw_rad), s = std::sin(page.yaw_rad);
  return std::abs(c * away[0] + s * away[1]) < kPage_mm.width / 2 + kRim_mm &&
         std::abs(c * away[1] - s * away[0]) < kPage_mm.height / 2 + kRim_mm;
}

}  // namespace

std::vector<Figure> SetMarkers(const Stand& sheet, const std::vector<TrackMarker>& markers,
                               std::uint64_t seed) {
  constexpr double kAlong_mm = 1.5, kAcross_mm = 2, kMost_mm = 5;
  constexpr double kApartStanding_mm = 11, kApartLying_mm = 17;
  std::map<int, std::vector<std::size_t>> by_field;
  for (std::size_t i = 0; i < markers.size(); ++i) by_field[markers[i].field].push_back(i);
  std::vector<Figure> figures(markers.size());
  for (const auto& [field, sharing] : by_field) {
    const cv::Rect2d place = calibration::Field_mm(field);
    const cv::Point2d out = Outwards(place), along(-out.y, out.x);
    const bool any_lies = std::any_of(sharing.begin(), sharing.end(),
                                      [&](std::size_t i) { return markers[i].lying; });
    const double apart = any_lies ? kApartLying_mm : kApartStanding_mm;
    for (std::size_t n = 0; n < sharing.size(); ++n) {
      const TrackMarker& marker = markers[sharing[n]];
      cv::RNG rng = ChanceFor(seed, marker);
      const double row = static_cast<double>(n) - static_cast<double>(sharing.size() - 1) / 2;
      const double across = std::clamp(rng.gaussian(kAcross_mm), -kMost_mm, kMost_mm) /
                            static_cast<double>(sharing.size());
      const double beside = std::clamp(rng.gaussian(kAlong_mm), -kMost_mm, kMost_mm);
      const cv::Point2d at =
          (place.tl() + place.br()) / 2 + out * (row * apart + across) + along * beside;
      Figure& figure = figures[sharing[n]];
      figure.colour = marker.colour;
      figure.lying = marker.lying;
      figure.stand.at = OnSheet(sheet, at);
      // Where several share a field they stand broadside along the ring.
      const double along_rad = sheet.yaw_rad + std::atan2(-along.y, along.x);
      figure.stand.yaw_rad = sharing.size() > 1 && !any_lies
                                 ? along_rad + rng.gaussian(0.15)
                                 : rng.uniform(-std::numbers::pi, std::numbers::pi);
    }
  }
  return figures;
}

TrackPicture MakeTrackPicture(const TrackPlan& plan) {
  constexpr double kRad = std::numbers::pi / 180;
  constexpr double kView_deg = 60;
  cv::RNG rng(plan.seed * 15485863 + 7);
  for (int i = 0; i < 4; ++i) rng.next();
  Scene scene = MakeSetting(plan.level, plan.seed, plan.size_px, {plan.across_mm / 2, 200});
  CameraPose pose;
  pose.tilt_deg = plan.tilt_deg;
  pose.distance_mm = plan.across_mm / 2 / std::tan(kView_deg / 2 * kRad);
  pose.azimuth_deg = rng.uniform(-180.0, 180.0);
  pose.roll_deg = rng.uniform(-5.0, 5.0);
  scene.camera = TableCamera::Make(plan.size_px, kView_deg, pose, scene.camera.k1, scene.camera.k2);
  TrackPicture made;
  made.camera = scene.camera;
  // Anywhere in the picture, but whole.
  constexpr int kTries = 200;
  for (int i = 0; i < kTries; ++i) {
    const double share = i < kTries / 2 ? 1 : 1 - 2.0 * (i - kTries / 2) / kTries;
    const cv::Point2d px(plan.size_px.width * (0.5 + share * rng.uniform(-0.4, 0.4)),
                         plan.size_px.height * (0.5 + share * rng.uniform(-0.4, 0.4)));
    const cv::Point2d at = scene.camera.OnPlane(px, 0);
    made.sheet = {{static_cast<float>(at.x), static_cast<float>(at.y), 0},
                  rng.uniform(-std::numbers::pi, std::numbers::pi)};
    bool whole = true;
    for (const double sx : {-0.5, 0.5}) {
      for (const double sy : {-0.5, 0.5}) {
        const cv::Point2d corner = scene.camera.ProjectPoint(
            made.sheet.ToWorld(sx * kTrackSheet_mm.width, sy * kTrackSheet_mm.height, 0));
        whole = whole && cv::Rect2d({}, cv::Size2d(plan.size_px)).contains(corner);
      }
    }
    if (whole) break;
  }
  constexpr double kWidth = calibration::ScoreTrack::kWidth_mm,
                   kHeight = calibration::ScoreTrack::kHeight_mm;
  const std::array<cv::Point2d, 4> corners = {
      {{0, 0}, {kWidth, 0}, {kWidth, kHeight}, {0, kHeight}}};
  for (std::size_t c = 0; c < 4; ++c) {
    made.corners_px[c] = scene.camera.ProjectPoint(OnSheet(made.sheet, corners[c]));
  }
  scene.props.push_back({PropKind::kScoreTrack, made.sheet, {}});
  std::optional<Stand> page;
  if (plan.covered) {
    const cv::Rect2d field = calibration::Field_mm(*plan.covered);
    page = made.sheet;
    page->at = OnSheet(made.sheet, (field.tl() + field.br()) / 2 - 25 * Outwards(field));
    page->at[2] += 1;
    page->yaw_rad += rng.uniform(-0.5, 0.5);
    scene.props.push_back({PropKind::kPage, *page, {}});
  }
  for (const Figure& figure : SetMarkers(made.sheet, plan.markers, plan.seed)) {
    made.feet_px.push_back(scene.camera.ProjectPoint(figure.stand.at));
    made.hidden.push_back(page && LiesUnder(*page, figure.stand.at));
    if (!made.hidden.back()) scene.figures.push_back(figure);
  }
  TileBox no_tiles(nullptr, 0);
  Renderer renderer(scene, &no_tiles);
  renderer.Settle({}, scene.figures, scene.props);
  made.picture = renderer.Frame({}, plan.seed);
  return made;
}

}  // namespace tilewarden::virtual_table
