#include "tests/virtual_table/scene/laid_table.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "engine/tiles/tile_layout.h"

namespace tilewarden::virtual_table {
namespace {

using engine::Cell;
using engine::SimulatedTable;

// How often and how far a neighbour slides when a tile is laid: tiles lie 0.3 to 0.8 mm
// apart, and are pushed home against each other.
constexpr double kSlides = 0.12, kSlide_mm = 1.0, kSlideTurn_rad = 0.008, kFarthest_mm = 1.8;
constexpr double kFiddle_mm = 1.2;
// Middles of two figures that stand beside each other: followers are 16 mm wide.
constexpr double kBeside_mm = 17, kTight_mm = 14;
// Of the foot's surroundings that its segment covers, where there is room.
constexpr double kWellOnIt = 0.9, kFootReach = 0.05;

cv::Vec2d Flat(const Stand& stand) { return {stand.at[0], stand.at[1]}; }

// From a point of the world to one on the tile's canonical face.
engine::Point OnFace(const Stand& card, const cv::Vec2d& at) {
  const cv::Vec2d d = at - Flat(card);
  const double c = std::cos(card.yaw_rad), s = std::sin(card.yaw_rad);
  return {(c * d[0] + s * d[1]) / kTile_mm + 0.5, 0.5 - (c * d[1] - s * d[0]) / kTile_mm};
}

}  // namespace

LaidTable::LaidTable(BoardFrame frame, Neatness neatness, std::uint64_t seed,
                     std::vector<std::vector<Figure>> supply, std::vector<std::string> colours,
                     const TileBox* box)
    : frame_(frame),
      neatness_(neatness),
      seed_(seed),
      supply_(std::move(supply)),
      colours_(std::move(colours)),
      box_(box),
      rng_(seed * 7919 + 17) {
  rng_.next();
}

int LaidTable::PlayerOf(const std::string& colour) const {
  return static_cast<int>(std::find(colours_.begin(), colours_.end(), colour) - colours_.begin());
}

// The first printed copy that does not lie on the board.
int LaidTable::NewCopy(int type) const {
  std::set<int> used;
  for (const auto& [cell, copy] : copies_) {
    if (copy.first == type) used.insert(copy.second);
  }
  int copy = 0;
  while (used.contains(copy)) ++copy;
  return copy;
}

Card LaidTable::CardFor(const SimulatedTable::Tile& tile) const {
  const auto lies = copies_.find(tile.cell);
  const bool same = lies != copies_.end() && lies->second.first == tile.tile;
  const HandLaid hand(box_->tiles(), frame_, neatness_, seed_);
  Card card = hand.Lay({tile.tile, tile.cell, tile.rotation, 0, 0},
                       same ? lies->second.second : NewCopy(tile.tile))
                  .card;
  if (const auto slid = slid_.find(tile.cell); slid != slid_.end()) {
    card.stand.at += cv::Vec3d(slid->second[0], slid->second[1], 0);
    card.stand.yaw_rad += slid->second[2];
  }
  return card;
}

Figure LaidTable::FigureFor(const SimulatedTable::Figure& figure) const {
  const SimulatedTable::Tile& tile = tiles_.at(figure.cell);
  const HandLaid hand(box_->tiles(), frame_, neatness_, seed_);
  const TileOnBoard on{{tile.tile, tile.cell, tile.rotation, 0, 0}, CardFor(tile)};
  Figure thing = hand.Set({0, figure.kind, figure.cell, figure.segment}, figure.colour, on).thing;
  thing.kind = figure.kind;
  thing.lying = figure.lying;
  if (figure.kind == engine::FigureKind::kArk) thing.colour = "wood";
  if (figure.kind == engine::FigureKind::kGingerbreadMan) thing.colour = "brown";
  if (const auto aside = aside_.find({figure.colour, figure.cell, figure.segment});
      aside != aside_.end()) {
    thing.stand.at += cv::Vec3d(aside->second[0], aside->second[1], 0);
  }
  const auto moved = fiddled_.find({figure.colour, figure.cell, figure.segment});
  if (moved != fiddled_.end()) {
    thing.stand.at += cv::Vec3d(moved->second[0], moved->second[1], 0);
    thing.stand.yaw_rad += moved->second[2];
  }
  return thing;
}

void LaidTable::Fiddle(const SimulatedTable::Figure& figure) {
  fiddled_[{figure.colour, figure.cell, figure.segment}] = {
      rng_.gaussian(kFiddle_mm), rng_.gaussian(kFiddle_mm), rng_.uniform(-1.0, 1.0)};
}

void LaidTable::StandAside(const std::vector<SimulatedTable::Figure>& figures) {
  for (const SimulatedTable::Figure& own : figures) {
    if (!own.colour.empty()) continue;
    std::vector<cv::Vec2d> others;
    for (const SimulatedTable::Figure& other : figures) {
      if (!other.colour.empty()) others.push_back(Flat(FigureFor(other).stand));
    }
    const FigureKey key{own.colour, own.cell, own.segment};
    const auto free = [&](const cv::Vec2d& at, double apart_mm) {
      return std::all_of(others.begin(), others.end(),
                         [&](const cv::Vec2d& other) { return cv::norm(other - at) >= apart_mm; });
    };
    const cv::Vec2d stands = Flat(FigureFor(own).stand);
    if (free(stands, kTight_mm)) continue;
    const auto had = aside_.find(key);
    const cv::Vec2d spot = had == aside_.end() ? stands : stands - had->second;
    const engine::TileLayout layout =
        engine::LayOut(box_->tiles().types()[static_cast<std::size_t>(tiles_.at(own.cell).tile)]);
    const Stand card = CardFor(tiles_.at(own.cell)).stand;
    const auto on_it = [&](const cv::Vec2d& at) {
      const engine::Point face = OnFace(card, at);
      if (std::min({face.x, face.y, 1 - face.x, 1 - face.y}) < kFootReach) return 0.0;
      if (own.kind == engine::FigureKind::kArk) return 1.0;
      return layout.SegmentsNear(face, kFootReach)[static_cast<std::size_t>(own.segment)];
    };
    // The nearest that is well on it; else the one most on it.
    double best = 0;
    for (const double apart_mm : {kBeside_mm, kTight_mm}) {
      for (double away_mm = 2; away_mm <= kTile_mm && best < kWellOnIt; away_mm += 2) {
        for (int k = 0; k < 24 && best < kWellOnIt; ++k) {
          const double turn = k * std::numbers::pi / 12;
          const cv::Vec2d by = away_mm * cv::Vec2d(std::cos(turn), std::sin(turn));
          if (!free(spot + by, apart_mm) || on_it(spot + by) <= best) continue;
          best = on_it(spot + by);
          aside_[key] = by;
        }
      }
    }
  }
}

void LaidTable::Push(cv::Point2d by_mm, double turn_rad) {
  frame_.origin_mm += by_mm;
  frame_.yaw_rad += turn_rad;
}

void LaidTable::Slide(Cell laid) {
  for (const engine::Side side : engine::kSides) {
    const Cell cell = engine::Neighbour(laid, side);
    // Where another one lies behind it, it has no room to go.
    if (!tiles_.contains(cell) || tiles_.contains(engine::Neighbour(cell, side)) ||
        rng_.uniform(0.0, 1.0) > kSlides) {
      continue;
    }
    cv::Vec3d& slid = slid_[cell];
    const double by = rng_.uniform(0.3, kSlide_mm);
    const cv::Point2d away = frame_.Middle(cell) - frame_.Middle(laid);
    const cv::Point2d step = away * (by / cv::norm(away));
    if (std::hypot(slid[0] + step.x, slid[1] + step.y) > kFarthest_mm) continue;
    slid += cv::Vec3d(step.x, step.y, rng_.uniform(-kSlideTurn_rad, kSlideTurn_rad));
  }
}

void LaidTable::Take(const Moment& moment) {
  std::map<Cell, SimulatedTable::Tile> tiles;
  for (const auto& tile : moment.tiles) tiles[tile.cell] = tile;
  std::vector<Cell> laid;
  for (const auto& [cell, lies] : tiles_) {
    const auto now = tiles.find(cell);
    if (now != tiles.end() && now->second.tile == lies.tile) continue;
    copies_.erase(cell);
    slid_.erase(cell);
  }
  for (const auto& [cell, tile] : tiles) {
    if (copies_.contains(cell)) continue;
    copies_[cell] = {tile.tile, NewCopy(tile.tile)};
    if (!tiles_.empty()) laid.push_back(cell);
  }
  tiles_ = std::move(tiles);
  for (const Cell cell : laid) Slide(cell);

  cards_.clear();
  for (const auto& [cell, tile] : tiles_) cards_.push_back(CardFor(tile));
  std::set<FigureKey> there;
  for (const auto& figure : moment.figures) {
    there.insert({figure.colour, figure.cell, figure.segment});
  }
  std::erase_if(fiddled_, [&](const auto& moved) { return !there.contains(moved.first); });
  std::erase_if(aside_, [&](const auto& moved) { return !there.contains(moved.first); });
  StandAside(moment.figures);
  figures_.clear();
  std::map<std::pair<std::string, engine::FigureKind>, int> out;
  for (const auto& figure : moment.figures) {
    figures_.push_back(FigureFor(figure));
    ++out[{figure.colour, figure.kind}];
  }
  for (const std::vector<Figure>& supply : supply_) {
    for (const Figure& figure : supply) {
      if (out[{figure.colour, figure.kind}]-- <= 0) figures_.push_back(figure);
    }
  }
}

}  // namespace tilewarden::virtual_table
