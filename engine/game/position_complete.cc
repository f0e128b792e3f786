// Which features are complete.
#include <algorithm>

#include "engine/game/contacts.h"

namespace tilewarden::engine {

bool Position::IsComplete(int root) const {
  const Features::Node& feature = features_.at(root);
  if (feature.open != 0) return false;
  if (!rules_.cities_must_be_filled || feature.kind != SegmentKind::kCity) return true;
  return GapsIn(root).empty();
}

std::vector<Cell> Position::GapsIn(int city) const {
  std::vector<Cell> gaps = CellsWithin(city);
  std::erase_if(gaps, [&](Cell cell) { return board_.At(cell) >= 0; });
  return gaps;
}

// The cells that a city's tiles enclose and that are not part of it: those that
// cannot be left on the way out, from cell to cell beside it.
std::vector<Cell> Position::CellsWithin(int city) const {
  const std::vector<Cell> cells = CellsOf(city);
  int west = cells[0].x, east = west, north = cells[0].y, south = north;
  for (const Cell& cell : cells) {
    west = std::min(west, cell.x);
    east = std::max(east, cell.x);
    north = std::min(north, cell.y);
    south = std::max(south, cell.y);
  }
  const int width = east - west + 3, height = south - north + 3;
  std::vector<char> closed(static_cast<std::size_t>(width * height), 0);
  const auto index = [&](Cell cell) {
    return static_cast<std::size_t>((cell.y - north + 1) * width + cell.x - west + 1);
  };
  for (const Cell& cell : cells) closed[index(cell)] = 1;
  std::vector<Cell> outside = {{west - 1, north - 1}};
  closed[index(outside[0])] = 1;
  while (!outside.empty()) {
    const Cell cell = outside.back();
    outside.pop_back();
    for (const Side side : kSides) {
      const Cell next = Neighbour(cell, side);
      if (next.x < west - 1 || next.x > east + 1 || next.y < north - 1 || next.y > south + 1 ||
          closed[index(next)]) {
        continue;
      }
      closed[index(next)] = 1;
      outside.push_back(next);
    }
  }
  std::vector<Cell> within;
  for (int x = west; x <= east; ++x) {
    for (int y = north; y <= south; ++y) {
      if (!closed[index({x, y})]) within.push_back({x, y});
    }
  }
  return within;
}

// What the tile just laid completed, with or without figures.
Position::Completed Position::FindCompleted() const {
  Completed completed;
  const auto consider = [&](int node) {
    const int root = features_.Find(node);
    if (features_.at(root).open != 0 || completed.Has(root) || !IsComplete(root)) return;
    if (completed.count < completed.roots.size()) completed.roots[completed.count++] = root;
  };
  const int number = LastTile();
  const Cell cell = Laid(number).cell;
  for (const std::int8_t segment : TileOf(number).completable) consider(NodeAt(number, segment));
  ForEachPlotAround(cell, consider);
  if (rules_.cities_must_be_filled) {
    // The tile may have filled the last hole of a city that it is not part of.
    for (int node = 0; node < features_.size(); ++node) {
      const Features::Node& feature = features_.at(node);
      if (feature.parent != node || feature.kind != SegmentKind::kCity || feature.open != 0) {
        continue;
      }
      const std::vector<Cell> within = CellsWithin(node);
      if (std::find(within.begin(), within.end(), cell) != within.end()) consider(node);
    }
  }
  return completed;
}

}  // namespace tilewarden::engine
