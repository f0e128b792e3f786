#include "tests/virtual_table/scene/extras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "tests/virtual_table/scene/clutter.h"

namespace tilewarden::virtual_table {
namespace {

using engine::FigureKind;

cv::RNG Chance(std::uint64_t seed, int what) {
  cv::RNG rng(seed * 2862933555777941757ull + static_cast<std::uint64_t>(what));
  for (int i = 0; i < 4; ++i) rng.next();
  return rng;
}

cv::Point2d Flat(const Stand& stand) { return {stand.at[0], stand.at[1]}; }

// From a point to the nearest one between two others.
double DistanceToLine(cv::Point2d p, cv::Point2d a, cv::Point2d b) {
  const cv::Point2d along = b - a;
  const double length = along.dot(along);
  const double t = length > 0 ? std::clamp((p - a).dot(along) / length, 0.0, 1.0) : 0;
  return cv::norm(p - a - along * t);
}

// Segments where a figure may stand at all.
std::vector<int> Places(const engine::TileType& type) {
  std::vector<int> places;
  for (std::size_t i = 0; i < type.segments.size(); ++i) {
    const engine::SegmentKind kind = type.segments[i].kind;
    if (kind != engine::SegmentKind::kField && kind != engine::SegmentKind::kRiver) {
      places.push_back(static_cast<int>(i));
    }
  }
  return places;
}

template <std::size_t kCount>
cv::Vec3f OneOf(const std::array<cv::Vec3f, kCount>& colours, cv::RNG* rng) {
  return colours[static_cast<std::size_t>(rng->uniform(0, static_cast<int>(kCount)))];
}

cv::Vec3f ColourOf(PropKind kind, cv::RNG* rng) {
  switch (kind) {
    case PropKind::kDie:
      return OneOf<5>({LinearBgr(236, 232, 222), LinearBgr(188, 30, 34), LinearBgr(34, 34, 36),
                       LinearBgr(30, 70, 160), LinearBgr(40, 120, 60)},
                      rng);
    case PropKind::kCoin:
      return OneOf<3>({LinearBgr(178, 112, 76), LinearBgr(196, 164, 92), LinearBgr(176, 178, 176)},
                      rng);
    case PropKind::kBead:
      return OneOf<4>({LinearBgr(34, 84, 150), LinearBgr(30, 110, 70), LinearBgr(150, 40, 44),
                       LinearBgr(150, 176, 178)},
                      rng);
    case PropKind::kFinger:
      return OneOf<5>({LinearBgr(214, 160, 130), LinearBgr(150, 98, 70), LinearBgr(226, 178, 150),
                       LinearBgr(112, 74, 54), LinearBgr(170, 118, 88)},
                      rng);
    default:
      return OneOf<3>({LinearBgr(34, 40, 84), LinearBgr(30, 30, 32), LinearBgr(160, 30, 30)}, rng);
  }
}

// What a thing covers of the table, about: a line, and how far to both sides of it.
struct Cover {
  cv::Point2d from, to;
  double beside_mm;
};

Cover CoverOf(const Prop& prop) {
  const auto at = [&](double x, double y) {
    const cv::Vec3f p = prop.stand.ToWorld(x, y, 0);
    return cv::Point2d(p[0], p[1]);
  };
  if (prop.kind == PropKind::kFinger) return {at(0, 0), at(0, kFingerLength_mm), kFinger_mm / 2};
  if (prop.kind == PropKind::kPen) return {at(-70, 0), at(66, 0), 5};
  return {at(0, 0), at(0, 0), RadiusOf(prop.kind)};
}

}  // namespace

std::vector<FigureOnBoard> SetSpecialFigures(int count, const std::vector<std::string>& colours,
                                             const engine::TileSet& tiles, const HandLaid& hand,
                                             const std::vector<TileOnBoard>& laid,
                                             const std::vector<FigureOnBoard>& figures,
                                             std::uint64_t seed) {
  constexpr double kApart_mm = 18;
  constexpr std::array<FigureKind, 5> kKinds = {FigureKind::kAbbot, FigureKind::kProphet,
                                                FigureKind::kArk, FigureKind::kArk,
                                                FigureKind::kGingerbreadMan};
  cv::RNG rng = Chance(seed, 1);
  std::set<engine::Cell> taken;
  std::vector<cv::Point2d> feet;
  for (const FigureOnBoard& figure : figures) {
    taken.insert(figure.figure.cell);
    feet.push_back(Flat(figure.thing.stand));
  }
  std::vector<FigureOnBoard> set;
  int number = rng.uniform(0, static_cast<int>(kKinds.size()));
  constexpr int kTries = 500;
  for (int i = 0; i < kTries && static_cast<int>(set.size()) < count; ++i) {
    const TileOnBoard& on =
        laid[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(laid.size())))];
    const engine::TileType& type = tiles.types()[static_cast<std::size_t>(on.tile.tile)];
    const std::vector<int> places = Places(type);
    if (taken.contains(on.tile.cell) || places.empty()) continue;
    const int segment =
        places[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(places.size())))];
    const auto which = static_cast<std::size_t>(number) % kKinds.size();
    const int player = number % static_cast<int>(colours.size());
    FigureOnBoard figure = hand.Set({player, kKinds[which], on.tile.cell, segment},
                                    colours[static_cast<std::size_t>(player)], on);
    const cv::Point2d foot = Flat(figure.thing.stand);
    if (std::any_of(feet.begin(), feet.end(),
                    [&](const cv::Point2d& other) { return cv::norm(other - foot) < kApart_mm; })) {
      continue;
    }
    figure.thing.kind = kKinds[which];
    if (kKinds[which] == FigureKind::kArk) {
      figure.thing.of_card = which == 2;
      figure.thing.colour = figure.thing.of_card ? "card" : "wood";
    }
    if (kKinds[which] == FigureKind::kGingerbreadMan) {
      figure.thing.colour = "brown";
      figure.thing.lying = rng.uniform(0, 3) == 0;
    }
    taken.insert(on.tile.cell);
    feet.push_back(foot);
    set.push_back(std::move(figure));
    ++number;
  }
  return set;
}

std::vector<Prop> LayClutter(int count, const TableCamera& camera,
                             const std::vector<TileOnBoard>& laid,
                             const std::vector<FigureOnBoard>& figures, std::uint64_t seed) {
  constexpr std::array<PropKind, 5> kKinds = {PropKind::kDie, PropKind::kCoin, PropKind::kFinger,
                                              PropKind::kPen, PropKind::kBead};
  // A figure's own half, and a little.
  constexpr double kFigure_mm = 14, kBetween_mm = 6;
  cv::RNG rng = Chance(seed, 2);
  std::vector<Prop> things;
  int number = rng.uniform(0, static_cast<int>(kKinds.size()));
  int fingers = rng.uniform(0, 2);
  constexpr int kTries = 2000;
  for (int i = 0; i < kTries && static_cast<int>(things.size()) < count; ++i) {
    Prop prop;
    prop.kind = kKinds[static_cast<std::size_t>(number) % kKinds.size()];
    prop.colour = ColourOf(prop.kind, &rng);
    const Stand& tile =
        laid[static_cast<std::size_t>(rng.uniform(0, static_cast<int>(laid.size())))].card.stand;
    prop.stand.at = tile.ToWorld(rng.uniform(-kTile_mm / 2, kTile_mm / 2),
                                 rng.uniform(-kTile_mm / 2, kTile_mm / 2), kCardThickness_mm);
    prop.stand.yaw_rad = rng.uniform(-std::numbers::pi, std::numbers::pi);
    if (prop.kind == PropKind::kFinger && fingers % 2 == 1) {
      const cv::Point2d border(rng.uniform(0.1, 0.9) * camera.size_px.width,
                               rng.uniform(0, 2) * (camera.size_px.height - 1.0));
      const cv::Point2d edge = camera.OnPlane(border, 0), inwards = -edge * (1 / cv::norm(edge));
      const cv::Point2d tip = edge + inwards * rng.uniform(25.0, 60.0);
      prop.stand = {{tip.x, tip.y, 0}, std::atan2(inwards.x, -inwards.y)};
    }
    const Cover cover = CoverOf(prop);
    const auto far_enough = [&](cv::Point2d p, double beside) {
      return DistanceToLine(p, cover.from, cover.to) > cover.beside_mm + beside;
    };
    const bool free = std::all_of(figures.begin(), figures.end(),
                                  [&](const FigureOnBoard& figure) {
                                    return far_enough(Flat(figure.thing.stand), kFigure_mm);
                                  }) &&
                      std::all_of(things.begin(), things.end(), [&](const Prop& other) {
                        const Cover there = CoverOf(other);
                        bool apart = true;
                        for (double t = 0; t <= 1; t += 0.125) {
                          apart &= far_enough(there.from + (there.to - there.from) * t,
                                              there.beside_mm + kBetween_mm);
                        }
                        return apart;
                      });
    if (!free) continue;
    fingers += prop.kind == PropKind::kFinger;
    things.push_back(prop);
    ++number;
  }
  return things;
}

}  // namespace tilewarden::virtual_table
