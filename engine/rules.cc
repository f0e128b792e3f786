#include "engine/rules.h"

#include <array>
#include <charconv>
#include <functional>
#include <system_error>
#include <utility>

#include "engine/text.h"

namespace tilewarden::engine {
namespace {

// One option: how its value is read and written as text.
struct Option {
  std::string name;
  std::string values;  // what it takes, for messages
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

Option Flag(std::string name, bool Rules::*field) {
  return {std::move(name), "true, false",
          [field](Rules& rules, std::string_view value) {
            if (value != "true" && value != "false") return false;
            rules.*field = value == "true";
            return true;
          },
          [field](const Rules& rules) { return std::string(rules.*field ? "true" : "false"); }};
}

Option Number(std::string name, int Rules::*field, int low, int high) {
  return {std::move(name), Text(low, " to ", high),
          [=](Rules& rules, std::string_view value) {
            return ParseInt(value, low, high, &(rules.*field));
          },
          [field](const Rules& rules) { return Text(rules.*field); }};
}

// The names stand in the order of the enumeration.
template <typename Enum>
Option Choice(std::string name, Enum Rules::*field, std::vector<std::string> names) {
  return {std::move(name), JoinText(names, ", "),
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

Option Area() {
  return {"area", "none, or west,north,east,south in cells",
          [](Rules& rules, std::string_view value) {
            if (value == "none") {
              rules.area.reset();
              return true;
            }
            const std::vector<std::string> parts = SplitText(value, ',');
            std::array<int, 4> v{};
            if (parts.size() != 4) return false;
            for (std::size_t i = 0; i < 4; ++i) {
              if (!ParseInt(parts[i], -10000, 10000, &v[i])) return false;
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

Option TwoTileCityPoints() {
  return {"two_tile_city_points", "4, 2",
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
  rules->final_by_segment = edition == ArkEdition::kFirst;
  rules->cities_must_be_filled = edition == ArkEdition::kSecond;
  rules->ark_ends_elsewhere = edition == ArkEdition::kSecond;
  rules->temples_after_cities = edition == ArkEdition::kSecond;
  rules->ark_to_temples = edition == ArkEdition::kGerman;
}

Option Ark() {
  Option option = Choice("ark", &Rules::ark, {"none", "first", "second", "german"});
  const auto set = option.set;
  option.set = [set](Rules& rules, std::string_view value) {
    if (!set(rules, value)) return false;
    ApplyEdition(rules.ark, &rules);
    return true;
  };
  return option;
}

// In the order of their names, so that "ark" comes before what it sets.
const std::vector<Option>& Options() {
  static const auto* const kOptions = new std::vector<Option>{
      Flag("abbot", &Rules::abbot),
      Area(),
      Ark(),
      Flag("ark_ends_elsewhere", &Rules::ark_ends_elsewhere),
      Flag("ark_temple_each_time", &Rules::ark_temple_each_time),
      Flag("ark_to_temples", &Rules::ark_to_temples),
      Flag("cities_must_be_filled", &Rules::cities_must_be_filled),
      Flag("enforce_counts", &Rules::enforce_counts),
      Choice("farm_scoring", &Rules::farm_scoring, {"third", "second", "first"}),
      Flag("farmers", &Rules::farmers),
      Flag("final_by_segment", &Rules::final_by_segment),
      Flag("final_incomplete", &Rules::final_incomplete),
      Number("followers", &Rules::followers, 1, 12),
      Flag("gingerbread", &Rules::gingerbread),
      Flag("gingerbread_moves_twice", &Rules::gingerbread_moves_twice),
      Flag("gingerbread_next_city", &Rules::gingerbread_next_city),
      Flag("gingerbread_to_new_tile", &Rules::gingerbread_to_new_tile),
      Flag("hole_extra_turn", &Rules::hole_extra_turn),
      Flag("inns", &Rules::inns),
      Flag("pig_herd", &Rules::pig_herd),
      Flag("recall_needs_meeple", &Rules::recall_needs_meeple),
      Choice("river", &Rules::river, {"official", "strict", "three", "away", "free"}),
      Flag("river_meeples", &Rules::river_meeples),
      Flag("river_shuffled", &Rules::river_shuffled),
      Flag("start_tile_mixed", &Rules::start_tile_mixed),
      Flag("table_edge_completes", &Rules::table_edge_completes),
      Flag("temples_after_cities", &Rules::temples_after_cities),
      TwoTileCityPoints(),
      Flag("unplaceable_returns", &Rules::unplaceable_returns),
      Flag("volcano_lake", &Rules::volcano_lake),
  };
  return *kOptions;
}

}  // namespace

std::vector<std::string> Rules::PresetNames() {
  return {"c1", "c2", "c3", "winter", "ark-1", "ark-2", "ark-de"};
}

absl::StatusOr<Rules> Rules::Preset(std::string_view name) {
  Rules rules;
  if (name == "c1") {
    rules.final_by_segment = true;
  } else if (name == "ark-1") {
    ApplyEdition(ArkEdition::kFirst, &rules);
  } else if (name == "ark-2") {
    ApplyEdition(ArkEdition::kSecond, &rules);
  } else if (name == "ark-de") {
    ApplyEdition(ArkEdition::kGerman, &rules);
  } else if (name != "c2" && name != "c3" && name != "winter") {
    return absl::InvalidArgumentError(
        Text("no preset \"", name, "\"; there are: ", JoinText(PresetNames(), ", ")));
  }
  return rules;
}

absl::Status Rules::Set(std::string_view name, std::string_view value) {
  std::vector<std::string> names;
  for (const Option& option : Options()) {
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
  for (const Option& option : Options()) out[option.name] = option.get(*this);
  return out;
}

}  // namespace tilewarden::engine
