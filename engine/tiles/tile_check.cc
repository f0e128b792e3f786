#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "engine/tiles/compiled_tile.h"
#include "engine/tiles/text.h"
#include "engine/tiles/tile_layout.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {
namespace {

constexpr std::string_view kSideNames = "NESW";

char LetterOf(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::kCity:
      return 'c';
    case SegmentKind::kRoad:
      return 'r';
    case SegmentKind::kRiver:
      return 's';
    default:
      return 0;
  }
}

bool HasEdges(SegmentKind kind) { return LetterOf(kind) != 0; }

// Cities, roads and rivers own the sides with their letter, each side once.
absl::Status CheckSides(const TileType& type) {
  std::array<int, 4> owners{};
  for (std::size_t i = 0; i < type.segments.size(); ++i) {
    const Segment& s = type.segments[i];
    if (!HasEdges(s.kind)) {
      if (s.sides != 0) {
        return absl::InvalidArgumentError(
            Text("segment ", i, ": a ", ToString(s.kind), " touches no sides"));
      }
      continue;
    }
    if (s.sides == 0 || s.sides > 15) {
      return absl::InvalidArgumentError(
          Text("segment ", i, ": a ", ToString(s.kind), " must touch a side"));
    }
    for (std::size_t side = 0; side < 4; ++side) {
      if (!(s.sides >> side & 1)) continue;
      ++owners[side];
      if (type.edges[side] != LetterOf(s.kind)) {
        return absl::InvalidArgumentError(Text("segment ", i, ": edge ", kSideNames.substr(side, 1),
                                               " is '", std::string(1, type.edges[side]),
                                               "', not a ", ToString(s.kind)));
      }
    }
  }
  for (std::size_t side = 0; side < 4; ++side) {
    const char letter = type.edges[side];
    if (letter != 'c' && letter != 'f' && letter != 'r' && letter != 's') {
      return absl::InvalidArgumentError(
          Text("edge letters are c, f, r and s, not '", std::string(1, letter), "'"));
    }
    if (owners[side] != (letter == 'f' ? 0 : 1)) {
      return absl::InvalidArgumentError(Text("edge ", kSideNames.substr(side, 1), " is '",
                                             std::string(1, letter), "', but ", owners[side],
                                             " segments own it"));
    }
  }
  return absl::OkStatus();
}

// Fields own every half-edge outside cities once; a whole field edge has one owner.
absl::Status CheckHalfEdges(const TileType& type) {
  std::array<int, 8> owner{};
  owner.fill(-1);
  for (std::size_t i = 0; i < type.segments.size(); ++i) {
    const Segment& s = type.segments[i];
    if (s.kind != SegmentKind::kField) {
      if (s.half_edges != 0 || s.cities != 0) {
        return absl::InvalidArgumentError(
            Text("segment ", i, ": only fields have half-edges and border cities"));
      }
      continue;
    }
    for (std::size_t half = 0; half < 8; ++half) {
      if (!(s.half_edges >> half & 1)) continue;
      if (owner[half] >= 0) {
        return absl::InvalidArgumentError(
            Text("half-edge ", half, " lies in fields ", owner[half], " and ", i));
      }
      owner[half] = static_cast<int>(i);
    }
  }
  for (std::size_t half = 0; half < 8; ++half) {
    const char letter = type.edges[half / 2];
    if ((letter == 'c') != (owner[half] < 0)) {
      return absl::InvalidArgumentError(
          letter == 'c' ? Text("half-edge ", half, " belongs to a city, not to a field")
                        : Text("half-edge ", half, " lies in no field"));
    }
    if (letter == 'f' && owner[half] != owner[half ^ 1]) {
      return absl::InvalidArgumentError(
          Text("edge ", kSideNames.substr(half / 2, 1), " is one field, not two"));
    }
  }
  return absl::OkStatus();
}

// A field borders cities of its own tile, and those that it meets at a corner
// of the border.
absl::Status CheckBorders(const TileType& type) {
  for (std::size_t i = 0; i < type.segments.size(); ++i) {
    const Segment& s = type.segments[i];
    for (std::size_t k = 0; k < 32; ++k) {
      if (!(s.cities >> k & 1)) continue;
      if (k >= type.segments.size() || type.segments[k].kind != SegmentKind::kCity) {
        return absl::InvalidArgumentError(
            Text("segment ", i, " borders segment ", k, ", which is no city"));
      }
    }
    if (s.kind != SegmentKind::kField) continue;
    for (std::size_t k = 0; k < type.segments.size(); ++k) {
      const Segment& city = type.segments[k];
      if (city.kind != SegmentKind::kCity) continue;
      for (int side = 0; side < 4; ++side) {
        if (!(city.sides >> side & 1)) continue;
        const int before = (2 * side + 7) & 7, after = (2 * side + 2) & 7;
        const bool meets = (s.half_edges >> before & 1) || (s.half_edges >> after & 1);
        if (meets && !(s.cities >> k & 1)) {
          return absl::InvalidArgumentError(
              Text("field ", i, " meets city ", k, " at a corner but is not said to border it"));
        }
      }
    }
  }
  return absl::OkStatus();
}

// A figure stands on its own segment.
absl::Status CheckSpots(const TileType& type) {
  const auto says = [](const Segment& s) { return s.spot.has_value(); };
  if (std::none_of(type.segments.begin(), type.segments.end(), says)) return absl::OkStatus();
  const TileLayout layout = LayOut(type);
  for (std::size_t i = 0; i < type.segments.size(); ++i) {
    const Segment& s = type.segments[i];
    if (!s.spot) continue;
    const auto under = static_cast<std::size_t>(layout.SegmentAt(*s.spot));
    if (under != i) {
      return absl::InvalidArgumentError(
          Text("segment ", i, ": its figure would not stand on this ", ToString(s.kind),
               " but on the ", ToString(type.segments[under].kind), " that is segment ", under));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckTile(const TileType& type) {
  if (type.id.empty()) return absl::InvalidArgumentError("a tile needs an id");
  if (type.segments.empty() || type.segments.size() > 16) {
    return absl::InvalidArgumentError("a tile has 1 to 16 segments");
  }
  if (type.upright < 0 || type.upright > 3) {
    return absl::InvalidArgumentError("upright is 0 to 3 quarter turns");
  }
  if (absl::Status status = CheckSides(type); !status.ok()) return status;
  if (absl::Status status = CheckHalfEdges(type); !status.ok()) return status;
  if (absl::Status status = CheckBorders(type); !status.ok()) return status;
  return CheckSpots(type);
}

CompiledTile Compile(const TileType& type) {
  CompiledTile out;
  out.side_segment.fill(-1);
  out.field.fill(-1);
  for (std::size_t place = 0; place < out.meets.size(); ++place) {
    int demand = 0;
    for (const Side side : kSides) {
      if (!(place >> static_cast<int>(side) & 1)) continue;
      const Side canonical = Rotated(side, -CompiledTile::RotationOf(place));
      demand += DemandOf(type.edges[static_cast<std::size_t>(canonical)], side);
    }
    out.meets[place] = static_cast<Demand>(demand);
  }
  for (std::size_t i = 0; i < type.segments.size(); ++i) {
    const Segment& s = type.segments[i];
    const auto index = static_cast<std::int8_t>(i);
    int open = 0;
    for (std::size_t side = 0; side < 4; ++side) {
      if (!(s.sides >> side & 1)) continue;
      out.side_segment[side] = index;
      ++open;
    }
    for (std::size_t half = 0; half < 8; ++half) {
      if (s.half_edges >> half & 1) out.field[half] = index;
    }
    if (s.kind == SegmentKind::kMonastery || s.kind == SegmentKind::kGarden) open = 8;
    if (s.kind == SegmentKind::kTemple) open = 4;
    if (s.road_end == RoadEnd::kBushes)
      out.bushes = static_cast<std::uint16_t>(out.bushes | 1 << i);
    if (s.kind == SegmentKind::kRiver) {
      out.river_sides = static_cast<std::uint8_t>(out.river_sides | s.sides);
      out.volcano |= s.volcano;
    }
    if (open >= 4 && !HasEdges(s.kind)) out.plots.push_back(index);
    if (s.kind != SegmentKind::kField && s.kind != SegmentKind::kRiver) {
      out.completable.push_back(index);
    }
    out.parts.push_back({s.kind, static_cast<std::int8_t>(open)});
  }
  return out;
}

}  // namespace tilewarden::engine
