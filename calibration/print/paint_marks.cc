#include "calibration/print/paint_marks.h"

#include <cmath>
#include <numbers>

namespace tilewarden::calibration {
namespace {

using Outline = std::vector<cv::Point2d>;

constexpr Paint kInk = {40, 30, 24};

Outline Oval(cv::Point2d at, double rx, double ry, double from_deg = 0, double to_deg = 360) {
  Outline outline;
  for (double a = from_deg; a <= to_deg + 1e-9; a += 12) {
    const double angle = a * std::numbers::pi / 180;
    outline.push_back(at + cv::Point2d{rx * std::cos(angle), ry * std::sin(angle)});
  }
  return outline;
}

void Shadow(cv::Point2d at, double rx, double ry, Canvas* canvas) {
  canvas->Glaze(canvas->Mask(Oval(at, rx, ry)), {28, 40, 16}, 0.55, 0.008);
}

// All animals look to the same side or the other, by chance.
void Sheep(cv::Point2d at, Canvas* canvas) {
  const double side = canvas->Chance(0.5) ? 1 : -1;
  Shadow(at + cv::Point2d{0.008, 0.032}, 0.05, 0.014, canvas);
  for (const double x : {-0.026, -0.014, 0.014, 0.026}) {
    canvas->Line({at + cv::Point2d{x, 0.012}, at + cv::Point2d{x, 0.036}}, 0.007, kInk);
  }
  canvas->Fill(Oval(at, 0.046, 0.031), {120, 112, 104});
  for (int i = 0; i < 16; ++i) {
    const double angle = i * 2 * std::numbers::pi / 16;
    const cv::Point2d wool = {0.034 * std::cos(angle), 0.02 * std::sin(angle)};
    canvas->Disc(at + wool, 0.0125, Shade({236, 232, 222}, 0.9 - 0.14 * std::sin(angle)));
  }
  canvas->Fill(Oval(at, 0.034, 0.02), {240, 237, 228});
  for (const double x : {-0.016, 0.004, 0.02}) {
    const Outline curl = Oval(at + cv::Point2d{x, -0.004}, 0.007, 0.006, 0, 250);
    canvas->Line(curl, 0.003, {196, 190, 178});
  }
  const cv::Point2d head = at + cv::Point2d{side * 0.045, -0.01};
  canvas->Fill(Oval(head, 0.015, 0.018), {58, 46, 40});
  canvas->Line({head + cv::Point2d{-0.016, -0.008}, head + cv::Point2d{0.016, -0.008}}, 0.006,
               {58, 46, 40});
  canvas->Disc(head + cv::Point2d{side * 0.004, -0.003}, 0.003, {240, 236, 226});
}

void Wolf(cv::Point2d at, Canvas* canvas) {
  const double side = canvas->Chance(0.5) ? 1 : -1;
  constexpr Paint kFur = {92, 94, 102}, kDark = {56, 58, 66}, kBelly = {152, 152, 156};
  const auto p = [&](double x, double y) { return at + cv::Point2d{side * x, y}; };
  Shadow(p(0, 0.04), 0.062, 0.014, canvas);
  canvas->Fill({p(-0.04, -0.008), p(-0.085, 0.012), p(-0.088, 0.026), p(-0.04, 0.012)}, kDark);
  for (const double x : {-0.036, -0.022, 0.022, 0.034}) {
    canvas->Line({p(x, 0.01), p(x + 0.004, 0.044)}, 0.01, kDark);
  }
  canvas->Fill(Oval(at, 0.05, 0.024), kFur);
  canvas->Fill(Oval(p(0.004, 0.011), 0.036, 0.011), kBelly);
  canvas->Fill({p(0.02, -0.016), p(0.04, -0.046), p(0.066, -0.032), p(0.05, 0.006)}, kFur);
  canvas->Fill({p(0.034, -0.044), p(0.04, -0.07), p(0.052, -0.046)}, kDark);
  canvas->Fill({p(0.048, -0.044), p(0.058, -0.066), p(0.064, -0.04)}, kDark);
  canvas->Fill(
      {p(0.038, -0.048), p(0.064, -0.044), p(0.094, -0.024), p(0.088, -0.014), p(0.05, -0.016)},
      kFur);
  canvas->Disc(p(0.092, -0.021), 0.006, kInk);
  canvas->Disc(p(0.062, -0.034), 0.005, {236, 200, 70});
}

void PigHerd(cv::Point2d at, Canvas* canvas) {
  canvas->Glaze(canvas->Mask(Oval(at, 0.1, 0.065)), {132, 98, 62}, 0.75, 0.012);
  for (const cv::Point2d offset :
       {cv::Point2d{-0.04, -0.026}, cv::Point2d{0.046, -0.014}, cv::Point2d{-0.006, 0.03}}) {
    const double side = canvas->Chance(0.5) ? 1 : -1;
    const cv::Point2d pig = at + offset;
    const auto p = [&](double x, double y) { return pig + cv::Point2d{side * x, y}; };
    for (const double x : {-0.02, 0.016}) {
      canvas->Line({p(x, 0.008), p(x, 0.025)}, 0.008, {176, 104, 98});
    }
    canvas->Fill(Oval(pig, 0.036, 0.021), {130, 72, 68});
    canvas->Fill(Oval(pig, 0.033, 0.018), {232, 160, 150});
    canvas->Fill(Oval(p(0.032, -0.006), 0.014, 0.012), {238, 170, 158});
    canvas->Fill({p(0.02, -0.014), p(0.024, -0.027), p(0.034, -0.014)}, {206, 128, 120});
    canvas->Disc(p(0.045, -0.004), 0.006, {188, 108, 104});
  }
}

void Inn(cv::Point2d at, Canvas* canvas) {
  canvas->Fill(Oval(at + cv::Point2d{0.012, 0.05}, 0.09, 0.04), {86, 104, 60});
  canvas->Fill(Oval(at + cv::Point2d{0.012, 0.05}, 0.08, 0.033), {92, 154, 194});
  canvas->Line(Oval(at + cv::Point2d{0.0, 0.052}, 0.05, 0.014, 20, 160), 0.003, {188, 216, 228});
  canvas->House(at + cv::Point2d{-0.005, -0.03}, 0.12, 0.075, 0, {172, 62, 50});
  // Its sign: a golden jug on a board.
  const cv::Point2d sign = at + cv::Point2d{0.082, -0.014};
  canvas->Line({sign + cv::Point2d{0, -0.036}, sign + cv::Point2d{0, 0.05}}, 0.007, {86, 60, 40});
  canvas->Fill({sign + cv::Point2d{-0.022, -0.042}, sign + cv::Point2d{0.022, -0.042},
                sign + cv::Point2d{0.022, 0.004}, sign + cv::Point2d{-0.022, 0.004}},
               kInk);
  canvas->Disc(sign + cv::Point2d{0, -0.017}, 0.013, {240, 200, 84});
}

void Oasis(cv::Point2d at, Canvas* canvas) {
  canvas->Fill(Oval(at + cv::Point2d{0, 0.016}, 0.075, 0.05), {228, 204, 146});
  canvas->Fill(Oval(at + cv::Point2d{0, 0.024}, 0.052, 0.03), {58, 152, 176});
  canvas->Line(Oval(at + cv::Point2d{0, 0.026}, 0.03, 0.012, 10, 170), 0.003, {178, 222, 226});
  for (const double x : {-0.044, 0.04}) {
    const cv::Point2d foot = at + cv::Point2d{x, 0.014}, crown = foot + cv::Point2d{x / 8, -0.062};
    canvas->Line({foot, crown}, 0.009, {118, 82, 48});
    for (const double turn : {-2.9, -2.3, -1.2, -0.4, 0.2}) {
      const cv::Point2d tip = crown + cv::Point2d{std::cos(turn), std::sin(turn) * 0.6} * 0.038;
      canvas->Line({crown, (crown + tip) / 2 + cv::Point2d{0, -0.008}, tip + cv::Point2d{0, 0.008}},
                   0.01, {38, 104, 50});
    }
  }
}

void Scroll(cv::Point2d at, Canvas* canvas) {
  const auto box = [&](double x0, double y0, double x1, double y1, Paint paint) {
    canvas->Fill({at + cv::Point2d{x0, y0}, at + cv::Point2d{x1, y0}, at + cv::Point2d{x1, y1},
                  at + cv::Point2d{x0, y1}},
                 paint);
  };
  canvas->Glaze(canvas->Mask({at + cv::Point2d{-0.05, -0.03}, at + cv::Point2d{0.07, -0.03},
                              at + cv::Point2d{0.07, 0.07}, at + cv::Point2d{-0.05, 0.07}}),
                {44, 30, 18}, 0.55, 0.01);
  box(-0.05, -0.052, 0.05, 0.052, {74, 52, 30});
  box(-0.045, -0.048, 0.045, 0.048, {244, 230, 190});
  for (int i = 0; i < 4; ++i) {
    const double y = -0.024 + 0.015 * i;
    canvas->Line({at + cv::Point2d{-0.032, y}, at + cv::Point2d{i == 3 ? 0.01 : 0.032, y}}, 0.005,
                 {96, 74, 52});
  }
  for (const double y : {-0.052, 0.052}) {
    box(-0.06, y - 0.013, 0.06, y + 0.013, {74, 52, 30});
    box(-0.055, y - 0.009, 0.055, y + 0.007, {222, 196, 142});
    canvas->Disc(at + cv::Point2d{-0.062, y}, 0.011, {156, 44, 40});
    canvas->Disc(at + cv::Point2d{0.062, y}, 0.011, {156, 44, 40});
  }
}

void Volcano(cv::Point2d at, Canvas* canvas) {
  canvas->Glaze(canvas->Mask(Oval(at + cv::Point2d{0.02, 0.03}, 0.2, 0.17)), {40, 30, 26}, 0.6,
                0.02);
  constexpr int kRidges = 14;
  for (int ring = 0; ring < 3; ++ring) {
    Outline edge;
    const double radius = 0.19 - 0.045 * ring;
    for (int i = 0; i < 2 * kRidges; ++i) {
      const double angle = i * std::numbers::pi / kRidges + 0.1 * ring;
      const double r = radius * (i % 2 ? 0.88 : 1.0) * canvas->Uniform(0.96, 1.04);
      edge.push_back(at + cv::Point2d{r * std::cos(angle), r * std::sin(angle)});
    }
    canvas->Fill(edge, Shade({104, 88, 80}, 0.72 + 0.22 * ring));
  }
  for (int i = 0; i < 5; ++i) {
    const double angle = 0.5 + i * 1.27;
    const cv::Point2d out = {std::cos(angle), std::sin(angle)}, across = {-out.y, out.x};
    canvas->Line({at + out * 0.05, at + out * 0.1 + across * 0.012, at + out * 0.16}, 0.018,
                 {196, 58, 26});
    canvas->Line({at + out * 0.05, at + out * 0.1 + across * 0.012, at + out * 0.15}, 0.008,
                 {250, 172, 54});
  }
  canvas->Disc(at, 0.072, {70, 46, 40});
  canvas->Disc(at, 0.06, {206, 56, 24});
  canvas->Disc(at, 0.04, {248, 150, 40});
  canvas->Disc(at + cv::Point2d{-0.008, -0.008}, 0.018, {254, 226, 120});
}

void Gingerbread(cv::Point2d at, Canvas* canvas) {
  canvas->Disc(at, 0.092, {86, 60, 34});
  canvas->Disc(at, 0.085, {244, 226, 178});
  const auto figure = [&](double grow, Paint paint) {
    canvas->Disc(at + cv::Point2d{0, -0.042}, 0.022 + grow, paint);
    const double limb = 0.024 + 2 * grow;
    canvas->Line({at + cv::Point2d{-0.042, -0.012}, at + cv::Point2d{0.042, -0.012}}, limb, paint);
    canvas->Line({at + cv::Point2d{0, -0.03}, at + cv::Point2d{0, 0.02}}, 0.03 + 2 * grow, paint);
    canvas->Line({at + cv::Point2d{0, 0.016}, at + cv::Point2d{-0.026, 0.056}}, limb, paint);
    canvas->Line({at + cv::Point2d{0, 0.016}, at + cv::Point2d{0.026, 0.056}}, limb, paint);
  };
  figure(0.005, {80, 44, 20});
  figure(0, {168, 100, 46});
  for (const double x : {-0.008, 0.008}) {
    canvas->Disc(at + cv::Point2d{x, -0.046}, 0.004, {255, 250, 240});
  }
  canvas->Line(Oval(at + cv::Point2d{0, -0.041}, 0.01, 0.009, 20, 160), 0.003, {255, 250, 240});
  for (const double y : {-0.012, 0.006}) {
    canvas->Disc(at + cv::Point2d{0, y}, 0.005, {206, 44, 44});
  }
}

// A nave with its crossing and two towers in front.
void Cathedral(cv::Point2d at, Canvas* canvas) {
  canvas->Glaze(canvas->DiscMask(at + cv::Point2d{0.02, 0.02}, 0.19), {60, 46, 26}, 0.5, 0.03);
  canvas->Disc(at, 0.185, {206, 198, 186});
  canvas->Disc(at, 0.172, {226, 220, 210});
  constexpr Paint kSlate = {74, 98, 128};
  canvas->House(at + cv::Point2d{0, -0.015}, 0.1, 0.25, 0, kSlate);
  canvas->House(at + cv::Point2d{0, -0.045}, 0.25, 0.09, 0, kSlate);
  for (const double x : {-0.062, 0.062}) {
    const cv::Point2d tower = at + cv::Point2d{x, 0.105};
    canvas->Disc(tower, 0.044, kInk);
    canvas->Disc(tower, 0.038, {172, 162, 148});
    canvas->Disc(tower, 0.022, {196, 64, 48});
  }
  const cv::Point2d crossing = at + cv::Point2d{0, -0.045};
  canvas->Disc(crossing, 0.034, kInk);
  canvas->Disc(crossing, 0.028, {240, 200, 84});
}

// What a city trades in is drawn on a plate, a colour of its own for each.
void Plate(cv::Point2d at, Paint ground, Canvas* canvas) {
  canvas->Disc(at, 0.098, kInk);
  canvas->Disc(at, 0.09, ground);
}

void Wine(cv::Point2d at, Canvas* canvas) {
  Plate(at, {246, 238, 216}, canvas);
  canvas->Line({at + cv::Point2d{-0.03, -0.066}, at + cv::Point2d{0.004, -0.044}}, 0.01,
               {96, 66, 40});
  canvas->Fill(Oval(at + cv::Point2d{0.03, -0.056}, 0.026, 0.016), {70, 130, 56});
  for (int row = 0; row < 4; ++row) {
    for (int i = 0; i < 4 - row; ++i) {
      const cv::Point2d grape =
          at + cv::Point2d{(i - (3 - row) / 2.0) * 0.033, -0.032 + row * 0.028};
      canvas->Disc(grape, 0.019, {58, 20, 70});
      canvas->Disc(grape, 0.0155, {126, 40, 140});
      canvas->Disc(grape + cv::Point2d{-0.005, -0.005}, 0.004, {214, 160, 222});
    }
  }
}

void Grain(cv::Point2d at, Canvas* canvas) {
  Plate(at, {148, 186, 226}, canvas);
  for (const double lean : {-0.05, -0.025, 0.0, 0.025, 0.05}) {
    const cv::Point2d foot = at + cv::Point2d{lean * 0.5, 0.07},
                      head = at + cv::Point2d{lean, -0.02};
    canvas->Line({foot, head}, 0.011, {170, 118, 24});
    canvas->Fill(Oval(head + cv::Point2d{lean * 0.1, -0.02}, 0.013, 0.036), {150, 98, 16});
    canvas->Fill(Oval(head + cv::Point2d{lean * 0.1, -0.02}, 0.0095, 0.031), {248, 204, 62});
  }
  canvas->Line({at + cv::Point2d{-0.036, 0.026}, at + cv::Point2d{0.036, 0.026}}, 0.016,
               {176, 50, 40});
}

void Cloth(cv::Point2d at, Canvas* canvas) {
  Plate(at, {250, 214, 132}, canvas);
  constexpr Paint kDye = {36, 116, 84}, kPale = {128, 196, 164};
  const auto p = [&](double x, double y) { return at + cv::Point2d{x, y}; };
  canvas->Fill({p(-0.064, -0.03), p(0.05, -0.03), p(0.064, 0.064), p(-0.05, 0.064)}, kDye);
  for (const double y : {0.008, 0.036}) canvas->Line({p(-0.056, y), p(0.056, y)}, 0.008, kPale);
  canvas->Line({p(-0.054, -0.036), p(0.046, -0.036)}, 0.042, kInk);
  canvas->Line({p(-0.054, -0.036), p(0.046, -0.036)}, 0.034, kDye);
  canvas->Disc(p(0.046, -0.036), 0.02, kPale);
  canvas->Disc(p(0.046, -0.036), 0.009, kDye);
}

}  // namespace

double RadiusOf(Mark mark) {
  switch (mark) {
    case Mark::kSheep:
      return 0.068;
    case Mark::kWolf:
    case Mark::kScroll:
    case Mark::kOasis:
      return 0.085;
    case Mark::kPigHerd:
    case Mark::kInn:
    case Mark::kGingerbread:
    case Mark::kWine:
    case Mark::kGrain:
    case Mark::kCloth:
      return 0.105;
    case Mark::kCathedral:
    case Mark::kVolcano:
      break;
  }
  return 0.2;
}

void PaintMark(Mark mark, cv::Point2d at, Canvas* canvas) {
  switch (mark) {
    case Mark::kSheep:
      return Sheep(at, canvas);
    case Mark::kWolf:
      return Wolf(at, canvas);
    case Mark::kPigHerd:
      return PigHerd(at, canvas);
    case Mark::kInn:
      return Inn(at, canvas);
    case Mark::kOasis:
      return Oasis(at, canvas);
    case Mark::kScroll:
      return Scroll(at, canvas);
    case Mark::kVolcano:
      return Volcano(at, canvas);
    case Mark::kGingerbread:
      return Gingerbread(at, canvas);
    case Mark::kCathedral:
      return Cathedral(at, canvas);
    case Mark::kWine:
      return Wine(at, canvas);
    case Mark::kGrain:
      return Grain(at, canvas);
    case Mark::kCloth:
      return Cloth(at, canvas);
  }
}

void PaintTemple(const std::vector<cv::Point2d>& area, Canvas* canvas) {
  cv::Point2d c = {0, 0};
  for (const auto& p : area) c += p / static_cast<double>(area.size());
  canvas->Glaze(canvas->Mask(area), {222, 200, 150}, 0.95, 0.012);
  const auto slab = [&](double half_width, double half_depth, Paint paint) {
    canvas->Fill(
        {c + cv::Point2d{-half_width, -half_depth}, c + cv::Point2d{half_width, -half_depth},
         c + cv::Point2d{half_width, half_depth}, c + cv::Point2d{-half_width, half_depth}},
        paint);
  };
  canvas->Glaze(canvas->DiscMask(c + cv::Point2d{0.02, 0.02}, 0.16), {60, 46, 26}, 0.4, 0.03);
  slab(0.152, 0.132, {110, 96, 74});
  slab(0.147, 0.127, {214, 204, 180});
  slab(0.128, 0.108, {150, 136, 108});
  slab(0.124, 0.104, {234, 226, 206});
  // The golden roof, and columns around it.
  for (const double x : {-0.105, -0.063, -0.021, 0.021, 0.063, 0.105}) {
    for (const double y : {-0.086, 0.086}) {
      canvas->Disc(c + cv::Point2d{x, y}, 0.015, {120, 108, 84});
      canvas->Disc(c + cv::Point2d{x - 0.002, y - 0.002}, 0.012, {250, 246, 234});
    }
  }
  canvas->House(c + cv::Point2d{0, -0.01}, 0.21, 0.1, 0, {222, 172, 62});
  canvas->Disc(c + cv::Point2d{0, -0.024}, 0.03, {126, 84, 24});
  canvas->Disc(c + cv::Point2d{-0.002, -0.027}, 0.025, {250, 214, 104});
}

}  // namespace tilewarden::calibration
