// The hands of the people around a table, and how they hold things: where each comes
// from, where its fingertips are at a tile or a figure, and its shape then.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "opencv2/core.hpp"
#include "tests/virtual_table/scene/hand.h"
#include "tests/virtual_table/scene/scene.h"

namespace tilewarden::virtual_table {

struct Carried {
  std::optional<Card> card;
  std::optional<Figure> figure;
};

// Hands of six people, in sleeves of quiet colours.
std::vector<HandLook> UsualHands();
// Skins from pale to dark by chance; bare arms, and sleeves in the table's or a player's colour.
std::vector<HandLook> HostileHands(std::uint64_t seed);

class Reach {
 public:
  // `box` is not owned. `looks`: of the players' hands, over and over.
  Reach(const Scene& scene, std::size_t players, TileBox* box,
        const std::vector<HandLook>& looks = UsualHands());

  // Where a player's hand comes from, beyond the picture's border.
  cv::Vec3d Home(int player) const;
  // Fingertips at the rim of a card that lies, and at a figure.
  cv::Vec3d TipFor(int player, const Card& card) const;
  static cv::Vec3d TipFor(const Figure& figure);
  // A hand with its fingertips there, and what it carries, turned by `twist_rad`.
  Shape At(int player, const cv::Vec3d& tip, double twist_rad, const Carried& carried) const;

 private:
  TileBox* box_;
  float card_gloss_;
  std::vector<Hand> hands_;
  std::vector<cv::Point2d> seats_;
};

}  // namespace tilewarden::virtual_table
