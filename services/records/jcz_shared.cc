#include "services/records/jcz_shared.h"

#include <array>
#include <utility>

namespace tilewarden::services {
namespace {

using engine::Rotated;
using engine::RotatedHalfEdge;
using engine::Segment;
using engine::SegmentKind;
using engine::Side;
using engine::TileType;

struct Pair {
  std::string_view theirs, ours;
  int turn;
};

// Each checked against the shape of their tile: every city, road, river, field,
// coat of arms, inn, cathedral, pig-herd and good lies in the same place.
constexpr auto kTiles = std::to_array<Pair>({
    {"BA/LR", "B.A", 3},
    {"BA/L", "B.B", 0},
    {"BA/Cccc+", "B.C", 0},
    {"BA/RCr", "B.D", 0},
    {"BA/C", "B.E", 0},
    {"BA/CG", "B.Eg", 0},
    {"BA/CFc+", "B.F", 1},
    {"BA/CFc.1", "B.G", 1},
    {"BA/CFC.2", "B.H", 0},
    {"BA/CFCG", "B.Hg", 0},
    {"BA/CC.2", "B.I", 3},
    {"BA/CCG", "B.Ig", 3},
    {"BA/CRr", "B.J", 0},
    {"BA/RrC", "B.K", 0},
    {"BA/CRRR", "B.L", 0},
    {"BA/Cc+", "B.M", 3},
    {"BA/Cc+G", "B.Mg", 3},
    {"BA/Cc.1", "B.N", 3},
    {"BA/CcG", "B.Ng", 3},
    {"BA/CcRr+", "B.O", 3},
    {"BA/CcRr", "B.P", 3},
    {"BA/Ccc+", "B.Q", 3},
    {"BA/Ccc", "B.R", 3},
    {"BA/CccG", "B.Rg", 3},
    {"BA/CccR+", "B.S", 3},
    {"BA/CccR", "B.T", 3},
    {"BA/RFr", "B.U", 0},
    {"BA/RFrG", "B.Ug", 0},
    {"BA/Rr", "B.V", 0},
    {"BA/RrG", "B.Vg", 0},
    {"BA/RRR", "B.W", 0},
    {"BA/RRRR", "B.X", 0},
    {"WI/RRR", "W.1", 0},
    {"WI/RC", "W.2", 0},
    {"WI/CR", "W.3", 0},
    {"WI/LR", "W.4", 3},
    {"WI/RCc.i", "W.5", 3},
    {"WI/LRFR", "W.6", 0},
    {"WI/CRr", "W.7", 0},
    {"WI/CFR", "W.8", 0},
    {"WI/RrRr", "W.9", 0},
    {"WI/CcR", "W.10", 3},
    {"WI/R", "W.11", 3},
    {"WI/RrC", "W.12", 0},
    {"RI/s", "R.spring", 2},
    {"RI.1/I.e", "R.lake", 0},
    {"RI.1/CIRI", "R1.B", 0},
    {"RI.1/CICI", "R1.C", 0},
    {"RI.1/IFI", "R1.D", 0},
    {"RI.1/IFI", "R1.F", 0},
    {"RI.1/CcII", "R1.E", 3},
    {"RI.1/II", "R1.G", 0},
    {"RI.1/II", "R1.J", 0},
    {"RI.1/IIG", "R1.Jg", 0},
    {"RI.1/LIRI", "R1.H", 0},
    {"RI.1/RrII", "R1.I", 0},
    {"RI.1/RIrI", "R1.K", 1},
    {"RI.2/III", "R2.fork", 2},
    {"RI.2/I.v", "R2.volcano", 0},
    {"RI.2/IFC", "R2.city_end", 1},
    {"RI.2/CIcI", "R2.E", 1},
    {"RI.2/LIFI", "R2.monastery", 0},
    {"RI.2/RIrI", "R2.D", 1},
    {"RI.2/CIRI", "R2.H", 0},
    {"RI.2/II", "R2.bend", 0},
    {"RI.2/IIG", "R2.bendg", 0},
    {"RI.2/CcII+", "R2.citybend", 3},
    {"RI.2/II+", "R2.pig", 1},
    {"RI.2/RrII", "R2.roadbend", 0},
    {"IC/Cccc.c", "I.cathedral", 0},
    {"IC/LRFR", "I.monastery", 0},
    {"IC/CCCC", "I.four_cities", 0},
    {"IC/CCCCG", "I.four_citiesg", 0},
    {"IC/CCC", "I.three_cities", 3},
    {"IC/CRCR", "I.crossing", 0},
    {"IC/CCc+", "I.two_cities", 2},
    {"IC/C!", "I.spur", 0},
    {"IC/CFR", "I.city_road", 0},
    {"IC/CcR", "I.corner_road", 3},
    {"IC/CRcR+", "I.through_roads", 3},
    {"IC/RCc.i", "I.inn_corner", 3},
    {"IC/RrC.i", "I.inn_city", 0},
    {"IC/CcRr+.i", "I.inn_arms", 3},
    {"IC/RRR.i", "I.inn_crossing", 0},
    {"IC/RFr.i", "I.inn_straight", 0},
    {"IC/RFr.iG", "I.inn_straightg", 0},
    {"IC/Rr.i", "I.inn_bend", 0},
    {"IC/RrRr", "I.two_bends", 0},
    {"TB/Cc.g", "T.corner_grain", 3},
    {"TB/Cc.w", "T.corner_wine", 3},
    {"TB/CCc.c", "T.through_city_cloth", 1},
    {"TB/CCc.w", "T.through_city_wine", 1},
    {"TB/Ccc.g", "T.three_grain", 3},
    {"TB/CcCC.c", "T.three_cities_cloth", 0},
    {"TB/CcRR!.c", "T.corner_roads_cloth", 3},
    {"TB/CcRR.w", "T.corner_roads_wine", 3},
    {"TB/CcRR.wG", "T.corner_roads_wineg", 3},
    {"TB/CcRC.c", "T.corner_city_cloth", 2},
    {"TB/CcRC.g", "T.corner_city_grain", 2},
    {"TB/CcR.c", "T.corner_road_cloth", 3},
    {"TB/CcR.cG", "T.corner_road_clothg", 3},
    {"TB/CcR!.w", "T.spur_road_wine", 3},
    {"TB/CccR.w", "T.three_wine", 3},
    {"TB/CcCc.w", "T.two_corners_wine", 0},
    {"TB/CFc.w", "T.through_wine", 3},
    {"TB/CR", "T.city_road", 0},
    {"TB/CRc.g", "T.through_road_grain", 3},
    {"TB/CRc.w", "T.through_road_wine", 3},
    {"TB/CRcR.w", "T.through_roads_wine", 3},
    {"TB/LRRR", "T.monastery", 0},
    {"TB/RCc.g", "T.road_corner_grain", 3},
    {"TB/RCc!.g", "T.spur_corner_grain", 3},
    {"TB/RRC", "T.roads_city", 0},
    {"TB/RRrr", "T.bridge", 0},
});

constexpr auto kSets = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"basic:1", "base.c1"},
    {"basic:2", "base.c2"},
    {"winter", "winter"},
    {"river/1:1", "river1.c1"},
    {"river/1:2", "river1.c2"},
    {"river/2:1", "river2.c1"},
    {"river/2:2", "river2.c2"},
    {"inns-and-cathedrals:1", "inns.c1"},
    {"inns-and-cathedrals:2", "inns.c2"},
    {"traders-and-builders:1", "traders.c1"},
    {"traders-and-builders:2", "traders.c2"},
});

constexpr auto kFigures = std::to_array<std::pair<std::string_view, engine::FigureKind>>({
    {"small", engine::FigureKind::kFollower},
    {"abbot", engine::FigureKind::kAbbot},
    {"big", engine::FigureKind::kLargeFollower},
    {"builder", engine::FigureKind::kBuilder},
    {"pig", engine::FigureKind::kPig},
});

constexpr std::string_view kSideNames = "NESW";

// What a segment touches on a tile as it lies.
struct Touched {
  unsigned sides = 0, halves = 0;
  friend bool operator==(const Touched&, const Touched&) = default;
};

Touched TouchedBy(const Segment& segment, int rotation) {
  Touched touched;
  for (int side = 0; side < 4; ++side) {
    if (segment.sides >> side & 1) {
      touched.sides |= 1U << static_cast<int>(Rotated(static_cast<Side>(side), rotation));
    }
  }
  for (int half = 0; half < 8; ++half) {
    if (segment.half_edges >> half & 1) touched.halves |= 1U << RotatedHalfEdge(half, rotation);
  }
  return touched;
}

std::optional<Touched> ReadLocation(std::string_view location) {
  Touched touched;
  if (location == "I" || location == "CLOISTER") return touched;
  const bool all_but = location.substr(0, 1) == "_";
  const bool field = location.find_first_of("LR") != std::string_view::npos;
  for (std::size_t i = all_but ? 1 : 0; i < location.size(); ++i) {
    if (field && location[i] == '.') continue;
    const std::size_t side = kSideNames.find(location[i]);
    if (side == std::string_view::npos) return std::nullopt;
    if (!field) {
      touched.sides |= 1U << side;
      continue;
    }
    if (++i >= location.size() || (location[i] != 'L' && location[i] != 'R')) return std::nullopt;
    touched.halves |= 1U << (2 * side + (location[i] == 'R' ? 1 : 0));
  }
  if (all_but) touched.sides ^= 15U;
  if (touched == Touched{}) return std::nullopt;
  return touched;
}

}  // namespace

std::vector<SharedTile> OurTiles(std::string_view theirs) {
  std::vector<SharedTile> tiles;
  for (const Pair& pair : kTiles) {
    if (pair.theirs == theirs) tiles.push_back({std::string(pair.ours), pair.turn});
  }
  return tiles;
}

std::optional<SharedTile> TheirTile(std::string_view ours) {
  for (const Pair& pair : kTiles) {
    if (pair.ours == ours) return SharedTile{std::string(pair.theirs), pair.turn};
  }
  return std::nullopt;
}

std::string_view OurSet(std::string_view theirs) {
  for (const auto& [their_set, our_set] : kSets) {
    if (their_set == theirs) return our_set;
  }
  return {};
}

std::string_view TheirSet(std::string_view ours) {
  for (const auto& [their_set, our_set] : kSets) {
    if (our_set == ours) return their_set;
  }
  return {};
}

std::optional<engine::FigureKind> OurFigure(std::string_view theirs) {
  for (const auto& [their_figure, our_figure] : kFigures) {
    if (their_figure == theirs) return our_figure;
  }
  return std::nullopt;
}

std::string_view TheirFigure(engine::FigureKind ours) {
  for (const auto& [their_figure, our_figure] : kFigures) {
    if (our_figure == ours) return their_figure;
  }
  return {};
}

engine::Rules SharedRules(const engine::Rules& rules, const engine::TileSet& tiles) {
  engine::Rules shared;
  shared.farmers = rules.farmers;
  shared.followers = rules.followers;
  shared.abbot = rules.abbot;
  shared.two_tile_city_points = rules.two_tile_city_points;
  shared.inns = rules.inns;
  shared.pig_herd = rules.pig_herd;
  shared.cathedrals = rules.cathedrals;
  shared.large_followers = rules.large_followers;
  shared.builders = rules.builders;
  shared.pigs = rules.pigs;
  shared.goods = rules.goods;
  // With a river all start tiles of the base game are drawn there, and the
  // volcano is a lake like others.
  if (tiles.replaced_start() >= 0) {
    shared.start_tile_mixed = true;
    shared.volcano_lake = false;
  }
  return shared;
}

std::string LocationOf(const Segment& segment, int rotation) {
  const Touched touched = TouchedBy(segment, rotation);
  std::string out;
  for (int half = 0; half < 8; ++half) {
    if (!(touched.halves >> half & 1)) continue;
    if (!out.empty()) out += '.';
    out += kSideNames[static_cast<std::size_t>(half / 2)];
    out += half % 2 ? 'R' : 'L';
  }
  if (touched.halves != 0) return out;
  if (touched.sides == 0) return "I";
  if (touched.sides == 15) return "NWSE";
  // Three sides are named by the one that is missing; the pairs in their order.
  for (unsigned side = 0; side < 4; ++side) {
    if (touched.sides == (15U ^ (1U << side))) return std::string("_") + kSideNames[side];
  }
  for (const char side : {'N', 'S', 'W', 'E'}) {
    if (touched.sides >> kSideNames.find(side) & 1) out += side;
  }
  return out;
}

std::string FeatureOf(SegmentKind kind) {
  std::string name(engine::ToString(kind));
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

int SegmentAt(const TileType& type, int rotation, std::string_view feature,
              std::string_view location) {
  // As they were called up to version 5.7.
  if (feature == "Farm") feature = "Field";
  if (feature == "Cloister") feature = "Monastery";
  const std::optional<Touched> touched = ReadLocation(location);
  if (!touched) return -1;
  for (std::size_t i = 0; i < type.segments.size(); ++i) {
    const Segment& segment = type.segments[i];
    if (TouchedBy(segment, rotation) != *touched) continue;
    if (feature.empty() || feature == FeatureOf(segment.kind)) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace tilewarden::services
