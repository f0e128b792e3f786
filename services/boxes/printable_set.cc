#include "services/boxes/printable_set.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "engine/tiles/tile_layout.h"
#include "opencv2/core/utility.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::services {
namespace {

calibration::Ground GroundOf(engine::SegmentKind kind) {
  switch (kind) {
    case engine::SegmentKind::kCity:
      return calibration::Ground::kCity;
    case engine::SegmentKind::kRoad:
      return calibration::Ground::kRoad;
    case engine::SegmentKind::kRiver:
      return calibration::Ground::kRiver;
    case engine::SegmentKind::kMonastery:
      return calibration::Ground::kMonastery;
    case engine::SegmentKind::kGarden:
      return calibration::Ground::kGarden;
    case engine::SegmentKind::kTemple:
      return calibration::Ground::kTemple;
    case engine::SegmentKind::kField:
      break;
  }
  return calibration::Ground::kField;
}

calibration::PathEnd EndOf(const engine::Segment& segment) {
  if (segment.river_role == engine::RiverRole::kSource) return calibration::PathEnd::kSource;
  if (segment.river_role == engine::RiverRole::kLake) return calibration::PathEnd::kLake;
  switch (segment.road_end) {
    case engine::RoadEnd::kVillage:
    case engine::RoadEnd::kBushes:
      return calibration::PathEnd::kVillage;
    case engine::RoadEnd::kMonastery:
    case engine::RoadEnd::kTemple:
      return calibration::PathEnd::kMonastery;
    case engine::RoadEnd::kCity:
      return calibration::PathEnd::kCity;
    case engine::RoadEnd::kInside:
      return calibration::PathEnd::kInside;
    case engine::RoadEnd::kNone:
      break;
  }
  return calibration::PathEnd::kNone;
}

calibration::Outline Converted(const engine::Polyline& line) {
  calibration::Outline outline;
  outline.reserve(line.size());
  for (const engine::Point& p : line) outline.emplace_back(p.x, p.y);
  return outline;
}

calibration::Mark MarkOf(engine::Goods goods) {
  switch (goods) {
    case engine::Goods::kWine:
      return calibration::Mark::kWine;
    case engine::Goods::kGrain:
      return calibration::Mark::kGrain;
    case engine::Goods::kCloth:
    case engine::Goods::kNone:
      break;
  }
  return calibration::Mark::kCloth;
}

// Finds room for marks on a tile: apart from each other and from the borders of
// the segment that they belong to.
class Places {
 public:
  Places(const engine::TileType& type, const engine::TileLayout& layout)
      : type_(type), layout_(layout) {}

  // The middle of the most room in what is left of the segment.
  cv::Point2d Find(int segment, calibration::Mark mark) { return Take(Middle(segment), mark); }
  // As near the middle of a road as the mark's size allows, on a field.
  cv::Point2d FindBeside(const engine::Polyline& road, calibration::Mark mark) {
    const engine::Point middle = road[road.size() / 2];
    const double most = calibration::RadiusOf(mark) + engine::kRoadWidth / 2 + 0.14;
    const cv::Mat room = Room([&](std::size_t owner, cv::Point2d p) {
      return type_.segments[owner].kind == engine::SegmentKind::kField &&
             std::hypot(p.x - middle.x, p.y - middle.y) < most;
    });
    return Take(Deepest(room, nullptr), mark);
  }
  // How far the middle of a segment is from its borders.
  double RoomIn(int segment) const {
    double depth = 0;
    Middle(segment, &depth);
    return depth;
  }

 private:
  static constexpr int kGrid = engine::TileLayout::kGrid;

  template <typename Belongs>
  cv::Mat Room(const Belongs& belongs) const {
    cv::Mat room(kGrid + 2, kGrid + 2, CV_8U, cv::Scalar(0));
    for (int y = 0; y < kGrid; ++y) {
      for (int x = 0; x < kGrid; ++x) {
        const cv::Point2d p = {(x + 0.5) / kGrid, (y + 0.5) / kGrid};
        const auto owner = layout_.raster[static_cast<std::size_t>(y * kGrid + x)];
        bool free = belongs(static_cast<std::size_t>(owner), p);
        for (const auto& [at, radius] : taken_) free = free && cv::norm(p - at) > radius;
        room.at<uchar>(y + 1, x + 1) = free ? 255 : 0;
      }
    }
    return room;
  }

  static cv::Point2d Deepest(const cv::Mat& room, double* how_deep) {
    cv::Mat depth;
    cv::distanceTransform(room, depth, cv::DIST_L2, cv::DIST_MASK_PRECISE);
    cv::Point deepest;
    cv::minMaxLoc(depth, nullptr, how_deep, nullptr, &deepest);
    return {(deepest.x - 0.5) / kGrid, (deepest.y - 0.5) / kGrid};
  }

  cv::Point2d Middle(int segment, double* how_deep = nullptr) const {
    const auto wanted = static_cast<std::size_t>(segment);
    return Deepest(Room([&](std::size_t owner, cv::Point2d) { return owner == wanted; }), how_deep);
  }

  cv::Point2d Take(cv::Point2d at, calibration::Mark mark) {
    const double radius = calibration::RadiusOf(mark);
    at.x = std::clamp(at.x, radius, 1 - radius);
    at.y = std::clamp(at.y, radius, 1 - radius);
    taken_.emplace_back(at, radius);
    return at;
  }

  const engine::TileType& type_;
  const engine::TileLayout& layout_;
  std::vector<std::pair<cv::Point2d, double>> taken_;
};

std::vector<calibration::PaintedMark> MarksOf(const engine::TileType& type,
                                              const engine::TileLayout& layout) {
  using calibration::Mark;
  std::vector<calibration::PaintedMark> marks;
  Places places(type, layout);
  for (std::size_t i = 0; i < type.segments.size(); ++i) {
    const engine::Segment& segment = type.segments[i];
    const engine::SegmentShape& shape = layout.segments[i];
    const int index = static_cast<int>(i);
    const auto add = [&](Mark mark, int count) {
      for (; count > 0; --count) marks.push_back({mark, places.Find(index, mark)});
    };
    const auto add_beside = [&](Mark mark, int count) {
      for (; count > 0 && !shape.paths.empty(); --count) {
        marks.push_back({mark, places.FindBeside(shape.paths[0], mark)});
      }
    };
    add(Mark::kScroll, segment.scrolls);
    add(Mark::kCathedral, segment.cathedral ? 1 : 0);
    add(MarkOf(segment.goods), segment.goods != engine::Goods::kNone ? 1 : 0);
    add(Mark::kPigHerd, segment.pig_herd ? 1 : 0);
    add_beside(Mark::kInn, segment.inn ? 1 : 0);
    add_beside(Mark::kOasis, segment.oases);
    add(Mark::kWolf, segment.wolves);
    add(Mark::kSheep, segment.sheep);
    if (segment.volcano && !shape.paths.empty()) {
      const engine::Point end = shape.paths[0].back();
      marks.push_back({Mark::kVolcano, {end.x, end.y}});
    }
  }
  if (type.gingerbread) {
    // Where there is most room.
    int best = 0;
    double most = 0;
    for (std::size_t i = 0; i < type.segments.size(); ++i) {
      const engine::SegmentKind kind = type.segments[i].kind;
      if (kind != engine::SegmentKind::kField && kind != engine::SegmentKind::kCity) continue;
      const double room = places.RoomIn(static_cast<int>(i));
      if (room > most) best = static_cast<int>(i), most = room;
    }
    marks.push_back({Mark::kGingerbread, places.Find(best, Mark::kGingerbread)});
  }
  return marks;
}

}  // namespace

calibration::TileDescription Describe(const engine::TileType& type) {
  const engine::TileLayout layout = engine::LayOut(type);
  calibration::TileDescription description;
  description.tile = type.id;
  description.road_width = engine::kRoadWidth;
  description.river_width = engine::kRiverWidth;
  for (std::size_t i = 0; i < type.segments.size(); ++i) {
    const engine::SegmentShape& shape = layout.segments[i];
    calibration::PaintedSegment painted;
    painted.ground = GroundOf(type.segments[i].kind);
    painted.end = EndOf(type.segments[i]);
    for (const auto& area : shape.areas) painted.areas.push_back(Converted(area));
    for (const auto& path : shape.paths) painted.paths.push_back(Converted(path));
    painted.coats_of_arms = Converted(shape.coats_of_arms);
    description.segments.push_back(std::move(painted));
  }
  description.marks = MarksOf(type, layout);
  return description;
}

cv::Mat PaintCopy(const engine::TileType& type, int copy, std::uint64_t box, int side_px) {
  // FNV-1a over the type's id: the same copy in every set that has the type.
  std::uint64_t seed = 0xCBF29CE484222325ull ^ box;
  for (const char c : type.id) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  seed = (seed ^ static_cast<std::uint64_t>(copy + 1)) * 0x100000001B3ull;
  return calibration::PaintTile(Describe(type), {.seed = seed, .side_px = side_px});
}

calibration::ReferencePack PaintedPack(const engine::TileSet& tiles, int copies_per_type,
                                       std::uint64_t box) {
  calibration::ReferencePack pack;
  pack.tile_set = tiles.id();
  pack.title = "Tilewarden's own printable set";
  pack.licence = "Apache-2.0";
  std::vector<std::pair<const engine::TileType*, int>> copies;
  for (std::size_t i = 0; i < tiles.types().size(); ++i) {
    const int count = tiles.counts()[i];
    for (int c = 0; c < (copies_per_type > 0 ? std::min(count, copies_per_type) : count); ++c) {
      copies.emplace_back(&tiles.types()[i], c);
    }
  }
  pack.pictures.resize(copies.size());
  cv::parallel_for_(cv::Range(0, static_cast<int>(copies.size())), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      pack.pictures[at].tile = copies[at].first->id;
      pack.pictures[at].picture = PaintCopy(*copies[at].first, copies[at].second, box,
                                            calibration::ReferencePack::kSide_px);
    }
  });
  return pack;
}

}  // namespace tilewarden::services
