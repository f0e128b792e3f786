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
#include "engine/tiles/grid.h"

namespace tilewarden::engine {

// The most colours that can play.
inline constexpr int kMaxPlayers = 6;

enum class FarmScoring { kThird, kSecond, kFirst };

// The cells that lie on the table, both corners included.
struct PlayingArea {
  int west = 0, north = 0, east = 0, south = 0;
  friend bool operator==(const PlayingArea&, const PlayingArea&) = default;
};

// Whether a cell lies on the table.
constexpr bool Contains(const PlayingArea& area, Cell cell) {
  return cell.x >= area.west && cell.x <= area.east && cell.y >= area.north && cell.y <= area.south;
}

// Which turns of the river are refused (The River, "Placing a tile").
enum class RiverTurns {
  kOfficial,  // twice in a row the same way: an immediate U-turn
  kStrict,    // twice the same way, also with straight tiles between
  kFree       // none, whatever else is asked for
};

// Editions of The Ark of the Covenant; kNone: not played.
enum class ArkEdition { kNone, kFirst, kSecond, kGerman };

// Who begins. At the table it is whoever lays the first tile.
enum class FirstPlayer { kFree, kYoungest, kYoungestDecides, kLastRead };

// What may happen to a board that has grown to the table's edge.
enum class BoardShift {
  kRefused,      // nothing (HiG on the use of a table)
  kAllowed,      // all tiles may be shifted together
  kSecondTable,  // the table may be made larger
};

// Which tile the river begins with.
enum class RiverStart {
  kSource,
  kLake,  // laid backwards: the source comes last
  kFork,  // three branches; source and lakes come last
};

// Rows are those of the comparison of rules (engine/RULES.md).
struct Rules {
  // Base game.
  FirstPlayer first_player = FirstPlayer::kFree;   // row 1
  bool unplaceable_returns = false;                // row 2: a tile that fits nowhere goes back
  int two_tile_city_points = 4;                    // row 3: 4, or 2 plus 1 a coat of arms
  FarmScoring farm_scoring = FarmScoring::kThird;  // row 4
  bool final_incomplete = true;                    // rows 5, 11: unfinished features score
  bool final_by_segment = false;                   // row 5: unfinished ones by segment, not tile
  bool cities_must_be_filled = false;              // row 6: no empty cell within
  bool farmers = true;                             // row 7
  int followers = 7;                               // row 7: of each player
  int max_players = 6;                             // row 7: colours that play
  bool ends_when_none_fits = true;                 // row 8: not only with the last tile
  bool bushes_end_roads = true;                    // row 9; house: they go on through bushes
  std::optional<PlayingArea> area;                 // row 10: the table's edge limits placement
  bool table_edge_completes = false;               // row 10, house: and completes features
  BoardShift board_shift = BoardShift::kRefused;   // row 10
  int hand = 1;                                    // row 11, house: tiles in each player's hand
  bool draw_at_end = false;                        // row 11, house: the next tile, after the turn
  bool hole_extra_turn = false;                    // row 11, house
  bool tile_buying = false;                        // row 11, house
  bool start_tile_mixed = false;                   // rows 11, 16, house: drawn like the others
  bool inns = false;                               // rows 22, 24, 36
  // No more copies of a tile may be laid than the box holds. Off where a board
  // is set up by hand, and for the live table: what is there counts.
  bool enforce_counts = false;

  // The Abbot.
  bool abbot = false;
  bool recall_needs_meeple = false;  // row 13: older wording
  // The River.
  RiverTurns river = RiverTurns::kOfficial;      // row 17
  bool river_away = false;                       // row 17: nor a curve towards river laid already
  bool river_three = false;                      // row 17: nor three times the same way
  bool fork_by_youngest = false;                 // row 19: not by the first player
  bool source_counts_once = false;               // row 19: a double-sized source is one tile
  bool volcano_lake = true;                      // row 20: no meeple, and another turn
  bool pig_herd = false;                         // row 22
  bool river_meeples = true;                     // row 23, house: none before it is complete
  bool river_shuffled = false;                   // row 23, house: source, fork and lake too
  RiverStart river_start = RiverStart::kSource;  // row 23, house; a double-sized source begins
  bool river_to_middle = false;                  // row 23, house: moved once it is complete
  bool several_sources = false;                  // row 23, house: two rivers keep both
  bool lakes_mixed = false;                      // row 23, house: not last, among the river's tiles
  bool one_lake = false;                         // row 23, house: the others stay out
  bool river_in_two_stacks = false;              // row 23, house: the fork above, a source below

  // Inns & Cathedrals.
  bool cathedrals = false;  // row 37
  int large_followers = 0;  // row 38: of each player
  // Traders & Builders.
  int builders = 0;    // row 39: of each player
  int pigs = 0;        // row 40: of each player
  bool goods = false;  // row 41

  // Gingerbread Man.
  bool gingerbread = false;
  bool gingerbread_moves_first = false;  // row 26: before the city that he leaves scores
  bool gingerbread_moves_twice = false;  // row 27: a symbol tile that completes his city
  bool gingerbread_to_new_tile = true;   // row 28: a city on the tile just laid may be his target
  bool gingerbread_next_city = false;    // row 28, house: beside the board he waits for a city

  // The Ark of the Covenant: the edition, and what it sets.
  ArkEdition ark = ArkEdition::kNone;
  bool ark_ends_elsewhere = false;      // row 31: not where it began
  bool temples_after_cities = false;    // row 33: roads and cities score first, not only roads
  bool ark_to_temples = false;          // row 34: a follower may stand on a temple, the first Ark
                                        // pays 2, it moves only towards a temple, reaching one pays
                                        // 3, and on a temple it doubles 7 to 14
  bool ark_temple_each_time = true;     // row 34: reaching a temple pays each time, not once
  bool temple_follower_returns = true;  // row 34: from a temple that is complete

  // c1, c2, c3, winter, ... INVALID_ARGUMENT: unknown; the message lists them.
  static absl::StatusOr<Rules> Preset(std::string_view name);
  static std::vector<std::string> PresetNames();
  // Sets one option by name ("two_tile_city_points", "2"). "ark" also sets
  // what its edition sets, so set it first. "river" takes "three" and "away" as
  // older games wrote them.
  // INVALID_ARGUMENT: unknown name or value; the message lists what there is.
  absl::Status Set(std::string_view name, std::string_view value);
  // Every option with its value, as Set takes them.
  std::map<std::string, std::string> ToMap() const;
  // Every option by name: the values that it takes, and what it decides.
  struct Option {
    std::string name;
    std::string values;  // "true, false"
    std::string text;    // "row 3: points of a completed city of two tiles, ..."
  };
  static std::vector<Option> Options();

  friend bool operator==(const Rules&, const Rules&) = default;
};

// The options that turn the one into the other, if they are Set in the order of their names.
std::map<std::string, std::string> OptionsToSet(const Rules& from, const Rules& to);

}  // namespace tilewarden::engine
