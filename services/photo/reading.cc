#include "services/photo/reading.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/referee/board_reading.h"
#include "fmt/format.h"
#include "services/photo/board_worth.h"
#include "services/photo/figures_together.h"
#include "vision/figures/figure_kinds.h"

namespace tilewarden::services {
namespace {

using vision::LatticeCell;

// Edges as they lie: side s of the lattice.
std::array<char, 4> EdgesOf(const engine::TileType& type, int rotation) {
  std::array<char, 4> edges{};
  for (int side = 0; side < 4; ++side) {
    edges[static_cast<std::size_t>(side)] =
        type.edges[static_cast<std::size_t>((side - rotation + 4) & 3)];
  }
  return edges;
}

// Turns of a type that show the same edges are the same to the rules.
std::vector<engine::TileCandidate> Merged(const vision::SightedTile& tile,
                                          const engine::TileSet& tiles) {
  std::vector<engine::TileCandidate> merged;
  for (const vision::TileCandidate& candidate : tile.candidates) {
    const int type = tiles.Find(candidate.tile);
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const auto& other) {
      if (other.tile != candidate.tile) return false;
      if (type < 0) return other.rotation == candidate.rotation;
      const engine::TileType& t = tiles.types()[static_cast<std::size_t>(type)];
      return EdgesOf(t, other.rotation) == EdgesOf(t, candidate.rotation);
    });
    if (same == merged.end()) {
      merged.push_back({candidate.tile, candidate.rotation, candidate.probability});
    } else {
      same->probability += candidate.probability;
    }
  }
  std::stable_sort(merged.begin(), merged.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return merged;
}

// `weighed`: the candidates of the tile, most likely first.
ReadTile Named(const vision::SightedTile& sighted,
               const std::vector<engine::TileCandidate>& weighed, const engine::TileSet& tiles) {
  ReadTile tile;
  tile.cell = sighted.cell;
  tile.alternatives = weighed;
  if (!tile.alternatives.empty()) {
    const engine::TileCandidate best = tile.alternatives.front();
    const int type = tiles.Find(best.tile);
    tile.probability = best.probability;
    tile.rotation = best.rotation;
    if (type >= 0 && best.probability >= kNamed) {
      tile.type = type;
      tile.alternatives.erase(tile.alternatives.begin());
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    tile.corners_px[i] = sighted.corners_px[(i + static_cast<std::size_t>(tile.rotation)) % 4];
  }
  return tile;
}

std::string EdgeName(char edge) {
  static const std::map<char, std::string> kNames = {
      {'c', "city"}, {'f', "field"}, {'r', "road"}, {'s', "river"}};
  const auto name = kNames.find(edge);
  return name == kNames.end() ? std::string(1, edge) : name->second;
}

std::vector<Mismatch> FindMismatches(const std::vector<ReadTile>& read,
                                     const engine::TileSet& tiles) {
  std::map<LatticeCell, const ReadTile*> by_cell;
  for (const ReadTile& tile : read) {
    if (tile.type >= 0) by_cell[tile.cell] = &tile;
  }
  const auto edges = [&](const ReadTile& tile) {
    return EdgesOf(tiles.types()[static_cast<std::size_t>(tile.type)], tile.rotation);
  };
  std::vector<Mismatch> mismatches;
  for (const auto& [cell, tile] : by_cell) {
    for (const std::size_t side : {std::size_t{1}, std::size_t{2}}) {
      const LatticeCell next{cell.x + (side == 1 ? 1 : 0), cell.y + (side == 2 ? 1 : 0)};
      const auto other = by_cell.find(next);
      if (other == by_cell.end()) continue;
      const char a = edges(*tile)[side], b = edges(*other->second)[(side + 2) & 3];
      if (a == b) continue;
      mismatches.push_back(
          {cell, next,
           fmt::format("{} at ({}, {}) shows a {} to {} at ({}, {}), which shows a {}.",
                       tiles.types()[static_cast<std::size_t>(tile->type)].id, cell.x, cell.y,
                       EdgeName(a), tiles.types()[static_cast<std::size_t>(other->second->type)].id,
                       next.x, next.y, EdgeName(b))});
    }
  }
  return mismatches;
}

double Rounded(double value, double unit) { return std::round(value / unit) * unit; }

nlohmann::json Json(const vision::Point& p) { return {Rounded(p.x, 0.01), Rounded(p.y, 0.01)}; }
nlohmann::json Json(LatticeCell c) { return {c.x, c.y}; }

// The feature's name, or null.
nlohmann::json FeatureOf(const ReadFigure& figure, const Reading& reading,
                         const engine::TileSet& tiles) {
  if (figure.segment < 0) return nullptr;
  for (const ReadTile& tile : reading.tiles) {
    if (tile.cell != *figure.figure->cell) continue;
    const engine::TileType& type = tiles.types()[static_cast<std::size_t>(tile.type)];
    return std::string(
        engine::ToString(type.segments[static_cast<std::size_t>(figure.segment)].kind));
  }
  return nullptr;
}

std::string WhyName(vision::NotReadWhy why) {
  switch (why) {
    case vision::NotReadWhy::kCutByBorder:
      return "cut-by-border";
    case vision::NotReadWhy::kUnreadable:
      return "unreadable";
    case vision::NotReadWhy::kOutside:
      return "outside";
  }
  return "";
}

// In which part of the picture: "left", "top right", "middle".
std::string PartOfPicture(const vision::NotRead& part, const vision::Sighting& sighting) {
  double x = 0, y = 0;
  for (const vision::Point& corner : part.corners_px) x += corner.x / 4, y += corner.y / 4;
  const double third_x = 3 * x / sighting.width_px, third_y = 3 * y / sighting.height_px;
  const std::string row = third_y < 1 ? "top" : third_y > 2 ? "bottom" : "";
  const std::string column = third_x < 1 ? "left" : third_x > 2 ? "right" : "";
  if (row.empty() && column.empty()) return "middle";
  return row + (row.empty() || column.empty() ? "" : " ") + column;
}

// One sentence for each reason, with where that is in the picture.
std::string IncompleteText(const vision::Sighting& sighting) {
  std::string text;
  for (const auto& [why, sentence] :
       {std::pair(vision::NotReadWhy::kCutByBorder,
                  "the picture's border cuts off tiles of the board: take in more of the table"),
        {vision::NotReadWhy::kUnreadable, "something that looks like a tile could not be read"},
        {vision::NotReadWhy::kOutside, "tiles lie there that belong to no row of the board"}}) {
    std::vector<std::string> parts;
    for (const vision::NotRead& part : sighting.not_read) {
      const std::string where = PartOfPicture(part, sighting);
      if (part.why == why && std::find(parts.begin(), parts.end(), where) == parts.end()) {
        parts.push_back(where);
      }
    }
    if (parts.empty()) continue;
    text += fmt::format("  ! not the whole board ({}): {}\n", fmt::join(parts, ", "), sentence);
  }
  return text;
}

}  // namespace

Reading Interpret(const vision::Sighting& sighting, const engine::TileSet& tiles) {
  std::vector<engine::SightedTile> seen;
  for (const vision::SightedTile& tile : sighting.tiles) {
    engine::SightedTile& one = seen.emplace_back();
    one.cell = {tile.cell.x, tile.cell.y};
    one.candidates = Merged(tile, tiles);
  }
  seen = engine::WeighTogether(std::move(seen), tiles);
  Reading reading;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    reading.tiles.push_back(Named(sighting.tiles[i], seen[i].candidates, tiles));
  }
  const std::vector<FigureClaim> claims = WeighFiguresTogether(sighting, reading.tiles, tiles);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const vision::SightedFigure& figure = sighting.figures[i];
    reading.figures.push_back(
        {&figure, claims[i].colour, figure.standing_probability >= 0.5, claims[i].segment});
  }
  reading.mismatches = FindMismatches(reading.tiles, tiles);
  return reading;
}

nlohmann::json ToJson(const Reading& reading, const std::vector<ColourWorth>& worth,
                      const vision::Sighting& sighting, const engine::TileSet& tiles,
                      const std::string& picture) {
  nlohmann::json json;
  json["schema"] = "tilewarden.reading/1";
  json["picture"] = picture;
  json["width"] = sighting.width_px;
  json["height"] = sighting.height_px;
  json["tile_set"] = tiles.id();
  json["tiles"] = nlohmann::json::array();
  for (const ReadTile& tile : reading.tiles) {
    nlohmann::json t;
    t["cell"] = Json(tile.cell);
    if (tile.type >= 0) {
      t["tile"] = tiles.types()[static_cast<std::size_t>(tile.type)].id;
    } else {
      t["tile"] = nullptr;
    }
    t["rotation"] = tile.rotation;
    t["probability"] = Rounded(tile.probability, 1e-4);
    t["doubted"] = tile.doubted();
    t["another_box"] = tile.of_another_box();
    t["corners_px"] = nlohmann::json::array();
    for (const vision::Point& corner : tile.corners_px) t["corners_px"].push_back(Json(corner));
    t["alternatives"] = nlohmann::json::array();
    for (const engine::TileCandidate& other : tile.alternatives) {
      if (other.probability < 0.001) continue;
      t["alternatives"].push_back({{"tile", other.tile},
                                   {"rotation", other.rotation},
                                   {"probability", Rounded(other.probability, 1e-4)}});
    }
    json["tiles"].push_back(std::move(t));
  }
  // Empty: as far as can be told, this is the whole board.
  json["incomplete"] = nlohmann::json::array();
  for (const vision::NotRead& part : sighting.not_read) {
    nlohmann::json corners = nlohmann::json::array();
    for (const vision::Point& corner : part.corners_px) corners.push_back(Json(corner));
    json["incomplete"].push_back({{"why", WhyName(part.why)},
                                  {"cell", Json(part.cell)},
                                  {"corners_px", std::move(corners)}});
  }
  json["figures"] = nlohmann::json::array();
  for (const ReadFigure& read : reading.figures) {
    const vision::SightedFigure& figure = *read.figure;
    nlohmann::json f;
    f["kind"] = vision::FactsOf(figure.kind).name;
    f["colour"] = read.colour;
    f["pose"] = read.standing ? "standing" : "lying";
    f["foot_px"] = Json(figure.foot_px);
    if (figure.cell) {
      f["cell"] = Json(*figure.cell);
    } else {
      f["cell"] = nullptr;
    }
    if (read.segment >= 0) {
      f["segment"] = read.segment;
    } else {
      f["segment"] = nullptr;
    }
    f["feature"] = FeatureOf(read, reading, tiles);
    f["probability"] = Rounded(figure.probability, 1e-4);
    json["figures"].push_back(std::move(f));
  }
  json["findings"] = nlohmann::json::array();
  for (const Mismatch& m : reading.mismatches) {
    json["findings"].push_back(
        {{"code", "edge-mismatch"}, {"cells", {Json(m.first), Json(m.second)}}, {"text", m.text}});
  }
  json["worth_now"] = nlohmann::json::array();
  for (const ColourWorth& of : worth) {
    nlohmann::json features = nlohmann::json::array();
    for (const engine::ScoreItem& item : of.items) {
      nlohmann::json cells = nlohmann::json::array();
      for (const engine::Cell& cell : item.cells) cells.push_back({cell.x, cell.y});
      features.push_back({{"kind", item.kind},
                          {"points", item.points},
                          {"reason", item.reason},
                          {"cells", std::move(cells)}});
    }
    json["worth_now"].push_back(
        {{"colour", of.colour}, {"points", of.points}, {"features", std::move(features)}});
  }
  json["stage_ms"] = nlohmann::json::object();
  for (const auto& [stage, ms] : sighting.stage_ms) json["stage_ms"][stage] = Rounded(ms, 0.1);
  return json;
}

std::string ToText(const Reading& reading, const std::vector<ColourWorth>& worth,
                   const vision::Sighting& sighting, const engine::TileSet& tiles,
                   const std::string& picture) {
  const auto others = std::count_if(reading.tiles.begin(), reading.tiles.end(),
                                    [](const ReadTile& tile) { return tile.of_another_box(); });
  const auto refused = std::count_if(reading.tiles.begin(), reading.tiles.end(),
                                     [](const ReadTile& tile) { return tile.type < 0; }) -
                       others;
  std::vector<std::string> but;
  if (others > 0) but.push_back(fmt::format("{} of another box", others));
  if (refused > 0) but.push_back(fmt::format("{} refused", refused));
  std::string text = fmt::format(
      "{}: {} tiles of {}{}, {} figures\n", picture, reading.tiles.size(), tiles.name(),
      but.empty() ? "" : fmt::format(" ({})", fmt::join(but, ", ")), reading.figures.size());
  if (!reading.tiles.empty()) text += "    cell      tile  turns  edges nesw  sure\n";
  for (const ReadTile& tile : reading.tiles) {
    const std::string cell = fmt::format("({}, {})", tile.cell.x, tile.cell.y);
    if (tile.type < 0) {
      text += fmt::format("    {:<9} {:<26}{:5.1f} %\n", cell,
                          tile.of_another_box() ? "another box's" : "?", 100 * tile.probability);
      continue;
    }
    const engine::TileType& type = tiles.types()[static_cast<std::size_t>(tile.type)];
    const std::array<char, 4> edges = EdgesOf(type, tile.rotation);
    const bool other = tile.doubted() && !tile.alternatives.empty();
    text += fmt::format("    {:<9} {:<6} {:<6} {:<11} {:5.1f} %{}\n", cell, type.id, tile.rotation,
                        std::string(edges.begin(), edges.end()), 100 * tile.probability,
                        other ? fmt::format("  or {}?", tile.alternatives.front().tile) : "");
  }
  for (const ReadFigure& read : reading.figures) {
    const vision::SightedFigure& figure = *read.figure;
    const nlohmann::json feature = FeatureOf(read, reading, tiles);
    std::string where = "beside the board";
    if (figure.cell) {
      where = fmt::format("at ({}, {})", figure.cell->x, figure.cell->y);
      if (feature.is_string()) where += " in the " + feature.get<std::string>();
    }
    text +=
        fmt::format("    {} {} {} {}  {:.1f} %\n", read.colour, vision::FactsOf(figure.kind).name,
                    read.standing ? "standing" : "lying", where, 100 * figure.probability);
  }
  text += IncompleteText(sighting);
  for (const Mismatch& m : reading.mismatches) text += "  ! " + m.text + "\n";
  if (!worth.empty()) text += "  worth now, on top of what was scored before:\n";
  for (const ColourWorth& of : worth) {
    text += fmt::format("    {:<8} {:>3}\n", of.colour, of.points);
    for (const engine::ScoreItem& item : of.items) {
      text += fmt::format("      {:>3}  {}, at ({}, {})\n", item.points, item.reason,
                          item.cells.front().x, item.cells.front().y);
    }
  }
  double total = 0;
  for (const auto& [stage, ms] : sighting.stage_ms) total += ms;
  text += fmt::format("  read in {:.0f} ms\n", total);
  return text;
}

}  // namespace tilewarden::services
