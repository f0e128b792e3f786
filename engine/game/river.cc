// The River: where a river tile may go on.
#include "engine/game/game.h"

namespace tilewarden::engine {
namespace {

constexpr const char* kContinue =
    "A river tile must go on at an open end of the river (The River, placing a tile).";
constexpr const char* kJoined = "The river's branches may not be joined (The River II).";
constexpr const char* kUTurn =
    "The river may not turn twice in a row in the same direction (The River, placing a tile).";
constexpr const char* kStrictUTurn =
    "The river may not turn twice in the same direction, also not with straight tiles between "
    "(The River, option river: strict).";
constexpr const char* kThreeTimes =
    "The river may not turn three times in the same direction (The River, option river: three).";
constexpr const char* kTowards =
    "The river may not curve towards river that lies already (The River, option river: away).";

bool HasSide(std::uint8_t canonical_sides, int side, int rotation) {
  return canonical_sides >> ((side - rotation) & 3) & 1;
}

}  // namespace

// The side by which a river tile hangs on river already laid; -1: by none.
int Game::RiverEntry(int tile, const Placement& at) const {
  const std::uint8_t sides = tiles_->compiled()[static_cast<std::size_t>(tile)].river_sides;
  for (int side = 0; side < 4; ++side) {
    if (HasSide(sides, side, at.rotation) &&
        board_.At(Neighbour(at.cell, static_cast<Side>(side))) >= 0) {
      return side;
    }
  }
  return -1;
}

Game::RiverFault Game::FindRiverFault(int tile, const Placement& at) const {
  const std::uint8_t sides = tiles_->compiled()[static_cast<std::size_t>(tile)].river_sides;
  int connections = 0, ends = 0, out = -1;
  const int entry = RiverEntry(tile, at);
  for (int side = 0; side < 4; ++side) {
    if (!HasSide(sides, side, at.rotation)) continue;
    ++ends;
    if (board_.At(Neighbour(at.cell, static_cast<Side>(side))) >= 0) ++connections;
    if (side != entry) out = side;
  }
  if (connections == 0) {
    // Where no river lies, one may begin (house rules with river tiles mixed in).
    for (int number = 0; number < static_cast<int>(laid_.size()); ++number) {
      if (TileOf(number).river_sides != 0) return {"river-must-continue", kContinue};
    }
    return {};
  }
  if (connections > 1) return {"river-branches-joined", kJoined};
  const int turn = ends == 2 ? (out - entry) & 3 : 2;
  if (turn == 2 || rules_.river == RiverTurns::kFree) return {};

  if (rules_.river == RiverTurns::kAway) {
    Cell cell = at.cell;
    for (std::size_t step = 0; step < laid_.size(); ++step) {
      cell = Neighbour(cell, static_cast<Side>(out));
      const int number = board_.At(cell);
      if (number >= 0 && TileOf(number).river_sides != 0) return {"river-uturn", kTowards};
    }
  }
  // Back along the river, towards the source: turns are told by the sides by
  // which each tile is entered and left.
  int same = 0;
  bool immediate = true;
  int leave = static_cast<int>(Opposite(static_cast<Side>(entry)));
  int number = board_.At(Neighbour(at.cell, static_cast<Side>(entry)));
  while (number >= 0) {
    const int enter = RiverFrom(number, leave);
    if (enter < 0) return {};
    const int before = (leave - enter) & 3;
    if (before != 2) {
      if (before != turn) return {};
      ++same;
      if (immediate) return {"river-uturn", kUTurn};
      if (rules_.river == RiverTurns::kStrict) return {"river-uturn", kStrictUTurn};
      if (rules_.river == RiverTurns::kThree && same == 2) return {"river-uturn", kThreeTimes};
    }
    immediate = false;
    leave = static_cast<int>(Opposite(static_cast<Side>(enter)));
    number = board_.At(
        Neighbour(laid_[static_cast<std::size_t>(number)].cell, static_cast<Side>(enter)));
  }
  return {};
}

// The side by which the river's course comes to a laid tile that it leaves by
// `leave`; -1: it begins there. Away from where the board began, the course
// goes back to it; on the other arm of a tile in the middle, through it.
int Game::RiverFrom(int number, int leave) const {
  const int entry = river_entry_[static_cast<std::size_t>(number)];
  if (entry >= 0 && entry != leave) return entry;
  const int rotation = laid_[static_cast<std::size_t>(number)].rotation;
  const std::uint8_t sides = TileOf(number).river_sides;
  int other = -1, count = 0;
  for (int side = 0; side < 4; ++side) {
    if (!HasSide(sides, side, rotation)) continue;
    ++count;
    if (side != leave) other = side;
  }
  return count == 2 ? other : -1;
}

// A complete river, and nothing but river on the table yet.
bool Game::RiverIsCompleteAndAlone() const {
  for (std::size_t number = 0; number < laid_.size(); ++number) {
    if (TileOf(static_cast<int>(number)).river_sides == 0) return false;
  }
  for (int node = 0; node < features_.size(); ++node) {
    const Features::Node& feature = features_.at(node);
    if (feature.parent == node && feature.kind == SegmentKind::kRiver && feature.open > 0) {
      return false;
    }
  }
  return !laid_.empty();
}

// River ends that would be open with this tile laid there.
int Game::OpenRiverEnds(int tile, const Placement& at) const {
  int open = 0;
  for (int node = 0; node < features_.size(); ++node) {
    const Features::Node& feature = features_.at(node);
    if (feature.parent == node && feature.kind == SegmentKind::kRiver) open += feature.open;
  }
  const std::uint8_t sides = tiles_->compiled()[static_cast<std::size_t>(tile)].river_sides;
  for (int side = 0; side < 4; ++side) {
    if (!HasSide(sides, side, at.rotation)) continue;
    open += board_.At(Neighbour(at.cell, static_cast<Side>(side))) >= 0 ? -1 : 1;
  }
  return open;
}

}  // namespace tilewarden::engine
