// Which tile lies where, and the empty cells beside them with the edges that
// each still allows. Answers where a tile fits without looking at the tiles
// again, and which tiles with a plot lie around one. A value; not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/compiled_tile.h"
#include "engine/grid.h"

namespace tilewarden::engine {

class Board {
 public:
  // An empty cell with at least one neighbour, and the edges that it allows.
  struct Opening {
    std::int32_t key;
    EdgeMask allowed;
    friend bool operator==(const Opening&, const Opening&) = default;
  };

  // Cells further out than this are never on the board.
  static constexpr int kReach = 16000;

  Board();

  // Number of the tile on a cell, or -1.
  int At(Cell cell) const {
    const int column = cell.x - west_, row = cell.y - north_;
    if (column < 0 || row < 0 || column >= width_ || row >= height_) return -1;
    return NumberOf(cells_[static_cast<std::size_t>(row * width_ + column)]);
  }

  // Calls visit(number, dx, dy) for the tiles around a laid one, diagonals too:
  // all of them if `every`, else those with a plot.
  template <typename Visit>
  void ForEachAround(Cell cell, bool every, Visit visit) const {
    const std::int32_t* middle = &cells_[IndexOf(cell)];
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        const std::int32_t value = middle[dy * width_ + dx];
        if (value < 0 || (!every && !(value & 1)) || (dx == 0 && dy == 0)) continue;
        visit(value >> 1, dx, dy);
      }
    }
  }

  // Makes the middle of an empty board a cell that a tile may lie on.
  void OpenMiddle() { AddOpening(IndexOf({0, 0}), {0, 0}, kAnyEdges); }
  // Lays a tile on an empty cell: in the order of the numbers, from 0. `plot`: it
  // has a monastery, garden or temple.
  void Lay(Cell cell, int number, EdgeMask edges, bool plot);
  // Takes up the last tile laid.
  void TakeUp(Cell cell, EdgeMask edges);

  // Empty cells beside tiles, in no order.
  const std::vector<Opening>& openings() const { return openings_; }
  // The opening at a cell, or null.
  const Opening* OpeningAt(Cell cell) const;

  static constexpr std::int32_t KeyOf(Cell cell) { return cell.x * 65536 + (cell.y + 32768); }
  static constexpr Cell CellOf(std::int32_t key) {
    const std::int32_t x = key >> 16;
    return {x, key - x * 65536 - 32768};
  }

  std::size_t MemoryUsed() const {
    return cells_.capacity() * sizeof(cells_[0]) + openings_.capacity() * sizeof(Opening);
  }

 private:
  // A cell holds a tile (its number twice, plus 1 with a plot), nothing, or an
  // opening: below nothing by its place in openings_ and 1.
  static constexpr std::int32_t kNothing = -1;
  static constexpr int NumberOf(std::int32_t value) { return value >= 0 ? value >> 1 : -1; }
  static constexpr std::size_t OpeningOf(std::int32_t value) {
    return static_cast<std::size_t>(kNothing - 1 - value);
  }
  std::size_t IndexOf(Cell cell) const {
    return static_cast<std::size_t>((cell.y - north_) * width_ + (cell.x - west_));
  }
  void MakeRoom(Cell cell);
  void AddOpening(std::size_t index, Cell cell, EdgeMask allowed);
  void RemoveOpening(std::size_t index);

  // Row by row; a margin of one empty cell is kept around all tiles.
  int west_ = 0, north_ = 0, width_ = 0, height_ = 0;
  std::vector<std::int32_t> cells_;
  std::vector<Opening> openings_;
};

}  // namespace tilewarden::engine
