// Tile types and tile sets: the facts of a printed edition, loaded from data
// files (engine/tilesets/*.toml, schema in engine/tilesets/README.md) and
// checked at load. Values; safe to share between threads once loaded.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/tiles/grid.h"

namespace tilewarden::engine {

enum class SegmentKind : std::uint8_t {
  kCity,
  kRoad,
  kField,
  kRiver,
  kMonastery,
  kGarden,
  kTemple
};
inline constexpr int kSegmentKinds = 7;

// "city", "road", ... as the rule books say.
std::string_view ToString(SegmentKind kind);

// Where a road that ends on its tile ends.
enum class RoadEnd : std::uint8_t { kNone, kVillage, kMonastery, kCity, kInside, kTemple, kBushes };

enum class RiverRole : std::uint8_t { kNone, kSource, kLake, kFork };

// What a city trades in (Traders & Builders).
enum class Goods : std::uint8_t { kNone, kWine, kGrain, kCloth };
inline constexpr std::array<Goods, 3> kAllGoods = {Goods::kWine, Goods::kGrain, Goods::kCloth};

// "wine", "grain", "cloth"; nothing for kNone.
std::string_view ToString(Goods goods);

// One connected part of a tile, in canonical orientation.
struct Segment {
  SegmentKind kind = SegmentKind::kField;
  // Bit i: touches side i (cities, roads, rivers).
  std::uint8_t sides = 0;
  // Bit i: touches half-edge i (fields).
  std::uint8_t half_edges = 0;
  // Bit i: this field borders the city that is segment i (fields).
  std::uint32_t cities = 0;
  int coats_of_arms = 0;
  RoadEnd road_end = RoadEnd::kNone;
  RiverRole river_role = RiverRole::kNone;
  // Marks that only some rules see.
  bool inn = false, volcano = false, pig_herd = false, cathedral = false;
  Goods goods = Goods::kNone;
  int oases = 0, scrolls = 0, sheep = 0, wolves = 0;
  // Where a figure stands, when an owner says so; else tile_layout finds a place.
  std::optional<Point> spot{};

  friend bool operator==(const Segment&, const Segment&) = default;
};

struct TileType {
  // As in the rule documents: "B.A" ... "B.X", "B.Eg", "R1.B".
  std::string id;
  // Clockwise from north: c city, f field, r road, s river.
  std::array<char, 4> edges{};
  std::vector<Segment> segments;
  // Quarter turns clockwise from canonical to the way the documents print the
  // tile upright: how people lay it out for enrolment.
  int upright = 0;
  // Type that this one is a printed variant of (gardens); empty for none.
  std::string variant_of;
  // No source knows the inside: a sensible assumption that an owner may correct.
  bool assumed = false;
  // Shows the Gingerbread Man's symbol.
  bool gingerbread = false;

  bool HasRiver() const;

  friend bool operator==(const TileType&, const TileType&) = default;
};

struct CompiledTile;
struct TileSetFile;

// An edition's tiles with their counts.
class TileSet {
 public:
  // Loads the set with this id ("base.c1") from the data folder; several that
  // are played together are joined by a plus ("base.c2+river1.c2").
  // NOT_FOUND: no such set; the message lists what there is. INVALID_ARGUMENT:
  // a data file is wrong; the message names file, line and tile. `own`: the
  // owner's corrections and home-made tiles, or null. Blocks on reading files.
  static absl::StatusOr<std::shared_ptr<const TileSet>> Load(
      std::string_view id, const std::filesystem::path& folder = DefaultFolder(),
      const TileSetFile* own = nullptr);

  // From values, with the same checks: for tests, corrections by an owner and
  // files that bring their own tiles. INVALID_ARGUMENT names the tile.
  static absl::StatusOr<std::shared_ptr<const TileSet>> Create(std::string id, std::string name,
                                                               std::vector<TileType> types,
                                                               std::vector<int> counts,
                                                               int start_tile);

  // Where the program's own tile sets lie: $TILEWARDEN_TILESETS, else beside
  // the installed program, else in the source tree it was built from.
  static std::filesystem::path DefaultFolder();
  // Ids of all sets in the folder.
  static absl::StatusOr<std::vector<std::string>> List(
      const std::filesystem::path& folder = DefaultFolder(), const TileSetFile* own = nullptr);

  TileSet();
  ~TileSet();
  TileSet(const TileSet&) = delete;
  TileSet& operator=(const TileSet&) = delete;

  const std::string& id() const { return id_; }
  const std::string& name() const { return name_; }
  // In the order of the documents.
  const std::vector<TileType>& types() const { return types_; }
  // Copies in the box, by index in types().
  const std::vector<int>& counts() const { return counts_; }
  // Index in types(), or -1.
  int Find(std::string_view tile_id) const;
  // Index of the start tile.
  int start_tile() const { return start_tile_; }
  // All tiles in the box; the start tile counts.
  int total() const;
  // Tiles that lie beside the start tile from the beginning (a double-sized
  // start tile is two of ours), as they lie when it is not turned.
  struct StartTile {
    int tile = 0;
    Cell cell;
    int rotation = 0;
  };
  const std::vector<StartTile>& more_start_tiles() const { return more_start_tiles_; }
  // The start tile of the box that a river's source replaces, or -1: one copy
  // of it stays out of the game and is not counted.
  int replaced_start() const { return replaced_start_; }
  // The source that a second river has too, or -1: it stays out of the game
  // and is not counted.
  int spare_source() const { return spare_source_; }
  // The river tile laid right after the source, or -1.
  int second() const { return second_; }
  // The river tiles laid last, in any order.
  const std::vector<int>& last() const { return last_; }

  // The same facts, ready for the board: one per type.
  const std::vector<CompiledTile>& compiled() const { return compiled_; }

 private:
  void LeaveOutRiverWithoutSource();
  static absl::StatusOr<std::shared_ptr<const TileSet>> Finish(std::shared_ptr<TileSet> set);

  std::string id_;
  std::string name_;
  std::vector<TileType> types_;
  std::vector<int> counts_;
  int start_tile_ = 0;
  std::vector<StartTile> more_start_tiles_;
  int replaced_start_ = -1;
  int spare_source_ = -1;
  int second_ = -1;
  std::vector<int> last_;
  std::vector<CompiledTile> compiled_;
};

// Why there can be no such tile type: "edge E is a road, but no road touches it". OK
// when its segments, edges, half-edges and city borders fit together.
absl::Status CheckTile(const TileType& type);

}  // namespace tilewarden::engine
