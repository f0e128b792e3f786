// The end of the game: unfinished features, and farms.
#include <algorithm>
#include <array>

#include "engine/game/scoring.h"

namespace tilewarden::engine {
namespace {

// `more`: that the farm pays for each city beyond what it pays others.
Position::Item FarmItem(int node, int points, int player, int cities, int more) {
  Position::Item item;
  item.node = node;
  item.points = static_cast<std::int16_t>(points);
  item.player = static_cast<std::int8_t>(player);
  item.cause = static_cast<std::uint8_t>(Scoring::Cause::kFarm);
  item.tiles = static_cast<std::uint16_t>(cities);
  item.extras = static_cast<std::uint16_t>(more);
  return item;
}

}  // namespace

// What scores whoever stands on it comes before everything else, fields last. A
// complete feature from which the figures were not taken home counts as complete.
std::vector<Position::Item> Scoring::Final() const {
  const Features& features = position_.features();
  const bool incomplete = position_.rules().final_incomplete;
  std::vector<Position::Item> items;
  items.reserve(2 * position_.figures().size());
  const auto add = [&](const Position::Item& item) { items.push_back(item); };
  if (incomplete) {
    parts_.ForEach([&](const Part& part) {
      for (const int root : part.UnfinishedAtTheEnd(position_)) {
        ForEachItem(root, Cause::kIncomplete, add);
      }
    });
  }
  std::vector<int> done;
  for (const Position::Figure& figure : position_.figures()) {
    const int root = features.Find(figure.node);
    const SegmentKind kind = features.at(root).kind;
    if (kind == SegmentKind::kField || kind == SegmentKind::kTemple) continue;
    if (std::find(done.begin(), done.end(), root) != done.end()) continue;
    done.push_back(root);
    const bool complete = position_.IsComplete(root);
    if (!complete && !incomplete) continue;
    ForEachItem(root, complete ? Cause::kCompleted : Cause::kIncomplete, add);
  }
  ScoreFields(&items);
  parts_.ForEach([&](const Part& part) { part.AddFinal(position_, &items); });
  return items;
}

// Farms. Third edition: each farm by itself, and so where a part says what fields are
// worth. Second: a city counts once for each player, however many of the player's
// farms touch it. First: a city gives 4 points to whoever has most farmers around it.
void Scoring::ScoreFields(std::vector<Position::Item>* items) const {
  const Features& features = position_.features();
  std::vector<int> fields;
  for (const Position::Figure& figure : position_.figures()) {
    const int root = features.Find(figure.node);
    if (features.at(root).kind == SegmentKind::kField &&
        std::find(fields.begin(), fields.end(), root) == fields.end()) {
      fields.push_back(root);
    }
  }
  const FarmScoring how = position_.rules().farm_scoring;
  if (how == FarmScoring::kThird || PartValues(SegmentKind::kField)) {
    for (const int field : fields) {
      ForEachItem(field, Cause::kFarm, [&](const Position::Item& item) { items->push_back(item); });
    }
  } else if (how == FarmScoring::kSecond) {
    ScoreFieldsByPlayer(fields, items);
  } else {
    ScoreFieldsByCity(fields, items);
  }
}

void Scoring::ScoreFieldsByPlayer(const std::vector<int>& fields,
                                  std::vector<Position::Item>* items) const {
  for (int player = 0; player < static_cast<int>(position_.players().size()); ++player) {
    const auto each = [&](int field) { return FarmPoints(field, 1) + MoreForCity(field, player); };
    std::vector<int> own, scored;
    for (const int field : fields) {
      ForEachOwner(position_.features().at(field).figures, [&](int owner) {
        if (owner == player) own.push_back(field);
      });
    }
    // A farm with a pig-herd or a pig first: there the city is worth more.
    std::stable_sort(own.begin(), own.end(), [&](int a, int b) { return each(a) > each(b); });
    for (const int field : own) {
      int fresh = 0;
      for (const int city : CompletedCitiesBeside(field)) {
        if (std::find(scored.begin(), scored.end(), city) != scored.end()) continue;
        scored.push_back(city);
        ++fresh;
      }
      if (fresh == 0) continue;
      items->push_back(
          FarmItem(field, fresh * each(field), player, fresh, MoreForCity(field, player)));
    }
  }
}

// Every completed city beside any farm, with all farmers of the farms around it.
void Scoring::ScoreFieldsByCity(const std::vector<int>& fields,
                                std::vector<Position::Item>* items) const {
  struct Supplied {
    int city, points;
    std::uint64_t farmers;
    std::array<int, kMaxPlayers> more;  // by player, for a pig on one of the farms
  };
  std::vector<Supplied> cities;
  for (const int field : fields) {
    for (const int city : CompletedCitiesBeside(field)) {
      auto known = std::find_if(cities.begin(), cities.end(),
                                [&](const Supplied& entry) { return entry.city == city; });
      if (known == cities.end()) known = cities.insert(cities.end(), {city, 0, 0, {}});
      known->farmers += position_.features().at(field).figures;
      known->points = std::max(known->points, FarmPoints(field, 1));
      for (int player = 0; player < static_cast<int>(position_.players().size()); ++player) {
        int& more = known->more[static_cast<std::size_t>(player)];
        more = std::max(more, MoreForCity(field, player));
      }
    }
  }
  for (const Supplied& entry : cities) {
    ForEachOwner(entry.farmers, [&](int player) {
      const int more = entry.more[static_cast<std::size_t>(player)];
      items->push_back(FarmItem(entry.city, entry.points + more, player, 1, more));
    });
  }
}

}  // namespace tilewarden::engine
