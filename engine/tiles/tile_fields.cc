#include "engine/tiles/tile_fields.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tilewarden::engine {
namespace {

// Roads that end at the same thing in the middle meet there.
bool Meet(const Segment& a, const Segment& b) {
  if (a.kind != SegmentKind::kRoad || b.kind != SegmentKind::kRoad) return false;
  const auto place = [](RoadEnd end) { return end == RoadEnd::kBushes ? RoadEnd::kVillage : end; };
  const RoadEnd end = place(a.road_end);
  return end == place(b.road_end) &&
         (end == RoadEnd::kVillage || end == RoadEnd::kMonastery || end == RoadEnd::kTemple);
}

bool EndsAtCity(const Segment& s) {
  return s.kind == SegmentKind::kRoad && s.road_end == RoadEnd::kCity;
}

// By segment, the first one of those it hangs together with.
std::vector<std::size_t> Joined(const std::vector<Segment>& segments) {
  std::vector<std::size_t> wall(segments.size());
  std::iota(wall.begin(), wall.end(), std::size_t{0});
  const auto join = [&](std::size_t a, std::size_t b) {
    std::replace(wall.begin(), wall.end(), wall[b], wall[a]);
  };
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (Meet(segments[i], segments[k])) join(k, i);
    }
    if (!EndsAtCity(segments[i])) continue;
    // To the only city; where there are more, nobody knows which.
    const auto is_city = [](const Segment& s) { return s.kind == SegmentKind::kCity; };
    if (std::count_if(segments.begin(), segments.end(), is_city) != 1) continue;
    join(static_cast<std::size_t>(std::find_if(segments.begin(), segments.end(), is_city) -
                                  segments.begin()),
         i);
  }
  return wall;
}

// Which part of the border a place lies in when one wall cuts it in the middle of
// its sides. Places go clockwise from the north-west corner: half-edge h lies at
// 2 * h + 1, the middle of a side at 4 * side + 2.
class Cuts {
 public:
  explicit Cuts(unsigned sides) {
    for (int side = 0; side < 4; ++side) {
      if (sides >> side & 1) at_.push_back(4 * side + 2);
    }
  }
  int PartOf(int place) const {
    const auto part = std::count_if(at_.begin(), at_.end(), [&](int at) { return at < place; });
    return at_.empty() ? 0 : static_cast<int>(part) % static_cast<int>(at_.size());
  }

 private:
  std::vector<int> at_;
};

// Each field's half-edges, and the sides of the cities it borders.
std::vector<std::pair<unsigned, unsigned>> FieldsOf(const TileType& type) {
  std::vector<std::pair<unsigned, unsigned>> fields;
  for (const Segment& s : type.segments) {
    if (s.kind != SegmentKind::kField) continue;
    unsigned sides = 0;
    for (std::size_t i = 0; i < type.segments.size(); ++i) {
      if (s.cities >> i & 1) sides |= type.segments[i].sides;
    }
    fields.emplace_back(s.half_edges, sides);
  }
  std::sort(fields.begin(), fields.end());
  return fields;
}

}  // namespace

bool HasPlainFields(const TileType& type) {
  TileType drawn = type;
  DrawFields(&drawn);
  return FieldsOf(drawn) == FieldsOf(type);
}

void DrawFields(TileType* type) {
  std::vector<Segment> before, rest;
  for (const Segment& s : type->segments) {
    (s.kind == SegmentKind::kField ? before : rest).push_back(s);
  }
  const std::vector<std::size_t> wall_of = Joined(rest);
  std::vector<Cuts> walls;
  for (std::size_t wall = 0; wall < rest.size(); ++wall) {
    unsigned sides = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (wall_of[i] == wall) sides |= rest[i].sides;
    }
    walls.emplace_back(sides);
  }
  const auto parted = [&](int a, int b, std::size_t except) {
    for (std::size_t wall = 0; wall < walls.size(); ++wall) {
      if (wall != except && walls[wall].PartOf(a) != walls[wall].PartOf(b)) return true;
    }
    return false;
  };
  std::vector<Segment> fields;
  std::vector<int> place_of;
  for (int half = 0; half < 8; ++half) {
    if (type->edges[static_cast<std::size_t>(half / 2)] == 'c') continue;
    const int place = 2 * half + 1;
    std::size_t f = 0;
    while (f < fields.size() && parted(place, place_of[f], rest.size())) ++f;
    if (f == fields.size()) {
      fields.emplace_back();
      place_of.push_back(place);
    }
    fields[f].half_edges = static_cast<std::uint8_t>(fields[f].half_edges | 1U << half);
  }
  for (std::size_t f = 0; f < fields.size(); ++f) {
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i].kind != SegmentKind::kCity) continue;
      for (int side = 0; side < 4; ++side) {
        const bool beside =
            (rest[i].sides >> side & 1) && !parted(place_of[f], 4 * side + 2, wall_of[i]);
        if (beside) fields[f].cities |= 1U << i;
      }
    }
    for (const Segment& old : before) {
      if (old.half_edges != fields[f].half_edges) continue;
      Segment same = old;
      same.cities = fields[f].cities;
      fields[f] = same;
    }
  }
  type->segments = std::move(rest);
  type->segments.insert(type->segments.end(), fields.begin(), fields.end());
}

}  // namespace tilewarden::engine
