#include "engine/game/box_rules.h"

#include <algorithm>

#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

template <typename Marked>
bool HasSegment(const TileSet& tiles, Marked marked) {
  return std::any_of(tiles.types().begin(), tiles.types().end(), [&](const TileType& type) {
    return std::any_of(type.segments.begin(), type.segments.end(), marked);
  });
}

// Rivers by the box that they go with.
struct Rivers {
  std::string_view box;
  std::vector<std::string_view> sets;
};
const std::vector<Rivers>& AllRivers() {
  static const std::vector<Rivers> all = {
      {"base.c1", {"river1.c1", "river2.c1", "river1.c1+river2.c1"}},
      {"base.c2", {"river1.c2", "river2.c2", "river1.c2+river2.c2", "river1.c3", "river.20ae"}},
  };
  return all;
}

bool HasHisSymbol(const TileSet& tiles) {
  return std::any_of(tiles.types().begin(), tiles.types().end(),
                     [](const TileType& type) { return type.gingerbread; });
}

}  // namespace

std::vector<std::string> PresetsOfBox(std::string_view set_id) {
  const std::string_view first = set_id.substr(0, set_id.find('+'));
  // "ark", and "ark.crrf4" of the other list of its tiles.
  if (first.substr(0, first.find('.')) == "ark") return {"ark-1", "ark-2", "ark-de"};
  const std::size_t dot = first.rfind('.');
  const std::string edition(dot == std::string_view::npos ? first : first.substr(dot + 1));
  const std::vector<std::string> all = Rules::PresetNames();
  if (std::find(all.begin(), all.end(), edition) == all.end()) return {};
  return {edition};
}

Rules WithFiguresOfBox(Rules rules, const TileSet& tiles) {
  const auto has = [&](auto marked) { return HasSegment(tiles, marked); };
  rules.gingerbread = HasHisSymbol(tiles);
  if (has([](const Segment& segment) { return segment.cathedral; })) {
    rules.inns = rules.cathedrals = true;
    rules.large_followers = 1;
    rules.max_players = kMaxPlayers;
  }
  if (has([](const Segment& segment) { return segment.goods != Goods::kNone; })) {
    rules.builders = rules.pigs = 1;
    rules.goods = rules.pig_herd = true;
  }
  return rules;
}

absl::StatusOr<Rules> RulesOfBox(const TileSet& tiles, std::string_view preset) {
  std::string name(preset);
  if (name.empty()) {
    const std::vector<std::string> presets = PresetsOfBox(tiles.id());
    if (presets.empty()) {
      return absl::InvalidArgumentError(Text(
          "the box ", tiles.id(), " does not tell by which rules it is played; choose one of: ",
          JoinText(Rules::PresetNames(), ", ")));
    }
    name = presets.front();
  }
  const absl::StatusOr<Rules> rules = Rules::Preset(name);
  if (!rules.ok()) return rules;
  return WithFiguresOfBox(*rules, tiles);
}

bool HasKind(const Rules& rules, FigureKind kind) {
  if (kind == FigureKind::kGingerbreadMan) return rules.gingerbread;
  if (kind == FigureKind::kArk) return rules.ark != ArkEdition::kNone;
  const auto all = AllFigureKinds();
  return std::any_of(all.begin(), all.end(), [&](const FigureKindEntry& entry) {
    return entry.kind == kind && entry.supply(rules) > 0;
  });
}

std::vector<RuleOption> OptionsThatBring(FigureKind kind, const TileSet& tiles) {
  switch (kind) {
    case FigureKind::kAbbot:
      if (!HasSegment(tiles, [](const Segment& segment) {
            return segment.kind == SegmentKind::kMonastery || segment.kind == SegmentKind::kGarden;
          })) {
        return {};
      }
      return {{"abbot", "true"}};
    case FigureKind::kGingerbreadMan:
      if (!HasHisSymbol(tiles)) return {};
      return {{"gingerbread", "true"}};
    case FigureKind::kArk:
    case FigureKind::kProphet:
      if (!HasSegment(
              tiles, [](const Segment& segment) { return segment.kind == SegmentKind::kTemple; })) {
        return {};
      }
      return {{"ark", "first"}, {"ark", "second"}, {"ark", "german"}};
    default:
      return {};
  }
}

std::vector<std::string> SetsWithRiver(const TileSet& tiles) {
  std::vector<std::string> sets;
  const std::string& id = tiles.id();
  if (tiles.types()[static_cast<std::size_t>(tiles.start_tile())].HasRiver()) return sets;
  for (const auto& [box, rivers] : AllRivers()) {
    if (id.substr(0, id.find('+')) != box) continue;
    for (const std::string_view river : rivers) sets.push_back(Text(id, "+", std::string(river)));
  }
  return sets;
}

std::string WordsForRivers(std::string_view set_id) {
  std::vector<std::string> words;
  const auto has = [&](std::string_view river) {
    return set_id.find(river) != std::string_view::npos;
  };
  if (has("+river1.c3")) {
    words.emplace_back("The River (third edition)");
  } else if (has("+river1.")) {
    words.emplace_back("The River");
  }
  if (has("+river2.")) words.emplace_back("The River II");
  if (has("+river.20ae")) words.emplace_back("The River (20th Anniversary)");
  return JoinText(words, " and ");
}

}  // namespace tilewarden::engine
