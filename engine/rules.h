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

// Which turns of the river are refused (The River, "Placing a tile").
enum class RiverTurns {
  kOfficial,  // twice in a row the same way: an immediate U-turn
  kStrict,    // twice the same way, also with straight tiles between
  kThree,     // an immediate U-turn, or three times the same way
  kAway,      // an immediate U-turn, or a curve towards river already laid
  kFree       // none
};

// Editions of The Ark of the Covenant; kNone: not played.
enum class ArkEdition { kNone, kFirst, kSecond, kGerman };

// Rows are those of the rule comparison that engine/README.md explains.
struct Rules {
  // Base game.
  bool farmers = true;                             // row 7
  FarmScoring farm_scoring = FarmScoring::kThird;  // row 4
  int two_tile_city_points = 4;                    // row 3: 4, or 2 plus 1 a coat of arms
  int followers = 7;                               // row 7
  bool final_incomplete = true;                    // rows 5, 11: unfinished features score
  bool final_by_segment = false;                   // row 5: unfinished ones by segment, not tile
  bool cities_must_be_filled = false;              // row 6: no empty cell within
  bool unplaceable_returns = false;                // row 2: a tile that fits nowhere goes back
  std::optional<PlayingArea> area;                 // row 10: the table's edge limits placement
  bool table_edge_completes = false;               // row 10, house: and completes features
  bool hole_extra_turn = false;                    // row 11, house
  bool inns = false;                               // rows 22, 24
  // No more copies of a tile may be laid than the box holds. Off where a board
  // is set up by hand, and for the live table: what lies there, lies there.
  bool enforce_counts = false;

  // The Abbot.
  bool abbot = false;
  bool recall_needs_meeple = false;  // row 13: older wording
  // The River.
  RiverTurns river = RiverTurns::kOfficial;  // row 17
  bool river_meeples = true;                 // row 23, house: none before it is complete
  bool volcano_lake = true;                  // row 20: no meeple, and another turn
  bool pig_herd = false;                     // row 22
  bool start_tile_mixed = false;             // rows 11, 16, house: it is drawn like the others
  bool river_shuffled = false;               // row 23, house: lake and fork too

  // Gingerbread Man.
  bool gingerbread = false;
  bool gingerbread_moves_twice = false;  // row 27: a symbol tile that completes his city
  bool gingerbread_to_new_tile = true;   // row 28: a city on the tile just laid may be his target
  bool gingerbread_next_city = false;    // row 28, house: beside the board he waits for a city

  // The Ark of the Covenant: the edition, and what it sets.
  ArkEdition ark = ArkEdition::kNone;
  bool ark_ends_elsewhere = false;    // row 31: not where it began
  bool temples_after_cities = false;  // row 33: roads and cities score first, not only roads
  bool ark_to_temples = false;        // row 34: a follower may stand on a temple, the first Ark
                                      // pays 2, it moves only towards a temple, reaching one pays
                                      // 3, and on a temple it doubles 7 to 14
  bool ark_temple_each_time = true;   // row 34: reaching a temple pays each time, not once

  // c1, c2, c3, winter, ... INVALID_ARGUMENT: unknown; the message lists them.
  static absl::StatusOr<Rules> Preset(std::string_view name);
  static std::vector<std::string> PresetNames();
  // Sets one option by name ("two_tile_city_points", "2"). "ark" also sets
  // what its edition sets, so set it first.
  // INVALID_ARGUMENT: unknown name or value; the message lists what there is.
  absl::Status Set(std::string_view name, std::string_view value);
  // Every option with its value, as Set takes them.
  std::map<std::string, std::string> ToMap() const;

  friend bool operator==(const Rules&, const Rules&) = default;
};

}  // namespace tilewarden::engine
