// Rule differences between editions and printings, as named options with the
// edition's default. Values.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace tilewarden::engine {

enum class FarmScoring { kThird, kSecond, kFirst };

struct Rules {
  bool farmers = true;
  FarmScoring farm_scoring = FarmScoring::kThird;
  int two_tile_city_points = 4;
  int followers = 7;
  bool abbot = false;
  // Unfinished features score at the end.
  bool final_incomplete = true;

  // c1, c2, c3, winter, ... INVALID_ARGUMENT: unknown; the message lists them.
  static absl::StatusOr<Rules> Preset(std::string_view name);
  // Sets one option by name ("two_tile_city_points", "2").
  // INVALID_ARGUMENT: unknown name or value; the message lists what there is.
  absl::Status Set(std::string_view name, std::string_view value);
  // Every option with its value, as Set takes them.
  std::map<std::string, std::string> ToMap() const;
};

}  // namespace tilewarden::engine
