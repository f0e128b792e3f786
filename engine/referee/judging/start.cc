// How a game starts from what is on the table.
#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "engine/game/stack.h"
#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"

namespace tilewarden::engine {
namespace {

// More tiles than these cannot have been laid between two first looks.
constexpr std::size_t kMostAtStart = 8;

// How sure it is that the other start tiles lie beside this one, if it lies so.
double SureOfOthers(const TileSet& tiles, const Sighting& sighting, Cell start, int rotation) {
  double sum = 0;
  for (const TileSet::StartTile& more : tiles.more_start_tiles()) {
    Cell cell = more.cell;
    for (int i = 0; i < rotation; ++i) cell = {-cell.y, cell.x};
    for (const SightedTile& tile : sighting.tiles) {
      if (tile.cell != Cell{start.x + cell.x, start.y + cell.y}) continue;
      for (const TileCandidate& candidate : tile.candidates) {
        if (tiles.Find(candidate.tile) == more.tile) sum += candidate.probability;
      }
    }
  }
  return sum;
}

// How sure it is that a tile is the start tile or a twin of it, lying as its likeliest name does.
double SureToBegin(const SightedTile& tile, const TileSet& tiles, const TileFaces& faces,
                   int start_tile) {
  const int rotation = tile.candidates.front().rotation;
  double sum = 0;
  for (const TileCandidate& name : tile.candidates) {
    const int type = tiles.Find(name.tile);
    if (type >= 0 && faces.Twins(type, start_tile) &&
        faces.Same(start_tile, name.rotation, rotation)) {
      sum += name.probability;
    }
  }
  return sum;
}

}  // namespace

std::vector<StartSeen> FindStarts(const Sighting& sighting, const TileSet& tiles,
                                  const TileFaces& faces, int start_tile, double certainty) {
  const auto is_it = [&](const TileCandidate& name) {
    return start_tile < 0 || tiles.Find(name.tile) == start_tile;
  };
  // A twin in other art may be the start tile, misread.
  const auto may_begin = [&](const TileCandidate& name) {
    return is_it(name) || faces.Twins(tiles.Find(name.tile), start_tile);
  };
  std::map<Cell, const TileCandidate*> named;
  for (const SightedTile& tile : sighting.tiles) {
    if (tile.candidates.empty() || tile.hidden > kUnderHand) continue;
    const TileCandidate& best = tile.candidates.front();
    if (tiles.Find(best.tile) < 0) continue;
    double sure = best.probability;
    if (start_tile >= 0 && may_begin(best)) sure = SureToBegin(tile, tiles, faces, start_tile);
    if (sure >= certainty) named[tile.cell] = &best;
  }
  std::set<Cell> with_figure;
  for (const SightedFigure& figure : sighting.figures) {
    if (figure.cell) with_figure.insert(*figure.cell);
  }
  std::vector<StartSeen> found;
  std::set<Cell> looked_at;
  for (const auto& [cell, best] : named) {
    if (!may_begin(*best) || looked_at.contains(cell)) continue;
    // What is connected with it. Tiles that lie elsewhere are not a board.
    std::set<Cell> group = {cell};
    std::vector<Cell> todo = {cell};
    // Of several such tiles any may have been the first, only no figure stands on it; rather one
    // of its own type.
    const auto worth = [&](Cell at) {
      return (with_figure.contains(at) ? 0 : 2) + (is_it(*named.at(at)) ? 1 : 0);
    };
    Cell start = cell;
    while (!todo.empty()) {
      const Cell from = todo.back();
      todo.pop_back();
      if (may_begin(*named.at(from)) && worth(from) > worth(start)) start = from;
      for (const Side side : kSides) {
        const Cell next = Neighbour(from, side);
        if (named.contains(next) && group.insert(next).second) todo.push_back(next);
      }
    }
    looked_at.insert(group.begin(), group.end());
    found.push_back({start, named.at(start)->rotation & 3, group.size()});
  }
  return found;
}

Conclusions TryStart(Mind& mind, const Sighting& sighting) {
  if (mind.ledger.joined()) return TryJoin(mind, sighting);
  if (!sighting.settled) return {};
  const int start_tile = StartTile(mind.tiles(), mind.ledger.rules());
  // Where any tile may begin nothing tells a misread one, so a clear look is waited for.
  const int looks = sighting.tiles.empty() ? 0 : mind.starting.SawTiles();
  const bool waits = start_tile < 0 && looks <= kPatience;
  std::vector<StartSeen> starts = FindStarts(sighting, mind.tiles(), mind.faces, start_tile,
                                             waits ? kThatTile : mind.options.tile_certainty);
  // While people were asked about the river they laid it.
  const bool was_asked = !mind.ledger.played_with().empty();
  std::erase_if(starts,
                [&](const StartSeen& seen) { return !was_asked && seen.tiles > kMostAtStart; });
  if (starts.size() != 1) return {};  // none, or boards apart: which is it?
  const StartSeen& start = starts.front();
  // A start tile that looks the same upside down is told by what lies beside it.
  const auto beside = [&](int rotation) {
    return SureOfOthers(mind.tiles(), sighting, start.cell, rotation);
  };
  int rotation = start.rotation;
  for (int turn = 1; turn < 4; ++turn) {
    const int other = (start.rotation + turn) & 3;
    if (start_tile >= 0 && mind.faces.Same(start_tile, other, rotation) &&
        beside(other) > beside(rotation)) {
      rotation = other;
    }
  }
  Conclusions concluded;
  concluded.done = true;
  if (mind.ledger.game() == nullptr) {
    concluded = Conclude(&mind.ledger, StartTileLaid{start_tile < 0 ? 0 : rotation});
    if (!concluded.done) return concluded;
  }
  mind.lattice.Lay({0, {-start.cell.x, -start.cell.y}});
  return concluded;
}

}  // namespace tilewarden::engine
