// Rule differences between editions and printings, as named options with the
// edition's default. Values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tilewarden::engine {

enum class FarmScoring { kThird, kSecond, kFirst };

// The cells that lie on the table, both corners included.
struct PlayingArea {
  int west = 0, north = 0, east = 0, south = 0;
  friend bool operator==(const PlayingArea&, const PlayingArea&) = default;
};

struct Rules {
  bool farmers = true;
  FarmScoring farm_scoring = FarmScoring::kThird;
  int two_tile_city_points = 4;
  int followers = 7;
  bool abbot = false;
  // Unfinished features score at the end.
  bool final_incomplete = true;
  // No more copies of a tile may be laid than the box holds. Off where a board
  // is set up by hand, and for the live table: what lies there, lies there.
  bool enforce_counts = false;
  // The table's edge limits placement; absent: the table is large enough.
  std::optional<PlayingArea> area;

  // c1, c2, c3, winter, ... INVALID_ARGUMENT: unknown; the message lists them.
  static absl::StatusOr<Rules> Preset(std::string_view name);
  static std::vector<std::string> PresetNames();
  // Sets one option by name ("two_tile_city_points", "2").
  // INVALID_ARGUMENT: unknown name or value; the message lists what there is.
  absl::Status Set(std::string_view name, std::string_view value);
  // Every option with its value, as Set takes them.
  std::map<std::string, std::string> ToMap() const;

  friend bool operator==(const Rules&, const Rules&) = default;
};

}  // namespace tilewarden::engine
