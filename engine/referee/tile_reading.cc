// What one tile is, and whether it may lie there: all looks at it together.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "engine/referee/model.h"
#include "engine/referee/state.h"

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

}  // namespace

Turn Laying(const Game& on, int tile, Cell cell, int rotation) {
  Turn turn;
  turn.player = -1;
  turn.tile = tile;
  turn.cell = cell;
  turn.rotation = rotation;
  turn.table = TableFor(on, cell);
  return turn;
}

bool Referee::State::NearBoard(Cell cell) const {
  if (game().PlacedTiles().empty()) return cell == Cell{};
  for (int dx = -kBoardReach; dx <= kBoardReach; ++dx) {
    for (int dy = -kBoardReach; dy <= kBoardReach; ++dy) {
      if (game().TileAt({cell.x + dx, cell.y + dy}) != nullptr) return true;
    }
  }
  return false;
}

void Referee::State::AddEvidence(Cell cell, const CellView& view) {
  CellMemory& cell_memory = MemoryOf(cell);
  const bool swapped = !view.readings.empty() &&
                       view.readings.front().probability >= kClearReading &&
                       !cell_memory.log_evidence.empty() &&
                       std::none_of(cell_memory.log_evidence.begin(),
                                    cell_memory.log_evidence.end(), [&](const auto& entry) {
                                      return entry.first.first == view.readings.front().tile &&
                                             faces.Same(entry.first.first, entry.first.second,
                                                        view.readings.front().rotation) &&
                                             entry.second > std::log(kNotThisTile);
                                    });
  if (swapped && game().TileAt(cell) == nullptr) {
    // Not the tile that lay here before: somebody turned or changed it.
    cell_memory.log_evidence.clear();
    cell_memory.looks = 0;
  }
  const double weight = cell_memory.looks++ == 0 ? 1.0 : kRepeatedLook;
  // Readings not listed before were not seen in any earlier look.
  const double never = std::log(kReadingFloor) * (1 + kRepeatedLook * (cell_memory.looks - 2));
  for (const TileReading& reading : view.readings) {
    const bool listed = std::any_of(
        cell_memory.log_evidence.begin(), cell_memory.log_evidence.end(), [&](const auto& entry) {
          return entry.first.first == reading.tile &&
                 faces.Same(reading.tile, entry.first.second, reading.rotation);
        });
    if (!listed) {
      cell_memory.log_evidence[{reading.tile, reading.rotation}] =
          cell_memory.looks > 1 ? never : 0;
    }
  }
  for (auto& [reading, log_likelihood] : cell_memory.log_evidence) {
    const double p = view.ProbabilityOfType(faces, reading.first, reading.second);
    log_likelihood =
        std::max(log_likelihood + weight * std::log(p + kReadingFloor), kLeastLogLikelihood);
  }
}

Referee::State::Decision Referee::State::Decide(Cell cell, const CellView& view, bool patient) {
  const CellMemory& cell_memory = memory[cell];
  double named = 0;
  for (const TileReading& reading : view.readings) named += reading.probability;
  const double unlisted = std::max(0.0, 1 - named) * kUnlisted;
  double camera_total = unlisted, total = unlisted;
  double camera_illegal = 0;
  Decision legal, illegal;
  for (const auto& [reading, log_likelihood] : cell_memory.log_evidence) {
    const auto [tile, rotation] = reading;
    const auto refusal = CheckLaying(Laying(game(), tile, cell, rotation));
    const double likelihood = std::exp(log_likelihood);
    double weight = likelihood * (refusal ? kIllegalTileRate : 1 - kIllegalTileRate);
    if (game().TilesLeft(tile) <= 0) weight *= kNoCopiesLeft;
    camera_total += likelihood;
    total += weight;
    if (refusal) camera_illegal = std::max(camera_illegal, likelihood);
    Decision& best = refusal ? illegal : legal;
    if (weight > best.reading.probability) {
      best.reading = {tile, rotation, weight};
      best.refusal = refusal;
    }
  }
  legal.kind = Decision::Kind::kLegal;
  illegal.kind = Decision::Kind::kIllegal;
  legal.reading.probability /= total;
  illegal.reading.probability /= total;
  camera_illegal /= camera_total;
  if (camera_illegal >= (cell_memory.looks > 1 ? kClearReading : kClearAtOnce)) return illegal;
  if (camera_illegal < kRulesMayDecide || cell_memory.looks >= kPatience || !patient) {
    if (legal.reading.probability >= options.tile_certainty) return legal;
    if (illegal.reading.probability >= kSureIllegal) return illegal;
  }
  return {};
}

}  // namespace tilewarden::engine
