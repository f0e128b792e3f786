#include "tests/virtual_table/scene/setting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tilewarden::virtual_table {
namespace {

constexpr double kRad = std::numbers::pi / 180;

cv::Vec3f Bgr(double r, double g, double b) {
  return {static_cast<float>(b), static_cast<float>(g), static_cast<float>(r)};
}

// A window to one side, a warm lamp to the other.
Lights WindowAndLamp(cv::RNG* rng) {
  const float side = rng->uniform(0, 2) == 0 ? 1.0F : -1.0F;
  Lights lights;
  lights.lamp = {{side * static_cast<float>(rng->uniform(350.0, 650.0)),
                  static_cast<float>(rng->uniform(-100.0, 600.0)), 950},
                 Bgr(0.66, 0.58, 0.46),
                 1050,
                 75};
  lights.window = {{-side * 1700, 500, 1000}, Bgr(0.40, 0.45, 0.52), 2000, 330};
  lights.sky = Bgr(0.25, 0.26, 0.28);
  lights.ground = Bgr(0.12, 0.11, 0.10);
  return lights;
}

// A low warm lamp, hardly anything else, and its mirror image on the tiles.
Lights LowLamp(const TableCamera& camera, cv::RNG* rng) {
  // Placed so that the glare falls near the middle of the picture.
  const cv::Point2d shine = {rng->uniform(-70.0, 70.0), rng->uniform(-60.0, 60.0)};
  const cv::Vec3d eye = camera.Centre();
  const double height = 560, s = height / eye[2];
  Lights lights;
  lights.lamp = {{static_cast<float>(shine.x + (shine.x - eye[0]) * s),
                  static_cast<float>(shine.y + (shine.y - eye[1]) * s), static_cast<float>(height)},
                 Bgr(0.90, 0.66, 0.38),
                 650,
                 38};
  lights.window = {{-1500, -600, 1300}, Bgr(0.05, 0.06, 0.08), 2000, 300};
  lights.sky = Bgr(0.10, 0.09, 0.08);
  lights.ground = Bgr(0.06, 0.05, 0.04);
  return lights;
}

}  // namespace

Lights EvenLight(cv::RNG* rng) {
  Lights lights;
  lights.lamp = {{static_cast<float>(rng->uniform(-400.0, 400.0)),
                  static_cast<float>(rng->uniform(100.0, 600.0)), 1700},
                 Bgr(0.62, 0.60, 0.56),
                 1700,
                 190};
  lights.window = {{-1900, 900, 1500}, Bgr(0.22, 0.24, 0.27), 2500, 420};
  lights.sky = Bgr(0.40, 0.40, 0.41);
  lights.ground = Bgr(0.16, 0.15, 0.14);
  return lights;
}

std::optional<Level> ParseLevel(std::string_view name) {
  for (const Level level : {Level::kEasy, Level::kMedium, Level::kHard}) {
    if (NameOf(level) == name) return level;
  }
  return std::nullopt;
}

std::string_view NameOf(Level level) {
  constexpr std::array<std::string_view, 3> kNames = {"easy", "medium", "hard"};
  return kNames[static_cast<std::size_t>(level)];
}

Neatness NeatnessOf(Level level) {
  switch (level) {
    case Level::kEasy:
      return {0.25, 0.5, 0.3, 1.2};
    case Level::kMedium:
      return {0.45, 0.9, 0.5, 1.8};
    case Level::kHard:
      break;
  }
  return {0.75, 1.5, 0.8, 2.2};
}

Scene MakeSetting(Level level, std::uint64_t seed, cv::Size size_px, cv::Size2d board_mm,
                  std::optional<TableKind> table, double room, bool hostile) {
  cv::RNG rng(seed * 104729 + 11);
  for (int i = 0; i < 4; ++i) rng.next();
  Scene scene;
  scene.table_seed = seed;
  const double hfov = hostile ? rng.uniform(70.0, 84.0) : rng.uniform(54.0, 66.0);
  // Far enough that the board's width and height fit, with room to spare.
  const double across = std::max({board_mm.width * room, board_mm.height * room * 16 / 9, 420.0});
  CameraPose pose;
  pose.distance_mm = across / 2 / std::tan(hfov * kRad / 2);
  pose.target_mm = {rng.uniform(-20.0, 20.0), rng.uniform(-15.0, 15.0)};
  pose.roll_deg = rng.uniform(-4.0, 4.0);
  double k1 = 0, k2 = 0;
  switch (level) {
    case Level::kEasy:
      pose.tilt_deg = rng.uniform(0.0, 8.0);
      scene.table = rng.uniform(0, 2) == 0 ? TableKind::kWood : TableKind::kPlainCloth;
      k1 = rng.uniform(-0.01, 0.01);
      scene.sensor = {0.80, 1.2, 0.08, 0.45, 93};
      break;
    case Level::kMedium:
      pose.tilt_deg = rng.uniform(17.0, 23.0);
      scene.table = rng.uniform(0, 2) == 0 ? TableKind::kCheckedCloth : TableKind::kWood;
      k1 = rng.uniform(-0.04, 0.02), k2 = rng.uniform(-0.005, 0.005);
      scene.sensor = {0.78, 2.2, 0.18, 0.55, 90};
      scene.table_gloss = 0.05F;
      scene.card_gloss = 0.12F;
      break;
    case Level::kHard:
      pose.tilt_deg = rng.uniform(35.0, 40.0);
      pose.distance_mm *= 1.12;
      scene.table = rng.uniform(0, 2) == 0 ? TableKind::kDarkWood : TableKind::kCheckedCloth;
      k1 = rng.uniform(-0.09, 0.0), k2 = rng.uniform(-0.01, 0.01);
      scene.sensor = {0.72, 4.5, 0.30, 0.7, 84};
      scene.table_gloss = 0.10F;
      scene.card_gloss = 0.40F;
      break;
  }
  double aside_deg = 12;
  if (hostile) {
    constexpr std::array<TableKind, 6> kTops = {TableKind::kBlueFelt, TableKind::kGreenFelt,
                                                TableKind::kStripes,  TableKind::kYellowFelt,
                                                TableKind::kRedFelt,  TableKind::kBlackFelt};
    scene.table = kTops[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(kTops.size())))];
    pose.tilt_deg = rng.uniform(5.0, 28.0);
    k1 = rng.uniform(-0.12, -0.03), k2 = rng.uniform(0.0, 0.012);
    aside_deg = 25;
  }
  if (table.has_value()) scene.table = *table;
  pose.azimuth_deg = -90 + rng.uniform(-aside_deg, aside_deg);
  scene.camera = TableCamera::Make(size_px, hfov, pose, k1, k2);
  scene.lights = level == Level::kEasy     ? EvenLight(&rng)
                 : level == Level::kMedium ? WindowAndLamp(&rng)
                                           : LowLamp(scene.camera, &rng);
  return scene;
}

}  // namespace tilewarden::virtual_table
