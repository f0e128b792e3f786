#include "engine/tiles/tile_layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/tiles/tile_shapes.h"

namespace tilewarden::engine {
namespace {

constexpr int kGrid = TileLayout::kGrid;
constexpr Point kCentre = {0.5, 0.5};
constexpr double kGardenRadius = 0.12;

using Raster = decltype(TileLayout::raster);

// The row or column that a coordinate lies in, the nearest one beyond the tile.
int RasterPlace(double at) { return std::clamp(static_cast<int>(at * kGrid), 0, kGrid - 1); }
Point RasterPoint(int i) { return {(i % kGrid + 0.5) / kGrid, (i / kGrid + 0.5) / kGrid}; }

// The point of a segment that lies farthest from all other segments and from
// the tile's border.
Point Deepest(const Raster& raster, int segment) {
  const auto belongs = [&](int x, int y) {
    return raster[static_cast<std::size_t>(y * kGrid + x)] == segment;
  };
  // The nearest foreign point always touches the segment: only those count.
  std::vector<Point> around;
  for (int y = 0; y < kGrid; ++y) {
    for (int x = 0; x < kGrid; ++x) {
      if (belongs(x, y)) continue;
      bool touches = false;
      for (int ny = std::max(y - 1, 0); ny <= std::min(y + 1, kGrid - 1); ++ny) {
        for (int nx = std::max(x - 1, 0); nx <= std::min(x + 1, kGrid - 1); ++nx) {
          touches |= belongs(nx, ny);
        }
      }
      if (touches) around.push_back(RasterPoint(y * kGrid + x));
    }
  }
  Point best = kCentre;
  double best_depth = -1;
  for (int y = 0; y < kGrid; y += 2) {
    for (int x = 0; x < kGrid; x += 2) {
      if (!belongs(x, y)) continue;
      const Point p = RasterPoint(y * kGrid + x);
      const double border = std::min({p.x, 1 - p.x, p.y, 1 - p.y}) + 0.08;
      double depth2 = border * border;
      for (const Point& other : around) {
        if (depth2 <= best_depth) break;  // no deeper than the best
        const double dx = p.x - other.x, dy = p.y - other.y;
        depth2 = std::min(depth2, dx * dx + dy * dy);
      }
      if (depth2 > best_depth) {
        best_depth = depth2;
        best = p;
      }
    }
  }
  return best;
}

// Calls back with every place of the raster that an outline or line comes near.
template <typename Callback>
void ForEachNear(const Polyline& line, double reach, Callback&& callback) {
  double west = 1, north = 1, east = 0, south = 0;
  for (const Point& p : line) {
    west = std::min(west, p.x - reach);
    north = std::min(north, p.y - reach);
    east = std::max(east, p.x + reach);
    south = std::max(south, p.y + reach);
  }
  for (int y = RasterPlace(north); y <= RasterPlace(south); ++y) {
    for (int x = RasterPlace(west); x <= RasterPlace(east); ++x) callback(y * kGrid + x);
  }
}

// What is not field: cities and plots cover what lies under them, roads and rivers
// only what is free. Everything else is -1.
void CoverShapes(const TileType& type, TileLayout* layout) {
  Raster& raster = layout->raster;
  const auto count = static_cast<int>(type.segments.size());
  raster.fill(-1);
  for (int k = 0; k < count; ++k) {
    const SegmentShape& shape = layout->segments[static_cast<std::size_t>(k)];
    const SegmentKind kind = type.segments[static_cast<std::size_t>(k)].kind;
    for (const Polyline& area : shape.areas) {
      ForEachNear(area, 0, [&](int i) {
        if (Inside(area, RasterPoint(i))) {
          raster[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(k);
        }
      });
    }
    const double half = (kind == SegmentKind::kRiver ? kRiverWidth : kRoadWidth) / 2;
    for (const Polyline& path : shape.paths) {
      ForEachNear(path, half, [&](int i) {
        if (raster[static_cast<std::size_t>(i)] < 0 &&
            DistanceToLine(path, RasterPoint(i)) <= half) {
          raster[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(k);
        }
      });
    }
  }
}

// Fields are what cities, roads and rivers leave, told apart by the half-edges
// they touch: each free point goes to the field whose half-edges it reaches first, and
// where none reaches it, to the field that cities enclose.
void FillFields(const TileType& type, Raster* fields) {
  Raster& raster = *fields;
  const auto count = static_cast<int>(type.segments.size());
  struct Seed {
    int index;
    std::int8_t field;
  };
  std::vector<Seed> front;
  for (int k = 0; k < count; ++k) {
    const Segment& s = type.segments[static_cast<std::size_t>(k)];
    if (s.kind != SegmentKind::kField) continue;
    for (int half = 0; half < 8; ++half) {
      if (!(s.half_edges >> half & 1)) continue;
      for (int step = 0; step < kGrid / 2; ++step) {
        // Along the half-edge, in canonical north coordinates, then turned.
        const double along = ((half % 2 ? kGrid / 2 : 0) + step + 0.5) / kGrid;
        const Point p = RotatedPoint({along, 0.5 / kGrid}, half / 2);
        const int index = std::min(kGrid - 1, static_cast<int>(p.y * kGrid)) * kGrid +
                          std::min(kGrid - 1, static_cast<int>(p.x * kGrid));
        if (raster[static_cast<std::size_t>(index)] < 0) {
          raster[static_cast<std::size_t>(index)] = static_cast<std::int8_t>(k);
          front.push_back({index, static_cast<std::int8_t>(k)});
        }
      }
    }
  }
  for (std::size_t head = 0; head < front.size(); ++head) {
    const Seed at = front[head];
    const int x = at.index % kGrid, y = at.index / kGrid;
    const std::array<int, 4> next = {x > 0 ? at.index - 1 : -1, x < kGrid - 1 ? at.index + 1 : -1,
                                     y > 0 ? at.index - kGrid : -1,
                                     y < kGrid - 1 ? at.index + kGrid : -1};
    for (const int n : next) {
      if (n < 0 || raster[static_cast<std::size_t>(n)] >= 0) continue;
      raster[static_cast<std::size_t>(n)] = at.field;
      front.push_back({n, at.field});
    }
  }
  const auto enclosed = std::find_if(
      type.segments.begin(), type.segments.end(),
      [](const Segment& s) { return s.kind == SegmentKind::kField && s.half_edges == 0; });
  if (enclosed == type.segments.end()) return;
  std::replace(raster.begin(), raster.end(), std::int8_t{-1},
               static_cast<std::int8_t>(enclosed - type.segments.begin()));
}

// A speck between shapes: to the nearest segment.
void FillSpecks(Raster* specks) {
  Raster& raster = *specks;
  for (int i = 0; i < kGrid * kGrid; ++i) {
    if (raster[static_cast<std::size_t>(i)] >= 0) continue;
    const int x = i % kGrid, y = i / kGrid;
    constexpr int kNone = 2 * kGrid * kGrid;
    int best = kNone;  // squared, in steps of the raster
    std::int8_t to = 0;
    // In growing squares, until nothing outside can be nearer.
    for (int half = 1, seen = 0; best > seen * seen && half <= kGrid; seen = half, half *= 2) {
      best = kNone;
      for (int v = std::max(y - half, 0); v <= std::min(y + half, kGrid - 1); ++v) {
        for (int u = std::max(x - half, 0); u <= std::min(x + half, kGrid - 1); ++u) {
          const std::int8_t segment = raster[static_cast<std::size_t>(v * kGrid + u)];
          const int d2 = (u - x) * (u - x) + (v - y) * (v - y);
          if (segment < 0 || d2 >= best) continue;
          best = d2;
          to = segment;
        }
      }
    }
    raster[static_cast<std::size_t>(i)] = to;
  }
}

// A garden lies in the largest field, where there is most room.
void PlaceGardens(const TileType& type, TileLayout* layout) {
  Raster& raster = layout->raster;
  const auto count = static_cast<int>(type.segments.size());
  for (int k = 0; k < count; ++k) {
    if (type.segments[static_cast<std::size_t>(k)].kind != SegmentKind::kGarden) continue;
    int field = -1;
    std::ptrdiff_t most = 0;
    for (int f = 0; f < count; ++f) {
      if (type.segments[static_cast<std::size_t>(f)].kind != SegmentKind::kField) continue;
      const auto area = std::count(raster.begin(), raster.end(), static_cast<std::int8_t>(f));
      if (area > most) {
        most = area;
        field = f;
      }
    }
    SegmentShape& shape = layout->segments[static_cast<std::size_t>(k)];
    const Point deepest = field >= 0 ? Deepest(raster, field) : kCentre;
    // In a narrow field beside a city the plot stays on the tile.
    const Point at = {std::clamp(deepest.x, kGardenRadius, 1 - kGardenRadius),
                      std::clamp(deepest.y, kGardenRadius, 1 - kGardenRadius)};
    shape.areas.push_back(Plot(at, kGardenRadius));
    for (int i = 0; i < kGrid * kGrid; ++i) {
      if (Inside(shape.areas[0], RasterPoint(i))) {
        raster[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(k);
      }
    }
  }
}

// Where figures stand and coats of arms are drawn.
void PlaceSpots(const TileType& type, TileLayout* layout) {
  const Raster& raster = layout->raster;
  const auto count = static_cast<int>(type.segments.size());
  for (int k = 0; k < count; ++k) {
    SegmentShape& shape = layout->segments[static_cast<std::size_t>(k)];
    const Segment& s = type.segments[static_cast<std::size_t>(k)];
    if (s.spot) {
      shape.spot = *s.spot;
    } else if (!shape.paths.empty()) {
      const Polyline& path = shape.paths[0];
      shape.spot = path.size() == 2 ? Between(path[0], path[1], 0.45) : path[path.size() / 2];
      if (path.size() == 3) shape.spot = Between(path[0], path[1], 0.72);
    } else {
      shape.spot = Deepest(raster, k);
    }
    for (int i = 0; i < s.coats_of_arms; ++i) {
      // In the corner of the city's outline that is nearest to the border,
      // away from where a figure stands.
      Point arms = shape.spot;
      double most = -1;
      for (int p = 0; p < kGrid * kGrid; ++p) {
        const Point at = RasterPoint(p);
        if (raster[static_cast<std::size_t>(p)] != k) continue;
        const double margin = std::min({at.x, 1 - at.x, at.y, 1 - at.y});
        if (margin < 0.16 || margin > 0.24) continue;
        bool clear = true;
        for (const auto& [dx, dy] :
             {Point{0.1, 0}, Point{-0.1, 0}, Point{0, 0.1}, Point{0, -0.1}}) {
          clear &= layout->SegmentAt({at.x + dx, at.y + dy}) == k;
        }
        double away = Distance(at, shape.spot);
        for (const Point& other : shape.coats_of_arms) away = std::min(away, Distance(at, other));
        if (clear && away > most) {
          most = away;
          arms = at;
        }
      }
      shape.coats_of_arms.push_back(arms);
    }
  }
}

}  // namespace

TileLayout LayOut(const TileType& type) {
  TileLayout layout;
  layout.segments = DrawShapes(type);
  CoverShapes(type, &layout);
  FillFields(type, &layout.raster);
  FillSpecks(&layout.raster);
  PlaceGardens(type, &layout);
  PlaceSpots(type, &layout);
  return layout;
}

int TileLayout::SegmentAt(Point p) const {
  const int x = std::clamp(static_cast<int>(p.x * kGrid), 0, kGrid - 1);
  const int y = std::clamp(static_cast<int>(p.y * kGrid), 0, kGrid - 1);
  return raster[static_cast<std::size_t>(y * kGrid + x)];
}

std::vector<double> TileLayout::SegmentsNear(Point p, double sigma) const {
  std::vector<double> share(segments.size(), 0.0);
  const double s = std::max(sigma, 0.5 / kGrid);
  // What is farther away than four of them does not count.
  const double reach = 4 * s;
  // Both axes by themselves: their weights multiply.
  std::array<double, kGrid> across{}, down{};
  const auto weigh = [s](std::array<double, kGrid>& weights, double at, int first, int last) {
    for (int i = first; i <= last; ++i) {
      const double off = ((i + 0.5) / kGrid - at) / s;
      weights[static_cast<std::size_t>(i)] = std::exp(-off * off / 2);
    }
  };
  const int left = RasterPlace(p.x - reach), right = RasterPlace(p.x + reach);
  const int top = RasterPlace(p.y - reach), bottom = RasterPlace(p.y + reach);
  weigh(across, p.x, left, right);
  weigh(down, p.y, top, bottom);
  double total = 0;
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      const double weight = across[static_cast<std::size_t>(x)] * down[static_cast<std::size_t>(y)];
      share[static_cast<std::size_t>(raster[static_cast<std::size_t>(y * kGrid + x)])] += weight;
      total += weight;
    }
  }
  constexpr double kNothing = 1e-9;  // a foot far beyond the tile
  if (total <= kNothing) {
    share.assign(segments.size(), 0.0);
    share[static_cast<std::size_t>(SegmentAt(p))] = 1;
    return share;
  }
  for (double& value : share) value /= total;
  return share;
}

}  // namespace tilewarden::engine
