// What features are worth and who scores them.
#include "engine/game/scoring.h"

#include <algorithm>
#include <set>

namespace tilewarden::engine {
namespace {

constexpr int kPlotTiles = 9;           // a monastery or garden and its neighbours, 1 point each
constexpr int kCityFactor = 2;          // a completed city's tile or coat of arms pays 2
constexpr int kFarmPoints = 3;          // a completed city beside a field, second and third edition
constexpr int kFirstEditionPoints = 4;  // the same in the first edition
constexpr int kPigHerdPoints = 1;       // more a city (River II)

}  // namespace

int Scoring::TilesNotCounted(int root) const {
  int tiles = 0;
  parts_.ForEach<Hook::kTilesNotCounted>(
      [&](const Part& part) { tiles += part.TilesNotCounted(position_, root); });
  return tiles;
}

bool Scoring::PartValues(SegmentKind kind) const {
  return parts_.First<Hook::kValues>([&](const Part& part) { return part.Values(kind); });
}

Worth Scoring::WorthOf(int root, bool complete, int more) const {
  const Features::Node& feature = position_.features().at(root);
  std::optional<Worth> special;
  parts_.ForEach<Hook::kValues>([&](const Part& part) {
    if (part.Values(feature.kind)) {
      special = part.WorthOf({position_, parts_}, root, complete);
    }
  });
  if (special) return *special;
  Worth worth = WorthByKind(root, complete, more);
  parts_.ForEach<Hook::kAdjust>(
      [&](const Part& part) { part.Adjust(position_, root, complete, &worth); });
  return worth;
}

Worth Scoring::WorthByKind(int root, bool complete, int more) const {
  const Features::Node& feature = position_.features().at(root);
  Worth worth;
  switch (feature.kind) {
    case SegmentKind::kMonastery:
    case SegmentKind::kGarden:
      worth.tiles = (complete ? kPlotTiles : kPlotTiles - feature.open) - TilesNotCounted(root);
      worth.points = worth.tiles;
      return worth;
    case SegmentKind::kField:
      worth.tiles = static_cast<int>(CompletedCitiesBeside(root).size());
      worth.points = FarmPoints(root, worth.tiles);
      return worth;
    case SegmentKind::kCity:
    case SegmentKind::kRoad:
      return WorthOfMarked(root, complete, more);
    case SegmentKind::kRiver:
    case SegmentKind::kTemple:
      break;
  }
  return worth;
}

// A city or road: its tiles and what is printed on them.
Worth Scoring::WorthOfMarked(int root, bool complete, int more) const {
  const Features& features = position_.features();
  const Rules& rules = position_.rules();
  const SegmentKind kind = features.at(root).kind;
  Worth worth;
  bool inn = false;
  features.ForEach(root, [&](int node) {
    const Segment& segment = position_.SegmentAt(node);
    worth.extras += segment.coats_of_arms + segment.scrolls + segment.oases;
    inn |= segment.inn && rules.inns;
    // A tile counts once, for its first segment in the feature; unfinished
    // features of some editions count every segment.
    if (complete || !rules.final_by_segment) {
      const CompiledTile& tile = position_.TileOf(features.at(node).tile);
      const int own = position_.SegmentOf(node);
      for (int earlier = 0; earlier < own; ++earlier) {
        if (tile.parts[static_cast<std::size_t>(earlier)].kind == kind &&
            features.Find(node - own + earlier) == root) {
          return;
        }
      }
    }
    ++worth.tiles;
  });
  worth.tiles += more - TilesNotCounted(root);
  worth.points = worth.tiles + worth.extras;
  if (kind == SegmentKind::kCity && complete) {
    worth.points = worth.tiles == 2 && rules.two_tile_city_points == 2 ? 2 + worth.extras
                                                                       : kCityFactor * worth.points;
  }
  if (inn) worth.points = complete ? worth.points + worth.tiles : 0;
  return worth;
}

int Scoring::MostFor(int root, bool complete, const std::vector<int>& owners) const {
  const Worth worth = WorthOf(root, complete);
  int most = worth.points;
  if (!PaysByCity(root)) return most;
  for (const int player : owners) {
    most = std::max(most, worth.points + MoreForCity(root, player) * worth.tiles);
  }
  return most;
}

bool Scoring::PaysByCity(int root) const {
  return position_.features().at(root).kind == SegmentKind::kField &&
         !PartValues(SegmentKind::kField);
}

int Scoring::MoreForCity(int field, int player) const {
  int more = 0;
  parts_.ForEach<Hook::kMoreForCity>(
      [&](const Part& part) { more += part.MoreForCity(position_, field, player); });
  return more;
}

// A farm's points for this many completed cities; a pig-herd on it adds 1 per city.
int Scoring::FarmPoints(int root, int cities) const {
  bool pig_herd = false;
  if (position_.rules().pig_herd) {
    position_.features().ForEach(root,
                                 [&](int node) { pig_herd |= position_.SegmentAt(node).pig_herd; });
  }
  const bool first = position_.rules().farm_scoring == FarmScoring::kFirst;
  return ((first ? kFirstEditionPoints : kFarmPoints) + (pig_herd ? kPigHerdPoints : 0)) * cities;
}

std::vector<int> Scoring::CompletedCitiesBeside(int root) const {
  std::vector<int> cities;
  position_.features().ForEach(root, [&](int node) {
    std::uint32_t beside = position_.SegmentAt(node).cities;
    const int first = node - position_.SegmentOf(node);
    for (int segment = 0; beside != 0; ++segment, beside >>= 1) {
      if (!(beside & 1)) continue;
      const int city = position_.features().Find(first + segment);
      if (position_.features().at(city).open == 0) cities.push_back(city);
    }
  });
  std::sort(cities.begin(), cities.end());
  cities.erase(std::unique(cities.begin(), cities.end()), cities.end());
  cities.erase(std::remove_if(cities.begin(), cities.end(),
                              [&](int city) { return !position_.IsComplete(city); }),
               cities.end());
  return cities;
}

std::uint64_t Scoring::Claimants(int root) const {
  const auto special = parts_.First<Hook::kClaimants>(
      [&](const Part& part) { return part.Claimants(position_, root); });
  return special ? *special : position_.features().at(root).figures;
}

int Scoring::Round(SegmentKind kind) const {
  int round = 0;
  parts_.ForEach<Hook::kRound>(
      [&](const Part& part) { round = std::max(round, part.Round(position_.rules(), kind)); });
  return round;
}

Position::Item Scoring::ItemFor(int root, Cause cause, const Worth& worth, int player) const {
  const bool complete = cause == Cause::kCompleted;
  const bool twice = complete && parts_.First<Hook::kDoubles>([&](const Part& part) {
    return part.Doubles(position_, root, player);
  });
  Position::Item item;
  item.node = root;
  item.points = static_cast<std::int16_t>(twice ? 2 * worth.points : worth.points);
  item.turn = static_cast<std::int16_t>(complete ? position_.turn() : 0);
  item.player = static_cast<std::int8_t>(player);
  item.cause = static_cast<std::uint8_t>(cause);
  item.doubled = twice || worth.doubled;
  item.tiles = static_cast<std::uint16_t>(worth.tiles);
  item.extras = static_cast<std::uint16_t>(worth.extras);
  if (cause == Cause::kFarm && PaysByCity(root)) {
    item.extras = static_cast<std::uint16_t>(MoreForCity(root, player));
    item.points = static_cast<std::int16_t>(item.points + item.extras * worth.tiles);
  }
  return item;
}

int Scoring::OpenCellsOf(int root) const {
  std::set<Cell> cells;
  position_.features().ForEach(root, [&](int node) {
    const PlacedTile& tile = position_.Laid(position_.features().at(node).tile);
    for (const Side side : kSides) {
      const int canonical = static_cast<int>(Rotated(side, -tile.rotation));
      if (!(position_.SegmentAt(node).sides >> canonical & 1)) continue;
      const Cell next = Neighbour(tile.cell, side);
      if (position_.board().At(next) < 0) cells.insert(next);
    }
  });
  return static_cast<int>(cells.size());
}

}  // namespace tilewarden::engine
