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
  cells_.assign(static_cast<std::size_t>(width_ * height_), kNothing);
  openings_.reserve(64);
}

const Board::Opening* Board::OpeningAt(Cell cell) const {
  const int column = cell.x - west_, row = cell.y - north_;
  if (column < 0 || row < 0 || column >= width_ || row >= height_) return nullptr;
  const std::int32_t value = cells_[static_cast<std::size_t>(row * width_ + column)];
  return value < kNothing ? &openings_[OpeningOf(value)] : nullptr;
}

void Board::AddOpening(std::size_t index, Cell cell, EdgeMask allowed) {
  cells_[index] = kNothing - 1 - static_cast<std::int32_t>(openings_.size());
  openings_.push_back({KeyOf(cell), allowed});
}

// The last opening takes its place.
void Board::RemoveOpening(std::size_t index) {
  const std::int32_t value = cells_[index];
  openings_[OpeningOf(value)] = openings_.back();
  cells_[IndexOf(CellOf(openings_.back().key))] = value;
  openings_.pop_back();
  cells_[index] = kNothing;
}

void Board::MakeRoom(Cell cell) {
  const int column = cell.x - west_, row = cell.y - north_;
  if (column >= 1 && row >= 1 && column < width_ - 1 && row < height_ - 1) return;
  const int left = column < 1 ? kGrowth - column : 0;
  const int top = row < 1 ? kGrowth - row : 0;
  const int right = column >= width_ - 1 ? kGrowth + column - (width_ - 1) : 0;
  const int bottom = row >= height_ - 1 ? kGrowth + row - (height_ - 1) : 0;
  const int width = width_ + left + right, height = height_ + top + bottom;
  std::vector<std::int32_t> cells(static_cast<std::size_t>(width) * height, kNothing);
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

void Board::Lay(Cell cell, int number, EdgeMask edges, bool plot) {
  MakeRoom(cell);
  const std::size_t at = IndexOf(cell);
  if (cells_[at] < kNothing) RemoveOpening(at);
  cells_[at] = 2 * number + (plot ? 1 : 0);
  for (const Side side : kSides) {
    const Cell next = Neighbour(cell, side);
    const std::size_t beside = IndexOf(next);
    const std::int32_t value = cells_[beside];
    if (value >= 0) continue;
    const auto demand = static_cast<EdgeMask>(~SideBits(Opposite(side)) | Facing(edges, side));
    if (value < kNothing) {
      Opening& opening = openings_[OpeningOf(value)];
      opening.allowed = static_cast<EdgeMask>(opening.allowed & demand);
    } else {
      AddOpening(beside, next, demand);
    }
  }
}

void Board::TakeUp(Cell cell, EdgeMask edges) {
  const std::size_t at = IndexOf(cell);
  cells_[at] = kNothing;
  EdgeMask allowed = 0;
  bool has_neighbour = false;
  for (const Side side : kSides) {
    const Cell next = Neighbour(cell, side);
    const std::size_t beside = IndexOf(next);
    const EdgeMask own = SideBits(side);
    if (cells_[beside] >= 0) {
      // It matched, so its edge tells the neighbour's.
      allowed = static_cast<EdgeMask>(allowed | (edges & own));
      has_neighbour = true;
      continue;
    }
    allowed = static_cast<EdgeMask>(allowed | own);
    bool alone = true;
    for (const Side other : kSides) alone &= At(Neighbour(next, other)) < 0;
    if (alone) {
      RemoveOpening(beside);
    } else {
      Opening& opening = openings_[OpeningOf(cells_[beside])];
      opening.allowed = static_cast<EdgeMask>(opening.allowed | SideBits(Opposite(side)));
    }
  }
  if (has_neighbour) AddOpening(at, cell, allowed);
}

}  // namespace tilewarden::engine
