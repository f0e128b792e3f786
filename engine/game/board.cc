#include "engine/game/board.h"

#include <algorithm>

namespace tilewarden::engine {
namespace {

// Cells added on a side that has become too narrow.
constexpr int kGrowth = 8;

}  // namespace

Board::Board() : west_(-kGrowth), north_(-kGrowth), width_(2 * kGrowth), height_(2 * kGrowth) {
  cells_.assign(static_cast<std::size_t>(width_ * height_), kNothing);
}

void Board::AddOpening(std::size_t index, Cell cell, Demand demand) {
  List& list = lists_[demand];
  const std::size_t place = counts_[demand]++;
  if (place == list.room) {
    const auto first = static_cast<std::uint32_t>(openings_.size());
    openings_.resize(first + std::max(kAtOnce, 2 * list.room));
    std::copy_n(openings_.begin() + list.first, place, openings_.begin() + first);
    list = {first, static_cast<std::uint32_t>(openings_.size()) - first};
  }
  openings_[list.first + place] = cell;
  cells_[index] = ValueOf(demand, place);
}

// The last one of its list takes its place.
void Board::RemoveOpening(std::size_t index) {
  const std::int32_t value = cells_[index];
  const Demand demand = DemandIn(value);
  Cell* const list = openings_.data() + lists_[demand].first;
  const Cell last = list[--counts_[demand]];
  list[PlaceIn(value)] = last;
  cells_[IndexOf(last)] = value;
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

void Board::Lay(Cell cell, int number, CompiledTile::Meets meets, bool plot) {
  MakeRoom(cell);
  const std::size_t at = IndexOf(cell);
  if (cells_[at] < kNothing) RemoveOpening(at);
  cells_[at] = 2 * number + (plot ? 1 : 0);
  for (const Side side : kSides) {
    const Cell next = Neighbour(cell, side);
    const std::size_t beside = IndexOf(next);
    const std::int32_t value = cells_[beside];
    if (value >= 0) continue;
    int demand = Facing(meets[1U << static_cast<int>(side)], side);
    if (value < kNothing) {
      demand += DemandIn(value);
      RemoveOpening(beside);
    }
    AddOpening(beside, next, static_cast<Demand>(demand));
  }
}

void Board::TakeUp(Cell cell, CompiledTile::Meets meets) {
  const std::size_t at = IndexOf(cell);
  cells_[at] = kNothing;
  std::size_t sides = 0;
  for (const Side side : kSides) {
    const Cell next = Neighbour(cell, side);
    const std::size_t beside = IndexOf(next);
    const std::int32_t value = cells_[beside];
    if (value >= 0) {
      sides |= 1U << static_cast<int>(side);
      continue;
    }
    const int demand = DemandIn(value) - Facing(meets[1U << static_cast<int>(side)], side);
    RemoveOpening(beside);
    if (demand != 0) AddOpening(beside, next, static_cast<Demand>(demand));
  }
  // It matched, so its edges are what its neighbours demand.
  if (sides != 0) AddOpening(at, cell, meets[sides]);
}

std::size_t Board::MemoryUsed() const {
  return cells_.capacity() * sizeof(cells_[0]) + openings_.capacity() * sizeof(openings_[0]);
}

}  // namespace tilewarden::engine
