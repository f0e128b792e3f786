#include "engine/game/stack.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tilewarden::engine {
namespace {

bool IsRiver(const TileSet& tiles, int tile) {
  return tile >= 0 && tiles.types()[static_cast<std::size_t>(tile)].HasRiver();
}

bool HasRole(const TileSet& tiles, int tile, RiverRole role) {
  const auto& segments = tiles.types()[static_cast<std::size_t>(tile)].segments;
  return std::any_of(segments.begin(), segments.end(),
                     [&](const Segment& segment) { return segment.river_role == role; });
}

bool IsVolcano(const TileSet& tiles, int tile) {
  const auto& segments = tiles.types()[static_cast<std::size_t>(tile)].segments;
  return std::any_of(segments.begin(), segments.end(),
                     [](const Segment& segment) { return segment.volcano; });
}

// The lake that is kept where there is only one: none with a volcano, if there is one;
// -1: there is no lake.
int OneLake(const TileSet& tiles) {
  int kept = -1;
  for (int tile = 0; tile < static_cast<int>(tiles.types().size()); ++tile) {
    if (tiles.counts()[static_cast<std::size_t>(tile)] == 0) continue;
    if (!HasRole(tiles, tile, RiverRole::kLake)) continue;
    if (kept < 0 || (IsVolcano(tiles, kept) && !IsVolcano(tiles, tile))) kept = tile;
  }
  return kept;
}

// The river's tiles in two stacks, one entry a copy: the fork in the upper one and a
// source in the lower one, the others in turn.
std::pair<std::vector<int>, std::vector<int>> TwoStacks(const TileSet& tiles,
                                                        const std::vector<int>& river) {
  std::pair<std::vector<int>, std::vector<int>> stacks;
  bool above = true;
  for (const int tile : river) {
    if (tile == tiles.second()) {
      stacks.first.push_back(tile);
    } else if (HasRole(tiles, tile, RiverRole::kSource)) {
      stacks.second.push_back(tile);
    } else {
      (above ? stacks.first : stacks.second).push_back(tile);
      above = !above;
    }
  }
  return stacks;
}

}  // namespace

int StartTile(const TileSet& tiles, const Rules& rules) {
  const int start = tiles.start_tile();
  if (!IsRiver(tiles, start)) return rules.start_tile_mixed ? -1 : start;
  // A double-sized source cannot be drawn: it begins in any case.
  if (!tiles.more_start_tiles().empty()) return start;
  if (rules.river_shuffled) return -1;
  if (rules.river_start == RiverStart::kLake && !tiles.last().empty()) {
    return rules.one_lake ? OneLake(tiles) : tiles.last()[0];
  }
  if (rules.river_start == RiverStart::kFork && tiles.second() >= 0) return tiles.second();
  return start;
}

std::vector<int> CopiesInPlay(const TileSet& tiles, const Rules& rules) {
  std::vector<int> copies = tiles.counts();
  const auto keep = [&](int tile) {
    if (tile >= 0) ++copies[static_cast<std::size_t>(tile)];
  };
  if (rules.start_tile_mixed) keep(tiles.replaced_start());
  if (rules.several_sources) keep(tiles.spare_source());
  if (!rules.one_lake) return copies;
  const int kept = OneLake(tiles);
  for (int tile = 0; tile < static_cast<int>(copies.size()); ++tile) {
    if (HasRole(tiles, tile, RiverRole::kLake)) {
      copies[static_cast<std::size_t>(tile)] = tile == kept ? 1 : 0;
    }
  }
  return copies;
}

std::vector<std::vector<int>> DrawPiles(const TileSet& tiles, const Rules& rules) {
  std::vector<int> left = CopiesInPlay(tiles, rules);
  const auto take = [&](int tile) {
    if (tile < 0 || left[static_cast<std::size_t>(tile)] == 0) return false;
    --left[static_cast<std::size_t>(tile)];
    return true;
  };
  take(StartTile(tiles, rules));
  for (const TileSet::StartTile& more : tiles.more_start_tiles()) take(more.tile);

  std::vector<int> second, ends, river, land;
  if (!rules.river_shuffled) {
    if (!rules.river_in_two_stacks && take(tiles.second())) second.push_back(tiles.second());
    for (const int lake : tiles.last()) {
      if (!rules.lakes_mixed && take(lake)) ends.push_back(lake);
    }
    // Sources that do not begin: the river is laid backwards or from its fork,
    // or has two. In two stacks one of them is the very last.
    while (IsRiver(tiles, tiles.start_tile()) && take(tiles.start_tile())) {
      ends.push_back(tiles.start_tile());
      if (rules.river_in_two_stacks) break;
    }
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    const bool with_river =
        tiles.types()[i].HasRiver() || static_cast<int>(i) == tiles.replaced_start();
    // The start tile that a river replaces is drawn among the river's tiles,
    // where it is played with at all; other copies of it are land.
    const int bonus = rules.start_tile_mixed && !tiles.types()[i].HasRiver() && with_river ? 1 : 0;
    const int in_river = tiles.types()[i].HasRiver() ? left[i] : bonus;
    river.insert(river.end(), static_cast<std::size_t>(in_river), static_cast<int>(i));
    land.insert(land.end(), static_cast<std::size_t>(left[i] - in_river), static_cast<int>(i));
  }
  std::vector<int> lower;
  if (rules.river_in_two_stacks) std::tie(river, lower) = TwoStacks(tiles, river);
  std::vector<std::vector<int>> piles;
  for (std::vector<int>* pile : {&second, &river, &lower, &ends, &land}) {
    if (!pile->empty()) piles.push_back(std::move(*pile));
  }
  return piles;
}

Stack::Stack(std::deque<int> order, const Rules& rules, int players)
    : order_(std::move(order)),
      hands_(static_cast<std::size_t>(std::max(players, 1))),
      hand_(static_cast<std::size_t>(rules.hand)),
      draws_at_end_(rules.draw_at_end || rules.hand > 1),
      returns_(rules.unplaceable_returns) {
  if (!draws_at_end_) return;
  for (int player = 0; player < static_cast<int>(hands_.size()); ++player) {
    DrawUpTo(player, hand_);
  }
}

void Stack::DrawUpTo(int player, std::size_t tiles) {
  std::vector<int>& hand = hands_[static_cast<std::size_t>(player)];
  while (hand.size() < tiles && !order_.empty()) {
    hand.push_back(order_.front());
    order_.pop_front();
  }
}

void Stack::Drop(int player, int tile) {
  std::vector<int>& hand = hands_[static_cast<std::size_t>(player)];
  const auto at = std::find(hand.begin(), hand.end(), tile);
  if (at != hand.end()) hand.erase(at);
}

const std::vector<int>& Stack::Choices(int player) {
  if (!draws_at_end_) DrawUpTo(player, 1);
  return hands_[static_cast<std::size_t>(player)];
}

void Stack::Laid(int player, int tile) {
  Drop(player, tile);
  if (draws_at_end_) DrawUpTo(player, hand_);
}

void Stack::SetAside(int player, int tile, std::size_t above) {
  Drop(player, tile);
  DrawUpTo(player, hand_);
  if (!returns_) return;
  const auto place = static_cast<std::ptrdiff_t>(std::min(above, order_.size()));
  order_.insert(order_.begin() + place, tile);
}

}  // namespace tilewarden::engine
