// Which tile lies where, and the empty cells beside them with the edges that
// each still allows. Answers where a tile fits without looking at the tiles
// again. A value; not thread safe.
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
    return cells_[static_cast<std::size_t>(row * width_ + column)];
  }

  // Lays a tile on an empty cell: in the order of the numbers, from 0.
  void Lay(Cell cell, int number, EdgeMask edges);
  // Takes up the last tile laid.
  void TakeUp(Cell cell, EdgeMask edges);

  // Empty cells beside tiles, sorted by x, then y.
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
  void MakeRoom(Cell cell);
  std::vector<Opening>::iterator FirstFrom(std::int32_t key);

  // Row by row; a margin of one empty cell is kept around all tiles.
  int west_ = 0, north_ = 0, width_ = 0, height_ = 0;
  std::vector<std::int16_t> cells_;
  std::vector<Opening> openings_;
};

}  // namespace tilewarden::engine
