#include "engine/tiles/tile_shapes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace tilewarden::engine {
namespace {

constexpr Point kCentre = {0.5, 0.5};
// How far a city on one edge reaches into the tile, and beside a field that cities
// enclose.
constexpr double kCityDepth = 0.27, kCityDepthBesideField = 0.2;
// Radius of a monastery's and a temple's plot.
constexpr double kPlotRadius = 0.2;

// Middle of a side, and its two ends clockwise.
Point Middle(int side) { return RotatedPoint({0.5, 0}, side); }
Point CornerBefore(int side) { return RotatedPoint({0, 0}, side); }
Point CornerAfter(int side) { return RotatedPoint({1, 0}, side); }

std::vector<int> SidesOf(const Segment& s) {
  std::vector<int> sides;
  for (int side = 0; side < 4; ++side) {
    if (s.sides >> side & 1) sides.push_back(side);
  }
  return sides;
}

// Quadratic Bezier from a to b drawn towards c, without its first point.
void Curve(Point a, Point c, Point b, Polyline* out) {
  constexpr int kSteps = 12;
  for (int i = 1; i <= kSteps; ++i) {
    const double t = static_cast<double>(i) / kSteps;
    out->push_back(Between(Between(a, c, t), Between(c, b, t), t));
  }
}

// A city's outline goes clockwise around the tile: along the edges it owns, and
// in a curve from where it leaves the border to where it comes back. `field`: cities
// enclose a field in the middle, which needs room.
Polyline CityOutline(const std::vector<int>& sides, bool field) {
  Polyline outline;
  const int n = static_cast<int>(sides.size());
  for (int i = 0; i < n; ++i) {
    const int side = sides[static_cast<std::size_t>(i)];
    const int next = sides[static_cast<std::size_t>((i + 1) % n)];
    outline.push_back(CornerBefore(side));
    outline.push_back(CornerAfter(side));
    const int gap = (next - side + 4) % 4;  // 1: adjacent, no wall between
    if (n == 1) {
      // A cap over its own edge.
      const Point deep =
          RotatedPoint({0.5, 2 * (field ? kCityDepthBesideField : kCityDepth)}, side);
      Curve(CornerAfter(side), deep, CornerBefore(side), &outline);
    } else if (gap == 2) {
      // Opposite edges: a wall that bends in beside the open edge between them.
      const int open = (side + 1) % 4;
      Curve(CornerAfter(side), RotatedPoint({0.5, field ? 0.7 : 0.36}, open), CornerBefore(next),
            &outline);
    } else if (gap == 3) {
      // Two open edges: the wall cuts the corner that lies between them.
      Curve(CornerAfter(side), Between(CornerAfter((side + 1) % 4), kCentre, field ? 1.4 : 0.85),
            CornerBefore(next), &outline);
    }
  }
  return outline;
}

}  // namespace

Point Between(Point a, Point b, double t) { return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; }
double Distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

Polyline Plot(Point centre, double radius) {
  Polyline plot;
  constexpr int kCorners = 8;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 2 * std::numbers::pi * (i + 0.5) / kCorners;
    plot.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  return plot;
}

bool Inside(const Polyline& outline, Point p) {
  bool inside = false;
  for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
    const Point a = outline[i], b = outline[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) {
      inside = !inside;
    }
  }
  return inside;
}

double DistanceToLine(const Polyline& line, Point p) {
  double best = 9;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const Point a = line[i], b = line[i + 1];
    const double length2 = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
    double t = length2 > 0 ? ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length2 : 0;
    t = std::clamp(t, 0.0, 1.0);
    best = std::min(best, Distance(p, Between(a, b, t)));
  }
  return best;
}

std::vector<SegmentShape> DrawShapes(const TileType& type) {
  std::vector<SegmentShape> shapes(type.segments.size());
  const auto count = static_cast<int>(type.segments.size());

  // What stands in the middle, if anything: roads end at it.
  bool plot_in_middle = false;
  bool city_in_middle = false;
  int road_ends = 0;
  bool river_through_middle = false;
  bool enclosed_field = false;
  for (const Segment& s : type.segments) {
    enclosed_field |= s.kind == SegmentKind::kField && s.half_edges == 0;
    plot_in_middle |= s.kind == SegmentKind::kMonastery || s.kind == SegmentKind::kTemple;
    const auto sides = SidesOf(s);
    city_in_middle |= s.kind == SegmentKind::kCity && sides.size() >= 2;
    if (s.kind == SegmentKind::kRoad && sides.size() == 1) ++road_ends;
    river_through_middle |= s.kind == SegmentKind::kRiver && sides.size() >= 2;
  }

  for (int i = 0; i < count; ++i) {
    const Segment& s = type.segments[static_cast<std::size_t>(i)];
    SegmentShape& shape = shapes[static_cast<std::size_t>(i)];
    const std::vector<int> sides = SidesOf(s);
    switch (s.kind) {
      case SegmentKind::kCity:
        shape.areas.push_back(sides.empty() ? Plot(kCentre, kPlotRadius)
                                            : CityOutline(sides, enclosed_field));
        break;
      case SegmentKind::kRoad:
      case SegmentKind::kRiver: {
        if (sides.size() == 2) {
          Polyline line = {Middle(sides[0])};
          if ((sides[1] - sides[0]) == 2) {
            line.push_back(kCentre);
            line.push_back(Middle(sides[1]));
          } else {
            Curve(Middle(sides[0]), kCentre, Middle(sides[1]), &line);
          }
          shape.paths.push_back(std::move(line));
        } else if (sides.size() == 1) {
          // Ends short of what stands in the middle, or in the village there.
          double reach = 1.0;
          if (plot_in_middle) reach = 0.62;
          if (s.kind == SegmentKind::kRiver) reach = plot_in_middle ? 0.5 : 0.8;
          if (s.kind == SegmentKind::kRoad) {
            if (s.road_end == RoadEnd::kCity && river_through_middle) reach = 1.45;
            if (s.road_end == RoadEnd::kCity && city_in_middle) reach = 0.6;
            const bool crossing = s.road_end == RoadEnd::kVillage || s.road_end == RoadEnd::kBushes;
            if (crossing && road_ends > 1) reach = 0.9;
            if (s.road_end == RoadEnd::kInside) reach = 0.8;
          }
          const Point from = Middle(sides[0]);
          shape.paths.push_back(
              {from, {from.x + (0.5 - from.x) * reach, from.y + (0.5 - from.y) * reach}});
        } else {
          for (const int side : sides) shape.paths.push_back({Middle(side), kCentre});
        }
        break;
      }
      case SegmentKind::kMonastery:
      case SegmentKind::kTemple:
        shape.areas.push_back(Plot(kCentre, kPlotRadius));
        break;
      case SegmentKind::kGarden:
      case SegmentKind::kField:
        break;
    }
  }
  return shapes;
}

}  // namespace tilewarden::engine
