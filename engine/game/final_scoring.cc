// The end of the game: unfinished features, and farms.
#include <algorithm>
#include <array>

#include "engine/game/scoring.h"

namespace tilewarden::engine {
namespace {

Position::Item FarmItem(int node, int points, int player, int cities) {
  Position::Item item;
  item.node = node;
  item.points = static_cast<std::int16_t>(points);
  item.player = static_cast<std::int8_t>(player);
  item.cause = static_cast<std::uint8_t>(Scoring::Cause::kFarm);
  item.tiles = static_cast<std::uint16_t>(cities);
  return item;
}

void Append(const Scoring::Items& more, std::vector<Position::Item>* items) {
  items->insert(items->end(), more.begin(), more.end());
}

}  // namespace

// What scores whoever stands on it comes before everything else, fields last. A
// complete feature from which the figures were not taken home counts as complete.
std::vector<Position::Item> Scoring::Final() const {
  const Features& features = position_.features();
  const bool incomplete = position_.rules().final_incomplete;
  std::vector<Position::Item> items;
  items.reserve(2 * position_.figures().size());
  if (incomplete) {
    parts_.ForEach([&](const Part& part) {
      for (const int root : part.UnfinishedAtTheEnd(position_)) {
        Append(ItemsOf(root, Cause::kIncomplete), &items);
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
    Append(ItemsOf(root, complete ? Cause::kCompleted : Cause::kIncomplete), &items);
  }
  ScoreFields(&items);
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
    for (const int field : fields) Append(ItemsOf(field, Cause::kFarm), items);
  } else if (how == FarmScoring::kSecond) {
    ScoreFieldsByPlayer(std::move(fields), items);
  } else {
    ScoreFieldsByCity(fields, items);
  }
}

void Scoring::ScoreFieldsByPlayer(std::vector<int> fields,
                                  std::vector<Position::Item>* items) const {
  // A farm with a pig-herd first: there the city is worth more.
  std::stable_sort(fields.begin(), fields.end(),
                   [&](int a, int b) { return FarmPoints(a, 1) > FarmPoints(b, 1); });
  std::array<std::vector<int>, kMaxPlayers> scored;
  for (const int field : fields) {
    const std::vector<int> cities = CompletedCitiesBeside(field);
    ForEachOwner(position_.features().at(field).figures, [&](int player) {
      std::vector<int>& own = scored[static_cast<std::size_t>(player)];
      int fresh = 0;
      for (const int city : cities) {
        if (std::find(own.begin(), own.end(), city) != own.end()) continue;
        own.push_back(city);
        ++fresh;
      }
      if (fresh > 0) items->push_back(FarmItem(field, FarmPoints(field, fresh), player, fresh));
    });
  }
}

// Every completed city beside any farm, with all farmers of the farms around it.
void Scoring::ScoreFieldsByCity(const std::vector<int>& fields,
                                std::vector<Position::Item>* items) const {
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
      known->farmers += position_.features().at(field).figures;
      known->points = std::max(known->points, FarmPoints(field, 1));
    }
  }
  for (const Supplied& entry : cities) {
    ForEachOwner(entry.farmers, [&](int player) {
      items->push_back(FarmItem(entry.city, entry.points, player, 1));
    });
  }
}

}  // namespace tilewarden::engine
