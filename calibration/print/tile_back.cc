// The face-down side of tiles.
#include <array>
#include <cstddef>

#include "calibration/print/paint_brushes.h"
#include "calibration/print/tile_painter.h"

namespace tilewarden::calibration {

cv::Mat PaintBack(const PaintOptions& options, Back back) {
  Canvas canvas(options.seed);
  struct Card {
    Paint dark, light, lattice, disc;
  };
  static constexpr std::array<Card, 3> kCards = {
      Card{{44, 62, 70}, {66, 88, 94}, {90, 108, 108}, {50, 68, 76}},
      Card{{92, 44, 40}, {124, 62, 54}, {150, 96, 84}, {104, 50, 44}},
      Card{{40, 64, 112}, {62, 92, 144}, {96, 124, 166}, {46, 72, 122}}};
  const Card& card = kCards[static_cast<std::size_t>(back)];
  constexpr Paint kGold = {186, 160, 104};
  canvas.Wash({}, card.dark, card.light, 6, 2000);
  // A lattice of lozenges, a frame, and a tower in a ring.
  for (int i = -8; i <= 16; ++i) {
    const double at = i / 8.0;
    canvas.Line({{at, 0}, {at + 1, 1}}, 0.004, card.lattice);
    canvas.Line({{at, 0}, {at - 1, 1}}, 0.004, card.lattice);
  }
  for (const double m : {0.05, 0.075}) {
    canvas.Line({{m, m}, {1 - m, m}, {1 - m, 1 - m}, {m, 1 - m}, {m, m}}, 0.008, kGold);
  }
  canvas.Disc({0.5, 0.5}, 0.29, kGold);
  canvas.Disc({0.5, 0.5}, 0.27, card.disc);
  canvas.Fill({{0.4, 0.68}, {0.42, 0.44}, {0.58, 0.44}, {0.6, 0.68}}, kGold);
  for (const double x : {0.385, 0.47, 0.555}) {
    canvas.Fill({{x, 0.34}, {x + 0.06, 0.34}, {x + 0.06, 0.4}, {x, 0.4}}, kGold);
  }
  canvas.Fill({{0.385, 0.385}, {0.615, 0.385}, {0.615, 0.45}, {0.385, 0.45}}, kGold);
  canvas.Fill({{0.465, 0.68}, {0.465, 0.58}, {0.5, 0.54}, {0.535, 0.58}, {0.535, 0.68}}, card.disc);
  return OfSide(canvas.picture, options.side_px);
}

}  // namespace tilewarden::calibration
