#include "engine/game/rules.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <functional>
#include <system_error>
#include <utility>

#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// Cells from the start tile to the table's edge: more than all tiles of any box in a row.
constexpr int kFarthestEdge = 10000;
// Meeples of a player: a box has 8, one of them on the score track; 12 leaves room for more.
constexpr int kMostFollowers = 12;
// "For 2 to 5 players": the booklets of 2014, Winter and the Ark.
constexpr int kPlayersOfABox = 5;
// Of the special figures of a colour a box has one; whoever has it twice has two.
constexpr int kMostSpecialFigures = 2;
// Tiles in a hand: row 11 plays with three.
constexpr int kLargestHand = 3;

// One option: how its value is read and written as text.
struct TextOption {
  std::string name;
  std::string values;  // what it takes, for messages
  std::string text;    // what it decides
  std::function<bool(Rules&, std::string_view)> set;
  std::function<std::string(const Rules&)> get;
};

bool ParseInt(std::string_view text, int low, int high, int* out) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high) {
    return false;
  }
  *out = value;
  return true;
}

TextOption Flag(std::string name, bool Rules::*field, std::string text) {
  return {std::move(name), "true, false", std::move(text),
          [field](Rules& rules, std::string_view value) {
            if (value != "true" && value != "false") return false;
            rules.*field = value == "true";
            return true;
          },
          [field](const Rules& rules) { return std::string(rules.*field ? "true" : "false"); }};
}

TextOption Number(std::string name, int Rules::*field, int low, int high, std::string text) {
  return {std::move(name), Text(low, " to ", high), std::move(text),
          [=](Rules& rules, std::string_view value) {
            return ParseInt(value, low, high, &(rules.*field));
          },
          [field](const Rules& rules) { return Text(rules.*field); }};
}

// The names stand in the order of the enumeration.
template <typename Enum>
TextOption Choice(std::string name, Enum Rules::*field, std::vector<std::string> names,
                  std::string text) {
  return {std::move(name), JoinText(names, ", "), std::move(text),
          [=](Rules& rules, std::string_view value) {
            for (std::size_t i = 0; i < names.size(); ++i) {
              if (names[i] != value) continue;
              rules.*field = static_cast<Enum>(i);
              return true;
            }
            return false;
          },
          [=](const Rules& rules) { return names[static_cast<std::size_t>(rules.*field)]; }};
}

TextOption Area() {
  return {"area", "none, or west,north,east,south in cells",
          "row 10: the cells that lie on the table",
          [](Rules& rules, std::string_view value) {
            if (value == "none") {
              rules.area.reset();
              return true;
            }
            const std::vector<std::string> parts = SplitText(value, ',');
            std::array<int, 4> v{};
            if (parts.size() != 4) return false;
            for (std::size_t i = 0; i < 4; ++i) {
              if (!ParseInt(parts[i], -kFarthestEdge, kFarthestEdge, &v[i])) return false;
            }
            if (v[0] > v[2] || v[1] > v[3]) return false;
            rules.area = PlayingArea{v[0], v[1], v[2], v[3]};
            return true;
          },
          [](const Rules& rules) -> std::string {
            if (!rules.area) return "none";
            return Text(rules.area->west, ",", rules.area->north, ",", rules.area->east, ",",
                        rules.area->south);
          }};
}

TextOption TwoTileCityPoints() {
  return {"two_tile_city_points", "4, 2",
          "row 3: points for a completed two-tile city; 2 is the old tournament rule, plus 1 for "
          "each coat of arms",
          [](Rules& rules, std::string_view value) {
            if (value != "2" && value != "4") return false;
            rules.two_tile_city_points = value == "2" ? 2 : 4;
            return true;
          },
          [](const Rules& rules) { return Text(rules.two_tile_city_points); }};
}

// What an edition of the Ark sets besides itself.
void ApplyEdition(ArkEdition edition, Rules* rules) {
  rules->ark = edition;
  // The document tells of the second edition alone that it counts tiles.
  rules->final_by_segment = edition == ArkEdition::kFirst || edition == ArkEdition::kGerman;
  rules->cities_must_be_filled = edition == ArkEdition::kSecond;
  rules->ark_ends_elsewhere = edition == ArkEdition::kSecond;
  rules->temples_after_cities = edition == ArkEdition::kSecond;
  rules->ark_to_temples = edition == ArkEdition::kGerman;
}

TextOption Ark() {
  TextOption option =
      Choice("ark", &Rules::ark, {"none", "first", "second", "german"},
             "rows 29-35: edition of The Ark of the Covenant, with the options that it brings");
  const auto set = option.set;
  option.set = [set](Rules& rules, std::string_view value) {
    if (!set(rules, value)) return false;
    ApplyEdition(rules.ark, &rules);
    return true;
  };
  return option;
}

TextOption River() {
  TextOption option = Choice("river", &Rules::river, {"official", "strict", "free"},
                             "row 17: which turns of the river are refused");
  const auto set = option.set;
  option.set = [set](Rules& rules, std::string_view value) {
    if (value != "three" && value != "away") return set(rules, value);
    rules.river = RiverTurns::kOfficial;
    (value == "three" ? rules.river_three : rules.river_away) = true;
    return true;
  };
  return option;
}

// In the order of their names, so that "ark" comes before what it sets.
const std::vector<TextOption>& AllOptions() {
  static const auto* const kOptions = new std::vector<TextOption>{
      Flag("abbot", &Rules::abbot, "rows 13-15: each player has an abbot"),
      Area(),
      Ark(),
      Flag("ark_ends_elsewhere", &Rules::ark_ends_elsewhere,
           "row 31: the Ark may not end its move where it began"),
      Flag("ark_temple_each_time", &Rules::ark_temple_each_time,
           "row 34: reaching a temple pays each time, not once"),
      Flag("ark_to_temples", &Rules::ark_to_temples,
           "row 34: German edition: a follower may stand on a temple, and the Ark moves towards "
           "one"),
      Choice("board_shift", &Rules::board_shift, {"refused", "allowed", "second_table"},
             "row 10: at the table's edge all tiles may be shifted, or a second table helps"),
      Number("builders", &Rules::builders, 0, kMostSpecialFigures,
             "row 39: builders per player; one gives a double turn where its feature grows"),
      Flag("bushes_end_roads", &Rules::bushes_end_roads,
           "row 9: bushes end a road as houses do; house rule: the road continues through them"),
      Flag("cathedrals", &Rules::cathedrals,
           "row 37: a city with a cathedral pays 3 for each tile and coat of arms, and nothing "
           "unfinished"),
      Flag("cities_must_be_filled", &Rules::cities_must_be_filled,
           "row 6: a city with an empty cell inside is not complete"),
      Flag("draw_at_end", &Rules::draw_at_end,
           "row 11, house rule: the next tile is drawn at the end of the turn"),
      Flag("ends_when_none_fits", &Rules::ends_when_none_fits,
           "row 8: the game also ends when no tile left can be laid"),
      Flag("enforce_counts", &Rules::enforce_counts,
           "no more copies of a tile may be laid than the box holds"),
      Choice("farm_scoring", &Rules::farm_scoring, {"third", "second", "first"},
             "row 4: 3 per completed city for each field; each city once per player; 4 per city to "
             "the most "
             "farmers around it"),
      Flag("farmers", &Rules::farmers, "row 7: farmers play; leave them out of a first game"),
      Flag("final_by_segment", &Rules::final_by_segment,
           "row 5: unfinished features score by segment, not by tile"),
      Flag("final_incomplete", &Rules::final_incomplete,
           "rows 5, 11: unfinished features score at the end"),
      Choice("first_player", &Rules::first_player,
             {"free", "youngest", "youngest_decides", "last_read"},
             "row 1: who begins; at the table, whoever lays the first tile"),
      Number("followers", &Rules::followers, 1, kMostFollowers, "row 7: meeples per player"),
      Flag("fork_by_youngest", &Rules::fork_by_youngest,
           "row 19: the youngest lays the river's fork, not the first player"),
      Flag("gingerbread", &Rules::gingerbread, "row 25: the Gingerbread Man plays"),
      Flag("gingerbread_moves_first", &Rules::gingerbread_moves_first,
           "row 26: he moves before the city that he leaves scores, not after"),
      Flag("gingerbread_moves_twice", &Rules::gingerbread_moves_twice,
           "row 27: a symbol tile that completes his city moves him twice"),
      Flag("gingerbread_next_city", &Rules::gingerbread_next_city,
           "row 28, house rule: beside the board he waits for the next open city"),
      Flag("gingerbread_to_new_tile", &Rules::gingerbread_to_new_tile,
           "row 28: a city on the tile just laid may be his target"),
      Flag("goods", &Rules::goods,
           "row 41: whoever completes a city takes its goods; most of a kind pay 10 at the end"),
      Number("hand", &Rules::hand, 1, kLargestHand,
             "row 11, house rule: tiles in each player's hand"),
      Flag("hole_extra_turn", &Rules::hole_extra_turn,
           "row 11, house rule: whoever fills a hole takes another turn"),
      Flag("inns", &Rules::inns, "rows 22, 24, 36: inns on roads count"),
      Flag("lakes_mixed", &Rules::lakes_mixed,
           "row 23, house rule: the lakes are shuffled in with the river's tiles"),
      Number("large_followers", &Rules::large_followers, 0, kMostSpecialFigures,
             "row 38: large followers per player; one counts as two followers"),
      Number("max_players", &Rules::max_players, 2, kMaxPlayers,
             "rows 7, 42: how many can play; a box has five colours, six with Inns & Cathedrals"),
      Flag("one_lake", &Rules::one_lake, "row 23, house rule: only one lake is played with"),
      Flag("pig_herd", &Rules::pig_herd, "row 22: a pig-herd adds 1 per city to its field, once"),
      Number("pigs", &Rules::pigs, 0, kMostSpecialFigures,
             "row 40: pigs per player; with one a farm pays its owner 1 more for each city"),
      Flag("recall_needs_meeple", &Rules::recall_needs_meeple,
           "row 13: recalling the abbot needs a meeple in the supply (older wording)"),
      River(),
      Flag("river_away", &Rules::river_away,
           "row 17: the river may not curve towards river that lies already"),
      Flag("river_in_two_stacks", &Rules::river_in_two_stacks,
           "row 23, house rule: the river's tiles are two stacks, the fork in the upper one, a "
           "second source in the lower one"),
      Flag("river_meeples", &Rules::river_meeples,
           "row 23: meeples may be placed before the river is complete"),
      Flag("river_shuffled", &Rules::river_shuffled,
           "row 23, house rule: source, fork and lake are shuffled in"),
      Choice("river_start", &Rules::river_start, {"source", "lake", "fork"},
             "row 23, house rule: the river is laid backwards, or from its fork"),
      Flag("river_three", &Rules::river_three,
           "row 17: the river may not turn three times in the same direction"),
      Flag("river_to_middle", &Rules::river_to_middle,
           "row 23, house rule: the complete river may be moved to the middle of the table"),
      Flag("several_sources", &Rules::several_sources,
           "row 23, house rule: River I and II together keep both sources"),
      Flag("source_counts_once", &Rules::source_counts_once,
           "row 19: a double-sized source counts as one tile, not two"),
      Flag("start_tile_mixed", &Rules::start_tile_mixed,
           "rows 11, 16, house rule: the start tile is in the bag, or among the river's tiles"),
      Flag("table_edge_completes", &Rules::table_edge_completes,
           "row 10, house rule: the table's edge completes what runs into it"),
      Flag("temple_follower_returns", &Rules::temple_follower_returns,
           "row 34: a follower on a temple comes home when it is complete"),
      Flag("temples_after_cities", &Rules::temples_after_cities,
           "row 33: roads and cities score before a temple, not only roads"),
      Flag("tile_buying", &Rules::tile_buying,
           "row 11, house rule: the only tile that completes a feature may be bought"),
      TwoTileCityPoints(),
      Flag("unplaceable_returns", &Rules::unplaceable_returns,
           "row 2: a tile that fits nowhere goes back to the bag, not out of the game"),
      Flag("volcano_lake", &Rules::volcano_lake,
           "row 20: no meeple on the lake with the volcano, and another turn"),
  };
  return *kOptions;
}

}  // namespace

std::vector<std::string> Rules::PresetNames() {
  return {"c1", "c2", "c3", "winter", "ark-1", "ark-2", "ark-de"};
}

absl::StatusOr<Rules> Rules::Preset(std::string_view name) {
  Rules rules;
  if (name == "c1" || name == "c2" || name == "c3") {
    // One page tells all rivers' rules (The River, "Placing a tile").
    rules.river_away = rules.river_three = true;
  }
  if (name == "c1") {
    rules.final_by_segment = true;
    rules.ends_when_none_fits = false;
  } else if (name == "c2" || name == "c3") {
    rules.first_player = FirstPlayer::kYoungest;
    if (name == "c2") rules.max_players = kPlayersOfABox;
  } else if (name == "winter") {
    rules.first_player = FirstPlayer::kYoungestDecides;
    rules.ends_when_none_fits = false;
    rules.max_players = kPlayersOfABox;
    // Steps 6b and 7a of the order of play, without an exception.
    rules.gingerbread_moves_twice = true;
  } else if (name == "ark-1" || name == "ark-2" || name == "ark-de") {
    ApplyEdition(name == "ark-1"   ? ArkEdition::kFirst
                 : name == "ark-2" ? ArkEdition::kSecond
                                   : ArkEdition::kGerman,
                 &rules);
    rules.first_player = FirstPlayer::kLastRead;
    rules.max_players = kPlayersOfABox;
    rules.ends_when_none_fits = false;
  } else {
    return absl::InvalidArgumentError(
        Text("no preset \"", name, "\"; there are: ", JoinText(PresetNames(), ", ")));
  }
  return rules;
}

absl::Status Rules::Set(std::string_view name, std::string_view value) {
  std::vector<std::string> names;
  for (const TextOption& option : AllOptions()) {
    names.push_back(option.name);
    if (option.name != name) continue;
    if (option.set(*this, value)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        Text("option ", name, " cannot be \"", value, "\"; it takes: ", option.values));
  }
  return absl::InvalidArgumentError(
      Text("no option \"", name, "\"; there are: ", JoinText(names, ", ")));
}

std::map<std::string, std::string> Rules::ToMap() const {
  std::map<std::string, std::string> out;
  for (const TextOption& option : AllOptions()) out[option.name] = option.get(*this);
  return out;
}

std::vector<Rules::Option> Rules::Options() {
  std::vector<Rules::Option> out;
  for (const auto& option : AllOptions()) out.push_back({option.name, option.values, option.text});
  return out;
}

std::map<std::string, std::string> OptionsToSet(const Rules& from, const Rules& to) {
  const std::map<std::string, std::string> wanted = to.ToMap();
  std::map<std::string, std::string> out;
  // What an option sets besides itself may have to be set again.
  for (Rules now = from; now != to;) {
    const std::map<std::string, std::string> had = now.ToMap();
    const std::size_t before = out.size();
    for (const auto& [name, value] : wanted) {
      if (had.at(name) != value) out[name] = value;
    }
    if (out.size() == before) break;
    now = from;
    for (const auto& [name, value] : out) {
      if (!now.Set(name, value).ok()) break;
    }
  }
  return out;
}

}  // namespace tilewarden::engine
