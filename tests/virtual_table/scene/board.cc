#include "tests/virtual_table/scene/board.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "engine/tiles/tile_layout.h"

namespace tilewarden::virtual_table {
namespace {

cv::RNG ChanceFor(std::uint64_t seed, engine::Cell cell, int what) {
  std::uint64_t h = seed * 0x9E3779B97F4A7C15ull + 0x1234567;
  for (const int v : {cell.x + 1000, cell.y + 1000, what + 1}) {
    h = (h ^ static_cast<std::uint64_t>(v)) * 0xBF58476D1CE4E5B9ull;
    h ^= h >> 31;
  }
  cv::RNG rng(h | 1);
  for (int i = 0; i < 4; ++i) rng.next();
  return rng;
}

// Moves a figure from its spot straight to the nearest edge of its tile, if that is near: what
// touches an edge there goes on to it.
void ToEdge(const engine::Point& spot, cv::Point2d* at_mm) {
  constexpr double kNear = 0.3;  // of a tile
  constexpr double kInside_mm = 2.5;
  const double x = spot.x - 0.5, y = 0.5 - spot.y;
  const double edge = kTile_mm / 2 - kInside_mm;
  if (std::max(std::abs(x), std::abs(y)) < 0.5 - kNear) return;
  if (std::abs(x) > std::abs(y)) {
    at_mm->x = std::copysign(edge, x);
  } else {
    at_mm->y = std::copysign(edge, y);
  }
}

}  // namespace

cv::Point2d BoardFrame::Middle(engine::Cell cell) const {
  const double x = cell.x * pitch_mm, y = -cell.y * pitch_mm;
  const double c = std::cos(yaw_rad), s = std::sin(yaw_rad);
  return {origin_mm.x + c * x - s * y, origin_mm.y + s * x + c * y};
}

HandLaid::HandLaid(const engine::TileSet& tiles, BoardFrame frame, Neatness neatness,
                   std::uint64_t seed)
    : tiles_(tiles), frame_(frame), neatness_(neatness), seed_(seed) {
  frame_.pitch_mm = kTile_mm + neatness.gap_mm;
}

TileOnBoard HandLaid::Lay(const engine::PlacedTile& tile, int copy) const {
  cv::RNG rng = ChanceFor(seed_, tile.cell, 0);
  const cv::Point2d at = frame_.Middle(tile.cell);
  TileOnBoard laid;
  laid.tile = tile;
  laid.card.type = tile.tile;
  laid.card.copy = copy;
  laid.card.stand.at = {static_cast<float>(at.x + rng.gaussian(neatness_.drift_mm)),
                        static_cast<float>(at.y + rng.gaussian(neatness_.drift_mm)), 0};
  laid.card.stand.yaw_rad = frame_.yaw_rad - tile.rotation * std::numbers::pi / 2 +
                            rng.gaussian(neatness_.turn_deg) * std::numbers::pi / 180;
  return laid;
}

FigureOnBoard HandLaid::Set(const engine::PlacedFigure& figure, const std::string& colour,
                            const TileOnBoard& on) const {
  cv::RNG rng = ChanceFor(seed_, figure.cell, 1 + figure.segment);
  const engine::TileType& type = tiles_.types()[static_cast<std::size_t>(on.tile.tile)];
  const auto segment = static_cast<std::size_t>(figure.segment);
  const engine::Point spot = engine::LayOut(type).segments[segment].spot;
  FigureOnBoard set;
  set.figure = figure;
  set.thing.colour = colour;
  set.thing.lying = type.segments[segment].kind == engine::SegmentKind::kField;
  cv::Point2d at((spot.x - 0.5) * kTile_mm + rng.gaussian(neatness_.figure_mm),
                 (0.5 - spot.y) * kTile_mm + rng.gaussian(neatness_.figure_mm));
  set.thing.stand.yaw_rad = rng.uniform(-std::numbers::pi, std::numbers::pi);
  if (neatness_.over_edge > 0 && rng.uniform(0.0, 1.0) < neatness_.over_edge) ToEdge(spot, &at);
  set.thing.stand.at = on.card.stand.ToWorld(at.x, at.y, kCardThickness_mm);
  return set;
}

void HandLaid::Build(const engine::Game& game, std::vector<TileOnBoard>* tiles,
                     std::vector<FigureOnBoard>* figures) const {
  std::map<int, int> copies;
  std::map<engine::Cell, std::size_t> at;
  for (const engine::PlacedTile& tile : game.PlacedTiles()) {
    at[tile.cell] = tiles->size();
    tiles->push_back(Lay(tile, copies[tile.tile]++));
  }
  for (const engine::PlacedFigure& figure : game.Figures()) {
    figures->push_back(Set(figure, game.players()[static_cast<std::size_t>(figure.player)].colour,
                           (*tiles)[at[figure.cell]]));
  }
}

std::vector<cv::Vec3d> TopCorners(const Stand& card) {
  constexpr double h = kTile_mm / 2;
  std::vector<cv::Vec3d> corners;
  for (const cv::Point2d p : {cv::Point2d{-h, h}, {h, h}, {h, -h}, {-h, -h}}) {
    corners.emplace_back(card.ToWorld(p.x, p.y, kCardThickness_mm));
  }
  return corners;
}

Surroundings::Surroundings(const TableCamera& camera, std::uint64_t seed)
    : camera_(camera), rng_(seed * 6364136223846793005ull + 77) {}

void Surroundings::Take(cv::Point2d at, double radius_mm) { taken_.emplace_back(at, radius_mm); }

bool Surroundings::Find(cv::Point2d wish, double reach_mm, double radius_mm, bool whole_in_view,
                        cv::Point2d* at) {
  for (int tries = 0; tries < 400; ++tries) {
    const double reach = reach_mm * (1 + tries / 60.0), angle = rng_.uniform(0.0, 6.2832);
    const double r = reach * std::sqrt(rng_.uniform(0.0, 1.0));
    const cv::Point2d p = wish + cv::Point2d{r * std::cos(angle), r * std::sin(angle)};
    const cv::Point2d px = camera_.ProjectPoint({p.x, p.y, 0});
    const cv::Point2d edge = camera_.ProjectPoint({p.x + radius_mm, p.y, 0});
    const double margin = whole_in_view ? cv::norm(edge - px) + 4 : 0;
    if (px.x < margin || px.y < margin || px.x > camera_.size_px.width - 1 - margin ||
        px.y > camera_.size_px.height - 1 - margin) {
      continue;
    }
    bool free = true;
    for (const auto& [other, radius] : taken_) free &= cv::norm(other - p) > radius + radius_mm;
    if (!free) continue;
    Take(p, radius_mm);
    *at = p;
    return true;
  }
  return false;
}

}  // namespace tilewarden::virtual_table
