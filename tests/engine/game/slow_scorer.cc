#include "tests/engine/game/slow_scorer.h"

#include <algorithm>

namespace tilewarden::engine {
namespace {

// What a figure is worth where most figures decide.
int Strength(FigureKind kind) {
  if (kind == FigureKind::kBuilder || kind == FigureKind::kPig) return 0;
  return kind == FigureKind::kLargeFollower ? 2 : 1;
}

}  // namespace

std::string SlowScorer::KindOf(const std::set<Place>& feature) const {
  return std::string(ToString(At(*feature.begin()).kind));
}

std::map<int, int> SlowScorer::CountsOn(const std::set<Place>& feature) const {
  std::map<int, int> counts;
  for (const PlacedFigure& figure : figures_) {
    if (Strength(figure.kind) == 0) continue;
    if (feature.count({figure.cell, figure.segment})) {
      counts[figure.player] += Strength(figure.kind);
    }
  }
  return counts;
}

bool SlowScorer::Stands(FigureKind kind, int player, const std::set<Place>& feature) const {
  return std::any_of(figures_.begin(), figures_.end(), [&](const PlacedFigure& figure) {
    return figure.kind == kind && figure.player == player &&
           feature.count({figure.cell, figure.segment}) > 0;
  });
}

GoodsTokens SlowScorer::TokensOf(int player) const {
  const auto found = tokens_.find(player);
  return found == tokens_.end() ? GoodsTokens{} : found->second;
}

std::vector<int> SlowScorer::Majority(const std::map<int, int>& counts) const {
  int most = 0;
  for (const auto& [player, count] : counts) most = std::max(most, count);
  std::vector<int> players;
  for (const auto& [player, count] : counts) {
    if (count == most) players.push_back(player);
  }
  return players;
}

int SlowScorer::Points(const std::set<Place>& feature, bool complete) const {
  const SegmentKind kind = At(*feature.begin()).kind;
  if (kind == SegmentKind::kMonastery || kind == SegmentKind::kGarden) {
    const Cell own = feature.begin()->cell;
    std::set<Cell> around;
    for (int i = 0; i < 9; ++i) around.insert({own.x - 1 + i % 3, own.y - 1 + i / 3});
    return 1 + NeighboursOf(own) - HalvesTooMany(around);
  }
  std::set<Cell> cells;
  int arms = 0;
  bool inn = false, cathedral = false;
  for (const Place& place : feature) {
    cells.insert(place.cell);
    arms += At(place).coats_of_arms + At(place).scrolls + At(place).oases;
    inn |= At(place).inn;
    cathedral |= At(place).cathedral;
  }
  const int tiles =
      static_cast<int>(!complete && rules_.final_by_segment ? feature.size() : cells.size()) -
      HalvesTooMany(cells);
  if (inn && rules_.inns) return complete ? 2 * tiles + arms : 0;
  if (cathedral && rules_.cathedrals) return complete ? 3 * tiles + 3 * arms : 0;
  if (kind == SegmentKind::kCity && complete) {
    if (tiles == 2 && rules_.two_tile_city_points == 2) return 2 + arms;
    return 2 * tiles + 2 * arms;
  }
  return tiles + arms;
}

void SlowScorer::Gain(int player, int points, const std::string& kind, std::vector<Event>* events) {
  if (points == 0) return;
  scores_[static_cast<std::size_t>(player)] += points;
  events->emplace_back(player, points, kind);
}

// Players with most figures on the temple's tile and the four beside it.
std::vector<int> SlowScorer::AroundTemple(Cell temple) const {
  std::map<int, int> counts;
  for (const PlacedFigure& figure : figures_) {
    bool on_cross = figure.cell == temple;
    for (const Side side : kSides) on_cross |= figure.cell == Neighbour(temple, side);
    if (on_cross && Strength(figure.kind) > 0) counts[figure.player] += Strength(figure.kind);
  }
  return Majority(counts);
}

void SlowScorer::PayKnights(std::vector<Event>* events) {
  const std::set<Place> city = FeatureOf(*gingerbread_);
  std::set<Cell> cells;
  for (const Place& place : city) cells.insert(place.cell);
  std::map<int, int> knights;
  for (const PlacedFigure& figure : figures_) {
    const bool knight = city.count({figure.cell, figure.segment}) && Strength(figure.kind) > 0;
    if (knight) ++knights[figure.player];
  }
  for (const auto& [player, count] : knights) {
    Gain(player, count * static_cast<int>(cells.size()), "gingerbread", events);
  }
}

bool SlowScorer::HasOtherOpenCity(const std::set<Place>& not_this) const {
  for (const auto& [cell, tile] : board_) {
    for (int segment = 0; segment < static_cast<int>(TypeAt(cell).segments.size()); ++segment) {
      if (At({cell, segment}).kind != SegmentKind::kCity || not_this.count({cell, segment}))
        continue;
      if (!Complete(FeatureOf({cell, segment}))) return true;
    }
  }
  return false;
}

// Scores and sends home what is complete and of this kind.
std::vector<SlowScorer::Event> SlowScorer::ScoreAll(SegmentKind kind,
                                                    const std::set<std::set<Place>>& complete) {
  std::vector<Event> events;
  for (const std::set<Place>& feature : complete) {
    if (At(*feature.begin()).kind != kind) continue;
    for (const int player : Majority(CountsOn(feature))) {
      int points = Points(feature, true);
      for (const PlacedFigure& figure : figures_) {
        if (figure.kind == FigureKind::kProphet && figure.player == player &&
            feature.count({figure.cell, figure.segment})) {
          points *= 2;
        }
      }
      Gain(player, points, KindOf(feature), &events);
    }
    figures_.erase(std::remove_if(figures_.begin(), figures_.end(),
                                  [&](const PlacedFigure& f) {
                                    return feature.count({f.cell, f.segment}) > 0;
                                  }),
                   figures_.end());
  }
  return events;
}

std::vector<SlowScorer::Event> SlowScorer::Play(const Turn& turn) {
  std::vector<Event> events;
  if (turn.set_aside) return events;
  if (turn.table) table_ = turn.table;
  if (turn.purchase) {
    Gain(turn.player, -turn.purchase->points, "tile.bought", &events);
    Gain(turn.purchase->seller, turn.purchase->points, "tile.sold", &events);
  }
  const auto add = [&](const std::vector<Event>& more) {
    events.insert(events.end(), more.begin(), more.end());
  };
  const auto is_complete = [&](const Place& place) { return Complete(FeatureOf(place)); };
  // Cities that were complete before, to tell which this tile completes.
  std::set<Place> before;
  const bool watches_cities = rules_.ark != ArkEdition::kNone || rules_.goods;
  for (const auto& [cell, tile] : board_) {
    for (int i = 0; watches_cities && i < static_cast<int>(TypeAt(cell).segments.size()); ++i) {
      const SegmentKind kind = At({cell, i}).kind;
      if ((kind == SegmentKind::kCity || kind == SegmentKind::kTemple) && is_complete({cell, i})) {
        before.insert({cell, i});
      }
    }
  }
  board_[turn.cell] = {turn.tile, turn.rotation};
  // A builder that is there already, on what the tile goes on with; but not in the second
  // part of a double turn.
  const bool second_part = double_turn_ && last_mover_ == turn.player;
  double_turn_ = false;
  for (int i = 0; i < static_cast<int>(TypeAt(turn.cell).segments.size()) && !second_part; ++i) {
    double_turn_ |= Stands(FigureKind::kBuilder, turn.player, FeatureOf({turn.cell, i}));
  }
  last_mover_ = turn.player;
  if (turn.recall) {
    const auto abbot = std::find_if(figures_.begin(), figures_.end(), [&](const PlacedFigure& f) {
      return f.kind == FigureKind::kAbbot && f.player == turn.player;
    });
    const std::set<Place> feature = {{abbot->cell, abbot->segment}};
    Gain(turn.player, Points(feature, false), KindOf(feature) + ".recall", &events);
    figures_.erase(abbot);
  }
  if (turn.deployment) {
    figures_.push_back({turn.player, turn.deployment->kind, turn.cell, turn.deployment->segment});
  }
  for (const Cell& cell : turn.ark_path) {
    for (const PlacedFigure& figure : figures_) {
      const bool follower = Strength(figure.kind) > 0;
      if (figure.cell == cell && follower) Gain(figure.player, 1, "ark", &events);
    }
  }
  const auto temple_at = [&](Cell cell) {
    const auto& segments = TypeAt(cell).segments;
    return std::any_of(segments.begin(), segments.end(),
                       [](const Segment& s) { return s.kind == SegmentKind::kTemple; });
  };
  if (!turn.ark_path.empty()) {
    ark_ = turn.ark_path.back();
    if (rules_.ark_to_temples && temple_at(*ark_) &&
        (rules_.ark_temple_each_time || !reached_temple_)) {
      Gain(turn.player, 3, "ark.temple", &events);
      reached_temple_ = true;
    }
  }
  // Every feature that is complete and has figures. Farms never are.
  std::set<std::set<Place>> complete;
  for (const PlacedFigure& figure : figures_) {
    const Place place = {figure.cell, figure.segment};
    const SegmentKind kind = At(place).kind;
    if (kind == SegmentKind::kField || kind == SegmentKind::kTemple) continue;
    const std::set<Place> feature = FeatureOf(place);
    if (Complete(feature)) complete.insert(feature);
  }
  const bool he_must_leave = gingerbread_ && is_complete(*gingerbread_);
  if (he_must_leave) PayKnights(&events);
  add(ScoreAll(SegmentKind::kRoad, complete));
  add(ScoreAll(SegmentKind::kMonastery, complete));
  add(ScoreAll(SegmentKind::kGarden, complete));
  const bool cities_first = rules_.ark == ArkEdition::kNone || rules_.temples_after_cities;
  if (cities_first) add(ScoreAll(SegmentKind::kCity, complete));
  std::set<std::set<Place>> new_cities;
  bool first_city = false;
  std::set<Place> paid;
  for (const auto& [cell, tile] : board_) {
    for (int i = 0; watches_cities && i < static_cast<int>(TypeAt(cell).segments.size()); ++i) {
      const SegmentKind kind = At({cell, i}).kind;
      if ((kind != SegmentKind::kCity && kind != SegmentKind::kTemple) || before.count({cell, i}) ||
          !is_complete({cell, i})) {
        continue;
      }
      if (kind == SegmentKind::kCity) new_cities.insert(FeatureOf({cell, i}));
      if (kind != SegmentKind::kTemple) continue;
      const int points = rules_.ark_to_temples && ark_ == cell ? 14 : 7;
      for (const int player : AroundTemple(cell)) Gain(player, points, "temple", &events);
      paid.insert({cell, i});
    }
  }
  // A follower on a temple that is complete has nothing to wait for.
  figures_.erase(
      std::remove_if(figures_.begin(), figures_.end(),
                     [&](const PlacedFigure& f) {
                       return rules_.temple_follower_returns && paid.count({f.cell, f.segment}) > 0;
                     }),
      figures_.end());
  if (!cities_first) add(ScoreAll(SegmentKind::kCity, complete));
  for (const std::set<Place>& city : new_cities) {
    first_city |= rules_.ark != ArkEdition::kNone && !ark_;
    for (const Place& place : city) {
      const Goods goods = At(place).goods;
      if (rules_.goods && goods != Goods::kNone) ++tokens_[turn.player][goods];
    }
  }
  if (first_city) {
    ark_ = turn.ark_landing;
    if (rules_.ark_to_temples) Gain(turn.player, 2, "ark.first", &events);
  }
  if (rules_.gingerbread) {
    const bool symbol = tiles_->types()[static_cast<std::size_t>(turn.tile)].gingerbread;
    std::size_t next = 0;
    if (he_must_leave) {
      if (HasOtherOpenCity(FeatureOf(*gingerbread_))) {
        gingerbread_ = turn.gingerbread.at(next++);
      } else {
        gingerbread_.reset();
      }
    }
    const bool moved = next > 0;
    if (symbol && (!moved || rules_.gingerbread_moves_twice)) {
      const std::set<Place> here = gingerbread_ ? FeatureOf(*gingerbread_) : std::set<Place>{};
      if (HasOtherOpenCity(here)) {
        if (gingerbread_) PayKnights(&events);
        gingerbread_ = turn.gingerbread.at(next);
      }
    }
  }
  std::sort(events.begin(), events.end());
  return events;
}

std::set<std::set<SlowScorer::Place>> SlowScorer::CitiesBeside(const std::set<Place>& field) const {
  std::set<std::set<Place>> cities;
  for (const Place& place : field) {
    for (int city = 0; city < 32; ++city) {
      if (!(At(place).cities >> city & 1)) continue;
      const std::set<Place> feature = FeatureOf({place.cell, city});
      if (Complete(feature)) cities.insert(feature);
    }
  }
  return cities;
}

std::vector<SlowScorer::Event> SlowScorer::Final() const {
  std::vector<Event> events;
  for (const Goods goods : kAllGoods) {
    std::map<int, int> counts;
    for (const auto& [player, tokens] : tokens_) {
      if (tokens.count(goods)) counts[player] = tokens.at(goods);
    }
    for (const int player : Majority(counts)) events.emplace_back(player, 10, "goods");
  }
  std::set<std::set<Place>> fields;
  std::set<std::set<Place>> unfinished;
  for (const PlacedFigure& figure : figures_) {
    const std::set<Place> feature = FeatureOf({figure.cell, figure.segment});
    if (KindOf(feature) == "temple") continue;
    (KindOf(feature) == "field" ? fields : unfinished).insert(feature);
  }
  if (rules_.final_incomplete) {
    for (const auto& [cell, tile] : board_) {
      for (const Segment& segment : TypeAt(cell).segments) {
        if (segment.kind != SegmentKind::kTemple || NeighboursOf(cell, false) == 4) continue;
        for (const int player : AroundTemple(cell)) {
          events.emplace_back(player, 3, "temple.incomplete");
        }
      }
    }
    for (const std::set<Place>& feature : unfinished) {
      for (const int player : Majority(CountsOn(feature))) {
        const int points = Points(feature, false);
        if (points > 0) events.emplace_back(player, points, KindOf(feature) + ".incomplete");
      }
    }
  }
  if (rules_.ark != ArkEdition::kNone) {
    for (const std::set<Place>& field : fields) {
      int sheep = 0;
      for (const Place& place : field) sheep += At(place).sheep - At(place).wolves;
      for (const int player : Majority(CountsOn(field))) {
        if (sheep > 0) events.emplace_back(player, 2 * sheep, "field");
      }
    }
    std::sort(events.begin(), events.end());
    return events;
  }
  // With a pig-herd on the farm each city is worth 1 more.
  const auto city_points = [&](const std::set<Place>& field, int points) {
    for (const Place& place : field) {
      if (At(place).pig_herd && rules_.pig_herd) return points + 1;
    }
    return points;
  };
  const auto pig = [&](int player, const std::set<Place>& field) {
    return Stands(FigureKind::kPig, player, field) ? 1 : 0;
  };
  // Farms: pairs of a player and a city, as each edition counts them.
  if (rules_.farm_scoring == FarmScoring::kFirst) {
    std::map<std::set<Place>, std::map<int, int>> farmers;  // around each city
    std::map<std::set<Place>, int> worth;
    std::set<std::pair<std::set<Place>, int>> pigs;  // beside each city, whose
    for (const std::set<Place>& field : fields) {
      for (const std::set<Place>& city : CitiesBeside(field)) {
        for (const auto& [player, count] : CountsOn(field)) {
          farmers[city][player] += count;
          if (pig(player, field)) pigs.insert({city, player});
        }
        worth[city] = std::max(worth[city], city_points(field, 4));
      }
    }
    for (const auto& [city, counts] : farmers) {
      for (const int player : Majority(counts)) {
        const int more = static_cast<int>(pigs.count({city, player}));
        events.emplace_back(player, worth[city] + more, "field");
      }
    }
  } else {
    // By player and city, the most that one of the player's farms gives.
    std::map<std::pair<int, std::set<Place>>, int> once;
    for (const std::set<Place>& field : fields) {
      const auto cities = CitiesBeside(field);
      for (const int player : Majority(CountsOn(field))) {
        if (rules_.farm_scoring == FarmScoring::kThird && !cities.empty()) {
          const int each = city_points(field, 3) + pig(player, field);
          const int points = each * static_cast<int>(cities.size());
          events.emplace_back(player, points, "field");
        }
        for (const std::set<Place>& city : cities) {
          int& points = once[{player, city}];
          points = std::max(points, city_points(field, 3) + pig(player, field));
        }
      }
    }
    if (rules_.farm_scoring == FarmScoring::kSecond) {
      for (const auto& [key, points] : once) events.emplace_back(key.first, points, "field");
    }
  }
  std::sort(events.begin(), events.end());
  return events;
}

}  // namespace tilewarden::engine
