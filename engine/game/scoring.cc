// What features are worth, who scores them, and in what words.
#include <algorithm>
#include <array>

#include "engine/game/game.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

constexpr int kTemplePoints = 7;
constexpr int kUnfinishedTemplePoints = 3;

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

Game::Worth Game::WorthOf(int root, bool complete, int more) const {
  const Features::Node& feature = features_.at(root);
  Worth worth;
  switch (feature.kind) {
    case SegmentKind::kMonastery:
    case SegmentKind::kGarden:
      worth.tiles = (complete ? 9 : 9 - feature.open) - SourceHalvesCountedTwice(root);
      worth.points = worth.tiles;
      return worth;
    case SegmentKind::kTemple:
      worth.tiles = complete ? 5 : 5 - feature.open;
      worth.points = complete ? kTemplePoints : kUnfinishedTemplePoints;
      if (complete && rules_.ark_to_temples && ark_ == CellOf(root)) worth.points *= 2;
      return worth;
    case SegmentKind::kField:
      if (rules_.ark != ArkEdition::kNone) {
        int wolves = 0;
        features_.ForEach(root, [&](int node) {
          worth.tiles += SegmentAt(node).sheep;
          wolves += SegmentAt(node).wolves;
        });
        worth.tiles = std::max(0, worth.tiles - wolves);
        worth.points = 2 * worth.tiles;
      } else {
        worth.tiles = static_cast<int>(CompletedCitiesBeside(root).size());
        worth.points = FarmPoints(root, worth.tiles);
      }
      return worth;
    case SegmentKind::kRiver:
      return worth;
    case SegmentKind::kCity:
    case SegmentKind::kRoad:
      break;
  }
  bool inn = false;
  features_.ForEach(root, [&](int node) {
    const Segment& segment = SegmentAt(node);
    worth.extras += segment.coats_of_arms + segment.scrolls + segment.oases;
    inn |= segment.inn && rules_.inns;
    // A tile counts once, for its first segment in the feature; unfinished
    // features of some editions count every segment.
    if (complete || !rules_.final_by_segment) {
      const CompiledTile& tile = TileOf(features_.at(node).tile);
      const int own = SegmentOf(node);
      for (int earlier = 0; earlier < own; ++earlier) {
        if (tile.parts[static_cast<std::size_t>(earlier)].kind == feature.kind &&
            features_.Find(node - own + earlier) == root) {
          return;
        }
      }
    }
    ++worth.tiles;
  });
  worth.tiles += more - SourceHalvesCountedTwice(root);
  worth.points = worth.tiles + worth.extras;
  if (feature.kind == SegmentKind::kCity && complete) {
    worth.points =
        worth.tiles == 2 && rules_.two_tile_city_points == 2 ? 2 + worth.extras : 2 * worth.points;
  }
  if (inn) worth.points = complete ? worth.points + worth.tiles : 0;
  return worth;
}

// A farm's points for so many completed cities; a pig-herd on it adds 1 a city.
int Game::FarmPoints(int root, int cities) const {
  bool pig_herd = false;
  if (rules_.pig_herd) {
    features_.ForEach(root, [&](int node) { pig_herd |= SegmentAt(node).pig_herd; });
  }
  return ((rules_.farm_scoring == FarmScoring::kFirst ? 4 : 3) + (pig_herd ? 1 : 0)) * cities;
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
  cities.erase(
      std::remove_if(cities.begin(), cities.end(), [&](int city) { return !IsComplete(city); }),
      cities.end());
  return cities;
}

void Game::ScoreFeature(int root, Cause cause, std::vector<Item>* items) const {
  const Worth worth = WorthOf(root, cause == Cause::kCompleted);
  if (worth.points == 0) return;
  const Features::Node& feature = features_.at(root);
  const bool prophets = cause == Cause::kCompleted && feature.kind == SegmentKind::kCity &&
                        rules_.ark != ArkEdition::kNone;
  if (feature.kind == SegmentKind::kField) cause = Cause::kFarm;
  ForEachOwner(feature.figures, [&](int player) {
    const bool doubled = prophets && HasProphet(root, player);
    items->push_back({root, static_cast<std::int16_t>(doubled ? 2 * worth.points : worth.points),
                      cause == Cause::kCompleted ? TurnNumber() : std::int16_t{0},
                      static_cast<std::int8_t>(player), cause, doubled,
                      static_cast<std::uint16_t>(worth.tiles),
                      static_cast<std::uint16_t>(worth.extras)});
  });
}

void Game::ScoreTemple(int temple, bool complete, std::vector<Item>* items) const {
  const Worth worth = WorthOf(temple, complete);
  ForEachOwner(FiguresAroundTemple(temple), [&](int player) {
    items->push_back(
        {temple, static_cast<std::int16_t>(worth.points), complete ? TurnNumber() : std::int16_t{0},
         static_cast<std::int8_t>(player), complete ? Cause::kCompleted : Cause::kIncomplete,
         complete && worth.points > kTemplePoints, static_cast<std::uint16_t>(worth.tiles), 0});
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
  if (rules_.farm_scoring == FarmScoring::kThird || rules_.ark != ArkEdition::kNone) {
    for (const int field : fields) ScoreFeature(field, Cause::kFarm, items);
    return;
  }
  const auto add = [&](int node, int points, int player, int cities) {
    items->push_back({node, static_cast<std::int16_t>(points), 0, static_cast<std::int8_t>(player),
                      Cause::kFarm, false, static_cast<std::uint16_t>(cities), 0});
  };
  if (rules_.farm_scoring == FarmScoring::kSecond) {
    // A farm with a pig-herd first: there the city is worth more.
    std::stable_sort(fields.begin(), fields.end(),
                     [&](int a, int b) { return FarmPoints(a, 1) > FarmPoints(b, 1); });
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
        if (fresh > 0) add(field, FarmPoints(field, fresh), player, fresh);
      });
    }
    return;
  }
  // First edition: every completed city beside any farm, with all farmers of
  // the farms around it.
  struct Supplied {
    int city, points;
    std::uint64_t farmers;
  };
  std::vector<Supplied> cities;
  for (const int field : fields) {
    for (const int city : CompletedCitiesBeside(field)) {
      auto known = std::find_if(cities.begin(), cities.end(),
                                [&](const Supplied& entry) { return entry.city == city; });
      if (known == cities.end()) known = cities.insert(cities.end(), {city, 0, 0});
      known->farmers += features_.at(field).figures;
      known->points = std::max(known->points, FarmPoints(field, 1));
    }
  }
  for (const Supplied& entry : cities) {
    ForEachOwner(entry.farmers, [&](int player) { add(entry.city, entry.points, player, 1); });
  }
}

// Temples come before everything else, fields last.
std::vector<ScoreItem> Game::ScoreIfEndedNow() const {
  std::vector<Item> items;
  items.reserve(2 * figures_.size());
  if (rules_.final_incomplete && rules_.ark != ArkEdition::kNone) {
    for (int node = 0; node < features_.size(); ++node) {
      const Features::Node& feature = features_.at(node);
      if (feature.kind == SegmentKind::kTemple && feature.open > 0) {
        ScoreTemple(node, false, &items);
      }
    }
  }
  std::vector<int> done;
  for (const Figure& figure : figures_) {
    const int root = features_.Find(figure.node);
    const SegmentKind kind = features_.at(root).kind;
    if (kind == SegmentKind::kField || kind == SegmentKind::kTemple) continue;
    if (std::find(done.begin(), done.end(), root) != done.end()) continue;
    done.push_back(root);
    const bool complete = IsComplete(root);
    if (!complete && !rules_.final_incomplete) continue;
    ScoreFeature(root, complete ? Cause::kCompleted : Cause::kIncomplete, &items);
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
  std::string_view how = "completed";
  switch (item.cause) {
    case Cause::kGingerbread:
      out.kind = "gingerbread";
      out.reason = Text("Gingerbread Man leaves a city of ", Counted(item.tiles, "tile", "tiles"),
                        " with ", Counted(item.extras, "knight", "knights"));
      out.cells = {CellOf(item.node)};
      return out;
    case Cause::kArk:
    case Cause::kArkFirst:
    case Cause::kArkTemple:
      out.kind = item.cause == Cause::kArk        ? "ark"
                 : item.cause == Cause::kArkFirst ? "ark.first"
                                                  : "ark.temple";
      out.reason = item.cause == Cause::kArk        ? "the Ark passes a follower"
                   : item.cause == Cause::kArkFirst ? "brings the Ark into the first city"
                                                    : "the Ark reaches a temple";
      out.cells = {CellOf(item.node)};
      return out;
    case Cause::kBought:
    case Cause::kSold:
      out.kind = item.cause == Cause::kBought ? "tile.bought" : "tile.sold";
      out.reason = item.cause == Cause::kBought ? "bought the only tile that completes a feature"
                                                : "sold the tile drawn";
      out.cells = {CellOf(item.node)};
      return out;
    case Cause::kFarm:
      out.kind = "field";
      out.cells = CellsOf(item.node);
      if (rules_.ark != ArkEdition::kNone) {
        out.reason = Text("field with ", item.tiles, " sheep that no wolf eats");
      } else if (kind == SegmentKind::kCity) {
        out.reason = "most farmers around a completed city";
      } else {
        out.reason =
            Text("farm beside ", Counted(item.tiles, "completed city", "completed cities"));
      }
      return out;
    case Cause::kCompleted:
    case Cause::kIncomplete:
    case Cause::kRecall:
      break;
  }
  out.kind = ToString(kind);
  out.cells = CellsOf(item.node);
  if (item.cause == Cause::kIncomplete) {
    out.kind += ".incomplete";
    how = "unfinished";
  } else if (item.cause == Cause::kRecall) {
    out.kind += ".recall";
    how = "abbot recalled from";
  }
  if (kind == SegmentKind::kTemple) {
    out.reason = Text(how, " temple: most followers on its cross",
                      item.doubled ? ", doubled by the Ark on it" : "");
    return out;
  }
  if (kind == SegmentKind::kMonastery || kind == SegmentKind::kGarden) {
    out.reason = Text(how, " ", ToString(kind), ": itself and ",
                      Counted(item.tiles - 1, "neighbour", "neighbours"));
    return out;
  }
  out.reason = Text(how, " ", ToString(kind), ": ", Counted(item.tiles, "tile", "tiles"));
  if (item.extras > 0) {
    out.reason += " and ";
    if (kind == SegmentKind::kRoad) {
      out.reason += Counted(item.extras, "oasis", "oases");
    } else if (rules_.ark != ArkEdition::kNone) {
      out.reason += Counted(item.extras, "scroll", "scrolls");
    } else {
      out.reason += Counted(item.extras, "coat of arms", "coats of arms");
    }
  }
  if (item.doubled) out.reason += ", doubled by the prophet";
  return out;
}

}  // namespace tilewarden::engine
