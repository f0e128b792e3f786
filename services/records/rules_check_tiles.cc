#include <map>
#include <set>
#include <string>
#include <vector>

#include "services/records/rules_check_case.h"

namespace tilewarden::services {
namespace {

using engine::RiverRole;
using engine::RoadEnd;
using engine::Rules;
using engine::Segment;
using engine::SegmentKind;
using engine::TileSet;
using engine::TileType;
using nlohmann::json;

std::uint32_t Bits(const json& numbers) {
  std::uint32_t bits = 0;
  for (const json& number : numbers) bits |= 1U << (number.get<unsigned>() & 31U);
  return bits;
}

absl::StatusOr<Segment> SegmentFrom(const json& from) {
  static const std::map<std::string, SegmentKind> kKinds = {
      {"city", SegmentKind::kCity},           {"road", SegmentKind::kRoad},
      {"field", SegmentKind::kField},         {"river", SegmentKind::kRiver},
      {"monastery", SegmentKind::kMonastery}, {"garden", SegmentKind::kGarden},
      {"temple", SegmentKind::kTemple}};
  static const std::map<std::string, RoadEnd> kEnds = {
      {"village", RoadEnd::kVillage},     {"crossing", RoadEnd::kVillage},
      {"monastery", RoadEnd::kMonastery}, {"city", RoadEnd::kCity},
      {"bushes", RoadEnd::kBushes},       {"inside", RoadEnd::kInside}};
  static const std::map<std::string, RiverRole> kRoles = {
      {"source", RiverRole::kSource}, {"lake", RiverRole::kLake}, {"fork", RiverRole::kFork}};
  Segment segment;
  const auto kind = kKinds.find(from.at("k").get<std::string>());
  if (kind == kKinds.end()) {
    return absl::InvalidArgumentError("no segment kind " + from.at("k").dump());
  }
  segment.kind = kind->second;
  if (from.contains("e")) segment.sides = static_cast<std::uint8_t>(Bits(from["e"]));
  if (from.contains("h")) segment.half_edges = static_cast<std::uint8_t>(Bits(from["h"]));
  if (from.contains("c")) segment.cities = Bits(from["c"]);
  if (const auto end = kEnds.find(from.value("end", "")); end != kEnds.end()) {
    segment.road_end = end->second;
  }
  if (const auto role = kRoles.find(from.value("role", "")); role != kRoles.end()) {
    segment.river_role = role->second;
  }
  segment.coats_of_arms = from.value("pennants", 0);
  segment.oases = from.value("oases", 0);
  segment.scrolls = from.value("scrolls", 0);
  segment.inn = from.value("inn", false);
  segment.cathedral = from.value("cathedral", false);
  for (const engine::Goods goods : engine::kAllGoods) {
    if (from.value("goods", "") == engine::ToString(goods)) segment.goods = goods;
  }
  segment.sheep = from.value("sheep", 0);
  segment.wolves = from.value("wolves", 0);
  return segment;
}

absl::StatusOr<TileType> TileFrom(const std::string& id, const json& from) {
  TileType type;
  type.id = id;
  const std::string edges = from.at("edges");
  if (edges.size() != 4) return absl::InvalidArgumentError("tile " + id + ": four edges");
  for (std::size_t i = 0; i < 4; ++i) type.edges[i] = edges[i];
  type.gingerbread = from.value("symbol", "") == "gingerbread";
  for (const json& part : from.at("segs")) {
    absl::StatusOr<Segment> segment = SegmentFrom(part);
    if (!segment.ok()) return segment.status();
    type.segments.push_back(*segment);
  }
  return type;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const TileSet>> AllTiles(const json& inline_tiles,
                                                        const std::string& start) {
  // Reading the data files once is enough: nothing changes them meanwhile.
  static const auto* const kAll = new absl::StatusOr<std::vector<TileType>>([] {
    absl::StatusOr<std::vector<std::string>> ids = TileSet::List();
    if (!ids.ok()) return absl::StatusOr<std::vector<TileType>>(ids.status());
    // One by one: a box without a start tile is joined to a base set, and not all boxes join.
    std::vector<TileType> all;
    std::set<std::string> known;
    for (const std::string& id : *ids) {
      absl::StatusOr<std::shared_ptr<const TileSet>> set = TileSet::Load(id);
      if (!set.ok()) set = TileSet::Load("base.c2+" + id);
      if (!set.ok()) return absl::StatusOr<std::vector<TileType>>(set.status());
      for (const TileType& type : (*set)->types()) {
        if (known.insert(type.id).second) all.push_back(type);
      }
    }
    return absl::StatusOr<std::vector<TileType>>(std::move(all));
  }());
  if (!kAll->ok()) return kAll->status();
  std::vector<TileType> types = **kAll;
  for (const auto& [id, definition] : inline_tiles.items()) {
    absl::StatusOr<TileType> type = TileFrom(id, definition);
    if (!type.ok()) return type.status();
    types.push_back(*std::move(type));
  }
  int start_index = -1;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i].id == start) start_index = static_cast<int>(i);
  }
  std::vector<int> counts(types.size(), 1);
  return TileSet::Create("all", "All tiles", std::move(types), std::move(counts), start_index);
}

absl::StatusOr<Rules> RulesFrom(const json& options) {
  // The names that the files use for the engine's options.
  static const std::map<std::string, std::string> kNames = {{"farm_method", "farm_scoring"},
                                                            {"meeples", "followers"}};
  Rules rules;
  for (const auto& [name, value] : options.items()) {
    // The box, and options that are not set.
    if (name == "sets" || value.is_null()) continue;
    if (name == "area") {
      rules.area = engine::PlayingArea{value.at(0), value.at(1), value.at(2), value.at(3)};
      continue;
    }
    const auto known = kNames.find(name);
    const std::string& option = known == kNames.end() ? name : known->second;
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (absl::Status status = rules.Set(option, text); !status.ok()) return status;
  }
  return rules;
}

}  // namespace tilewarden::services
