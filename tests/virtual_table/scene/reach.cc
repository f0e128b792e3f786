#include "tests/virtual_table/scene/reach.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewarden::virtual_table {
namespace {

constexpr double kGrip_mm = 17;  // from a card's middle to the fingers

double FigureGrip(const Figure& figure) { return figure.lying ? 6.0 : 11.0; }

}  // namespace

std::vector<HandLook> UsualHands() {
  return {HandLook{LinearBgr(214, 160, 130), LinearBgr(128, 134, 122), false},
          HandLook{LinearBgr(150, 98, 70), LinearBgr(196, 188, 172), true},
          HandLook{LinearBgr(226, 178, 150), LinearBgr(84, 76, 96), false},
          HandLook{LinearBgr(112, 74, 54), LinearBgr(168, 150, 120), true},
          HandLook{LinearBgr(200, 146, 116), LinearBgr(60, 84, 104), false},
          HandLook{LinearBgr(170, 118, 88), LinearBgr(120, 60, 58), true}};
}

std::vector<HandLook> HostileHands(std::uint64_t seed) {
  const std::vector<cv::Vec3f> skins = {LinearBgr(238, 200, 180), LinearBgr(206, 150, 118),
                                        LinearBgr(160, 108, 78), LinearBgr(104, 68, 50),
                                        LinearBgr(72, 48, 38)};
  const std::vector<cv::Vec3f> sleeves = {LinearBgr(168, 40, 48), LinearBgr(42, 66, 136),
                                          LinearBgr(46, 110, 70), LinearBgr(212, 172, 66),
                                          LinearBgr(34, 34, 36),  LinearBgr(228, 226, 220)};
  constexpr double kBareArm = 0.3;
  cv::RNG rng(seed * 6007 + 29);
  for (int i = 0; i < 4; ++i) rng.next();
  const auto any = [&](const std::vector<cv::Vec3f>& of) {
    return of[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(of.size())))];
  };
  std::vector<HandLook> looks;
  for (int p = 0; p < 6; ++p) {
    const cv::Vec3f skin = any(skins), sleeve = any(sleeves);
    looks.push_back({skin, rng.uniform(0.0, 1.0) < kBareArm ? skin : sleeve, p % 2 == 1});
  }
  return looks;
}

Reach::Reach(const Scene& scene, std::size_t players, TileBox* box,
             const std::vector<HandLook>& looks)
    : box_(box), card_gloss_(scene.card_gloss) {
  const std::array<cv::Point2d, 6> seats = {cv::Point2d{0.30, 1.10}, {1.06, 0.72}, {0.86, 1.12},
                                            {-0.06, 0.66},           {-0.06, 0.3}, {1.06, 0.3}};
  for (std::size_t p = 0; p < players; ++p) {
    hands_.emplace_back(looks[p % looks.size()]);
    const cv::Point2d at = seats[p % seats.size()];
    seats_.push_back(scene.camera.OnPlane(
        {at.x * scene.camera.size_px.width, at.y * scene.camera.size_px.height}, 40));
  }
}

cv::Vec3d Reach::Home(int player) const {
  const cv::Point2d seat = seats_[static_cast<std::size_t>(player)];
  return {seat.x, seat.y, 62};
}

cv::Vec3d Reach::TipFor(int player, const Card& card) const {
  const cv::Vec3d home = Home(player);
  cv::Vec3d towards = home - card.stand.at;
  towards[2] = 0;
  towards *= kGrip_mm / cv::norm(towards);
  return card.stand.at + towards + cv::Vec3d{0, 0, 3.4};
}

cv::Vec3d Reach::TipFor(const Figure& figure) {
  return figure.stand.at + cv::Vec3d{0, 0, FigureGrip(figure)};
}

Shape Reach::At(int player, const cv::Vec3d& tip, double twist_rad, const Carried& carried) const {
  const cv::Vec3d away = Home(player) - tip;
  const double flat = std::max(1.0, std::hypot(away[0], away[1]));
  // Near the border the arm keeps pointing out of the picture.
  const cv::Vec3d middle{0, 0, 0};
  const cv::Vec3d out = flat > 60 ? away : Home(player) - middle;
  const double yaw = std::atan2(-out[0], out[1]);
  Shape moving = hands_[static_cast<std::size_t>(player)].Place({tip, yaw});
  if (carried.card.has_value()) {
    Card card = *carried.card;
    const double norm = std::max(1e-6, std::hypot(out[0], out[1]));
    card.stand.at = tip - cv::Vec3d{out[0] / norm * kGrip_mm, out[1] / norm * kGrip_mm, 3.4};
    card.stand.yaw_rad += twist_rad;
    moving.Add(Build(card, box_, card_gloss_, false));
  }
  if (carried.figure.has_value()) {
    Figure figure = *carried.figure;
    figure.stand.at = tip - cv::Vec3d{0, 0, FigureGrip(figure)};
    figure.stand.yaw_rad += twist_rad;
    moving.Add(Build(figure));
  }
  return moving;
}

}  // namespace tilewarden::virtual_table
