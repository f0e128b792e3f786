// The legal placements of a tile, found but not written out: the board keeps
// cells that demand the same in one list, so where a tile fits is told by the
// few demands that it meets, at a cost that is the same on a board of any size.
// Meant to be reused, not copied. Valid until the game that filled it changes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/game/board.h"
#include "engine/game/turn.h"
#include "engine/tiles/compiled_tile.h"

namespace tilewarden::engine {

class PlacementList {
 public:
  PlacementList() = default;
  PlacementList(const PlacementList&) = delete;
  PlacementList& operator=(const PlacementList&) = delete;

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  // The one at this place, below size(); in no order.
  Placement operator[](std::size_t place) const {
    if (tile_ == nullptr) return kept_[place];
    std::uint64_t lists = lists_;
    std::size_t i = First(lists);
    while (place >= board_->CountWith(tile_->meets[i])) {
      place -= board_->CountWith(tile_->meets[i]);
      lists &= lists - 1;
      i = First(lists);
    }
    return {board_->OpeningsWith(tile_->meets[i])[place], CompiledTile::RotationOf(i)};
  }
  // Calls visit(placement) for each.
  template <typename Visit>
  void ForEach(Visit visit) const {
    if (tile_ == nullptr) {
      std::for_each(kept_.begin(), kept_.end(), visit);
      return;
    }
    // Written out a few at a time: most lists are short, and where each ends is
    // hard to predict, also for the processor.
    constexpr std::size_t kAtOnce = Board::kAtOnce, kSome = 16 * kAtOnce;
    std::array<Placement, kSome + kAtOnce> some;
    std::size_t count = 0;
    for (std::uint64_t lists = lists_; lists != 0; lists &= lists - 1) {
      const std::size_t i = First(lists);
      const int rotation = CompiledTile::RotationOf(i);
      const std::span<const Cell> cells = board_->OpeningsWith(tile_->meets[i]);
      for (std::size_t from = 0; from < cells.size(); from += kAtOnce) {
        for (std::size_t k = 0; k < kAtOnce; ++k) {
          some[count + k] = {cells.data()[from + k], rotation};
        }
        count += std::min(kAtOnce, cells.size() - from);
        if (count > kSome) {
          std::for_each_n(some.begin(), count, visit);
          count = 0;
        }
      }
    }
    std::for_each_n(some.begin(), count, visit);
  }

 private:
  friend void FindPlacements(const class Position& position, const class Parts& parts, int tile,
                             PlacementList* out);

  static std::size_t First(std::uint64_t lists) {
    return static_cast<std::size_t>(std::countr_zero(lists));
  }

  void Clear() {
    tile_ = nullptr;
    kept_.clear();
    size_ = 0;
  }
  void Find(const Board& board, const CompiledTile& tile) {
    board_ = &board;
    tile_ = &tile;
    size_ = 0;
    lists_ = 0;
    for (std::size_t i = 0; i < tile.meets.size(); ++i) {
      const std::size_t count = board.CountWith(tile.meets[i]);
      size_ += count;
      lists_ |= std::uint64_t{count != 0} << i;
    }
  }
  // Only those that `keep` wants: written out.
  template <typename Keep>
  void KeepIf(Keep keep) {
    kept_.clear();
    ForEach([&](const Placement& at) {
      if (keep(at)) kept_.push_back(at);
    });
    tile_ = nullptr;
    size_ = kept_.size();
  }

  // The openings of the board that the tile meets; with no tile, those kept.
  const Board* board_ = nullptr;
  const CompiledTile* tile_ = nullptr;
  std::uint64_t lists_ = 0;  // bit i: there are openings with tile_->meets[i]
  std::vector<Placement> kept_;
  std::size_t size_ = 0;
};

}  // namespace tilewarden::engine
