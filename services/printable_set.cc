#include "services/printable_set.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/tile_layout.h"
#include "opencv2/core/utility.hpp"

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
