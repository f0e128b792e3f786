// The slow scorer's table: what lies where, what hangs together, what fits.
#include <algorithm>
#include <cstdlib>
#include <functional>

#include "tests/engine/game/slow_scorer.h"

namespace tilewarden::engine {

SlowScorer::SlowScorer(std::shared_ptr<const TileSet> tiles, Rules rules, int players,
                       int start_rotation)
    : tiles_(std::move(tiles)),
      rules_(std::move(rules)),
      scores_(static_cast<std::size_t>(players)) {
  table_ = rules_.area;
  if (FirstTile() < 0) return;
  board_[{0, 0}] = {FirstTile(), start_rotation};
  for (const auto& more : tiles_->more_start_tiles())
    board_[more.cell] = {more.tile, more.rotation};
  const TileType& start = TypeAt({0, 0});
  for (std::size_t i = 0; rules_.gingerbread && !gingerbread_ && i < start.segments.size(); ++i) {
    if (start.segments[i].kind == SegmentKind::kCity) gingerbread_ = {{0, 0}, static_cast<int>(i)};
  }
}

// The tile that lies there from the beginning; -1: the first one drawn begins.
int SlowScorer::FirstTile() const {
  const bool river = tiles_->types()[static_cast<std::size_t>(tiles_->start_tile())].HasRiver();
  if (!river && rules_.start_tile_mixed) return -1;
  if (!river || !tiles_->more_start_tiles().empty()) return tiles_->start_tile();
  if (rules_.river_shuffled) return -1;
  if (rules_.river_start == RiverStart::kLake) {
    // Of two, the one without a volcano where only one is played with.
    for (std::size_t i = 0; i < tiles_->types().size() && rules_.one_lake; ++i) {
      for (const Segment& s : tiles_->types()[i].segments) {
        const bool plain = s.river_role == RiverRole::kLake && !s.volcano;
        if (plain && tiles_->counts()[i] > 0) return static_cast<int>(i);
      }
    }
    return tiles_->last().at(0);
  }
  if (rules_.river_start == RiverStart::kFork) return tiles_->second();
  return tiles_->start_tile();
}

bool SlowScorer::OnTable(Cell cell) const {
  return !table_ || (cell.x >= table_->west && cell.x <= table_->east && cell.y >= table_->north &&
                     cell.y <= table_->south);
}

bool SlowScorer::Filled(Cell cell) const {
  return board_.count(cell) > 0 || (rules_.table_edge_completes && !OnTable(cell));
}

int SlowScorer::HalvesTooMany(const std::set<Cell>& cells) const {
  if (!rules_.source_counts_once || tiles_->more_start_tiles().empty()) return 0;
  int halves = static_cast<int>(cells.count({0, 0}));
  for (const auto& more : tiles_->more_start_tiles()) {
    halves += static_cast<int>(cells.count(more.cell));
  }
  return std::max(0, halves - 1);
}

const TileType& SlowScorer::TypeAt(Cell cell) const {
  return tiles_->types()[static_cast<std::size_t>(board_.at(cell).first)];
}

const Segment& SlowScorer::At(Place place) const {
  return TypeAt(place.cell).segments[static_cast<std::size_t>(place.segment)];
}

int SlowScorer::Touching(Cell cell, Side side, int half, bool field) const {
  const int rotation = board_.at(cell).second;
  const TileType& type = TypeAt(cell);
  for (std::size_t i = 0; i < type.segments.size(); ++i) {
    const Segment& s = type.segments[i];
    for (int canonical = 0; canonical < 8; ++canonical) {
      if (field && (s.half_edges & (1 << canonical)) &&
          RotatedHalfEdge(canonical, rotation) == half) {
        return static_cast<int>(i);
      }
    }
    for (const Side canonical : kSides) {
      if (!field && (s.sides & (1 << static_cast<int>(canonical))) &&
          Rotated(canonical, rotation) == side) {
        return static_cast<int>(i);
      }
    }
  }
  return -1;
}

std::set<SlowScorer::Place> SlowScorer::FeatureOf(Place from) const {
  std::set<Place> feature = {from};
  std::vector<Place> todo = {from};
  while (!todo.empty()) {
    const Place place = todo.back();
    todo.pop_back();
    const int rotation = board_.at(place.cell).second;
    const auto reach = [&](Cell cell, Side side, int half, bool field) {
      if (!board_.count(cell)) return;
      const Place next = {cell, Touching(cell, side, half, field)};
      if (next.segment >= 0 && feature.insert(next).second) todo.push_back(next);
    };
    for (int half = 0; half < 8; ++half) {
      if (!(At(place).half_edges & (1 << half))) continue;
      const int lies = RotatedHalfEdge(half, rotation);
      const Side side = SideOfHalfEdge(lies);
      reach(Neighbour(place.cell, side), Opposite(side), FacingHalfEdge(lies), true);
    }
    // House rule: through bushes a road goes on to every other one there.
    for (int i = 0; i < static_cast<int>(TypeAt(place.cell).segments.size()); ++i) {
      const Place next = {place.cell, i};
      if (!rules_.bushes_end_roads && At(place).road_end == RoadEnd::kBushes &&
          At(next).road_end == RoadEnd::kBushes && feature.insert(next).second) {
        todo.push_back(next);
      }
    }
    for (const Side canonical : kSides) {
      if (!(At(place).sides & (1 << static_cast<int>(canonical)))) continue;
      const Side side = Rotated(canonical, rotation);
      reach(Neighbour(place.cell, side), Opposite(side), 0, false);
    }
  }
  return feature;
}

int SlowScorer::NeighboursOf(Cell cell, bool diagonal) const {
  int count = 0;
  for (int dx = -1; dx <= 1; ++dx) {
    for (int dy = -1; dy <= 1; ++dy) {
      if (!diagonal && dx != 0 && dy != 0) continue;
      if ((dx != 0 || dy != 0) && Filled({cell.x + dx, cell.y + dy})) ++count;
    }
  }
  return count;
}

bool SlowScorer::Complete(const std::set<Place>& feature) const {
  const SegmentKind kind = At(*feature.begin()).kind;
  if (kind == SegmentKind::kField || kind == SegmentKind::kRiver) return false;
  if (kind == SegmentKind::kMonastery || kind == SegmentKind::kGarden) {
    return NeighboursOf(feature.begin()->cell) == 8;
  }
  if (kind == SegmentKind::kTemple) return NeighboursOf(feature.begin()->cell, false) == 4;
  for (const Place& place : feature) {
    for (const Side canonical : kSides) {
      if (!(At(place).sides & (1 << static_cast<int>(canonical)))) continue;
      const Side side = Rotated(canonical, board_.at(place.cell).second);
      if (!Filled(Neighbour(place.cell, side))) return false;
    }
  }
  if (kind == SegmentKind::kCity && rules_.cities_must_be_filled) {
    for (const Cell& cell : Within(feature)) {
      if (!board_.count(cell)) return false;
    }
  }
  return true;
}

// Cells from which one cannot walk away without stepping on the city's tiles.
std::set<Cell> SlowScorer::Within(const std::set<Place>& city) const {
  std::set<Cell> own;
  for (const Place& place : city) own.insert(place.cell);
  const auto inside = [&](Cell from) {
    std::set<Cell> seen = {from};
    std::vector<Cell> todo = {from};
    while (!todo.empty()) {
      const Cell cell = todo.back();
      todo.pop_back();
      if (cell.x < own.begin()->x || cell.x > own.rbegin()->x || std::abs(cell.y) > 1000) {
        return false;
      }
      bool above = false, below = false;
      for (const Cell& other : own) {
        above |= other.y <= cell.y;
        below |= other.y >= cell.y;
      }
      if (!above || !below) return false;
      for (const Side side : kSides) {
        const Cell next = Neighbour(cell, side);
        if (!own.count(next) && seen.insert(next).second) todo.push_back(next);
      }
    }
    return true;
  };
  std::set<Cell> within;
  for (const Cell& cell : own) {
    for (const Side side : kSides) {
      Cell next = Neighbour(cell, side);
      while (!own.count(next) && !within.count(next) && inside(next)) {
        within.insert(next);
        next = Neighbour(next, side);
      }
    }
  }
  return within;
}

// A river tile hangs on exactly one open end, and on its course from the source the river
// does not turn twice in a row the same way, nor three times, nor towards river that lies.
bool SlowScorer::RiverGoesOn(int tile, const Placement& at) const {
  const auto& edges = tiles_->types()[static_cast<std::size_t>(tile)].edges;
  const auto is_river = [&](Cell cell, Side side) {
    const auto [other, rotation] = board_.at(cell);
    return tiles_->types()[static_cast<std::size_t>(other)]
               .edges[static_cast<std::size_t>(Rotated(side, -rotation))] == 's';
  };
  std::vector<Side> own, joined;
  for (const Side canonical : kSides) {
    if (edges[static_cast<std::size_t>(canonical)] != 's') continue;
    const Side side = Rotated(canonical, at.rotation);
    own.push_back(side);
    if (board_.count(Neighbour(at.cell, side))) joined.push_back(side);
  }
  if (own.empty()) return true;
  if (joined.size() != 1) return false;
  if (own.size() != 2) return true;
  // The course from the start tile to this cell: the directions gone.
  std::vector<Side> course;
  std::set<Cell> seen = {{0, 0}};
  // The board may have begun in the middle of the river: a tile there is entered
  // by the side that is not left.
  const auto comes_from = [&](Side left) -> std::optional<Side> {
    std::vector<Side> others;
    for (const Side side : kSides) {
      if (side != left && is_river({0, 0}, side)) others.push_back(side);
    }
    return others.size() == 1 ? std::optional<Side>(others[0]) : std::nullopt;
  };
  const std::function<bool(Cell)> follow = [&](Cell cell) {
    for (const Side side : kSides) {
      if (!is_river(cell, side)) continue;
      const Cell next = Neighbour(cell, side);
      course.push_back(side);
      if (next == at.cell) return true;
      if (board_.count(next) && seen.insert(next).second && follow(next)) return true;
      course.pop_back();
    }
    return false;
  };
  bool found = follow({0, 0});
  for (const auto& more : tiles_->more_start_tiles()) found = found || follow(more.cell);
  if (!found) return false;
  if (const auto side = comes_from(course[0]); side && tiles_->more_start_tiles().empty()) {
    course.insert(course.begin(), Opposite(*side));
  }
  course.push_back(own[0] == joined[0] ? own[1] : own[0]);
  const auto turn = [&](std::size_t i) {
    return (static_cast<int>(course[i]) - static_cast<int>(course[i - 1])) & 3;
  };
  const std::size_t last = course.size() - 1;
  if (turn(last) == 0 || rules_.river == RiverTurns::kFree) return true;
  if (last > 1 && turn(last) == turn(last - 1)) return false;
  // The turns alone, without what runs straight: how often the same way to the end.
  int same = 0;
  for (std::size_t i = last; i > 0; --i) {
    if (turn(i) == 0) continue;
    if (turn(i) != turn(last)) break;
    ++same;
  }
  if (rules_.river_three && same >= 3) return false;
  for (Cell cell = Neighbour(at.cell, course[last]);
       rules_.river_away && std::abs(cell.x) < 200 && std::abs(cell.y) < 200;
       cell = Neighbour(cell, course[last])) {
    if (!board_.count(cell)) continue;
    for (const Side side : kSides) {
      if (is_river(cell, side)) return false;
    }
  }
  return true;
}

std::set<Placement> SlowScorer::Fits(int tile) const {
  std::set<Placement> out;
  const auto& edges = tiles_->types()[static_cast<std::size_t>(tile)].edges;
  if (board_.empty()) return {{{0, 0}, 0}, {{0, 0}, 1}, {{0, 0}, 2}, {{0, 0}, 3}};
  for (const auto& [laid, unused] : board_) {
    for (const Side to : kSides) {
      const Cell cell = Neighbour(laid, to);
      if (board_.count(cell) || !OnTable(cell)) continue;
      for (int rotation = 0; rotation < 4; ++rotation) {
        bool fits = true;
        for (const Side canonical : kSides) {
          const Side side = Rotated(canonical, rotation);
          const auto beside = board_.find(Neighbour(cell, side));
          if (beside == board_.end()) continue;
          const auto [other, turn] = beside->second;
          const Side facing = Rotated(Opposite(side), -turn);
          fits &= edges[static_cast<std::size_t>(canonical)] ==
                  tiles_->types()[static_cast<std::size_t>(other)]
                      .edges[static_cast<std::size_t>(facing)];
        }
        if (fits && RiverGoesOn(tile, {cell, rotation})) out.insert({cell, rotation});
      }
    }
  }
  return out;
}

}  // namespace tilewarden::engine
