#include "engine/tiles/tile_set_file.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include "engine/tiles/text.h"
#include "engine/tiles/toml_fields.h"

namespace tilewarden::engine {
namespace {

// The first line with a letter beyond ASCII outside of comments, or with a text
// of several lines; 0: none. No tile set needs either, and the parser's
// behaviour is undefined on most such letters.
int LineToRefuse(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::size_t i = text.substr(0, 3) == kByteOrderMark ? 3 : 0;
  int line = 1;
  char quote = 0;
  for (bool comment = false; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      ++line;
      quote = 0;
      comment = false;
    } else if (comment) {
      continue;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return line;
    } else if (quote != 0) {
      const bool escape = c == '\\' && quote == '"';
      if (escape && (text.substr(i + 1, 1) == "\"" || text.substr(i + 1, 1) == "\\")) ++i;
      if (c == quote) quote = 0;
    } else if (c == '#') {
      comment = true;
    } else if (c == '"' || c == '\'') {
      if (text.substr(i, 3) == std::string(3, c)) return line;
      quote = c;
    }
  }
  return 0;
}

// Reads one file.
class Reader : private TomlFields {
 public:
  explicit Reader(const std::filesystem::path& path) : TomlFields(path) {}

  absl::StatusOr<TileSetFile> Read(std::string_view text) {
    if (const int line = LineToRefuse(text); line > 0) {
      return absl::InvalidArgumentError(
          Text(path_.string(), ":", line,
               ": letters beyond ASCII stand in comments only (in texts, as \\u00e9), and a "
               "text ends on its line"));
    }
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) {
      return absl::InvalidArgumentError(Text(path_.string(), ":",
                                             parsed.error().source().begin.line, ": ",
                                             parsed.error().description()));
    }
    const toml::table& root = parsed.table();
    TileSetFile file;
    file.path = path_;
    AllowOnly(root, {"format", "correction", "set", "tile"});
    if (Integer(root, "format", 0, 0, 1000) != 1) Fail(root, "format must be 1");
    file.correction = Boolean(root, "correction");
    for (const toml::table* table : Tables(root, "set")) file.sets.push_back(ReadSet(*table));
    for (const toml::table* table : Tables(root, "tile")) file.tiles.push_back(ReadTile(*table));
    std::set<std::string> ids;
    for (const TileType& tile : file.tiles) {
      if (!ids.insert(tile.id).second) Fail(root, Text("tile ", tile.id, " comes twice"));
    }
    if (!status_.ok()) return status_;
    return file;
  }

 private:
  TileSetFile::Set ReadSet(const toml::table& table) {
    TileSetFile::Set set;
    context_.clear();
    set.where = Text(path_.filename().string(), ":", table.source().begin.line);
    set.id = String(table, "id", true);
    context_ = Text("set ", set.id);
    AllowOnly(table, {"id", "name", "start", "beside_start", "replaces_start", "second", "last",
                      "bushes", "total", "tiles"});
    set.name = String(table, "name", true);
    set.start = String(table, "start", false);
    set.replaces_start = Boolean(table, "replaces_start");
    const int total = Integer(table, "total", 0, 1, 10000);
    const toml::node* tiles = table.get("tiles");
    if (tiles == nullptr || !tiles->is_array()) {
      Fail(table, "\"tiles\" must list pairs of tile and count");
      return set;
    }
    int sum = 0;
    std::set<std::string> seen;
    for (const toml::node& entry : *tiles->as_array()) {
      const toml::array* pair = entry.as_array();
      const auto id = pair && pair->size() == 2 ? (*pair)[0].value_exact<std::string>()
                                                : std::optional<std::string>();
      const auto count = pair && pair->size() == 2 ? (*pair)[1].value_exact<std::int64_t>()
                                                   : std::optional<std::int64_t>();
      if (!id || !count || *count < 1 || *count > 1000) {
        Fail(entry, "\"tiles\" must list pairs of tile and count, as in [\"B.A\", 2]");
        return set;
      }
      if (!seen.insert(*id).second) Fail(entry, Text("tile ", *id, " is counted twice"));
      sum += static_cast<int>(*count);
      set.tiles.emplace_back(*id, static_cast<int>(*count));
    }
    if (sum != total) {
      Fail(*tiles, Text("the counts sum to ", sum, ", but total says ", total));
    }
    const auto among = [&](const std::string& id, std::string_view what) {
      if (!seen.count(id)) Fail(table, Text(what, " tile ", id, " is not among the tiles"));
    };
    if (!set.start.empty()) among(set.start, "start");
    set.second = String(table, "second", false);
    if (!set.second.empty()) among(set.second, "second");
    const auto list = [&](std::string_view key, std::vector<std::string>* out) {
      const toml::node* node = table.get(key);
      if (node == nullptr) return;
      const toml::array* ids = node->as_array();
      if (ids == nullptr) Fail(*node, Text("\"", key, "\" must be a list of tiles"));
      for (std::size_t i = 0; ids != nullptr && i < ids->size(); ++i) {
        out->push_back((*ids)[i].value_or(std::string()));
        among(out->back(), key);
      }
    };
    list("last", &set.last);
    list("bushes", &set.bushes);
    for (const toml::table* beside : Tables(table, "beside_start")) {
      AllowOnly(*beside, {"tile", "x", "y", "rotation"});
      TileSetFile::Set::Beside tile;
      tile.tile = String(*beside, "tile", true);
      among(tile.tile, "beside_start");
      tile.cell = {Integer(*beside, "x", 0, -9, 9), Integer(*beside, "y", 0, -9, 9)};
      tile.rotation = Integer(*beside, "rotation", 0, 0, 3);
      set.beside_start.push_back(tile);
    }
    return set;
  }

  TileType ReadTile(const toml::table& table) {
    TileType tile;
    context_.clear();
    tile.id = String(table, "id", true);
    context_ = Text("tile ", tile.id);
    AllowOnly(table,
              {"id", "edges", "upright", "variant_of", "assumed", "gingerbread", "segments"});
    const std::string edges = String(table, "edges", true);
    if (edges.size() == 4) {
      for (std::size_t i = 0; i < 4; ++i) tile.edges[i] = edges[i];
    } else {
      Fail(table, "\"edges\" must be four letters clockwise from north");
    }
    tile.upright = Integer(table, "upright", 0, 0, 3);
    tile.variant_of = String(table, "variant_of", false);
    tile.assumed = Boolean(table, "assumed");
    tile.gingerbread = Boolean(table, "gingerbread");
    for (const toml::table* segment : Tables(table, "segments")) {
      tile.segments.push_back(ReadSegment(*segment));
    }
    if (status_.ok()) {
      if (absl::Status status = CheckTile(tile); !status.ok())
        Fail(table, std::string(status.message()));
    }
    return tile;
  }

  Segment ReadSegment(const toml::table& table) {
    Segment segment;
    AllowOnly(table,
              {"city",    "road",          "river", "field",  "monastery", "garden",  "temple",
               "borders", "coats_of_arms", "end",   "role",   "inn",       "volcano", "pig_herd",
               "oases",   "scrolls",       "sheep", "wolves", "cathedral", "goods",   "spot"});
    int kinds = 0;
    for (const SegmentKind kind :
         {SegmentKind::kCity, SegmentKind::kRoad, SegmentKind::kRiver, SegmentKind::kField,
          SegmentKind::kMonastery, SegmentKind::kGarden, SegmentKind::kTemple}) {
      const toml::node* node = table.get(ToString(kind));
      if (node == nullptr) continue;
      ++kinds;
      segment.kind = kind;
      if (kind == SegmentKind::kField) {
        segment.half_edges = static_cast<std::uint8_t>(Bits(*node, "field", 8));
      } else if (kind == SegmentKind::kCity || kind == SegmentKind::kRoad ||
                 kind == SegmentKind::kRiver) {
        segment.sides = Sides(*node, ToString(kind));
      } else if (node->value_exact<bool>() != true) {
        Fail(*node, Text("\"", ToString(kind), "\" must be true"));
      }
    }
    if (kinds != 1) Fail(table, "a segment is of exactly one kind");
    if (const toml::node* node = table.get("borders")) segment.cities = Bits(*node, "borders", 16);
    segment.coats_of_arms = Integer(table, "coats_of_arms", 0, 1, 4);
    if (segment.coats_of_arms > 0) Only(table, "coats_of_arms", segment, SegmentKind::kCity);
    segment.scrolls = Integer(table, "scrolls", 0, 1, 4);
    if (segment.scrolls > 0) Only(table, "scrolls", segment, SegmentKind::kCity);
    segment.oases = Integer(table, "oases", 0, 1, 4);
    if (segment.oases > 0) Only(table, "oases", segment, SegmentKind::kRoad);
    segment.sheep = Integer(table, "sheep", 0, 1, 9);
    if (segment.sheep > 0) Only(table, "sheep", segment, SegmentKind::kField);
    segment.wolves = Integer(table, "wolves", 0, 1, 9);
    if (segment.wolves > 0) Only(table, "wolves", segment, SegmentKind::kField);
    segment.inn = Boolean(table, "inn");
    if (segment.inn) Only(table, "inn", segment, SegmentKind::kRoad);
    segment.cathedral = Boolean(table, "cathedral");
    if (segment.cathedral) Only(table, "cathedral", segment, SegmentKind::kCity);
    segment.volcano = Boolean(table, "volcano");
    if (segment.volcano) Only(table, "volcano", segment, SegmentKind::kRiver);
    segment.pig_herd = Boolean(table, "pig_herd");
    if (segment.pig_herd) Only(table, "pig_herd", segment, SegmentKind::kField);
    if (const toml::node* node = table.get("spot")) segment.spot = Spot(*node);
    if (const toml::node* node = table.get("end")) {
      Only(table, "end", segment, SegmentKind::kRoad);
      const std::string end = node->value_or(std::string());
      if (end == "village") segment.road_end = RoadEnd::kVillage;
      if (end == "monastery") segment.road_end = RoadEnd::kMonastery;
      if (end == "city") segment.road_end = RoadEnd::kCity;
      if (end == "inside") segment.road_end = RoadEnd::kInside;
      if (end == "temple") segment.road_end = RoadEnd::kTemple;
      if (end == "bushes") segment.road_end = RoadEnd::kBushes;
      if (segment.road_end == RoadEnd::kNone) {
        Fail(*node, "\"end\" must be village, bushes, monastery, city, temple or inside");
      }
    }
    if (const toml::node* node = table.get("goods")) {
      Only(table, "goods", segment, SegmentKind::kCity);
      for (const Goods goods : kAllGoods) {
        if (node->value_or(std::string()) == ToString(goods)) segment.goods = goods;
      }
      if (segment.goods == Goods::kNone) Fail(*node, "\"goods\" must be wine, grain or cloth");
    }
    if (const toml::node* node = table.get("role")) {
      Only(table, "role", segment, SegmentKind::kRiver);
      const std::string role = node->value_or(std::string());
      if (role == "source") segment.river_role = RiverRole::kSource;
      if (role == "lake") segment.river_role = RiverRole::kLake;
      if (role == "fork") segment.river_role = RiverRole::kFork;
      if (segment.river_role == RiverRole::kNone) {
        Fail(*node, "\"role\" must be source, lake or fork");
      }
    }
    return segment;
  }

  void Only(const toml::table& table, std::string_view key, const Segment& segment,
            SegmentKind kind) {
    if (segment.kind != kind) {
      Fail(table,
           Text("\"", key, "\" is for a ", ToString(kind), ", not a ", ToString(segment.kind)));
    }
  }
};

}  // namespace

absl::StatusOr<TileSetFile> ParseTileSetFile(std::string_view text,
                                             const std::filesystem::path& path) {
  return Reader(path).Read(text);
}

absl::StatusOr<TileSetFile> ReadTileSetFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return absl::NotFoundError(Text("cannot read ", path.string()));
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return ParseTileSetFile(text, path);
}

}  // namespace tilewarden::engine
