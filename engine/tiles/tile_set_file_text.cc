// Tile set files as text.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/tiles/text.h"
#include "engine/tiles/tile_set_file.h"

namespace tilewarden::engine {
namespace {

// In the double quotes of TOML; what is not printable ASCII is escaped.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c >= 0x20 && c < 0x7f) {
      out += c;
    } else {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned char>(c));
      out += code.data();
    }
  }
  return out + '"';
}

std::string List(const std::vector<std::string>& parts) {
  return Text("[", JoinText(parts, ", "), "]");
}

std::string QuotedList(const std::vector<std::string>& texts) {
  std::vector<std::string> parts;
  for (const std::string& text : texts) parts.push_back(Quoted(text));
  return List(parts);
}

std::string Bits(std::uint32_t bits) {
  std::vector<std::string> parts;
  for (int i = 0; i < 32; ++i) {
    if (bits >> i & 1) parts.push_back(std::to_string(i));
  }
  return List(parts);
}

std::string Sides(std::uint8_t sides) {
  std::string out;
  for (std::size_t i = 0; i < 4; ++i) {
    if (sides >> i & 1) out += "NESW"[i];
  }
  return Quoted(out);
}

std::string_view Word(RoadEnd end) {
  switch (end) {
    case RoadEnd::kVillage:
      return "village";
    case RoadEnd::kBushes:
      return "bushes";
    case RoadEnd::kMonastery:
      return "monastery";
    case RoadEnd::kCity:
      return "city";
    case RoadEnd::kTemple:
      return "temple";
    case RoadEnd::kInside:
      return "inside";
    case RoadEnd::kNone:
      break;
  }
  return "";
}

std::string_view Word(RiverRole role) {
  switch (role) {
    case RiverRole::kSource:
      return "source";
    case RiverRole::kLake:
      return "lake";
    case RiverRole::kFork:
      return "fork";
    case RiverRole::kNone:
      break;
  }
  return "";
}

// Three digits: a tenth of a millimetre on a tile.
std::string Number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f", value);
  return text.data();
}

std::string Line(const Segment& s) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view key, std::string_view value) {
    parts.push_back(Text(key, " = ", value));
  };
  const auto count = [&](std::string_view key, int value) {
    if (value > 0) add(key, std::to_string(value));
  };
  switch (s.kind) {
    case SegmentKind::kCity:
    case SegmentKind::kRoad:
    case SegmentKind::kRiver:
      add(ToString(s.kind), Sides(s.sides));
      break;
    case SegmentKind::kField:
      add("field", Bits(s.half_edges));
      break;
    default:
      add(ToString(s.kind), "true");
  }
  if (s.cities != 0) add("borders", Bits(s.cities));
  count("coats_of_arms", s.coats_of_arms);
  count("scrolls", s.scrolls);
  if (s.cathedral) add("cathedral", "true");
  if (s.goods != Goods::kNone) add("goods", Quoted(ToString(s.goods)));
  if (s.road_end != RoadEnd::kNone) add("end", Quoted(Word(s.road_end)));
  if (s.inn) add("inn", "true");
  count("oases", s.oases);
  if (s.river_role != RiverRole::kNone) add("role", Quoted(Word(s.river_role)));
  if (s.volcano) add("volcano", "true");
  count("sheep", s.sheep);
  count("wolves", s.wolves);
  if (s.pig_herd) add("pig_herd", "true");
  if (s.spot) add("spot", List({Number(s.spot->x), Number(s.spot->y)}));
  return Text("  { ", JoinText(parts, ", "), " },\n");
}

std::string SetText(const TileSetFile::Set& set) {
  std::string out = Text("\n[[set]]\nid = ", Quoted(set.id), "\nname = ", Quoted(set.name), "\n");
  if (!set.start.empty()) out += Text("start = ", Quoted(set.start), "\n");
  if (set.replaces_start) out += "replaces_start = true\n";
  if (!set.beside_start.empty()) {
    std::vector<std::string> parts;
    for (const TileSetFile::Set::Beside& b : set.beside_start) {
      parts.push_back(Text("{ tile = ", Quoted(b.tile), ", x = ", b.cell.x, ", y = ", b.cell.y,
                           ", rotation = ", b.rotation, " }"));
    }
    out += Text("beside_start = ", List(parts), "\n");
  }
  if (!set.second.empty()) out += Text("second = ", Quoted(set.second), "\n");
  if (!set.last.empty()) out += Text("last = ", QuotedList(set.last), "\n");
  if (!set.bushes.empty()) out += Text("bushes = ", QuotedList(set.bushes), "\n");
  out += Text("total = ", set.Total(), "\ntiles = [\n");
  for (const auto& [tile, count] : set.tiles) {
    out += Text("  [", Quoted(tile), ", ", count, "],\n");
  }
  return out + "]\n";
}

std::string TileText(const TileType& tile) {
  std::string out =
      Text("\n[[tile]]\nid = ", Quoted(tile.id),
           "\nedges = ", Quoted(std::string(tile.edges.begin(), tile.edges.end())), "\n");
  if (tile.upright != 0) out += Text("upright = ", tile.upright, "\n");
  if (!tile.variant_of.empty()) out += Text("variant_of = ", Quoted(tile.variant_of), "\n");
  if (tile.assumed) out += "assumed = true\n";
  if (tile.gingerbread) out += "gingerbread = true\n";
  out += "segments = [\n";
  for (const Segment& segment : tile.segments) out += Line(segment);
  return out + "]\n";
}

}  // namespace

int TileSetFile::Set::Total() const {
  int total = 0;
  for (const auto& [tile, count] : tiles) total += count;
  return total;
}

std::string ToText(const TileSetFile& file) {
  std::string out = "format = 1\n";
  if (file.correction) out += "correction = true\n";
  for (const TileSetFile::Set& set : file.sets) out += SetText(set);
  for (const TileType& tile : file.tiles) out += TileText(tile);
  return out;
}

}  // namespace tilewarden::engine
