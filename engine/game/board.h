// Which tile lies where, and the empty cells beside them, kept by what the tiles
// around demand. Answers where a tile fits without looking at the tiles or at
// cells where it does not, and which tiles with a plot lie around one. A value;
// not thread safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/tiles/compiled_tile.h"
#include "engine/tiles/grid.h"

namespace tilewarden::engine {

class Board {
 public:
  Board();

  // Number of the tile on a cell, or -1.
  int At(Cell cell) const { return NumberOf(ValueAt(cell)); }

  // Calls visit(number, dx, dy) for the tiles around a laid one, diagonals too:
  // all of them if `every`, else those with a plot.
  template <typename Visit>
  void ForEachAround(Cell cell, bool every, Visit visit) const {
    const std::int32_t* middle = &cells_[IndexOf(cell)];
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        const std::int32_t value = middle[dy * width_ + dx];
        // One test that is seldom true: tiles come and go, plots are few.
        const bool wanted = (value >= 0) & (every | ((value & 1) != 0)) & ((dx != 0) | (dy != 0));
        if (wanted) visit(value >> 1, dx, dy);
      }
    }
  }

  // Makes the middle of an empty board a cell that a tile may lie on.
  void OpenMiddle() { AddOpening(IndexOf({0, 0}), {0, 0}, 0); }
  // Lays a tile on an empty cell: in the order of the numbers, from 0. `meets`:
  // of its type, as it is turned. `plot`: it has a monastery, garden or temple.
  void Lay(Cell cell, int number, CompiledTile::Meets meets, bool plot);
  // Takes up the last tile laid.
  void TakeUp(Cell cell, CompiledTile::Meets meets);

  // Empty cells beside tiles where exactly this is demanded, in no order. Valid
  // until a tile is laid or taken up. Behind the last there is room up to the next
  // multiple of kAtOnce, so that so many can be read without asking for the end.
  static constexpr std::uint32_t kAtOnce = 4;
  std::span<const Cell> OpeningsWith(Demand demand) const {
    return {openings_.data() + lists_[demand].first, counts_[demand]};
  }
  // How many they are.
  std::size_t CountWith(Demand demand) const { return counts_[demand]; }
  // What is demanded on an empty cell beside tiles; empty: it is no such cell.
  std::optional<Demand> DemandAt(Cell cell) const {
    const std::int32_t value = ValueAt(cell);
    if (value >= kNothing) return std::nullopt;
    return DemandIn(value);
  }

  std::size_t MemoryUsed() const;

 private:
  // A cell holds a tile (its number twice, plus 1 with a plot), nothing, or an
  // opening: below nothing by what it demands and, times 1024, its place in the
  // list of those that demand the same.
  static constexpr std::int32_t kNothing = -1;
  static constexpr int kDemandBits = 10;
  static_assert(kDemands <= 1 << kDemandBits);
  static constexpr int NumberOf(std::int32_t value) { return value >= 0 ? value >> 1 : -1; }
  static constexpr std::int32_t ValueOf(Demand demand, std::size_t place) {
    return kNothing - 1 - (static_cast<std::int32_t>(place) << kDemandBits | demand);
  }
  static constexpr Demand DemandIn(std::int32_t value) {
    return static_cast<Demand>((kNothing - 1 - value) & ((1 << kDemandBits) - 1));
  }
  static constexpr std::size_t PlaceIn(std::int32_t value) {
    return static_cast<std::size_t>((kNothing - 1 - value) >> kDemandBits);
  }

  std::int32_t ValueAt(Cell cell) const {
    const int column = cell.x - west_, row = cell.y - north_;
    if (column < 0 || row < 0 || column >= width_ || row >= height_) return kNothing;
    return cells_[static_cast<std::size_t>(row * width_ + column)];
  }
  std::size_t IndexOf(Cell cell) const {
    return static_cast<std::size_t>((cell.y - north_) * width_ + (cell.x - west_));
  }
  void MakeRoom(Cell cell);
  void AddOpening(std::size_t index, Cell cell, Demand demand);
  void RemoveOpening(std::size_t index);

  // Row by row; a margin of one empty cell is kept around all tiles.
  int west_ = 0, north_ = 0, width_ = 0, height_ = 0;
  std::vector<std::int32_t> cells_;
  // Openings by demand: each list has a stretch of openings_, and moves to one of
  // twice the room at the end when it is full. One block of memory: cheap to copy
  // with a game.
  struct List {
    std::uint32_t first = 0, room = 0;
  };
  std::array<List, kDemands> lists_{};
  std::array<std::uint16_t, kDemands> counts_{};
  std::vector<Cell> openings_;
};

}  // namespace tilewarden::engine
