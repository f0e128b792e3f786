// The tiles to draw: which lie at the start, in which piles the others are
// drawn, and what the players hold of them. There is no chance in it: whoever shuffles
// the piles gives the order.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "engine/game/rules.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

// The tile that lies at (0, 0) at the start; -1: none, because the first tile
// drawn begins (house rules: the start tile, or the whole river, in the bag).
int StartTile(const TileSet& tiles, const Rules& rules);

// Copies of each type that are played with, by index in types(): those of the
// box, and what house rules keep that the rules leave in it.
std::vector<int> CopiesInPlay(const TileSet& tiles, const Rules& rules);

// Every tile in play but those that lie at the start, one entry a copy, in
// piles drawn one after the other, each shuffled: the fork, the river, its
// ends, and then the land, where there is a river. Where the river is in two stacks, chance
// decides at the table which tile is in which; here they are in turn.
std::vector<std::vector<int>> DrawPiles(const TileSet& tiles, const Rules& rules);

// What people do before the first turn, a sentence each: who begins, what lies
// on the table, how tiles are drawn, and which house rules are agreed on.
std::vector<std::string> SetUpSteps(const TileSet& tiles, const Rules& rules);

// The stack, and the players' hands where they have some (options hand and
// draw_at_end). Not thread safe.
class Stack {
 public:
  // `order`: the next tile first.
  Stack(std::deque<int> order, const Rules& rules, int players);

  // The tiles that this player may choose from in a turn that begins now:
  // the one just drawn, or the hand. Empty: nothing is left.
  const std::vector<int>& Choices(int player);
  // The player laid this tile, one of the choices.
  void Laid(int player, int tile);
  // It fits nowhere: it leaves the game, or goes back below `above` tiles of
  // the stack (option unplaceable_returns). The player draws another.
  void SetAside(int player, int tile, std::size_t above);

  std::size_t left() const { return order_.size(); }

 private:
  void DrawUpTo(int player, std::size_t tiles);
  void Drop(int player, int tile);

  std::deque<int> order_;
  std::vector<std::vector<int>> hands_;
  std::size_t hand_;
  bool draws_at_end_;
  bool returns_;
};

}  // namespace tilewarden::engine
