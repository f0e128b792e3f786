#include "engine/board.h"

#include <algorithm>
#include <cstddef>

namespace tilewarden::engine {
namespace {

// Cells added on a side that has become too narrow.
constexpr int kGrowth = 8;

constexpr EdgeMask SideBits(Side side) {
  return static_cast<EdgeMask>(0xF << (4 * static_cast<int>(side)));
}

// What an edge at `side` demands of the neighbour's opposite edge.
constexpr EdgeMask Facing(EdgeMask edges, Side side) {
  const int bits = edges >> (4 * static_cast<int>(side)) & 0xF;
  return static_cast<EdgeMask>(bits << (4 * static_cast<int>(Opposite(side))));
}

}  // namespace

Board::Board() : west_(-kGrowth), north_(-kGrowth), width_(2 * kGrowth), height_(2 * kGrowth) {
  cells_.assign(static_cast<std::size_t>(width_ * height_), -1);
  openings_.reserve(64);
}

std::vector<Board::Opening>::iterator Board::FirstFrom(std::int32_t key) {
  return std::lower_bound(openings_.begin(), openings_.end(), key,
                          [](const Opening& opening, std::int32_t k) { return opening.key < k; });
}

const Board::Opening* Board::OpeningAt(Cell cell) const {
  if (cell.x < -kReach || cell.x > kReach || cell.y < -kReach || cell.y > kReach) return nullptr;
  const std::int32_t key = KeyOf(cell);
  const auto at =
      std::lower_bound(openings_.begin(), openings_.end(), key,
                       [](const Opening& opening, std::int32_t k) { return opening.key < k; });
  return at != openings_.end() && at->key == key ? &*at : nullptr;
}

void Board::MakeRoom(Cell cell) {
  const int column = cell.x - west_, row = cell.y - north_;
  if (column >= 1 && row >= 1 && column < width_ - 1 && row < height_ - 1) return;
  const int left = column < 1 ? kGrowth - column : 0;
  const int top = row < 1 ? kGrowth - row : 0;
  const int right = column >= width_ - 1 ? kGrowth + column - (width_ - 1) : 0;
  const int bottom = row >= height_ - 1 ? kGrowth + row - (height_ - 1) : 0;
  const int width = width_ + left + right, height = height_ + top + bottom;
  std::vector<std::int16_t> cells(static_cast<std::size_t>(width) * height, -1);
  for (int r = 0; r < height_; ++r) {
    std::copy_n(cells_.begin() + static_cast<std::ptrdiff_t>(r) * width_, width_,
                cells.begin() + static_cast<std::ptrdiff_t>(r + top) * width + left);
  }
  cells_ = std::move(cells);
  west_ -= left;
  north_ -= top;
  width_ = width;
  height_ = height;
}

void Board::Lay(Cell cell, int number, EdgeMask edges) {
  MakeRoom(cell);
  const int at = (cell.y - north_) * width_ + (cell.x - west_);
  cells_[static_cast<std::size_t>(at)] = static_cast<std::int16_t>(number);
  const std::int32_t own = KeyOf(cell);
  if (const auto opening = FirstFrom(own); opening != openings_.end() && opening->key == own) {
    openings_.erase(opening);
  }
  for (const Side side : kSides) {
    const Cell next = Neighbour(cell, side);
    if (At(next) >= 0) continue;
    const std::int32_t key = KeyOf(next);
    const auto demand = static_cast<EdgeMask>(~SideBits(Opposite(side)) | Facing(edges, side));
    const auto opening = FirstFrom(key);
    if (opening != openings_.end() && opening->key == key) {
      opening->allowed = static_cast<EdgeMask>(opening->allowed & demand);
    } else {
      openings_.insert(opening, {key, demand});
    }
  }
}

void Board::TakeUp(Cell cell, EdgeMask edges) {
  const int at = (cell.y - north_) * width_ + (cell.x - west_);
  cells_[static_cast<std::size_t>(at)] = -1;
  EdgeMask allowed = 0;
  bool has_neighbour = false;
  for (const Side side : kSides) {
    const Cell next = Neighbour(cell, side);
    const EdgeMask own = SideBits(side);
    if (At(next) >= 0) {
      // It matched, so its edge tells the neighbour's.
      allowed = static_cast<EdgeMask>(allowed | (edges & own));
      has_neighbour = true;
      continue;
    }
    allowed = static_cast<EdgeMask>(allowed | own);
    const auto opening = FirstFrom(KeyOf(next));
    bool alone = true;
    for (const Side other : kSides) alone &= At(Neighbour(next, other)) < 0;
    if (alone) {
      openings_.erase(opening);
    } else {
      opening->allowed = static_cast<EdgeMask>(opening->allowed | SideBits(Opposite(side)));
    }
  }
  if (has_neighbour) openings_.insert(FirstFrom(KeyOf(cell)), {KeyOf(cell), allowed});
}

}  // namespace tilewarden::engine
