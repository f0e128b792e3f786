// Whose turn it is, and who took each turn: worked out from the colours of the
// figures that turns brought. Nobody tells the referee the order: it is learned.
//
// Players take turns in a cycle of n places (2 to 6). A turn with a figure
// names its player; a turn without one tells nothing. As long as no colour has
// come back, any cycle fits; once one has, only cycle lengths that divide every
// distance between two turns of one colour, and keep different colours on
// different places, are left. When one length is left, the order is known, also
// backwards, and places without a colour belong to players nobody has seen yet.
//
// Pure function of the turns; results are values.
#pragma once

#include <vector>

namespace tilewarden::engine {

struct TurnOrder {
  // By turn: index of the player, or -1 while nobody can know.
  std::vector<int> movers;
  // Length of the cycle; 0 while it is not known.
  int players = 0;
  // By place in the cycle, where the first turn has place 0: index of the
  // player, -1 where nobody has been seen. Empty while not known.
  std::vector<int> cycle;
  // Place that is to move next; -1 while not known.
  int next_place = -1;
  // Player to move next: -1 while nobody can know.
  int next = -1;

  enum class Breach { kOutOfTurn, kTwoTiles };
  struct Violation {
    int turn = 0;  // from 1: the turn that does not fit
    Breach breach = Breach::kOutOfTurn;
    int player = 0;    // who played
    int expected = 0;  // whose turn it was, -1: somebody not seen yet
    friend bool operator==(const Violation&, const Violation&) = default;
  };
  std::vector<Violation> violations;
  // Turns with a figure before the order was known that fit no order.
  int unexplained = 0;
};

// `evidence`: by turn, the player whose figure it brought, or -1. `players`: so
// many are known besides, 0 where only the evidence tells. `given`: they are all that play, in this
// order (who begins is learned nevertheless). `extra`: by turn, whether its player takes the next
// one too; may be shorter.
TurnOrder DeduceOrder(const std::vector<int>& evidence, int players, bool given,
                      const std::vector<bool>& extra = {});

}  // namespace tilewarden::engine
