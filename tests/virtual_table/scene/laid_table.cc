#include "tests/virtual_table/scene/laid_table.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace tilewarden::virtual_table {
namespace {

using engine::Cell;
using engine::SimulatedTable;

// How often and how far a neighbour slides when a tile is laid: tiles lie 0.3 to 0.8 mm
// apart, and are pushed home against each other.
constexpr double kSlides = 0.12, kSlide_mm = 1.0, kSlideTurn_rad = 0.008, kFarthest_mm = 1.8;
constexpr double kFiddle_mm = 1.2;

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
  figures_.clear();
  std::map<std::pair<std::string, engine::FigureKind>, int> out;
  std::set<FigureKey> there;
  for (const auto& figure : moment.figures) {
    there.insert({figure.colour, figure.cell, figure.segment});
    figures_.push_back(FigureFor(figure));
    ++out[{figure.colour, figure.kind}];
  }
  std::erase_if(fiddled_, [&](const auto& moved) { return !there.contains(moved.first); });
  for (const std::vector<Figure>& supply : supply_) {
    for (const Figure& figure : supply) {
      if (out[{figure.colour, figure.kind}]-- <= 0) figures_.push_back(figure);
    }
  }
}

}  // namespace tilewarden::virtual_table
