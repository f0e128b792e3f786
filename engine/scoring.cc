// What features are worth, who scores them, and in what words.
#include <algorithm>
#include <array>

#include "engine/game.h"
#include "engine/text.h"

namespace tilewarden::engine {
namespace {

// Majority: everyone with as many followers as the one with the most.
template <typename Visit>
void ForEachOwner(std::uint64_t figures, Visit visit) {
  std::uint64_t most = 0;
  for (int player = 0; player < Game::kMaxPlayers; ++player) {
    most = std::max(most, figures >> (8 * player) & 0xFF);
  }
  if (most == 0) return;
  for (int player = 0; player < Game::kMaxPlayers; ++player) {
    if ((figures >> (8 * player) & 0xFF) == most) visit(player);
  }
}

std::string Counted(int count, std::string_view one, std::string_view many) {
  return Text(count, " ", count == 1 ? one : many);
}

}  // namespace

const Segment& Game::SegmentAt(int node) const {
  const int tile = laid_[static_cast<std::size_t>(features_.at(node).tile)].tile;
  return tiles_->types()[static_cast<std::size_t>(tile)]
      .segments[static_cast<std::size_t>(SegmentOf(node))];
}

Game::Worth Game::WorthOf(int root, bool complete) const {
  const Features::Node& feature = features_.at(root);
  Worth worth;
  switch (feature.kind) {
    case SegmentKind::kMonastery:
    case SegmentKind::kGarden:
      worth.tiles = complete ? 9 : 9 - feature.open;
      worth.points = worth.tiles;
      return worth;
    case SegmentKind::kField:
      worth.tiles = static_cast<int>(CompletedCitiesBeside(root).size());
      worth.points = (rules_.farm_scoring == FarmScoring::kFirst ? 4 : 3) * worth.tiles;
      return worth;
    case SegmentKind::kRiver:
    case SegmentKind::kTemple:
      return worth;
    case SegmentKind::kCity:
    case SegmentKind::kRoad:
      break;
  }
  features_.ForEach(root, [&](int node) {
    worth.extras += SegmentAt(node).coats_of_arms;
    // A tile counts once, for its first segment in the feature.
    const CompiledTile& tile = TileOf(features_.at(node).tile);
    const int segment = SegmentOf(node);
    for (int earlier = 0; earlier < segment; ++earlier) {
      if (tile.parts[static_cast<std::size_t>(earlier)].kind == feature.kind &&
          features_.Find(node - segment + earlier) == root) {
        return;
      }
    }
    ++worth.tiles;
  });
  worth.points = worth.tiles + worth.extras;
  if (feature.kind == SegmentKind::kCity && complete) {
    worth.points =
        worth.tiles == 2 && rules_.two_tile_city_points == 2 ? 2 + worth.extras : 2 * worth.points;
  }
  return worth;
}

std::vector<int> Game::CompletedCitiesBeside(int root) const {
  std::vector<int> cities;
  features_.ForEach(root, [&](int node) {
    std::uint32_t beside = SegmentAt(node).cities;
    const int first = node - SegmentOf(node);
    for (int segment = 0; beside != 0; ++segment, beside >>= 1) {
      if (!(beside & 1)) continue;
      const int city = features_.Find(first + segment);
      if (features_.at(city).open == 0) cities.push_back(city);
    }
  });
  std::sort(cities.begin(), cities.end());
  cities.erase(std::unique(cities.begin(), cities.end()), cities.end());
  return cities;
}

void Game::ScoreFeature(int root, Cause cause, std::vector<Item>* items) const {
  const Worth worth = WorthOf(root, cause == Cause::kCompleted);
  if (worth.points == 0) return;
  const std::int16_t turn = cause == Cause::kCompleted ? TurnNumber() : std::int16_t{0};
  ForEachOwner(features_.at(root).figures, [&](int player) {
    items->push_back(
        {root, static_cast<std::int16_t>(worth.points), turn, static_cast<std::uint8_t>(player),
         cause, static_cast<std::uint16_t>(worth.tiles), static_cast<std::uint16_t>(worth.extras)});
  });
}

// Farms at the end. Third edition: each farm by itself. Second: a city counts
// once for each player, however many of the player's farms touch it. First: a
// city gives 4 points to whoever has most farmers around it.
void Game::ScoreFields(std::vector<Item>* items) const {
  std::vector<int> fields;
  for (const Figure& figure : figures_) {
    const int root = features_.Find(figure.node);
    if (features_.at(root).kind == SegmentKind::kField &&
        std::find(fields.begin(), fields.end(), root) == fields.end()) {
      fields.push_back(root);
    }
  }
  if (rules_.farm_scoring == FarmScoring::kThird) {
    for (const int field : fields) ScoreFeature(field, Cause::kIncomplete, items);
    return;
  }
  const auto add = [&](int node, int points, int player, int cities) {
    items->push_back({node, static_cast<std::int16_t>(points), 0, static_cast<std::uint8_t>(player),
                      Cause::kIncomplete, static_cast<std::uint16_t>(cities), 0});
  };
  if (rules_.farm_scoring == FarmScoring::kSecond) {
    std::array<std::vector<int>, kMaxPlayers> scored;
    for (const int field : fields) {
      const std::vector<int> cities = CompletedCitiesBeside(field);
      ForEachOwner(features_.at(field).figures, [&](int player) {
        std::vector<int>& own = scored[static_cast<std::size_t>(player)];
        int fresh = 0;
        for (const int city : cities) {
          if (std::find(own.begin(), own.end(), city) != own.end()) continue;
          own.push_back(city);
          ++fresh;
        }
        if (fresh > 0) add(field, 3 * fresh, player, fresh);
      });
    }
    return;
  }
  // First edition: every completed city beside any farm, with all farmers of
  // the farms around it.
  std::vector<std::pair<int, std::uint64_t>> cities;
  for (const int field : fields) {
    for (const int city : CompletedCitiesBeside(field)) {
      const auto known = std::find_if(cities.begin(), cities.end(),
                                      [&](const auto& entry) { return entry.first == city; });
      const std::uint64_t farmers = features_.at(field).figures;
      if (known == cities.end()) {
        cities.emplace_back(city, farmers);
      } else {
        known->second += farmers;
      }
    }
  }
  for (const auto& [city, farmers] : cities) {
    const int node = city;
    ForEachOwner(farmers, [&](int player) { add(node, 4, player, 1); });
  }
}

std::vector<ScoreItem> Game::ScoreIfEndedNow() const {
  std::vector<Item> items;
  if (rules_.final_incomplete) {
    std::vector<int> done;
    for (const Figure& figure : figures_) {
      const int root = features_.Find(figure.node);
      if (features_.at(root).kind == SegmentKind::kField) continue;
      if (std::find(done.begin(), done.end(), root) != done.end()) continue;
      done.push_back(root);
      ScoreFeature(root, Cause::kIncomplete, &items);
    }
  }
  ScoreFields(&items);
  std::vector<ScoreItem> out;
  out.reserve(items.size());
  for (const Item& item : items) out.push_back(Describe(item));
  return out;
}

ScoreItem Game::Describe(const Item& item) const {
  ScoreItem out;
  out.player = item.player;
  out.points = item.points;
  out.turn = item.turn;
  const SegmentKind kind = features_.at(item.node).kind;
  const bool farm = kind == SegmentKind::kField ||
                    (kind == SegmentKind::kCity && item.cause == Cause::kIncomplete &&
                     rules_.farm_scoring == FarmScoring::kFirst &&
                     features_.at(features_.Find(item.node)).open == 0);
  if (farm) {
    out.kind = "field";
    out.reason =
        kind == SegmentKind::kCity
            ? "most farmers around a completed city"
            : Text("farm beside ", Counted(item.tiles, "completed city", "completed cities"));
    out.cells = CellsOf(item.node);
    return out;
  }
  out.kind = ToString(kind);
  std::string_view how = "completed";
  if (item.cause == Cause::kIncomplete) {
    out.kind += ".incomplete";
    how = "unfinished";
  } else if (item.cause == Cause::kRecall) {
    out.kind += ".recall";
    how = "abbot recalled from";
  }
  out.cells = CellsOf(item.node);
  if (kind == SegmentKind::kMonastery || kind == SegmentKind::kGarden) {
    out.reason = Text(how, " ", ToString(kind), ": itself and ",
                      Counted(item.tiles - 1, "neighbour", "neighbours"));
    return out;
  }
  out.reason = Text(how, " ", ToString(kind), ": ", Counted(item.tiles, "tile", "tiles"));
  if (item.extras > 0) {
    out.reason += Text(" and ", Counted(item.extras, "coat of arms", "coats of arms"));
  }
  return out;
}

}  // namespace tilewarden::engine
