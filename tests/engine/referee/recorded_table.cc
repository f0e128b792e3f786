#include "tests/engine/referee/recorded_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <random>
#include <stdexcept>

#include "nlohmann/json.hpp"

namespace tilewarden::engine {
namespace {

using Json = nlohmann::json;

Json ReadJson(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return Json::parse(in);
}

// The quarter turn that makes the type's edges look like these.
int RotationWith(const TileType& type, const std::string& edges_now) {
  for (int rotation = 0; rotation < 4; ++rotation) {
    bool same = true;
    for (int side = 0; side < 4; ++side) {
      same = same && type.edges[static_cast<std::size_t>((side - rotation) & 3)] ==
                         edges_now[static_cast<std::size_t>(side)];
    }
    if (same) return rotation;
  }
  throw std::runtime_error("no rotation of " + type.id + " shows " + edges_now);
}

Cell South(const Json& cell) { return {cell.at(0).get<int>(), -cell.at(1).get<int>()}; }

SegmentKind KindOf(const std::string& feature) {
  if (feature == "city") return SegmentKind::kCity;
  if (feature == "road") return SegmentKind::kRoad;
  if (feature == "monastery") return SegmentKind::kMonastery;
  return SegmentKind::kField;
}

struct Lattice {
  int turn = 0;
  Cell shift;
  Cell operator()(Cell c) const {
    for (int i = 0; i < turn; ++i) c = {-c.y, c.x};
    return {c.x + shift.x, c.y + shift.y};
  }
};

// Where cells lie in the picture: the start tile's square, continued.
struct CellToPixel {
  Point origin, east, south;

  explicit CellToPixel(const Json& tiles) {
    for (const Json& tile : tiles) {
      if (South(tile.at("cell")) != Cell{}) continue;
      // The picture's own order, for the canonical picture: north-west first.
      std::array<Point, 4> corner;
      for (std::size_t i = 0; i < 4; ++i) {
        const Json& c =
            tile.at("corners_px").at((i + 4 - tile.at("rotation").get<std::size_t>()) % 4);
        corner[i] = {c.at(0), c.at(1)};
      }
      east = {corner[1].x - corner[0].x, corner[1].y - corner[0].y};
      south = {corner[3].x - corner[0].x, corner[3].y - corner[0].y};
      origin = {corner[0].x + (east.x + south.x) / 2, corner[0].y + (east.y + south.y) / 2};
    }
  }
  Point operator()(Cell c) const {
    return {origin.x + c.x * east.x + c.y * south.x, origin.y + c.x * east.y + c.y * south.y};
  }
  double size() const { return std::hypot(east.x, east.y); }
};

double DistanceToArm(Point p, Point tip, Point border) {
  const double dx = border.x - tip.x, dy = border.y - tip.y;
  const double along =
      std::clamp(((p.x - tip.x) * dx + (p.y - tip.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return std::hypot(p.x - tip.x - along * dx, p.y - tip.y - along * dy);
}

}  // namespace

RecordedTable ReadRecordedTable(const std::filesystem::path& folder, const TileSet& tiles,
                                const RecordedNoise& noise) {
  std::mt19937 random(noise.seed);
  const auto uniform = [&random](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto pick = [&random](int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(random);
  };

  const Json truth = ReadJson(folder / "truth.json");
  const Json scores = ReadJson(folder / "scores.json");
  RecordedTable table;
  for (const Json& player : scores.at("players")) table.players.push_back(player);
  for (const Json& turn : scores.at("turns")) {
    table.scores.push_back(turn.at("scores").get<std::map<std::string, int>>());
  }

  std::map<Cell, std::pair<std::string, std::string>> laid;  // tile, edges
  for (const Json& frame : truth.at("timeline")) {
    RecordedFrame out;
    out.settled = frame.at("settled");
    out.state = frame.at("state");
    Sighting& s = out.sighting;
    s.sequence = table.frames.size() + 1;
    s.time_ms = static_cast<std::int64_t>(table.frames.size()) * 700;
    s.settled = out.settled;
    s.hand = !out.settled;
    const Lattice lattice = {pick(4), {pick(40) - 20, pick(40) - 20}};

    // What the hand hides.
    const CellToPixel pixel(frame.at("tiles"));
    std::map<Cell, bool> hidden;
    if (!frame.at("arm_tip_px").is_null()) {
      const Point tip = {frame.at("arm_tip_px").at(0), frame.at("arm_tip_px").at(1)};
      const Point border = {pick(2) * 1919.0, 1079.0};
      for (const Json& tile : frame.at("tiles")) {
        const Cell c = South(tile.at("cell"));
        for (int dx = -2; dx <= 2; ++dx) {
          for (int dy = -2; dy <= 2; ++dy) {
            const Cell near = {c.x + dx, c.y + dy};
            const Point p = pixel(near);
            hidden[near] = std::hypot(p.x - tip.x, p.y - tip.y) < 1.2 * pixel.size() ||
                           DistanceToArm(p, tip, border) < 0.7 * pixel.size();
          }
        }
      }
    }
    for (const auto& [cell, covered] : hidden) {
      if (covered) s.hidden_cells.push_back(lattice(cell));
    }

    for (const Json& tile : frame.at("tiles")) {
      const Cell cell = South(tile.at("cell"));
      const std::string id = "B." + tile.at("letter").get<std::string>();
      const bool fresh = laid.insert_or_assign(cell, std::pair(id, tile.at("edges_now"))).second;
      const TileType& type = tiles.types()[static_cast<std::size_t>(tiles.Find(id))];
      SightedTile seen;
      if (hidden.contains(cell) && hidden.at(cell)) {
        if (!noise.glimpses || !fresh) continue;
        seen.hidden = 0.7;
      }
      seen.cell = lattice(cell);
      seen.offset = {uniform(-0.03, 0.03), uniform(-0.03, 0.03)};
      seen.yaw_rad = uniform(-0.03, 0.03);
      const bool doubtful = uniform(0, 1) < noise.doubtful_tile;
      const double p = doubtful ? 0.6 : uniform(0.9, 0.995);
      const int rotation = (RotationWith(type, tile.at("edges_now")) + lattice.turn) & 3;
      const TileType& other =
          tiles.types()[static_cast<std::size_t>(pick(static_cast<int>(tiles.types().size())))];
      seen.candidates.push_back({id, rotation, p});
      seen.candidates.push_back({other.id, pick(4), (1 - p) * 0.8});
      seen.candidates.push_back({id, (rotation + 1) & 3, (1 - p) * 0.1});
      s.tiles.push_back(std::move(seen));
    }
    for (const Json& meeple : frame.at("meeples")) {
      const Cell cell = South(meeple.at("cell"));
      const std::string colour = meeple.at("colour");
      out.figures.push_back({cell, colour, KindOf(meeple.at("feature"))});
      if (hidden.contains(cell) && hidden.at(cell)) continue;
      std::normal_distribution<double> off(0, noise.foot);
      const Point foot = {0.5 + meeple.at("rel").at(0).get<double>() + off(random),
                          0.5 - meeple.at("rel").at(1).get<double>() + off(random)};
      SightedFigure seen;
      seen.cell = lattice(cell);
      seen.foot = RotatedPoint(foot, lattice.turn);
      seen.foot_sigma = std::max(noise.foot, 0.01);
      seen.standing_probability =
          meeple.at("kind") == "standing" ? uniform(0.8, 1) : uniform(0, 0.2);
      seen.probability = uniform(0.8, 1);
      const double sure = uniform(0.8, 0.99);
      seen.colours = {{colour, sure}, {colour == "red" ? "pink" : "red", 1 - sure}};
      s.figures.push_back(std::move(seen));
    }
    table.frames.push_back(std::move(out));
  }
  table.start_rotation =
      RotationWith(tiles.types()[static_cast<std::size_t>(tiles.start_tile())], laid.at({}).second);
  for (const Json& move : truth.at("moves")) {
    if (move.is_null()) continue;
    const Cell cell = {move.at("x").get<int>(), -move.at("y").get<int>()};
    const auto& [id, edges] = laid.at(cell);
    table.moves.push_back(
        {move.at("player"), id, cell,
         RotationWith(tiles.types()[static_cast<std::size_t>(tiles.Find(id))], edges)});
  }
  return table;
}

}  // namespace tilewarden::engine
