// What one tile is, and whether it may be there: all looks at it together.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/referee/codes.h"
#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"

namespace tilewarden::engine {
namespace {

// The table as it must lie for a tile on this cell, where house rules let people
// shift the board or add a table: moved or made larger as little as need be.
std::optional<PlayingArea> TableFor(const Game& game, Cell cell) {
  if (!game.area() || Contains(*game.area(), cell)) return std::nullopt;
  PlayingArea table = *game.area();
  const int dx = std::min(0, cell.x - table.west) + std::max(0, cell.x - table.east);
  const int dy = std::min(0, cell.y - table.north) + std::max(0, cell.y - table.south);
  switch (game.rules().board_shift) {
    case BoardShift::kRefused:
      return std::nullopt;
    case BoardShift::kSecondTable:
      (dx < 0 ? table.west : table.east) += dx;
      (dy < 0 ? table.north : table.south) += dy;
      return table;
    case BoardShift::kAllowed:
      break;
  }
  table = {table.west + dx, table.north + dy, table.east + dx, table.south + dy};
  for (const PlacedTile& laid : game.PlacedTiles()) {
    if (!Contains(table, laid.cell)) return std::nullopt;
  }
  return table;
}

int MarksOn(const TileSet& tiles, int tile) {
  int marks = 0;
  for (const Segment& segment : tiles.types()[At(tile)].segments) marks += CityMarks(segment);
  return marks;
}

// A figure on the tile may cover the coat of arms, or scroll, by which another type differs, of
// which a copy is left.
bool MayHideMark(const Mind& mind, const CellView& view, int tile, int rotation) {
  if (view.figures.empty()) return false;
  for (int other = 0; other < static_cast<int>(mind.tiles().types().size()); ++other) {
    if (mind.game().TilesLeft(other) <= 0 ||
        MarksOn(mind.tiles(), other) <= MarksOn(mind.tiles(), tile)) {
      continue;
    }
    for (int turned = 0; turned < 4; ++turned) {
      if (mind.faces.SameButSmall(tile, rotation, other, turned)) return true;
    }
  }
  return false;
}

// Factor for a type of which every copy lies already. Where one of the two may have been read
// wrongly under its figure, ReviewCounts finds out which.
double WithoutCopies(const Mind& mind, const CellView& view, int tile, int rotation) {
  return MayHideMark(mind, view, tile, rotation)
             ? std::max(kNoCopiesLeft, mind.habits.ShareOfHiddenCoats())
             : kNoCopiesLeft;
}

// The share of this look that candidates of the set have.
double Named(const CellView& view) {
  double named = 0;
  for (const TileReading& reading : view.readings) named += reading.probability;
  return std::min(1.0, named);
}

struct Weighed {
  TileReading reading;    // probability: its weight, camera and people together
  double likelihood = 0;  // by the camera alone
  std::optional<Refusal> refusal;
};

// What all looks together say the tile may be.
std::vector<Weighed> WeighReadings(const Mind& mind, Cell cell, const CellView& view) {
  std::vector<Weighed> all;
  for (const auto& [reading, log_likelihood] :
       mind.cells.Find(cell)->evidence().log_likelihoods()) {
    const auto [tile, rotation] = reading;
    auto refusal = CheckLaying(mind.game(), Laying(mind.game(), tile, cell, rotation));
    const double likelihood = std::exp(log_likelihood);
    double weight = likelihood * (refusal ? kIllegalTileRate : 1 - kIllegalTileRate);
    if (mind.game().TilesLeft(tile) <= 0) weight *= WithoutCopies(mind, view, tile, rotation);
    all.push_back({{tile, rotation, weight}, likelihood, std::move(refusal)});
  }
  return all;
}

}  // namespace

int CityMarks(const Segment& segment) { return segment.coats_of_arms + segment.scrolls; }

Turn Laying(const Game& on, int tile, Cell cell, int rotation) {
  Turn turn;
  turn.player = -1;
  turn.tile = tile;
  turn.cell = cell;
  turn.rotation = rotation;
  turn.table = TableFor(on, cell);
  return turn;
}

Turn WithTile(const TileSet& tiles, Turn turn, int tile, int rotation) {
  const Turn had = turn;
  turn.tile = tile;
  turn.rotation = rotation;
  if (!had.deployment) return turn;
  const auto in_place = [](const Segment& segment, int by) {
    const auto turned = [](unsigned bits, int steps, int all) {
      return ((bits << steps) | (bits >> (all - steps))) & ((1U << all) - 1);
    };
    return std::tuple(segment.kind, turned(segment.sides, by & 3, 4),
                      turned(segment.half_edges, 2 * (by & 3), 8));
  };
  const Segment& claimed = tiles.types()[At(had.tile)].segments[At(had.deployment->segment)];
  const std::vector<Segment>& segments = tiles.types()[At(tile)].segments;
  turn.deployment.reset();
  for (std::size_t s = 0; s < segments.size() && !turn.deployment; ++s) {
    if (in_place(segments[s], rotation) != in_place(claimed, had.rotation)) continue;
    turn.deployment = Deployment{had.deployment->kind, static_cast<int>(s)};
  }
  return turn;
}

std::optional<Refusal> CheckLaying(const Game& game, const Turn& turn) {
  std::optional<Refusal> refusal = game.Check(turn);
  if (refusal && FamilyOf(refusal->code).neutral_figure) refusal.reset();
  return refusal;
}

bool NearBoard(const Game& game, Cell cell) {
  if (game.PlacedTiles().empty()) return cell == Cell{};
  for (int dx = -kBoardReach; dx <= kBoardReach; ++dx) {
    for (int dy = -kBoardReach; dy <= kBoardReach; ++dy) {
      if (game.TileAt({cell.x + dx, cell.y + dy}) != nullptr) return true;
    }
  }
  return false;
}

Decision Decide(const Mind& mind, Cell cell, const CellView& view, bool patient) {
  const int looks = mind.cells.Find(cell)->evidence().looks();
  const double unlisted = (1 - Named(view)) * kUnlisted;
  double camera_total = unlisted, total = unlisted;
  double camera_illegal = 0;
  Decision legal, illegal;
  for (const Weighed& weighed : WeighReadings(mind, cell, view)) {
    camera_total += weighed.likelihood;
    total += weighed.reading.probability;
    if (weighed.refusal) camera_illegal = std::max(camera_illegal, weighed.likelihood);
    Decision& best = weighed.refusal ? illegal : legal;
    if (weighed.reading.probability > best.reading.probability) {
      best.reading = weighed.reading;
      best.refusal = weighed.refusal;
    }
  }
  legal.kind = Decision::Kind::kLegal;
  illegal.kind = Decision::Kind::kIllegal;
  legal.reading.probability /= total;
  illegal.reading.probability /= total;
  camera_illegal /= camera_total;
  // More looks at what a figure hides do not show it.
  const bool several_looks = looks > 1 && view.figures.empty();
  if (camera_illegal >= (several_looks ? kClearReading : kClearAtOnce)) return illegal;
  if (camera_illegal < kRulesMayDecide || looks >= kPatience || !patient) {
    if (legal.reading.probability >= mind.options.tile_certainty) return legal;
    if (illegal.reading.probability >= kSureIllegal) return illegal;
  }
  return {};
}

std::vector<TileReading> LegalReadings(const Mind& mind, Cell cell, const CellView& view) {
  double total = 0;
  std::vector<TileReading> legal;
  for (const Weighed& weighed : WeighReadings(mind, cell, view)) {
    total += weighed.reading.probability;
    if (!weighed.refusal) legal.push_back(weighed.reading);
  }
  for (TileReading& reading : legal) reading.probability *= Named(view) / total;
  std::stable_sort(legal.begin(), legal.end(), [](const TileReading& a, const TileReading& b) {
    return a.probability > b.probability;
  });
  return legal;
}

}  // namespace tilewarden::engine
