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

}  // namespace tilewarden::engine
