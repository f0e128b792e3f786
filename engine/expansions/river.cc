#include "engine/expansions/river.h"

#include <vector>

#include "engine/game/placing.h"

namespace tilewarden::engine {
namespace {

constexpr const char* kContinue =
    "A river tile must continue the river at an open end (The River, placing a tile).";
constexpr const char* kJoined =
    "The river's branches may not be joined (The River, placing a tile).";
constexpr const char* kUTurn =
    "The river may not turn twice in a row in the same direction (The River, placing a tile).";
constexpr const char* kStrictUTurn =
    "The river may not turn twice in the same direction, even with straight tiles between "
    "(The River, option river: strict).";
constexpr const char* kThreeTimes =
    "The river may not turn three times in the same direction (The River, official answer on "
    "U-turns, option river_three).";
constexpr const char* kTowards =
    "The river may not curve towards river already laid (The River, placing a tile, option "
    "river_away).";

constexpr const char* kVolcano =
    "No meeple may be placed on the lake with the volcano (The River II).";
constexpr const char* kNoMeeples =
    "No meeples before the river is complete (house rule, option river_meeples).";

bool HasSide(std::uint8_t canonical_sides, int side, int rotation) {
  return canonical_sides >> ((side - rotation) & 3) & 1;
}

// The side by which a river tile joins river already laid; -1: none.
int EntryOf(const Position& position, int tile, const Placement& at) {
  const std::uint8_t sides = position.Type(tile).river_sides;
  for (int side = 0; side < 4; ++side) {
    if (HasSide(sides, side, at.rotation) &&
        position.board().At(Neighbour(at.cell, static_cast<Side>(side))) >= 0) {
      return side;
    }
  }
  return -1;
}

// River ends that would be open with this tile laid there.
int OpenEnds(const Position& position, int tile, const Placement& at) {
  int open = 0;
  for (int node = 0; node < position.features().size(); ++node) {
    const Features::Node& feature = position.features().at(node);
    if (feature.parent == node && feature.kind == SegmentKind::kRiver) open += feature.open;
  }
  const std::uint8_t sides = position.Type(tile).river_sides;
  for (int side = 0; side < 4; ++side) {
    if (!HasSide(sides, side, at.rotation)) continue;
    open += position.board().At(Neighbour(at.cell, static_cast<Side>(side))) >= 0 ? -1 : 1;
  }
  return open;
}

class River final : public PartWithoutState<River> {
 public:
  void SetTable(Position& position) override { river_first_ = !position.rules().river_meeples; }

  std::size_t MemoryUsed() const override { return entry_.capacity(); }

  void Laid(Position& position) override {
    const PlacedTile& last = position.laid().back();
    const bool river = position.Type(last.tile).river_sides != 0;
    const int entry = river ? EntryOf(position, last.tile, {last.cell, last.rotation}) : -1;
    entry_.push_back(static_cast<std::int8_t>(entry));
  }
  void Undo(Position&, const Turn& turn) override {
    if (!turn.set_aside) entry_.pop_back();
  }

  // The lake with the volcano.
  bool GivesExtraTurn(const Position& position, const Turn& turn) const override {
    return position.rules().volcano_lake && position.Type(turn.tile).volcano;
  }

  // By a house rule nobody is deployed on any tile until the river is down.
  bool Limits(const CompiledTile& tile) const override {
    return tile.river_sides != 0 || river_first_;
  }
  Fault LayingFault(const Position& position, int tile, const Placement& at) const override {
    const std::uint8_t sides = position.Type(tile).river_sides;
    if (sides == 0) return {};
    int connections = 0, ends = 0, out = -1;
    const int entry = EntryOf(position, tile, at);
    for (int side = 0; side < 4; ++side) {
      if (!HasSide(sides, side, at.rotation)) continue;
      ++ends;
      if (position.board().At(Neighbour(at.cell, static_cast<Side>(side))) >= 0) ++connections;
      if (side != entry) out = side;
    }
    if (connections == 0) {
      // Where no river lies, one may begin (house rules with river tiles mixed in).
      for (int number = 0; number < static_cast<int>(position.laid().size()); ++number) {
        if (position.TileOf(number).river_sides != 0) return {"river-must-continue", kContinue};
      }
      return {};
    }
    if (connections > 1) return {"river-branches-joined", kJoined};
    const int turn = ends == 2 ? (out - entry) & 3 : 2;
    if (turn == 2 || position.rules().river == RiverTurns::kFree) return {};

    if (position.rules().river_away) {
      Cell cell = at.cell;
      for (std::size_t step = 0; step < position.laid().size(); ++step) {
        cell = Neighbour(cell, static_cast<Side>(out));
        const int number = position.board().At(cell);
        if (number >= 0 && position.TileOf(number).river_sides != 0)
          return {"river-uturn", kTowards};
      }
    }
    // Back along the river, towards the source: turns are told by the sides by
    // which each tile is entered and left.
    int same = 0;
    bool immediate = true;
    int leave = static_cast<int>(Opposite(static_cast<Side>(entry)));
    int number = position.board().At(Neighbour(at.cell, static_cast<Side>(entry)));
    while (number >= 0) {
      const int enter = From(position, number, leave);
      if (enter < 0) return {};
      const int before = (leave - enter) & 3;
      if (before != 2) {
        if (before != turn) return {};
        ++same;
        if (immediate) return {"river-uturn", kUTurn};
        if (position.rules().river == RiverTurns::kStrict) return {"river-uturn", kStrictUTurn};
        if (position.rules().river_three && same == 2) return {"river-uturn", kThreeTimes};
      }
      immediate = false;
      leave = static_cast<int>(Opposite(static_cast<Side>(enter)));
      number = position.board().At(Neighbour(position.Laid(number).cell, static_cast<Side>(enter)));
    }
    return {};
  }

  // The river that lies beside the cell already.
  Refusal Explain(const Position& position, const Turn& turn, const Fault& fault) const override {
    Refusal refusal{fault.code, fault.text, {turn.cell}};
    for (int side = 0; side < 4; ++side) {
      const Cell next = Neighbour(turn.cell, static_cast<Side>(side));
      const int number = position.board().At(next);
      if (number < 0) continue;
      const PlacedTile& other = position.Laid(number);
      const Place place = position.SegmentAtEdge(other.tile, next, other.rotation, side + 2);
      if (position.features().at(position.NodeAt(place)).kind != SegmentKind::kRiver) continue;
      refusal.cells.push_back(next);
      refusal.places.push_back(place);
    }
    return refusal;
  }

  // Tiles on which nobody may be deployed: the lake with the volcano, and by a house
  // rule every tile before the river is complete, but for the one that completes it.
  Fault DeployingFault(const Position& position, int tile, const Placement& at) const override {
    const CompiledTile& type = position.Type(tile);
    const Rules& rules = position.rules();
    if (type.river_sides == 0) {
      if (!river_first_ || !RiverGoesOn(position)) return {};
      return {"no-meeples-on-river", kNoMeeples};
    }
    const bool volcano = type.volcano && rules.volcano_lake;
    if (!volcano && (rules.river_meeples || OpenEnds(position, tile, at) == 0)) return {};
    return {"no-meeples-on-river", rules.river_meeples ? kVolcano : kNoMeeples};
  }

 private:
  // Whether a river tile is left that can be laid. One that fits nowhere does not count:
  // an unfinished river is legal.
  bool RiverGoesOn(const Position& position) const {
    PlacementList placements;
    for (int tile = 0; tile < position.types(); ++tile) {
      if (position.Type(tile).river_sides == 0 || position.TilesLeft(tile) <= 0) continue;
      FindPlacements(position, Parts{}, tile, &placements);
      bool fits = false;
      placements.ForEach(
          [&](const Placement& at) { fits = fits || !LayingFault(position, tile, at); });
      if (fits) return true;
    }
    return false;
  }

  // The side by which the river's course comes to a laid tile that it leaves by
  // `leave`; -1: it begins there. Away from where the board began, the course
  // goes back to it; on the other arm of a tile in the middle, through it.
  int From(const Position& position, int number, int leave) const {
    const int entry = entry_[static_cast<std::size_t>(number)];
    if (entry >= 0 && entry != leave) return entry;
    const int rotation = position.Laid(number).rotation;
    const std::uint8_t sides = position.TileOf(number).river_sides;
    int other = -1, count = 0;
    for (int side = 0; side < 4; ++side) {
      if (!HasSide(sides, side, rotation)) continue;
      ++count;
      if (side != leave) other = side;
    }
    return count == 2 ? other : -1;
  }

  bool river_first_ = false;        // house rule: no meeples before it is complete
  std::vector<std::int8_t> entry_;  // as the tiles laid: side towards the source, or -1
};

}  // namespace

bool RiverIsCompleteAndAlone(const Position& position) {
  for (std::size_t number = 0; number < position.laid().size(); ++number) {
    if (position.TileOf(static_cast<int>(number)).river_sides == 0) return false;
  }
  for (int node = 0; node < position.features().size(); ++node) {
    const Features::Node& feature = position.features().at(node);
    if (feature.parent == node && feature.kind == SegmentKind::kRiver && feature.open > 0) {
      return false;
    }
  }
  return !position.laid().empty();
}

const PartEntry kRiverPart = {"The River",
                              [](const TileSet& tiles, const Rules&, bool) {
                                return std::any_of(
                                    tiles.compiled().begin(), tiles.compiled().end(),
                                    [](const CompiledTile& tile) { return tile.river_sides != 0; });
                              },
                              MakePart<River>, nullptr};

}  // namespace tilewarden::engine
