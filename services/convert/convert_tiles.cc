// Tile types: as displays draw them, and as owners define them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "services/convert/convert.h"

namespace tilewarden::services {
namespace {

constexpr std::size_t kLongestId = 32;
constexpr int kMostSegments = 16;

const std::map<std::string_view, engine::RoadEnd>& RoadEnds() {
  static const std::map<std::string_view, engine::RoadEnd> words = {
      {"", engine::RoadEnd::kNone},         {"village", engine::RoadEnd::kVillage},
      {"bushes", engine::RoadEnd::kBushes}, {"monastery", engine::RoadEnd::kMonastery},
      {"city", engine::RoadEnd::kCity},     {"temple", engine::RoadEnd::kTemple},
      {"inside", engine::RoadEnd::kInside}};
  return words;
}

const std::map<std::string_view, engine::RiverRole>& RiverRoles() {
  static const std::map<std::string_view, engine::RiverRole> words = {
      {"", engine::RiverRole::kNone},
      {"source", engine::RiverRole::kSource},
      {"lake", engine::RiverRole::kLake},
      {"fork", engine::RiverRole::kFork}};
  return words;
}

template <typename Value>
std::string WordOf(const std::map<std::string_view, Value>& words, Value value) {
  for (const auto& [word, meaning] : words) {
    if (meaning == value) return std::string(word);
  }
  return "";
}

void AddLines(const std::vector<engine::Polyline>& lines,
              google::protobuf::RepeatedPtrField<v1::Polygon>* out) {
  for (const engine::Polyline& line : lines) {
    v1::Polygon* polygon = out->Add();
    for (const engine::Point& point : line) *polygon->add_points() = ToProto(point);
  }
}

void AddBits(std::uint32_t bits, google::protobuf::RepeatedField<std::uint32_t>* out) {
  for (std::uint32_t i = 0; i < 32; ++i) {
    if (bits >> i & 1) out->Add(i);
  }
}

absl::StatusOr<std::uint32_t> BitsOf(const google::protobuf::RepeatedField<std::uint32_t>& numbers,
                                     std::uint32_t limit, std::string_view field) {
  std::uint32_t bits = 0;
  for (const std::uint32_t number : numbers) {
    if (number >= limit) {
      return absl::InvalidArgumentError(
          absl::StrCat(std::string(field), ": numbers from 0 to ", limit - 1));
    }
    bits |= 1U << number;
  }
  return bits;
}

// Whether so many may be is for the engine's checker to say.
int Count(std::uint32_t count) { return static_cast<int>(std::min(count, 1000U)); }

absl::StatusOr<engine::Goods> GoodsOf(const std::string& word) {
  if (word.empty()) return engine::Goods::kNone;
  for (const engine::Goods goods : engine::kAllGoods) {
    if (word == engine::ToString(goods)) return goods;
  }
  return absl::InvalidArgumentError("segments.goods: wine, grain, cloth, or empty");
}

v1::SegmentDefinition ToDefinition(const engine::Segment& s) {
  v1::SegmentDefinition out;
  out.set_kind(ToProto(s.kind));
  AddBits(s.sides, out.mutable_sides());
  AddBits(s.half_edges, out.mutable_half_edges());
  AddBits(s.cities, out.mutable_borders());
  out.set_coats_of_arms(static_cast<std::uint32_t>(s.coats_of_arms));
  out.set_scrolls(static_cast<std::uint32_t>(s.scrolls));
  out.set_road_end(WordOf(RoadEnds(), s.road_end));
  out.set_inn(s.inn);
  out.set_oases(static_cast<std::uint32_t>(s.oases));
  out.set_river_role(WordOf(RiverRoles(), s.river_role));
  out.set_volcano(s.volcano);
  out.set_sheep(static_cast<std::uint32_t>(s.sheep));
  out.set_wolves(static_cast<std::uint32_t>(s.wolves));
  out.set_pig_herd(s.pig_herd);
  out.set_cathedral(s.cathedral);
  if (s.goods != engine::Goods::kNone) out.set_goods(std::string(engine::ToString(s.goods)));
  if (s.spot) *out.mutable_spot() = ToProto(*s.spot);
  return out;
}

absl::StatusOr<engine::Segment> FromDefinition(const v1::SegmentDefinition& s) {
  engine::Segment out;
  const auto kind = FromProto(s.kind());
  if (!kind.ok()) return kind.status();
  out.kind = *kind;
  const auto sides = BitsOf(s.sides(), 4, "segments.sides");
  if (!sides.ok()) return sides.status();
  out.sides = static_cast<std::uint8_t>(*sides);
  const auto half_edges = BitsOf(s.half_edges(), 8, "segments.half_edges");
  if (!half_edges.ok()) return half_edges.status();
  out.half_edges = static_cast<std::uint8_t>(*half_edges);
  const auto borders = BitsOf(s.borders(), kMostSegments, "segments.borders");
  if (!borders.ok()) return borders.status();
  out.cities = *borders;
  const auto end = RoadEnds().find(s.road_end());
  if (end == RoadEnds().end()) {
    return absl::InvalidArgumentError(
        "segments.road_end: village, bushes, monastery, city, temple, inside, or empty");
  }
  out.road_end = end->second;
  const auto role = RiverRoles().find(s.river_role());
  if (role == RiverRoles().end()) {
    return absl::InvalidArgumentError("segments.river_role: source, lake, fork, or empty");
  }
  out.river_role = role->second;
  out.coats_of_arms = Count(s.coats_of_arms());
  out.scrolls = Count(s.scrolls());
  out.inn = s.inn();
  out.oases = Count(s.oases());
  out.volcano = s.volcano();
  out.sheep = Count(s.sheep());
  out.wolves = Count(s.wolves());
  out.pig_herd = s.pig_herd();
  out.cathedral = s.cathedral();
  const auto goods = GoodsOf(s.goods());
  if (!goods.ok()) return goods.status();
  out.goods = *goods;
  if (s.has_spot()) {
    const engine::Point spot = {s.spot().x(), s.spot().y()};
    if (!(spot.x >= 0 && spot.x <= 1 && spot.y >= 0 && spot.y <= 1)) {
      return absl::InvalidArgumentError("segments.spot: both numbers lie from 0 to 1");
    }
    out.spot = spot;
  }
  return out;
}

void AddMarks(const engine::Segment& segment, v1::Segment* out) {
  const std::pair<const char*, int> marks[] = {
      {"cathedral", segment.cathedral}, {"inn", segment.inn},        {"oasis", segment.oases},
      {"pigs", segment.pig_herd},       {"scroll", segment.scrolls}, {"sheep", segment.sheep},
      {"volcano", segment.volcano},     {"wolf", segment.wolves},
  };
  for (const auto& [mark, count] : marks) {
    if (count > 0) (*out->mutable_marks())[mark] = static_cast<std::uint32_t>(count);
  }
  if (segment.goods != engine::Goods::kNone) {
    (*out->mutable_marks())[std::string(engine::ToString(segment.goods))] = 1;
  }
}

bool IsId(const std::string& text) {
  const auto may = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= kLongestId && std::all_of(text.begin(), text.end(), may);
}

}  // namespace

v1::TileType ToProto(const engine::TileType& type, const engine::TileLayout& layout, int count) {
  v1::TileType tile;
  tile.set_id(type.id);
  tile.set_edges(std::string(type.edges.begin(), type.edges.end()));
  tile.set_count(static_cast<std::uint32_t>(count));
  tile.set_gingerbread(type.gingerbread);
  for (std::size_t s = 0; s < type.segments.size(); ++s) {
    const engine::Segment& segment = type.segments[s];
    const engine::SegmentShape& shape = layout.segments[s];
    v1::Segment* part = tile.add_segments();
    part->set_kind(ToProto(segment.kind));
    AddLines(shape.areas, part->mutable_areas());
    AddLines(shape.paths, part->mutable_paths());
    *part->mutable_spot() = ToProto(shape.spot);
    part->set_coats_of_arms(static_cast<std::uint32_t>(segment.coats_of_arms));
    for (const engine::Point& spot : shape.coats_of_arms) {
      *part->add_coat_of_arms_spots() = ToProto(spot);
    }
    part->set_road_end(WordOf(RoadEnds(), segment.road_end));
    AddMarks(segment, part);
  }
  return tile;
}

v1::GetTileSetResponse ToProto(const TileArt& art) {
  v1::GetTileSetResponse out;
  out.set_tile_set(art.set->id());
  out.set_name(art.set->name());
  for (std::size_t t = 0; t < art.set->types().size(); ++t) {
    *out.add_tiles() = ToProto(art.set->types()[t], art.layouts[t], art.set->counts()[t]);
  }
  return out;
}

v1::TileDefinition ToProto(const engine::TileType& type) {
  v1::TileDefinition out;
  out.set_id(type.id);
  out.set_upright(static_cast<std::uint32_t>(type.upright));
  out.set_variant_of(type.variant_of);
  out.set_assumed(type.assumed);
  out.set_gingerbread(type.gingerbread);
  for (const engine::Segment& segment : type.segments) {
    *out.add_segments() = ToDefinition(segment);
  }
  return out;
}

absl::StatusOr<engine::TileType> FromProto(const v1::TileDefinition& definition) {
  engine::TileType out;
  out.id = definition.id();
  if (!IsId(out.id) || (!definition.variant_of().empty() && !IsId(definition.variant_of()))) {
    return absl::InvalidArgumentError(absl::StrCat(
        "id, variant_of: 1 to ", kLongestId, " letters, digits, dots, underscores or hyphens"));
  }
  out.variant_of = definition.variant_of();
  out.upright = Count(definition.upright());
  out.assumed = definition.assumed();
  out.gingerbread = definition.gingerbread();
  if (definition.segments_size() > kMostSegments) {
    return absl::InvalidArgumentError(absl::StrCat("segments: at most ", kMostSegments));
  }
  out.edges.fill('f');
  for (const v1::SegmentDefinition& segment : definition.segments()) {
    auto part = FromDefinition(segment);
    if (!part.ok()) return part.status();
    const char letter = part->kind == engine::SegmentKind::kCity    ? 'c'
                        : part->kind == engine::SegmentKind::kRoad  ? 'r'
                        : part->kind == engine::SegmentKind::kRiver ? 's'
                                                                    : 'f';
    for (std::size_t side = 0; side < 4; ++side) {
      if (part->sides >> side & 1) out.edges[side] = letter;
    }
    out.segments.push_back(*std::move(part));
  }
  return out;
}

}  // namespace tilewarden::services
