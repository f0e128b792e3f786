// Mistakes with tiles.
#include <algorithm>

#include "engine/tiles/index.h"
#include "tests/engine/referee/evening.h"

namespace tilewarden::engine {
namespace {}  // namespace

bool Evening::IllegalTile(const Turn& turn, const std::string& code) {
  // Beyond the table's edge only the board was shifted.
  if (code == "out-of-area" && truth_.rules().board_shift != BoardShift::kRefused) return false;
  std::vector<Turn> wrong;
  Turn t = turn;
  t.deployment.reset();
  t.recall.reset();
  t.ark_path.clear();
  if (code == "river-must-continue") {
    // The river is not finished, but somebody draws from the other pile.
    if (std::none_of(tiles_->last().begin(), tiles_->last().end(),
                     [&](int last) { return truth_.TilesLeft(last) > 0; })) {
      return false;
    }
    t.tile = table_.Pick(static_cast<int>(tiles_->types().size()));
    if (Type(t.tile).HasRiver() || truth_.TilesLeft(t.tile) <= 0) return false;
  }
  for (const PlacedTile& laid : truth_.PlacedTiles()) {
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (t.rotation = 0; t.rotation < 4; ++t.rotation) {
          t.cell = {laid.cell.x + dx, laid.cell.y + dy};
          const auto refusal = truth_.Check(t);
          if (refusal && refusal->code == code) wrong.push_back(t);
        }
      }
    }
  }
  if (wrong.empty()) return false;
  t = wrong[At(table_.Pick(static_cast<int>(wrong.size())))];
  return Plant(
      code, {code}, t.cell, [&] { table_.Lay(t); }, [&] { table_.tiles.pop_back(); });
}

bool Evening::NoCopiesLeft(const Turn& turn) {
  Turn t = turn;
  t.deployment.reset();
  t.tile = table_.Pick(static_cast<int>(tiles_->types().size()));
  if (Type(t.tile).HasRiver()) return false;
  // A tile that the rules cannot tell from it would be as good.
  for (int twin = 0; twin < static_cast<int>(tiles_->types().size()); ++twin) {
    if (faces_.Twins(twin, t.tile) && truth_.TilesLeft(twin) > 0) return false;
  }
  const std::vector<Placement> legal = truth_.LegalPlacements(t.tile);
  if (legal.empty()) return false;
  const Placement at = legal[At(table_.Pick(static_cast<int>(legal.size())))];
  // Leaving the Gingerbread Man where he stands would be a second mistake.
  if (!truth_.GingerbreadTargets(t.tile, at).empty()) return false;
  t.cell = at.cell;
  t.rotation = at.rotation;
  return Plant(
      "no-copies-left", {"no-copies-left"}, t.cell, [&] { table_.Lay(t); },
      [&] { table_.tiles.pop_back(); });
}

// Says that a tile fits nowhere, puts it beside the board and draws another.
bool Evening::SetAside(const Turn& turn) {
  const int tile = table_.Pick(static_cast<int>(tiles_->types().size()));
  if (truth_.TilesLeft(tile) <= (tile == turn.tile ? 1 : 0) ||
      truth_.LegalPlacements(tile).empty() || !expected_.empty() || !turn.gingerbread.empty()) {
    return false;
  }
  Expect("tile-fits", {"tile-fits"});
  int east = 0;
  for (const auto& laid : table_.tiles) east = std::max(east, laid.cell.x);
  const Cell cell = {east + 4, 0};
  Hand(cell);
  table_.tiles.push_back({cell, tile, table_.Pick(4)});
  Settle();
  // The next tile lies: now it is plain that this one is not going to.
  Turn legal = turn;
  Hand(legal.cell);
  table_.Lay(legal);
  if (options_.onlooker != nullptr) options_.onlooker->MistakePlain();
  Settle();
  Settle();
  ExpectTold();
  Hand(cell);
  std::erase_if(table_.tiles, [&](const auto& t) { return t.cell == cell; });
  // The tile just laid is taken up again: the first one goes first.
  Hand(legal.cell);
  std::erase_if(table_.tiles, [&](const auto& t) { return t.cell == legal.cell; });
  Settle();
  Settle();
  ExpectCleared();
  return true;
}

// Not the last one, which may be taken up again, nor one with a figure on it.
SimulatedTable::Tile* Evening::OldTile() {
  std::vector<SimulatedTable::Tile*> old;
  for (std::size_t i = 0; i + 1 < table_.tiles.size(); ++i) {
    const Cell cell = table_.tiles[i].cell;
    if (truth_.TileAt(cell) == nullptr) continue;
    if (std::none_of(table_.figures.begin(), table_.figures.end(),
                     [&](const auto& figure) { return figure.cell == cell; })) {
      old.push_back(&table_.tiles[i]);
    }
  }
  return old.empty() ? nullptr : old[At(table_.Pick(static_cast<int>(old.size())))];
}

bool Evening::TileTaken(const Turn&) {
  SimulatedTable::Tile* old = OldTile();
  if (old == nullptr || table_.tiles.size() < 4) return false;
  const SimulatedTable::Tile tile = *old;
  return Plant(
      "tile-taken", {"tile-taken"}, tile.cell,
      [&] { std::erase_if(table_.tiles, [&](const auto& t) { return t.cell == tile.cell; }); },
      [&] { table_.tiles.insert(table_.tiles.begin(), tile); });
}

bool Evening::TileTurned(const Turn&) {
  SimulatedTable::Tile* old = OldTile();
  if (old == nullptr || table_.tiles.size() < 4) return false;
  const SimulatedTable::Tile tile = *old;
  if (faces_.Same(tile.tile, 0, 1)) return false;
  return Plant(
      "tile-turned", {"tile-turned"}, tile.cell,
      [&] { table_.TileAt(tile.cell)->rotation = (tile.rotation + 1) & 3; },
      [&] { table_.TileAt(tile.cell)->rotation = tile.rotation; });
}

bool Evening::TileMoved(const Turn&) {
  SimulatedTable::Tile* old = OldTile();
  if (old == nullptr || table_.tiles.size() < 5) return false;
  const SimulatedTable::Tile tile = *old;
  std::vector<Cell> free;
  for (const auto& laid : table_.tiles) {
    for (const Side side : kSides) {
      const Cell cell = Neighbour(laid.cell, side);
      if (table_.TileAt(cell) == nullptr) free.push_back(cell);
    }
  }
  const Cell to = free[At(table_.Pick(static_cast<int>(free.size())))];
  return Plant(
      "tile-moved", {"tile-moved", "tile-taken"}, tile.cell,
      [&] {
        table_.TileAt(tile.cell)->cell = to;
        Hand(to);
      },
      [&] {
        Hand(to);
        table_.TileAt(to)->cell = tile.cell;
      });
}

}  // namespace tilewarden::engine
